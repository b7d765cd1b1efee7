#include "model/concurrent_model.h"

#include <limits>

#include "carl/monitor.h"

namespace carl {

void FreshActions::begin(std::size_t num_known) {
  num_known_ = num_known;
  if (size() == 0) return;
  keys_.clear();
  costs_.clear();
  keys_of_.clear();
  costs_of_.clear();
}

ActionId FreshActions::add(Key key, std::span<const double> cost) {
  const std::size_t id = num_known_ + size();
  if (id >= std::numeric_limits<std::uint32_t>::max() - 1) throw LimitReached(LimitKind::memory);
  keys_of_.push_back(keys_.intern(key));
  costs_of_.push_back(costs_.intern(cost));
  return ActionId(id);
}

}  // namespace carl
