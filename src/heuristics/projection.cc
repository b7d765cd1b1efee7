#include "heuristics/projection.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace carl::heuristics {
namespace {

using task::Fact;

/// What a projected action needs and does.
struct ProjectedAction {
  std::vector<Fact> precondition;
  std::vector<task::Outcome> outcomes;  // sorted by effects
  std::uint32_t cost = 0;
  std::uint32_t original = 0;
  std::vector<task::ConditionalEffect> conditionals{};
};

// Actions that one with unknown conditions may fall apart into.
constexpr std::size_t most_variants = 64;

bool less(const std::vector<task::Outcome>& a, const std::vector<task::Outcome>& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](const task::Outcome& x, const task::Outcome& y) {
        return std::tie(x.effects, x.probability) < std::tie(y.effects, y.probability);
      });
}

/// Those with conditional effects come last, and are not compared.
bool comes_before(const ProjectedAction& a, const ProjectedAction& b) {
  if (a.conditionals.empty() != b.conditionals.empty()) return a.conditionals.empty();
  if (!a.conditionals.empty()) return a.original < b.original;
  if (a.precondition != b.precondition) return a.precondition < b.precondition;
  if (less(a.outcomes, b.outcomes)) return true;
  if (less(b.outcomes, a.outcomes)) return false;
  return std::tie(a.cost, a.original) < std::tie(b.cost, b.original);
}

/// Same needs, same outcomes; costs may differ.
bool look_alike(const ProjectedAction& a, const ProjectedAction& b) {
  return a.conditionals.empty() && b.conditionals.empty() && a.precondition == b.precondition &&
         !less(a.outcomes, b.outcomes) && !less(b.outcomes, a.outcomes);
}

/// One projection in the making.
class Draft {
 public:
  Draft(const task::Task& task, const Cssp& cssp, const Pattern& pattern)
      : task_(task), cssp_(cssp), pattern_(pattern), place_(task.variables.size(), absent) {
    for (std::uint32_t i = 0; i < pattern.size(); ++i)
      place_[pattern[i]] = i;
  }

