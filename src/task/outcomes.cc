#include "task/outcomes.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace carl::task {
namespace {

using Outcomes = std::vector<AtomOutcome>;

bool happens(const ConditionalEffect& conditional, const Knowledge& knowledge) {
  return evaluate(conditional.condition, [&](AtomId a) { return knowledge.value(a); }) ==
         Truth::yes;
}

/// Adds up the probabilities of outcomes that do and cost the same; the first of them keeps its
/// place.
void merge_equal(Outcomes& outcomes) {
  if (outcomes.size() < 2) return;
  std::vector<std::size_t> order(outcomes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto same = [&](std::size_t a, std::size_t b) {
    return outcomes[a].adds == outcomes[b].adds && outcomes[a].deletes == outcomes[b].deletes &&
           outcomes[a].costs == outcomes[b].costs;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (outcomes[a].adds != outcomes[b].adds) return outcomes[a].adds < outcomes[b].adds;
    if (outcomes[a].deletes != outcomes[b].deletes)
      return outcomes[a].deletes < outcomes[b].deletes;
    if (outcomes[a].costs != outcomes[b].costs) return outcomes[a].costs < outcomes[b].costs;
    return a < b;
  });
  for (std::size_t i = 0, first = 0; i < order.size(); ++i) {
    if (i == first || !same(order[first], order[i])) {
      first = i;
    } else {
      outcomes[order[first]].probability += outcomes[order[i]].probability;
      outcomes[order[i]].probability = 0;
    }
  }
  std::erase_if(outcomes, [](const AtomOutcome& outcome) { return outcome.probability == 0; });
}

std::vector<AtomId> unite(const std::vector<AtomId>& a, const std::vector<AtomId>& b) {
  std::vector<AtomId> both;
  both.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<Rational> sum(std::vector<Rational> a, const std::vector<Rational>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] += b[i];
  return a;
}

std::vector<AtomId> sorted(std::vector<AtomId> atoms) {
  std::sort(atoms.begin(), atoms.end());
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms;
}

class Multiplier {
 public:
  /// Counts so many costs.
  Multiplier(const Knowledge& knowledge, const NumberTable& numbers, std::size_t num_costs,
             std::size_t max_outcomes)
      : knowledge_(knowledge),
        numbers_(numbers),
        no_costs_(num_costs),
        max_outcomes_(max_outcomes) {}

  /// Deletes are not resolved against adds yet: an add elsewhere in the action may still win.
  Outcomes outcomes_of(const GroundEffect& effect) {
    Outcomes result{{1, sorted(effect.adds), sorted(effect.deletes), no_costs_}};
    if (!no_costs_.empty())
      for (const Increase& increase : effect.increases)
        result[0].costs[increase.cost] += numbers_[increase.amount];
    for (const ConditionalEffect& conditional : effect.conditionals)
      if (happens(conditional, knowledge_)) multiply(result, outcomes_of(conditional.effect));
    for (const Choice& choice : effect.choices)
      multiply(result, outcomes_of(choice));
    return result;
  }

  bool too_many() const { return too_many_; }

 private:
  Outcomes outcomes_of(const Choice& choice) {
    Outcomes result;
    Rational rest = 1;
    for (std::size_t i = 0; i < choice.branches.size() && !too_many_; ++i) {
      const Rational& probability = numbers_[choice.probabilities[i]];
      rest -= probability;
      for (AtomOutcome& outcome : outcomes_of(choice.branches[i])) {
        outcome.probability *= probability;
        result.push_back(std::move(outcome));
      }
    }
    if (rest > 0) result.push_back({rest, {}, {}, no_costs_});
    shrink(result);
    return result;
  }

  void multiply(Outcomes& result, const Outcomes& factor) {
    Outcomes product;
    for (const AtomOutcome& a : result) {
      if (too_many_) return;
      for (const AtomOutcome& b : factor)
        product.push_back({a.probability * b.probability, unite(a.adds, b.adds),
                           unite(a.deletes, b.deletes), sum(a.costs, b.costs)});
      if (product.size() > 2 * max_outcomes_) shrink(product);
    }
    shrink(product);
    result = std::move(product);
  }

