// What the pairs of a moment ago were given as, and what became of it: large models repeat a few
// costs and probabilities millions of times, and need them checked, scaled and folded once. A pair is
// remembered by the bits of its costs and probabilities and by the place of its self-loop.
#ifndef CARL_MODEL_RECENT_PAIRS_H
#define CARL_MODEL_RECENT_PAIRS_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace carl {

class RecentPairs {
 public:
  struct Rows {
    std::uint32_t cost = 0;
    std::uint32_t first_probability = 0;
  };
  struct Given {
    std::span<const double> cost;
    std::span<const double> probabilities;
    std::size_t loop = no_loop;  // its place among the outcomes
  };
  static constexpr std::size_t no_loop = std::numeric_limits<std::size_t>::max();

  /// Null if it is not remembered. Valid until something else is.
  const Rows* find(const Given& given) const {
    if (size_of(given) > most_numbers) return nullptr;
    const Slot& slot = slots_[slot_of(given)];
    const bool same = slot.num_costs == given.cost.size() &&
                      slot.num_probabilities == given.probabilities.size() &&
                      slot.loop == given.loop && equal(given.cost, slot.numbers.data()) &&
                      equal(given.probabilities, slot.numbers.data() + slot.num_costs);
    return same ? &slot.rows : nullptr;
  }

  void remember(const Given& given, const Rows& rows) {
    if (size_of(given) > most_numbers) return;
    Slot& slot = slots_[slot_of(given)];
    slot.num_costs = given.cost.size();
    slot.num_probabilities = given.probabilities.size();
    slot.loop = given.loop;
    slot.rows = rows;
    const auto next =
        std::transform(given.cost.begin(), given.cost.end(), slot.numbers.begin(), bits);
    std::transform(given.probabilities.begin(), given.probabilities.end(), next, bits);
  }

 private:
  static constexpr std::size_t most_numbers = 12;
  static constexpr std::size_t slot_bits = 7;

  struct Slot {
    std::size_t num_costs = most_numbers + 1;  // that many: nothing is remembered yet
    std::size_t num_probabilities = 0;
    std::size_t loop = no_loop;
    Rows rows;
    std::array<std::uint64_t, most_numbers> numbers{};
  };

  static std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number); }
  static std::size_t size_of(const Given& given) {
    return given.cost.size() + given.probabilities.size();
  }
  static bool equal(std::span<const double> given, const std::uint64_t* known) {
    for (const double number : given)
      if (bits(number) != *known++) return false;
    return true;
  }
  /// By all numbers, each with a factor of its own: none waits for the one before.
  static std::size_t slot_of(const Given& given) {
    std::uint64_t factor = 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = given.loop * factor;
    for (const std::span<const double> numbers : {given.cost, given.probabilities})
      for (const double number : numbers) {
        factor += 0x5851F42D4C957F2EU;  // even, so that factors stay odd
        mixed += bits(number) * factor;
      }
    return mixed >> (64 - slot_bits);
  }

  std::array<Slot, std::size_t{1} << slot_bits> slots_{};
};

}  // namespace carl

#endif
