#include "model/conditional_outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "carl/error.h"
#include "util/shown.h"

namespace carl {

using task::Fact;
using task::PackedFacts;

template <class Number>
bool OutcomeList<Number>::stays_in(const std::uint64_t* state) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::uint64_t* effect = words_.data() + 2 * num_words_ * i;
    for (std::size_t w = 0; w < num_words_; ++w)
      if ((state[w] & effect[w]) != effect[num_words_ + w]) return false;
  }
  return true;
}

ConditionalOutcomes::ConditionalOutcomes(const task::Task& task, const task::StateLayout& layout)
    : task_(task), layout_(layout), place_(task.actions.size(), none) {
  for (std::size_t a = 0; a < task.actions.size(); ++a) {
    if (task.actions[a].conditionals.empty()) continue;
    place_[a] = static_cast<std::uint32_t>(actions_.size());
    compile(task.actions[a]);
  }
}

// --- compiling -----------------------------------------------------------------------------------

void ConditionalOutcomes::compile(const task::Action& action) {
  const std::size_t first_effect = effects_.size();
  effects_.resize(first_effect + action.conditionals.size());
  actions_.push_back(compile(action.outcomes, first_effect));
  std::size_t product = action.outcomes.size();
  std::size_t roundings = product;
  for (std::size_t k = 0; k < action.conditionals.size(); ++k) {
    const task::ConditionalEffect& effect = action.conditionals[k];
    const auto first_term = static_cast<std::uint32_t>(terms_.size());
    for (const std::vector<Fact>& term : effect.condition)
      terms_.push_back(compile(term));
    effects_[first_effect + k] = {{first_term, static_cast<std::uint32_t>(terms_.size())},
                                  compile(effect.outcomes, first_effect)};
    product = std::min(product, task::max_outcomes) * effect.outcomes.size();
    roundings += 2 + (effect.outcomes.size() > 1 ? product : 0);
  }
  roundings_.push_back(roundings + std::min(product, task::max_outcomes));
}

ConditionalOutcomes::Range ConditionalOutcomes::compile(const std::vector<task::Outcome>& outcomes,
                                                        std::size_t first_effect) {
  const auto first = static_cast<std::uint32_t>(branches_.size());
  for (const task::Outcome& outcome : outcomes) {
    std::vector<Fact> facts;
    std::vector<Fact> removals;
    for (const Fact& fact : outcome.effects) {
      const task::Variable& variable = task_.variables[fact.variable.index()];
      (variable.values[fact.value].empty() ? removals : facts).push_back(fact);
    }
    Branch branch{outcome.probability,
                  outcome.exact_probability,
                  compile(std::move(facts)),
                  compile(std::move(removals)),
                  {}};
    branch.effects.first = static_cast<std::uint32_t>(within_.size());
    for (const std::uint32_t k : outcome.conditionals)
      within_.push_back(static_cast<std::uint32_t>(first_effect + k));
    branch.effects.last = static_cast<std::uint32_t>(within_.size());
    branches_.push_back(branch);
  }
  return {first, static_cast<std::uint32_t>(branches_.size())};
}

ConditionalOutcomes::Range ConditionalOutcomes::compile(std::vector<Fact> facts) {
  const auto first = static_cast<std::uint32_t>(masks_.size());
  const std::vector<PackedFacts> packed = layout_.compile(facts);
  masks_.insert(masks_.end(), packed.begin(), packed.end());
  return {first, static_cast<std::uint32_t>(masks_.size())};
}

// --- in a state ----------------------------------------------------------------------------------

bool ConditionalOutcomes::holds(const Effect& effect, const std::uint64_t* state) const {
  for (std::uint32_t t = effect.terms.first; t < effect.terms.last; ++t) {
    bool all = true;
    for (std::uint32_t i = terms_[t].first; all && i < terms_[t].last; ++i)
      all = masks_[i].hold(state);
    if (all) return true;
  }
  return false;
}

template <class Number>
void ConditionalOutcomes::find(std::uint32_t action, const std::uint64_t* state,
                               OutcomeList<Number>& out) const {
  const Range branches = actions_[place_[action]];
  if (branches.last == branches.first + 1) {
    find(action, 0, Number(1), state, out);
    return;
  }
  out.probabilities_.clear();
  out.words_.clear();
  OutcomeList<Number> part(out.num_words_);
  for (std::uint32_t b = branches.first; b < branches.last; ++b) {
    find(action, b - branches.first, Number(number(branches_[b], Number())), state, part);
    out.probabilities_.insert(out.probabilities_.end(), part.probabilities_.begin(),
                              part.probabilities_.end());
    out.words_.insert(out.words_.end(), part.words_.begin(), part.words_.end());
  }
  merge(action, out);
}

