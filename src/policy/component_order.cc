#include "policy/component_order.h"

namespace carl::policy {
namespace {

/// Transitions to goals count as loops, which change no component.
Components components_of(const PolicyChain& chain) {
  return strongly_connected_components(
      chain.size(), [&](std::size_t v) { return chain.all_transitions(v).size(); },
      [&](std::size_t v, std::size_t i) {
        const std::uint32_t to = chain.all_transitions(v)[i].to;
        return to < chain.size() ? to : static_cast<std::uint32_t>(v);
      });
}

}  // namespace

ComponentOrder::ComponentOrder(const PolicyChain& chain)
    : components_(components_of(chain)), members_(components_), position_(chain.size()) {
  for (std::size_t c = 0; c < size(); ++c)
    for (std::size_t i = 0; i < nodes(c).size(); ++i)
      position_[nodes(c)[i]] = static_cast<std::uint32_t>(i);
}

}  // namespace carl::policy