  /// From the actions that change something of it.
  Projection finish(std::span<const std::uint32_t> relevant) {
    project_frame();
    std::vector<ProjectedAction> actions;
    for (const std::uint32_t a : relevant)
      add_projected(a, actions);
    if (result_.is_too_coarse) actions.clear();
    std::stable_sort(actions.begin(), actions.end(), comes_before);
    for (std::size_t begin = 0; begin < actions.size();) {
      std::size_t end = begin + 1;
      while (end < actions.size() && look_alike(actions[begin], actions[end]))
        ++end;
      add_cheapest(std::span(actions).subspan(begin, end - begin));
      begin = end;
    }
    result_.task.labels.resize(result_.task.actions.size());
    result_.num_seen = relevant.size();
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  /// All but the actions.
  void project_frame() {
    task::Task& out = result_.task;
    for (const std::uint32_t v : pattern_) {
      out.variables.push_back(task_.variables[v]);
      out.initial.push_back(task_.initial[v]);
    }
    for (const std::vector<Fact>& goal : task_.goal)
      result_.goal.push_back(project_facts(goal));
    for (std::vector<double> costs : task_.cost_vectors) {
      for (std::size_t i = 0; i < costs.size(); ++i)
        costs[i] /= cssp_.units()[i];
      costs.resize(cssp_.num_costs(), 0.0);  // the problem may have a cost that no action has
      out.cost_vectors.push_back(std::move(costs));
    }
    out.costs.costs = cssp_.cost_names();
    if (cssp_.can_give_up()) out.costs.give_up = cssp_.give_up_penalty();
  }

  std::vector<Fact> project_facts(const std::vector<Fact>& facts) const {
    std::vector<Fact> projected;
    for (const Fact& fact : facts)
      if (const std::uint32_t place = place_[fact.variable.index()]; place != absent)
        projected.push_back({task::VariableId(place), fact.value});
    return projected;
  }

  void add_projected(std::uint32_t a, std::vector<ProjectedAction>& actions) {
    const task::Action& action = task_.actions[a];
    if (!action.conditionals.empty()) return add_variants(a, actions);
    ProjectedAction projected{project_facts(action.precondition), {}, action.cost, a};
    std::vector<task::Outcome>& outcomes = projected.outcomes;
    for (const task::Outcome& outcome : action.outcomes) {
      std::vector<Fact> effects = project_facts(outcome.effects);
      std::erase_if(effects, [&](const Fact& fact) {
        return std::binary_search(projected.precondition.begin(), projected.precondition.end(),
                                  fact);
      });
      const auto same = std::find_if(outcomes.begin(), outcomes.end(),
                                     [&](const auto& known) { return known.effects == effects; });
      if (same != outcomes.end())
        same->probability += outcome.probability;
      else
        outcomes.push_back({outcome.probability, {}, std::move(effects)});
    }
    if (outcomes.size() == 1 && outcomes[0].effects.empty()) return;
    std::sort(outcomes.begin(), outcomes.end(),
              [](const auto& x, const auto& y) { return x.effects < y.effects; });
    actions.push_back(std::move(projected));
  }

  // --- conditional effects ----------------------------------------------------------------------

  /// What the pattern sees of the conditional effects of one action.
  struct Conditionals {
    std::vector<bool> kept;       // they, or what is in them, change something
    std::vector<bool> undecided;  // of those: happens in some variants, and not in others
    std::vector<bool> happens;    // in the variant at hand
  };

  void add_variants(std::uint32_t a, std::vector<ProjectedAction>& actions) {
    const task::Action& action = task_.actions[a];
    const std::size_t n = action.conditionals.size();
    Conditionals seen{std::vector<bool>(n), std::vector<bool>(n), std::vector<bool>(n)};
    for (std::size_t k = n; k-- > 0;) {  // children before their parents
      const task::ConditionalEffect& effect = action.conditionals[k];
      const auto is_kept = [&](const task::Outcome& outcome) {
        return !project_facts(outcome.effects).empty() ||
               std::any_of(outcome.conditionals.begin(), outcome.conditionals.end(),
                           [&](std::uint32_t child) { return seen.kept[child]; });
      };
      seen.kept[k] = std::any_of(effect.outcomes.begin(), effect.outcomes.end(), is_kept);
      seen.happens[k] = seen.kept[k];
      seen.undecided[k] = seen.kept[k] && !is_decided(effect.condition);
    }
    std::vector<Fact> outside;
    std::size_t left = most_variants;
    if (!choose(a, 0, outside, seen, left, actions)) result_.is_too_coarse = true;
  }

  bool is_decided(const std::vector<std::vector<Fact>>& condition) const {
    return std::all_of(condition.begin(), condition.end(), [&](const std::vector<Fact>& term) {
      return project_facts(term).size() == term.size();
    });
  }

  /// Goes through what may happen, from conditional effect k on. `outside` is what must be true
  /// beyond the pattern. False if there are too many variants.
  bool choose(std::uint32_t a, std::size_t k, std::vector<Fact>& outside, Conditionals& seen,
              std::size_t& left, std::vector<ProjectedAction>& actions) {
    const task::Action& action = task_.actions[a];
    if (k == action.conditionals.size()) {
      if (left-- == 0) return false;
      add_variant(a, seen, actions);
      return true;
    }
    const task::ConditionalEffect& effect = action.conditionals[k];
    const bool can_happen =
        effect.parent == task::ConditionalEffect::none || seen.happens[effect.parent];
    if (!seen.undecided[k] || !can_happen) {
      seen.happens[k] = seen.kept[k] && can_happen;
      return choose(a, k + 1, outside, seen, left, actions);
    }
    seen.happens[k] = false;
    if (!choose(a, k + 1, outside, seen, left, actions)) return false;
    const std::size_t before = outside.size();
    if (effect.condition.size() == 1 && !assume(effect.condition[0], outside)) {
      outside.resize(before);
      return true;
    }
    seen.happens[k] = true;
    const bool done = choose(a, k + 1, outside, seen, left, actions);
    outside.resize(before);
    return done;
  }

  /// Adds what lies beyond the pattern. False if that contradicts what is there.
  bool assume(const std::vector<Fact>& facts, std::vector<Fact>& outside) const {
    for (const Fact& fact : facts) {
      if (place_[fact.variable.index()] != absent) continue;
      const auto other = std::find_if(outside.begin(), outside.end(), [&](const Fact& known) {
        return known.variable == fact.variable;
      });
      if (other != outside.end() && other->value != fact.value) return false;
      outside.push_back(fact);
    }
    return true;
  }

  /// Effects that repeat a precondition stay: they keep others from taking it away.
  void add_variant(std::uint32_t a, const Conditionals& seen,
                   std::vector<ProjectedAction>& actions) const {
    const task::Action& action = task_.actions[a];
    std::vector<std::uint32_t> number(action.conditionals.size(), 0);
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < number.size(); ++k)
      if (seen.happens[k]) number[k] = count++;
    const auto project_outcomes = [&](const std::vector<task::Outcome>& outcomes) {
      std::vector<task::Outcome> projected;
      for (const task::Outcome& outcome : outcomes) {
        projected.push_back({outcome.probability, {}, project_facts(outcome.effects)});
        for (const std::uint32_t k : outcome.conditionals)
          if (seen.happens[k]) projected.back().conditionals.push_back(number[k]);
      }
      return projected;
    };
    ProjectedAction projected{project_facts(action.precondition), project_outcomes(action.outcomes),
                              action.cost, a};
    for (std::size_t k = 0; k < number.size(); ++k) {
      if (!seen.happens[k]) continue;
      const task::ConditionalEffect& effect = action.conditionals[k];
      task::ConditionalEffect& out = projected.conditionals.emplace_back();
      if (effect.parent != task::ConditionalEffect::none) out.parent = number[effect.parent];
      for (const std::vector<Fact>& term : effect.condition)
        out.condition.push_back(project_facts(term));
      out.outcomes = project_outcomes(effect.outcomes);
    }
    const bool changes = !projected.conditionals.empty() ||
                         std::any_of(projected.outcomes.begin(), projected.outcomes.end(),
                                     [](const auto& outcome) { return !outcome.effects.empty(); });
    if (changes) actions.push_back(std::move(projected));
  }