template <class Number>
void ConditionalOutcomes::find(std::uint32_t action, std::uint32_t outcome,
                               const Number& probability, const std::uint64_t* state,
                               OutcomeList<Number>& out) const {
  out.probabilities_.assign(1, probability);
  out.words_.assign(2 * out.num_words_, 0);
  const Branch& branch = branches_[actions_[place_[action]].first + outcome];
  apply(branch, out);
  multiply_within(branch, state, action, out);
}

template <class Number>
void ConditionalOutcomes::apply(const Branch& branch, OutcomeList<Number>& list) const {
  const std::size_t n = list.num_words_;
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::uint64_t* mask = list.words_.data() + 2 * n * i;
    std::uint64_t* bits = mask + n;
    for (std::uint32_t m = branch.facts.first; m < branch.facts.last; ++m) {
      const PackedFacts& facts = masks_[m];
      mask[facts.word] |= facts.mask;
      bits[facts.word] = (bits[facts.word] & ~facts.mask) | facts.bits;
    }
    for (std::uint32_t m = branch.removals.first; m < branch.removals.last; ++m) {
      const PackedFacts& facts = masks_[m];
      const std::uint64_t fresh = facts.mask & ~mask[facts.word];
      mask[facts.word] |= fresh;
      bits[facts.word] |= facts.bits & fresh;
    }
  }
}

template <class Number>
void ConditionalOutcomes::multiply_within(const Branch& branch, const std::uint64_t* state,
                                          std::uint32_t action, OutcomeList<Number>& list) const {
  for (std::uint32_t i = branch.effects.first; i < branch.effects.last; ++i)
    if (const Effect& effect = effects_[within_[i]]; holds(effect, state))
      multiply(effect, state, action, list);
}

template <class Number>
void ConditionalOutcomes::multiply(const Effect& effect, const std::uint64_t* state,
                                   std::uint32_t action, OutcomeList<Number>& list) const {
  if (effect.branches.last == effect.branches.first + 1) {
    apply(branches_[effect.branches.first], list);
    multiply_within(branches_[effect.branches.first], state, action, list);
    return;
  }
  OutcomeList<Number> product(list.num_words_);
  for (std::uint32_t b = effect.branches.first; b < effect.branches.last; ++b) {
    OutcomeList<Number> part = list;
    for (Number& probability : part.probabilities_)
      probability *= number(branches_[b], Number());
    apply(branches_[b], part);
    multiply_within(branches_[b], state, action, part);
    product.probabilities_.insert(product.probabilities_.end(), part.probabilities_.begin(),
                                  part.probabilities_.end());
    product.words_.insert(product.words_.end(), part.words_.begin(), part.words_.end());
  }
  merge(action, product);
  list = std::move(product);
}

/// Outcomes that do the same become one, in the place of the first.
template <class Number>
void ConditionalOutcomes::merge(std::uint32_t action, OutcomeList<Number>& list) const {
  const std::size_t length = 2 * list.num_words_;
  const auto words = [&](std::size_t i) {
    return std::span(list.words_).subspan(length * i, length);
  };
  std::vector<std::size_t> order(list.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto [x, y] =
        std::mismatch(words(a).begin(), words(a).end(), words(b).begin(), words(b).end());
    return x != words(a).end() ? *x < *y : a < b;
  });
  std::vector<bool> repeated(list.size(), false);
  for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
    const auto a = words(order[first]);
    const auto b = words(order[i]);
    if (!std::equal(a.begin(), a.end(), b.begin())) {
      first = i;
      continue;
    }
    list.probabilities_[order[first]] += list.probabilities_[order[i]];
    repeated[order[i]] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (repeated[i]) continue;
    if (kept != i) {
      std::copy(words(i).begin(), words(i).end(), words(kept).begin());
      list.probabilities_[kept] = std::move(list.probabilities_[i]);
    }
    ++kept;
  }
  list.probabilities_.resize(kept);
  list.words_.resize(length * kept);
  if (kept > task::max_outcomes)
    throw InputError(
        fmt::format("{} has more than {} outcomes in one state",
                    shown(task_.labels[task_.actions[action].label]), task::max_outcomes),
        "split it into several actions");
}

template class OutcomeList<double>;
template class OutcomeList<Rational>;
template void ConditionalOutcomes::find(std::uint32_t, const std::uint64_t*,
                                        OutcomeList<double>&) const;
template void ConditionalOutcomes::find(std::uint32_t, const std::uint64_t*,
                                        OutcomeList<Rational>&) const;
template void ConditionalOutcomes::find(std::uint32_t, std::uint32_t, const double&,
                                        const std::uint64_t*, OutcomeList<double>&) const;

}  // namespace carl
