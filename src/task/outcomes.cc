#include "task/outcomes.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace carl::task {
namespace {

using Outcomes = std::vector<AtomOutcome>;

Truth truth(const Formula& condition, const Knowledge& knowledge) {
  return evaluate(condition, [&](AtomId atom) { return knowledge.value(atom); });
}

bool happens(const GroundConditional& conditional, const Knowledge& knowledge) {
  return truth(conditional.condition, knowledge) == Truth::yes;
}

/// Adds up the probabilities of outcomes that do and cost the same; the first of them keeps its
/// place.
void merge_equal(Outcomes& outcomes) {
  if (outcomes.size() < 2) return;
  std::vector<std::size_t> order(outcomes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto same = [&](std::size_t a, std::size_t b) {
    return outcomes[a].adds == outcomes[b].adds && outcomes[a].deletes == outcomes[b].deletes &&
           outcomes[a].conditionals == outcomes[b].conditionals &&
           outcomes[a].costs == outcomes[b].costs;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (outcomes[a].adds != outcomes[b].adds) return outcomes[a].adds < outcomes[b].adds;
    if (outcomes[a].deletes != outcomes[b].deletes)
      return outcomes[a].deletes < outcomes[b].deletes;
    if (outcomes[a].conditionals != outcomes[b].conditionals)
      return outcomes[a].conditionals < outcomes[b].conditionals;
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

template <class Item>
std::vector<Item> unite(const std::vector<Item>& a, const std::vector<Item>& b) {
  std::vector<Item> both;
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

bool has_open_conditions(const GroundEffect& effect, const Knowledge& knowledge) {
  for (const GroundConditional& conditional : effect.conditionals) {
    const Truth holds = truth(conditional.condition, knowledge);
    if (holds == Truth::unknown) return true;
    if (holds == Truth::yes && has_open_conditions(conditional.effect, knowledge)) return true;
  }
  return std::any_of(effect.choices.begin(), effect.choices.end(), [&](const Choice& choice) {
    return std::any_of(choice.branches.begin(), choice.branches.end(),
                       [&](const auto& branch) { return has_open_conditions(branch, knowledge); });
  });
}

/// True if there is nothing to it but effects whose conditions are open.
bool is_all_open(const GroundEffect& effect, const Knowledge& knowledge) {
  if (!effect.adds.empty() || !effect.deletes.empty() || !effect.increases.empty()) return false;
  for (const GroundConditional& conditional : effect.conditionals)
    if (happens(conditional, knowledge) && !is_all_open(conditional.effect, knowledge))
      return false;
  return std::all_of(effect.choices.begin(), effect.choices.end(), [&](const Choice& choice) {
    return std::all_of(choice.branches.begin(), choice.branches.end(),
                       [&](const auto& branch) { return is_all_open(branch, knowledge); });
  });
}

void collect_deletes(const GroundEffect& effect, std::vector<AtomId>& deletes) {
  deletes.insert(deletes.end(), effect.deletes.begin(), effect.deletes.end());
  for (const GroundConditional& conditional : effect.conditionals)
    collect_deletes(conditional.effect, deletes);
  for (const Choice& choice : effect.choices)
    for (const GroundEffect& branch : choice.branches)
      collect_deletes(branch, deletes);
}

/// What is left to find out about a formula.
Formula open_part(const Formula& formula, const Knowledge& knowledge) {
  if (const Truth known = truth(formula, knowledge); known != Truth::unknown)
    return Formula::constant(known == Truth::yes);
  if (formula.kind == Formula::Kind::literal) return formula;
  FormulaBuilder builder(formula.kind);
  for (const Formula& child : formula.children)
    builder.add(open_part(child, knowledge));
  return builder.build();
}

class Multiplier {
 public:
  using Excess = AtomEffect::Excess;

  /// Counts so many costs.
  Multiplier(Knowledge& knowledge, const NumberTable& numbers, std::size_t num_costs)
      : knowledge_(knowledge), numbers_(numbers), no_costs_(num_costs) {}

  AtomEffect run(const GroundEffect& effect) {
    if (has_open_conditions(effect, knowledge_)) {
      collect_deletes(effect, deleted_);
      deleted_ = sorted(std::move(deleted_));
    }
    result_.outcomes = finish(outcomes_of(effect));
    return std::move(result_);
  }

 private:
  bool given_up() const { return result_.excess != Excess::none; }

  Outcomes nothing() const { return {{1, {}, {}, {}, no_costs_}}; }

  /// Deletes are not resolved against adds yet: an add elsewhere in the action may still win.
  Outcomes outcomes_of(const GroundEffect& effect) {
    Outcomes result{{1, sorted(effect.adds), sorted(effect.deletes), {}, no_costs_}};
    if (!no_costs_.empty())
      for (const Increase& increase : effect.increases)
        result[0].costs[increase.cost] += numbers_[increase.amount];
    for (const GroundConditional& conditional : effect.conditionals) {
      const Truth holds = truth(conditional.condition, knowledge_);
      if (holds == Truth::yes) multiply(result, outcomes_of(conditional.effect));
      if (holds == Truth::unknown && !given_up()) multiply(result, keep_conditional(conditional));
    }
    for (const Choice& choice : effect.choices) {
      const bool all_open =
          std::all_of(choice.branches.begin(), choice.branches.end(),
                      [&](const auto& branch) { return is_all_open(branch, knowledge_); });
      multiply(result, all_open ? keep_apart({{}}, [&] { return outcomes_of(choice); })
                                : outcomes_of(choice));
    }
    return result;
  }

  Outcomes outcomes_of(const Choice& choice) {
    Outcomes result;
    Rational rest = 1;
    for (std::size_t i = 0; i < choice.branches.size() && !given_up(); ++i) {
      const Rational& probability = numbers_[choice.probabilities[i]];
      rest -= probability;
      for (AtomOutcome& outcome : outcomes_of(choice.branches[i])) {
        outcome.probability *= probability;
        result.push_back(std::move(outcome));
      }
    }
    if (rest > 0) result.push_back({rest, {}, {}, {}, no_costs_});
    shrink(result);
    return result;
  }

  /// A conjunction whose normal form would be too large is asked for part by part.
  Outcomes keep_conditional(const GroundConditional& conditional) {
    const Formula open = open_part(conditional.condition, knowledge_);
    if (auto terms = disjunctive_normal_form(open, max_disjuncts))
      return outcomes_if({std::move(*terms)}, conditional.effect);
    std::vector<std::vector<Conjunction>> parts;
    if (open.kind == Formula::Kind::conjunction)
      for (const Formula& child : open.children)
        if (auto terms = disjunctive_normal_form(child, max_disjuncts))
          parts.push_back(std::move(*terms));
    if (open.kind != Formula::Kind::conjunction || parts.size() < open.children.size()) {
      result_.excess = Excess::alternatives;
      return nothing();
    }
    return outcomes_if(std::move(parts), conditional.effect);
  }

  /// The effect, under the condition that each of `parts` holds.
  Outcomes outcomes_if(std::vector<std::vector<Conjunction>> parts, const GroundEffect& effect) {
    if (parts.empty()) return outcomes_of(effect);
    std::vector<Conjunction> condition = what_to_ask(parts.front());
    parts.erase(parts.begin());
    if (condition.empty()) return nothing();
    const auto inner = [&] { return outcomes_if(std::move(parts), effect); };
    return condition.front().empty() ? inner() : keep_apart(std::move(condition), inner);
  }

  /// The terms without what is known, {{}} if one of them is; those that cannot hold left out.
  std::vector<Conjunction> what_to_ask(const std::vector<Conjunction>& terms) {
    std::vector<Conjunction> result;
    for (const Conjunction& term : terms) {
      const std::size_t mark = knowledge_.mark();
      if (knowledge_.assume(term)) result.push_back(knowledge_.core(mark));
      knowledge_.undo(mark);
      if (!result.empty() && result.back().empty()) return {{}};
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  /// Makes a conditional effect of what `inner` gives.
  template <class Inner>
  Outcomes keep_apart(std::vector<Conjunction> condition, const Inner& inner) {
    const auto number = static_cast<std::uint32_t>(result_.conditionals.size());
    result_.conditionals.push_back({parent_, {}, {}});
    const std::size_t mark = knowledge_.mark();
    if (condition.size() == 1) knowledge_.assume(condition.front());
    const std::uint32_t outer = std::exchange(parent_, number);
    Outcomes outcomes = finish(inner());
    parent_ = outer;
    knowledge_.undo(mark);
    if (changes_nothing(outcomes)) {
      result_.conditionals.pop_back();
      return nothing();
    }
    forget_what_is_deleted(outcomes, condition);
    if (condition.size() == 1 && condition.front().empty() && outcomes.size() == 1 &&
        outcomes.front().conditionals.empty()) {
      result_.conditionals.pop_back();
      return outcomes;
    }
    result_.conditionals[number].condition = std::move(condition);
    result_.conditionals[number].outcomes = std::move(outcomes);
    return {{1, {}, {}, {number}, no_costs_}};
  }

  static bool changes_nothing(const Outcomes& outcomes) {
    return std::all_of(outcomes.begin(), outcomes.end(), [](const AtomOutcome& outcome) {
      return outcome.adds.empty() && outcome.deletes.empty() && outcome.conditionals.empty();
    });
  }

  /// Whether an atom is true need not be asked only to make it false. (The value of a variable is
  /// not deleted without asking, so atoms of groups are left alone.)
  void forget_what_is_deleted(const Outcomes& outcomes, std::vector<Conjunction>& condition) const {
    if (condition.size() != 1 || outcomes.size() != 1) return;
    const AtomOutcome& outcome = outcomes.front();
    if (!outcome.adds.empty() || !outcome.conditionals.empty() || outcome.deletes.size() != 1)
      return;
    const AtomId atom = outcome.deletes.front();
    if (!knowledge_.in_group(atom)) std::erase(condition.front(), Literal(atom, true));
  }

  void multiply(Outcomes& result, const Outcomes& factor) {
    if (factor.size() == 1 && is_only_conditional(factor.front())) {
      // They are numbered as they are met, so these are the highest so far.
      const std::vector<std::uint32_t>& more = factor.front().conditionals;
      for (AtomOutcome& outcome : result)
        outcome.conditionals.insert(outcome.conditionals.end(), more.begin(), more.end());
      return;
    }
    Outcomes product;
    for (const AtomOutcome& a : result) {
      if (given_up()) return;
      for (const AtomOutcome& b : factor)
        product.push_back({a.probability * b.probability, unite(a.adds, b.adds),
                           unite(a.deletes, b.deletes), unite(a.conditionals, b.conditionals),
                           sum(a.costs, b.costs)});
      if (product.size() > 2 * max_outcomes) shrink(product);
    }
    shrink(product);
    result = std::move(product);
  }

  static bool is_only_conditional(const AtomOutcome& outcome) {
    return outcome.adds.empty() && outcome.deletes.empty() &&
           std::all_of(outcome.costs.begin(), outcome.costs.end(),
                       [](const Rational& cost) { return cost == 0; });
  }

  void shrink(Outcomes& outcomes) {
    merge_equal(outcomes);
    if (outcomes.size() > max_outcomes) result_.excess = Excess::outcomes;
  }

  Outcomes finish(Outcomes outcomes) const {
    for (AtomOutcome& outcome : outcomes)
      normalise(outcome);
    merge_equal(outcomes);
    return outcomes;
  }

  /// An add wins over a delete of the same atom; what is known to change nothing is dropped. But an
  /// add is needed where another part of the effect may delete the atom.
  void normalise(AtomOutcome& outcome) const {
    std::erase_if(outcome.deletes, [&](AtomId atom) {
      return knowledge_.value(atom) == Truth::no ||
             std::binary_search(outcome.adds.begin(), outcome.adds.end(), atom);
    });
    std::erase_if(outcome.adds, [&](AtomId atom) {
      return knowledge_.value(atom) == Truth::yes &&
             !std::binary_search(deleted_.begin(), deleted_.end(), atom);
    });
  }

  Knowledge& knowledge_;
  const NumberTable& numbers_;
  std::vector<Rational> no_costs_;
  std::vector<AtomId> deleted_;  // somewhere in the effect, if conditions are open; sorted
  std::uint32_t parent_ = ConditionalEffect::none;
  AtomEffect result_;
};

bool has_costs(const GroundEffect& effect, const Knowledge& knowledge) {
  if (!effect.increases.empty() || has_random_costs(effect, knowledge)) return true;
  return std::any_of(effect.conditionals.begin(), effect.conditionals.end(), [&](const auto& c) {
    return happens(c, knowledge) && has_costs(c.effect, knowledge);
  });
}

}  // namespace

AtomEffect multiply_out(const GroundEffect& effect, Knowledge& knowledge,
                        const NumberTable& numbers) {
  return Multiplier(knowledge, numbers, 0).run(effect);
}

AtomEffect multiply_out_costs(const GroundEffect& effect, Knowledge& knowledge,
                              const NumberTable& numbers,
                              const std::vector<Rational>& initial_costs) {
  AtomEffect result = Multiplier(knowledge, numbers, initial_costs.size()).run(effect);
  for (AtomOutcome& outcome : result.outcomes)
    outcome.costs = sum(std::move(outcome.costs), initial_costs);
  return result;
}

bool has_costs(const GroundEffect& effect) {
  if (!effect.increases.empty()) return true;
  for (const GroundConditional& conditional : effect.conditionals)
    if (has_costs(conditional.effect)) return true;
  return std::any_of(effect.choices.begin(), effect.choices.end(), [](const Choice& choice) {
    return std::any_of(choice.branches.begin(), choice.branches.end(),
                       [](const GroundEffect& branch) { return has_costs(branch); });
  });
}

bool has_random_costs(const GroundEffect& effect, const Knowledge& knowledge) {
  for (const GroundConditional& conditional : effect.conditionals)
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
  for (const GroundConditional& conditional : effect.conditionals)
    if (happens(conditional, knowledge))
      add_expected_costs(conditional.effect, knowledge, numbers, weight, costs);
  for (const Choice& choice : effect.choices)
    for (std::size_t i = 0; i < choice.branches.size(); ++i)
      add_expected_costs(choice.branches[i], knowledge, numbers,
                         weight * numbers[choice.probabilities[i]], costs);
}

}  // namespace carl::task
