#include "cluster/watch.h"

#include <limits>
#include <vector>

namespace carl::cluster {
namespace {

// A few milliseconds of one rank, and hundreds of times what a look costs.
constexpr std::uint64_t states_between_looks = 100'000;

}  // namespace

bool Watch::reached(std::uint64_t work) {
  work_ += work;
  return work_ < states_between_looks ? reached_ : reached();
}

bool Watch::reached() {
  if (reached_) return true;
  work_ = 0;
  const bool own = monitor_.reached_now();
  const bool interrupted = own && monitor_.kind() == LimitKind::interrupt;
  std::vector<double> all{own && ranks_.is_first() ? 1.0 : 0.0, interrupted ? 1.0 : 0.0,
                          monitor_.share_of_memory_used()};
  ranks_.sum(all);
  if (all[1] > 0) monitor_.interrupt();
  if (all[2] > 1) static_cast<void>(monitor_.has_room_for(std::numeric_limits<std::size_t>::max()));
  reached_ = all[0] > 0 || all[1] > 0 || all[2] > 1;
  return reached_;
}

void Watch::check_all(LimitKind own) {
  const auto kind = static_cast<LimitKind>(ranks_.max(static_cast<std::uint64_t>(own)));
  if (kind != LimitKind::none) throw LimitReached(kind);
}

}  // namespace carl::cluster
