#include "task/packed_state.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace carl::task {
namespace {

std::vector<unsigned> bits_for(const std::vector<Variable>& variables) {
  std::vector<unsigned> bits;
  for (const Variable& variable : variables)
    bits.push_back(static_cast<unsigned>(std::bit_width(variable.values.size() - 1)));
  return bits;
}

}  // namespace

StateLayout::StateLayout(const std::vector<Variable>& variables)
    : StateLayout(bits_for(variables)) {}

StateLayout::StateLayout(const std::vector<unsigned>& bits_of) : fields_(bits_of.size()) {
  // Widest first, each into the first word with room: first fit decreasing wastes few bits.
  std::vector<std::size_t> order(bits_of.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bits_of[a] > bits_of[b]; });
  std::vector<unsigned> used{0};
  std::size_t first_open = 0;  // words before it are full
  for (const std::size_t v : order) {
    const unsigned bits = bits_of[v];
    assert(bits <= 32);
    while (first_open < used.size() && used[first_open] == 64)
      ++first_open;
    std::size_t word = first_open;
    while (word < used.size() && used[word] + bits > 64)
      ++word;
    if (word == used.size()) used.push_back(0);
    fields_[v] = {static_cast<std::uint32_t>(word), used[word] % 64,
                  static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1)};
    used[word] += bits;
  }
  num_words_ = used.size();
}

void StateLayout::pack(std::span<const std::uint32_t> values,
                       std::span<std::uint64_t> state) const {
  std::fill(state.begin(), state.end(), 0);
  for (std::size_t v = 0; v < fields_.size(); ++v)
    state[fields_[v].word] |= static_cast<std::uint64_t>(values[v]) << fields_[v].shift;
}

void StateLayout::unpack(PackedState state, std::span<std::uint32_t> values) const {
  for (std::size_t v = 0; v < fields_.size(); ++v)
    values[v] = fields_[v].value(state.data());
}

std::vector<PackedFacts> StateLayout::compile(std::span<const Fact> facts) const {
  std::vector<PackedFacts> single;
  single.reserve(facts.size());
  for (const Fact& fact : facts) {
    const PackedField& place = field(fact.variable);
    single.push_back({place.word, static_cast<std::uint64_t>(place.mask) << place.shift,
                      static_cast<std::uint64_t>(fact.value) << place.shift});
  }
  std::stable_sort(single.begin(), single.end(),
                   [](const PackedFacts& a, const PackedFacts& b) { return a.word < b.word; });
  std::vector<PackedFacts> result;
  for (const PackedFacts& facts_of_one : single) {
    if (result.empty() || result.back().word != facts_of_one.word)
      result.push_back({facts_of_one.word, 0, 0});
    result.back().mask |= facts_of_one.mask;
    result.back().bits |= facts_of_one.bits;
  }
  return result;
}

}  // namespace carl::task
