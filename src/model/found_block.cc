#include "model/found_block.h"

namespace carl {

void FoundBlock::begin(const task::StateRegistry& registry) {
  registry_ = &registry;
  successor_.resize(registry.num_words());
  actions_.clear();
  num_actions_.assign(1, 0);
  outcomes_.clear();
  for (GrowingArray<std::uint64_t>& part : parts_)
    part.cut(0);
}

}  // namespace carl
