// A monotone circuit of counters that finds out, literal by literal, which formulas can become true
// when a literal that was once reached stays reached. Linear in the size of the formulas, unlike a
// disjunctive normal form.
#ifndef CARL_TASK_CIRCUIT_H
#define CARL_TASK_CIRCUIT_H

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

#include "task/formula.h"

namespace carl::task {

class Circuit {
 public:
  /// Waits for `formula` (not a constant, its literals not reached yet) to become true.
  void add(const Formula& formula, std::uint32_t payload);
  /// `literal` holds from now on: appends the payloads of the formulas that just became true.
  void reach(Literal literal, std::vector<std::uint32_t>& fired);

 private:
  static constexpr std::uint32_t root = UINT32_MAX;

  struct Node {
    std::int64_t missing = 0;     // inputs still needed; below zero once more than one came
    std::uint32_t parent = root;  // or root
    std::uint32_t payload = 0;    // of a root
  };

  std::uint32_t add_node(std::int64_t missing, std::uint32_t parent);
  void add_below(const Formula& formula, std::uint32_t parent);

  std::vector<Node> nodes_;
  absl::flat_hash_map<std::uint32_t, std::vector<std::uint32_t>> waiting_;  // nodes, by literal
};

}  // namespace carl::task

#endif
