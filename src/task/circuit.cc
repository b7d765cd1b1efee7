#include "task/circuit.h"

namespace carl::task {

void Circuit::add(const Formula& formula, std::uint32_t payload) {
  const std::uint32_t node = add_node(1, root);
  nodes_[node].payload = payload;
  add_below(formula, node);
}

std::uint32_t Circuit::add_node(std::int64_t missing, std::uint32_t parent) {
  nodes_.push_back({missing, parent, 0});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void Circuit::add_below(const Formula& formula, std::uint32_t parent) {
  if (formula.kind == Formula::Kind::literal) {
    waiting_[formula.literal.code()].push_back(parent);
    return;
  }
  const bool all = formula.kind == Formula::Kind::conjunction;
  const std::uint32_t node =
      add_node(all ? static_cast<std::int64_t>(formula.children.size()) : 1, parent);
  for (const Formula& child : formula.children)
    add_below(child, node);
}

void Circuit::reach(Literal literal, std::vector<std::uint32_t>& fired) {
  const auto waiting = waiting_.find(literal.code());
  if (waiting == waiting_.end()) return;
  for (std::uint32_t node : waiting->second) {
    while (--nodes_[node].missing == 0) {
      if (nodes_[node].parent == root) {
        fired.push_back(nodes_[node].payload);
        break;
      }
      node = nodes_[node].parent;
    }
  }
  waiting_.erase(waiting);
}

}  // namespace carl::task
