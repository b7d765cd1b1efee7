// Strongly connected components by Tarjan's algorithm, iterative so that long chains cannot
// overflow the stack. Components come out in reverse topological order: a component is numbered
// after all components that it can reach.
//
// R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1, 1972.
#ifndef CARL_UTIL_STRONGLY_CONNECTED_H
#define CARL_UTIL_STRONGLY_CONNECTED_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carl {

struct Components {
  std::vector<std::uint32_t> of;  // node -> component
  std::size_t count = 0;
};

/// The nodes of each component in increasing order.
class ComponentMembers {
 public:
  explicit ComponentMembers(const Components& components)
      : first_(components.count + 1, 0), nodes_(components.of.size()) {
    for (const std::uint32_t c : components.of)
      ++first_[c + 1];
    for (std::size_t c = 0; c < components.count; ++c)
      first_[c + 1] += first_[c];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t v = 0; v < nodes_.size(); ++v)
      nodes_[next[components.of[v]]++] = static_cast<std::uint32_t>(v);
  }

  std::size_t num_components() const { return first_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t component) const {
    return std::span(nodes_).subspan(first_[component], first_[component + 1] - first_[component]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> nodes_;
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
