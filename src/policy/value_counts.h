// How often values occur, in memory that does not depend on how many there are. Up to some number
// of different values each is counted by itself, so whatever is asked about them is exact; beyond
// that they are rounded to eleven significant bits, and a value that is within a bound stays apart
// from one that is not. The result does not depend on the order in which values are added.
#ifndef CARL_POLICY_VALUE_COUNTS_H
#define CARL_POLICY_VALUE_COUNTS_H

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "carl/model.h"
#include "carl/simulate.h"

namespace carl::policy {

class ValueCounts {
 public:
  static constexpr std::size_t most_values = Simulator::remembered_runs;

  explicit ValueCounts(std::optional<Bound> bound) : bound_(bound) {}

  /// Not negative.
  void add(double value, std::size_t times = 1);
  Distribution sorted() const;
  /// At most so far, relatively, are values from what was added.
  double relative_error() const { return rounded_ ? 0x1p-10 : 0; }

 private:
  std::uint64_t key(double value) const;
  double value(std::uint64_t key) const;
  void round_all();

  std::optional<Bound> bound_;
  bool rounded_ = false;
  absl::flat_hash_map<std::uint64_t, std::size_t> counts_;
};

}  // namespace carl::policy

#endif
