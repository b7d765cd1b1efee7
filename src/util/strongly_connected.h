// Strongly connected components by Tarjan's algorithm, iterative so that long chains cannot
// overflow the stack. Components come out in reverse topological order: a component is numbered
// after all components that it can reach.
#ifndef CARL_UTIL_STRONGLY_CONNECTED_H
#define CARL_UTIL_STRONGLY_CONNECTED_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace carl {

struct Components {
  std::vector<std::uint32_t> of;  // node -> component
  std::size_t count = 0;
};

/// `degree(v)` is the number of successors of node v, `successor(v, i)` the i-th of them.
template <class Degree, class Successor>
Components strongly_connected_components(std::size_t num_nodes, Degree degree,
                                         Successor successor) {
  constexpr std::uint32_t unseen = 0;
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };
  Components result;
  result.of.assign(num_nodes, 0);
  std::vector<std::uint32_t> low(num_nodes, unseen);  // Tarjan's low link, counted from 1
  std::vector<bool> closed(num_nodes, false);
  std::vector<std::uint32_t> open;  // nodes whose component is not known yet
  std::vector<std::uint32_t> index(num_nodes, unseen);
  std::vector<Frame> stack;
  std::uint32_t counter = 0;

  const auto enter = [&](std::uint32_t node) {
    index[node] = low[node] = ++counter;
    open.push_back(node);
    stack.push_back({node, 0});
  };
  const auto leave = [&](std::uint32_t node) {
    if (low[node] != index[node]) return;
    for (std::uint32_t member = node + 1; member != node;) {
      member = open.back();
      open.pop_back();
      closed[member] = true;
      result.of[member] = static_cast<std::uint32_t>(result.count);
    }
    ++result.count;
  };

  for (std::uint32_t root = 0; root < num_nodes; ++root) {
    if (index[root] != unseen) continue;
    enter(root);
    while (!stack.empty()) {
      const std::uint32_t node = stack.back().node;
      if (stack.back().next < degree(node)) {
        const auto next = static_cast<std::uint32_t>(successor(node, stack.back().next++));
        if (index[next] == unseen)
          enter(next);
        else if (!closed[next])
          low[node] = std::min(low[node], index[next]);
        continue;
      }
      stack.pop_back();
      leave(node);
      if (!stack.empty()) low[stack.back().node] = std::min(low[stack.back().node], low[node]);
    }
  }
  return result;
}

}  // namespace carl

#endif
