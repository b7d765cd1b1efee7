// Pairs of facts that never hold together: those that h² does not reach from the initial state, with
// every outcome of an action as an operator (B. Bonet and H. Geffner, "Planning as heuristic search",
// Artificial Intelligence 129, 2001; P. Haslum and H. Geffner, "Admissible heuristics for optimal
// planning", AIPS 2000). Only for tasks without conditional effects.
#ifndef CARL_HEURISTICS_MUTEXES_H
#define CARL_HEURISTICS_MUTEXES_H

#include <cstdint>
#include <vector>

#include "heuristics/relaxed_task.h"
#include "task/task.h"

namespace carl::heuristics {

class Mutexes {
 public:
  /// Facts are numbered as in the relaxed task.
  Mutexes(const task::Task& task, const RelaxedTask& relaxed);

  bool exclude(std::uint32_t fact, std::uint32_t other) const {
    return (row(fact)[other / 64] >> (other % 64) & 1) == 0;
  }

 private:
  struct Operator {
    std::vector<std::uint32_t> needs;
    std::vector<std::uint32_t> effects;
    std::vector<std::uint64_t> untouched;  // facts that stay as they are
  };

  const std::uint64_t* row(std::uint32_t fact) const { return together_.data() + fact * words_; }
  std::uint64_t* row(std::uint32_t fact) { return together_.data() + fact * words_; }
  Operator make_operator(const RelaxedTask& relaxed, const task::Task& task,
                         const task::Action& action, const task::Outcome& outcome) const;
  bool can_be_used(const Operator& op) const;
  bool apply(const Operator& op);
  /// Adds that `fact` may hold along with these; true if that is new.
  bool add(std::uint32_t fact, const std::vector<std::uint64_t>& others);

  std::size_t words_;
  std::vector<std::uint64_t> together_;  // bit (f, g): they may hold together
  std::vector<std::uint64_t> scratch_;
};

}  // namespace carl::heuristics

#endif
