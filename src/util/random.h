// SplitMix64: small, fast, and the same numbers on every machine, so that a seed names an instance.
#ifndef CARL_UTIL_RANDOM_H
#define CARL_UTIL_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <utility>

namespace carl {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// A number in 0 … k-1.
  std::uint64_t below(std::uint64_t k) { return next() % k; }
  /// A number in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  /// Fisher–Yates, from the last element down.
  template <class Container>
  void shuffle(Container& items) {
    for (std::size_t i = items.size(); i-- > 1;)
      std::swap(items[i], items[below(i + 1)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace carl

#endif
