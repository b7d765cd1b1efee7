#include "task/successor_generator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace carl::task {

class SuccessorGenerator::Builder {
 public:
  Builder(SuccessorGenerator& tree, const Task& task, const StateLayout& layout)
      : tree_(tree), task_(task), layout_(layout), order_(task.variables.size()) {}

  void run() {
    rank_variables();
    sort_entries();
    if (!entries_.empty()) build(0, entries_.size(), 0);
  }

 private:
  /// A precondition, sorted by the order in which the tree asks for variables.
  struct Entry {
    std::uint32_t action = 0;
    std::vector<Fact> facts;  // with ranks for variables
  };

  /// What most actions ask about comes first, among equals what has more values.
  void rank_variables() {
    std::vector<std::size_t> uses(order_.size(), 0);
    for (const Action& action : task_.actions)
      for (const Fact& fact : action.precondition)
        ++uses[fact.variable.index()];
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      if (uses[a] != uses[b]) return uses[a] > uses[b];
      return task_.variables[a].values.size() > task_.variables[b].values.size();
    });
  }

  /// Lexicographic order puts those who ask the same together, and who asks nothing more first.
  void sort_entries() {
    std::vector<std::size_t> rank(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
      rank[order_[i]] = i;
    entries_.resize(task_.actions.size());
    for (std::uint32_t a = 0; a < entries_.size(); ++a) {
      entries_[a].action = a;
      for (const Fact& fact : task_.actions[a].precondition)
        entries_[a].facts.push_back({VariableId(rank[fact.variable.index()]), fact.value});
      std::sort(entries_[a].facts.begin(), entries_[a].facts.end());
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.facts != b.facts ? a.facts < b.facts : a.action < b.action;
    });
  }

  /// The chain of nodes for entries [begin, end), which agree on their first `depth` facts. Since
  /// what they agree on beyond is tested here, every level of recursion splits the entries.
  std::uint32_t build(std::size_t begin, std::size_t end, std::size_t depth) {
    const auto first = static_cast<std::uint32_t>(tree_.nodes_.size());
    tree_.nodes_.emplace_back();
    depth = add_tests(first, begin, end, depth);
    tree_.nodes_[first].first_action = static_cast<std::uint32_t>(tree_.actions_.size());
    for (; begin < end && entries_[begin].facts.size() == depth; ++begin)
      tree_.actions_.push_back(entries_[begin].action);
    tree_.nodes_[first].last_action = static_cast<std::uint32_t>(tree_.actions_.size());
    // One node for each variable that comes next; who asks for a later one does not care.
    for (std::uint32_t node = first; begin < end;) {
      const std::size_t stop = end_of_run(begin, end, [&](const Entry& entry) {
        return entry.facts[depth].variable == entries_[begin].facts[depth].variable;
      });
      add_children(node, begin, stop, depth);
      begin = stop;
      if (begin == end) break;
      const auto next = static_cast<std::uint32_t>(tree_.nodes_.size());
      tree_.nodes_.emplace_back();
      tree_.nodes_[node].dont_care = next;
      node = next;
    }
    return first;
  }

  template <class Predicate>
  std::size_t end_of_run(std::size_t begin, std::size_t end, const Predicate& belongs) const {
    while (begin < end && belongs(entries_[begin]))
      ++begin;
    return begin;
  }

  /// Tests what all entries agree on; returns how many facts that are.
  std::size_t add_tests(std::uint32_t node, std::size_t begin, std::size_t end, std::size_t depth) {
    // In lexicographic order what the first and the last agree on, all agree on.
    const std::vector<Fact>& facts = entries_[begin].facts;
    const std::vector<Fact>& last = entries_[end - 1].facts;
    const auto agreed = static_cast<std::size_t>(
        std::mismatch(facts.begin(), facts.end(), last.begin(), last.end()).first - facts.begin());
    std::vector<Fact> common;
    for (std::size_t i = depth; i < agreed; ++i)
      common.push_back({VariableId(order_[facts[i].variable.index()]), facts[i].value});
    const std::vector<PackedFacts> tests = layout_.compile(common);
    tree_.nodes_[node].first_test = static_cast<std::uint32_t>(tree_.tests_.size());
    tree_.tests_.insert(tree_.tests_.end(), tests.begin(), tests.end());
    tree_.nodes_[node].last_test = static_cast<std::uint32_t>(tree_.tests_.size());
    return agreed;
  }

  void add_children(std::uint32_t node, std::size_t begin, std::size_t end, std::size_t depth) {
    const std::size_t variable = order_[entries_[begin].facts[depth].variable.index()];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> children;  // value, node
    while (begin < end) {
      const std::uint32_t value = entries_[begin].facts[depth].value;
      const std::size_t stop = end_of_run(
          begin, end, [&](const Entry& entry) { return entry.facts[depth].value == value; });
      children.emplace_back(value, build(begin, stop, depth + 1));
      begin = stop;
    }
    Node& parent = tree_.nodes_[node];
    parent.field = layout_.field(VariableId(variable));
    store_children(parent, children, task_.variables[variable].values.size());
  }

  void store_children(Node& parent,
                      const std::vector<std::pair<std::uint32_t, std::uint32_t>>& children,
                      std::size_t num_values) {
    std::vector<std::uint32_t>& all = tree_.children_;
    parent.first_child = static_cast<std::uint32_t>(all.size());
    // A table is fastest, unless most of it would be empty.
    parent.table = num_values <= 16 * children.size();
    parent.num_children = static_cast<std::uint32_t>(parent.table ? num_values : children.size());
    if (parent.table) all.resize(all.size() + num_values, none);
    for (const auto& [value, child] : children) {
      if (parent.table) {
        all[parent.first_child + value] = child;
      } else {
        all.push_back(value);
        all.push_back(child);
      }
    }
  }

  SuccessorGenerator& tree_;
  const Task& task_;
  const StateLayout& layout_;
  std::vector<std::size_t> order_;  // variables by rank
  std::vector<Entry> entries_;
};

SuccessorGenerator::SuccessorGenerator(const Task& task, const StateLayout& layout) {
  Builder(*this, task, layout).run();
}

std::uint32_t SuccessorGenerator::child(const Node& node, std::uint32_t value) const {
  const std::uint32_t* children = children_.data() + node.first_child;
  if (node.table) return children[value];
  std::size_t low = 0;
  std::size_t high = node.num_children;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (children[2 * middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low < node.num_children && children[2 * low] == value;
  return found ? children[2 * low + 1] : none;
}

void SuccessorGenerator::visit(std::uint32_t number, const std::uint64_t* state,
                               std::vector<std::uint32_t>& actions) const {
  for (std::uint32_t i = nodes_[number].first_test; i < nodes_[number].last_test; ++i)
    if (!tests_[i].hold(state)) return;
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
