// The strongly connected components of a policy's chain, for passes over it: forwards from the
// start for expected visits, backwards from the goal for expected costs to go.
#ifndef CARL_POLICY_COMPONENT_ORDER_H
#define CARL_POLICY_COMPONENT_ORDER_H

#include <cstdint>
#include <span>
#include <vector>

#include "policy/elimination.h"
#include "policy/policy_chain.h"
#include "util/strongly_connected.h"

namespace carl::policy {

/// The chain must be closed: transitions lead to nodes or goals.
class ComponentOrder {
 public:
  explicit ComponentOrder(const PolicyChain& chain);

  /// Components are numbered so that none leads to one with a higher number.
  std::size_t size() const { return members_.num_components(); }
  std::span<const std::uint32_t> nodes(std::size_t component) const { return members_[component]; }
  bool contains(std::size_t component, std::uint32_t node) const {
    return node < components_.of.size() && components_.of[node] == component;
  }
  /// The position of a node within its component.
  std::size_t position(std::uint32_t node) const { return position_[node]; }

  /// The component as a chain of its own; for_each_step(node, visit(to, probability)).
  template <class Number, class ForEachStep>
  Elimination<Number> elimination(std::size_t component, const ForEachStep& for_each_step) const {
    const auto members = nodes(component);
    Elimination<Number> result(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      for_each_step(members[i], [&](std::uint32_t to, const Number& probability) {
        if (!contains(component, to))
          result.exit(i) += probability;
        else if (to != members[i])
          result.step(i, position(to)) += probability;
      });
    return result;
  }

  /// Expected visits of every node from node 0. solve(component, b) turns the flow that enters a
  /// component into visits; false ends the pass.
  template <class Number, class ForEachStep, class Solve>
  bool forwards(std::vector<Number>& flow, const ForEachStep& for_each_step, Solve solve) const {
    flow.assign(components_.of.size(), Number(0));
    if (!flow.empty()) flow[0] = 1;
    std::vector<Number> b;
    for (std::size_t c = size(); c-- > 0;) {
      b.clear();
      for (const std::uint32_t node : nodes(c))
        b.push_back(flow[node]);
      if (!solve(c, b)) return false;
      for (std::size_t i = 0; i < b.size(); ++i) {
        const std::uint32_t node = nodes(c)[i];
        flow[node] = b[i];
        for_each_step(node, [&](std::uint32_t to, const Number& probability) {
          if (to < flow.size() && !contains(c, to)) flow[to] += b[i] * probability;
        });
      }
    }
    return true;
  }

 private:
  Components components_;
  ComponentMembers members_;
  std::vector<std::uint32_t> position_;
};

}  // namespace carl::policy

#endif