  void shrink(Outcomes& outcomes) {
    merge_equal(outcomes);
    if (outcomes.size() > max_outcomes_) too_many_ = true;
  }

  const Knowledge& knowledge_;
  const NumberTable& numbers_;
  std::vector<Rational> no_costs_;
  std::size_t max_outcomes_;
  bool too_many_ = false;
};

/// An add wins over a delete of the same atom; what is known to change nothing is dropped.
void normalise(AtomOutcome& outcome, const Knowledge& knowledge) {
  std::erase_if(outcome.deletes, [&](AtomId atom) {
    return knowledge.value(atom) == Truth::no ||
           std::binary_search(outcome.adds.begin(), outcome.adds.end(), atom);
  });
  std::erase_if(outcome.adds, [&](AtomId atom) { return knowledge.value(atom) == Truth::yes; });
}

std::optional<Outcomes> finish(Outcomes outcomes, const Knowledge& knowledge) {
  for (AtomOutcome& outcome : outcomes)
    normalise(outcome, knowledge);
  merge_equal(outcomes);
  return outcomes;
}

bool has_costs(const GroundEffect& effect, const Knowledge& knowledge) {
  if (!effect.increases.empty() || has_random_costs(effect, knowledge)) return true;
  return std::any_of(effect.conditionals.begin(), effect.conditionals.end(), [&](const auto& c) {
    return happens(c, knowledge) && has_costs(c.effect, knowledge);
  });
}

}  // namespace

std::optional<Outcomes> multiply_out(const GroundEffect& effect, const Knowledge& knowledge,
                                     const NumberTable& numbers, std::size_t max_outcomes) {
  Multiplier multiplier(knowledge, numbers, 0, max_outcomes);
  Outcomes outcomes = multiplier.outcomes_of(effect);
  if (multiplier.too_many()) return std::nullopt;
  return finish(std::move(outcomes), knowledge);
}

std::optional<Outcomes> multiply_out_costs(const GroundEffect& effect, const Knowledge& knowledge,
                                           const NumberTable& numbers,
                                           const std::vector<Rational>& initial_costs,
                                           std::size_t max_outcomes) {
  Multiplier multiplier(knowledge, numbers, initial_costs.size(), max_outcomes);
  Outcomes outcomes = multiplier.outcomes_of(effect);
  if (multiplier.too_many()) return std::nullopt;
  for (AtomOutcome& outcome : outcomes)
    outcome.costs = sum(std::move(outcome.costs), initial_costs);
  return finish(std::move(outcomes), knowledge);
}

bool has_random_costs(const GroundEffect& effect, const Knowledge& knowledge) {
  for (const ConditionalEffect& conditional : effect.conditionals)
    if (happens(conditional, knowledge) && has_random_costs(conditional.effect, knowledge))
      return true;
  for (const Choice& choice : effect.choices)
    for (const GroundEffect& branch : choice.branches)
      if (has_costs(branch, knowledge)) return true;
  return false;
}

void add_expected_costs(const GroundEffect& effect, const Knowledge& knowledge,
                        const NumberTable& numbers, const Rational& weight,
                        std::vector<Rational>& costs) {
  for (const Increase& increase : effect.increases)
    costs[increase.cost] += weight * numbers[increase.amount];
  for (const ConditionalEffect& conditional : effect.conditionals)
    if (happens(conditional, knowledge))
      add_expected_costs(conditional.effect, knowledge, numbers, weight, costs);
  for (const Choice& choice : effect.choices)
    for (std::size_t i = 0; i < choice.branches.size(); ++i)
      add_expected_costs(choice.branches[i], knowledge, numbers,
                         weight * numbers[choice.probabilities[i]], costs);
}

}  // namespace carl::task
