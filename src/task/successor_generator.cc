#include "task/successor_generator.h"

#include <algorithm>
#include <numeric>

namespace carl::task {
namespace {

/// Variables in the order in which the tree looks at them: what most actions ask about comes first,
/// among equals what has more values.
std::vector<std::size_t> ranking(const Task& task) {
  std::vector<std::size_t> uses(task.variables.size(), 0);
  for (const Action& action : task.actions)
    for (const Fact& fact : action.precondition)
      ++uses[fact.variable.index()];
  std::vector<std::size_t> order(task.variables.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (uses[a] != uses[b]) return uses[a] > uses[b];
    return task.variables[a].values.size() > task.variables[b].values.size();
  });
  return order;
}

}  // namespace

SuccessorGenerator::SuccessorGenerator(const Task& task, const StateLayout& layout) {
  const std::vector<std::size_t> order = ranking(task);
  std::vector<std::size_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
    fields_.push_back(layout.field(VariableId(order[i])));
    num_values_.push_back(static_cast<std::uint32_t>(task.variables[order[i]].values.size()));
  }
  std::vector<Entry> entries(task.actions.size());
  for (std::uint32_t a = 0; a < entries.size(); ++a) {
    entries[a].action = a;
    for (const Fact& fact : task.actions[a].precondition)
      entries[a].facts.push_back({VariableId(rank[fact.variable.index()]), fact.value});
    std::sort(entries[a].facts.begin(), entries[a].facts.end());
  }
  // Lexicographic order puts those who ask the same together, and who asks nothing more first.
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.facts != b.facts ? a.facts < b.facts : a.action < b.action;
  });
  if (!entries.empty()) build(entries, 0, entries.size(), 0);
}

/// The tree for entries [begin, end), which agree on their first `depth` facts.
std::uint32_t SuccessorGenerator::build(std::vector<Entry>& entries, std::size_t begin,
                                        std::size_t end, std::size_t depth) {
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  std::uint32_t previous = none;
  std::uint32_t number = first;
  const auto first_action = static_cast<std::uint32_t>(actions_.size());
  for (; begin < end && entries[begin].facts.size() == depth; ++begin)
    actions_.push_back(entries[begin].action);
  nodes_.emplace_back();
  nodes_[number].first_action = first_action;
  nodes_[number].last_action = static_cast<std::uint32_t>(actions_.size());
  // One node per variable that comes next; who asks for a later one does not care about this.
  while (begin < end) {
    const VariableId variable = entries[begin].facts[depth].variable;
    std::size_t stop = begin;
    while (stop < end && entries[stop].facts[depth].variable == variable)
      ++stop;
    if (previous != none) {
      number = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
      nodes_[previous].dont_care = number;
    }
    add_children(number, entries, begin, stop, depth);
    previous = number;
    begin = stop;
  }
  return first;
}

void SuccessorGenerator::add_children(std::uint32_t node, std::vector<Entry>& entries,
                                      std::size_t begin, std::size_t end, std::size_t depth) {
  const std::size_t rank = entries[begin].facts[depth].variable.index();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> children;  // value, node
  while (begin < end) {
    const std::uint32_t value = entries[begin].facts[depth].value;
    std::size_t stop = begin;
    while (stop < end && entries[stop].facts[depth].value == value)
      ++stop;
    children.emplace_back(value, build(entries, begin, stop, depth + 1));
    begin = stop;
  }
  Node& parent = nodes_[node];
  parent.field = fields_[rank];
  parent.first_child = static_cast<std::uint32_t>(children_.size());
  // A table is fastest, unless most of it would be empty.
  parent.table = children.size() > 1 && num_values_[rank] <= 16 * children.size();
  if (parent.table) {
    parent.num_children = num_values_[rank];
    children_.resize(children_.size() + num_values_[rank], none);
    for (const auto& [value, child] : children)
      children_[parent.first_child + value] = child;
  } else {
    parent.num_children = static_cast<std::uint32_t>(children.size());
    for (const auto& [value, child] : children) {
      children_.push_back(value);
      children_.push_back(child);
    }
  }
}

std::uint32_t SuccessorGenerator::child(const Node& node, std::uint32_t value) const {
  const std::uint32_t* children = children_.data() + node.first_child;
  if (node.table) return children[value];
  std::uint32_t low = 0;
  std::uint32_t high = node.num_children;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (children[2 * std::size_t{middle}] < value)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low < node.num_children && children[2 * std::size_t{low}] == value;
  return found ? children[2 * std::size_t{low} + 1] : none;
}

void SuccessorGenerator::visit(std::uint32_t number, const std::uint64_t* state,
                               std::vector<std::uint32_t>& actions) const {
  for (; number != none; number = nodes_[number].dont_care) {
    const Node& node = nodes_[number];
    actions.insert(actions.end(), actions_.begin() + node.first_action,
                   actions_.begin() + node.last_action);
    if (node.num_children == 0) continue;
    if (const std::uint32_t next = child(node, node.field.value(state)); next != none)
      visit(next, state, actions);
  }
}

}  // namespace carl::task
