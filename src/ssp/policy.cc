#include "ssp/policy.h"

#include <array>
#include <cassert>

namespace carl::ssp {

Policy deterministic_envelope(const SearchGraph& graph, StateId start,
                              const std::vector<PairId>& pair_of_state) {
  return envelope(graph, start, [&](StateId s) {
    assert(pair_of_state[s.index()].valid());
    return std::array{Policy::Choice{pair_of_state[s.index()], 1.0}};
  });
}

}  // namespace carl::ssp
