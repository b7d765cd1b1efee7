#include "heuristics/mutexes.h"

#include <bit>

namespace carl::heuristics {
namespace {

void set_bit(std::vector<std::uint64_t>& bits, std::uint32_t i) {
  bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

}  // namespace

Mutexes::Mutexes(const task::Task& task, const RelaxedTask& relaxed)
    : words_((relaxed.num_facts + 63) / 64),
      together_(relaxed.num_facts * words_, 0),
      scratch_(words_) {
  std::vector<std::uint64_t> initial(words_, 0);
  for (std::size_t v = 0; v < task.initial.size(); ++v)
    set_bit(initial, relaxed.fact(v, task.initial[v]));
  for (std::size_t v = 0; v < task.initial.size(); ++v)
    add(relaxed.fact(v, task.initial[v]), initial);
  std::vector<Operator> operators;
  for (const task::Action& action : task.actions)
    for (const task::Outcome& outcome : action.outcomes)
      if (!outcome.effects.empty())
        operators.push_back(make_operator(relaxed, task, action, outcome));
  for (bool changed = true; changed;) {
    changed = false;
    for (const Operator& op : operators)
      changed |= can_be_used(op) && apply(op);
  }
}

Mutexes::Operator Mutexes::make_operator(const RelaxedTask& relaxed, const task::Task& task,
                                         const task::Action& action,
                                         const task::Outcome& outcome) const {
  Operator op;
  op.untouched.assign(words_, 0);
  for (std::uint32_t fact = 0; fact < relaxed.num_facts; ++fact)
    set_bit(op.untouched, fact);
  for (const task::Fact& f : action.precondition)
    op.needs.push_back(relaxed.fact(f.variable.index(), f.value));
  for (const task::Fact& f : outcome.effects) {
    op.effects.push_back(relaxed.fact(f.variable.index(), f.value));
    const auto num_values =
        static_cast<std::uint32_t>(task.variables[f.variable.index()].values.size());
    for (std::uint32_t d = 0; d < num_values; ++d) {
      const std::uint32_t fact = relaxed.fact(f.variable.index(), d);
      op.untouched[fact / 64] &= ~(std::uint64_t{1} << (fact % 64));
    }
  }
  return op;
}

bool Mutexes::can_be_used(const Operator& op) const {
  for (const std::uint32_t fact : op.needs)
    for (const std::uint32_t other : op.needs)
      if (exclude(fact, other)) return false;
  return true;
}

/// What may hold after it along with its effects: the effects, and what it leaves alone of all that
/// may hold along with each fact that it needs.
bool Mutexes::apply(const Operator& op) {
  scratch_ = op.untouched;
  for (const std::uint32_t fact : op.needs)
    for (std::size_t w = 0; w < words_; ++w)
      scratch_[w] &= row(fact)[w];
  if (op.needs.empty())  // facts that have not been reached do not hold
    for (std::uint32_t fact = 0; fact < together_.size() / words_; ++fact)
      if (exclude(fact, fact)) scratch_[fact / 64] &= ~(std::uint64_t{1} << (fact % 64));
  for (const std::uint32_t fact : op.effects)
    set_bit(scratch_, fact);
  bool changed = false;
  for (const std::uint32_t fact : op.effects)
    changed |= add(fact, scratch_);
  return changed;
}

bool Mutexes::add(std::uint32_t fact, const std::vector<std::uint64_t>& others) {
  bool changed = false;
  for (std::size_t w = 0; w < words_; ++w) {
    std::uint64_t fresh = others[w] & ~row(fact)[w];
    if (fresh == 0) continue;
    changed = true;
    row(fact)[w] |= fresh;
    for (; fresh != 0; fresh &= fresh - 1) {
      const auto other =
          static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(fresh));
      row(other)[fact / 64] |= std::uint64_t{1} << (fact % 64);
    }
  }
  return changed;
}

}  // namespace carl::heuristics