  // --- actions of the projection ----------------------------------------------------------------

  /// Of actions that look alike and are sorted by cost vector.
  void add_cheapest(std::span<ProjectedAction> alike) {
    for (std::size_t begin = 0; begin < alike.size();) {
      std::size_t end = begin + 1;
      while (end < alike.size() && alike[end].cost == alike[begin].cost)
        ++end;
      const bool is_undercut = std::any_of(alike.begin(), alike.end(), [&](const auto& other) {
        return undercuts(other.cost, alike[begin].cost);
      });
      if (!is_undercut) add_action(alike.subspan(begin, end - begin));
      begin = end;
    }
  }

  /// Nowhere more expensive; of equal vectors the first.
  bool undercuts(std::uint32_t cost, std::uint32_t other) const {
    if (cost == other) return false;
    const std::vector<double>& a = task_.cost_vectors[cost];
    const std::vector<double>& b = task_.cost_vectors[other];
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] > b[i]) return false;
    return a != b || cost < other;
  }

  /// All do the same at the same cost. Each has a label of its own: variants of one action that
  /// exclude each other in the task need not do so here.
  void add_action(std::span<ProjectedAction> same) {
    std::vector<std::uint32_t> originals;
    for (const ProjectedAction& action : same)
      originals.push_back(action.original);
    result_.originals.add(originals);
    const auto label = static_cast<std::uint32_t>(result_.task.actions.size());
    result_.task.actions.push_back({label, same[0].cost, std::move(same[0].precondition),
                                    std::move(same[0].outcomes), std::move(same[0].conditionals)});
  }

  const task::Task& task_;
  const Cssp& cssp_;
  const Pattern& pattern_;
  std::vector<std::uint32_t> place_;  // by variable, in the pattern
  Projection result_;
};

}  // namespace

Projector::Projector(const task::Task& task, const Cssp& cssp, const std::vector<bool>& allowed)
    : task_(task), cssp_(cssp), changed_by_(task.variables.size()) {
  for (std::uint32_t a = 0; a < task.actions.size(); ++a) {
    if (!allowed[a]) continue;
    const auto index = [&](const std::vector<task::Outcome>& outcomes) {
      for (const task::Outcome& outcome : outcomes)
        for (const Fact& effect : outcome.effects) {
          std::vector<std::uint32_t>& actions = changed_by_[effect.variable.index()];
          if (actions.empty() || actions.back() != a) actions.push_back(a);
        }
    };
    index(task.actions[a].outcomes);
    for (const task::ConditionalEffect& effect : task.actions[a].conditionals)
      index(effect.outcomes);
  }
}

Projection Projector::project(const Pattern& pattern) const {
  std::vector<std::uint32_t> relevant;
  for (const std::uint32_t v : pattern)
    relevant.insert(relevant.end(), changed_by_[v].begin(), changed_by_[v].end());
  std::sort(relevant.begin(), relevant.end());
  relevant.erase(std::unique(relevant.begin(), relevant.end()), relevant.end());
  return Draft(task_, cssp_, pattern).finish(relevant);
}

}  // namespace carl::heuristics
