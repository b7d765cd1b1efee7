#include "heuristics/risky_steps.h"

#include <algorithm>

namespace carl::heuristics {
namespace {

constexpr std::size_t most_goals = 64;
// Pairs of facts and outcomes. Beyond that it takes too long to find out which facts exclude each
// other.
constexpr std::size_t most_pairs = std::size_t{1} << 24;
// A fact that can be let go in more ways takes longer to price than it is likely to be worth.
constexpr std::size_t most_ways = 200;

bool contains(std::span<const std::uint32_t> facts, std::uint32_t fact) {
  return std::find(facts.begin(), facts.end(), fact) != facts.end();
}

/// With one conjunction for a goal, without conditional effects, and not too large.
bool is_plain(const task::Task& task, const RelaxedTask& relaxed) {
  std::size_t outcomes = 0;
  for (const task::Action& action : task.actions) {
    if (!action.conditionals.empty()) return false;
    outcomes += action.outcomes.size();
  }
  return task.goal.size() == 1 && task.goal[0].size() <= most_goals &&
         outcomes * relaxed.num_facts <= most_pairs;
}

}  // namespace

RiskySteps::RiskySteps(const task::Task& task, const std::vector<bool>& allowed,
                       const RelaxedTask& relaxed, const Ranges& shared) {
  if (!is_plain(task, relaxed)) return;
  learn_actions(task, allowed, relaxed);
  if (!chance_takes_for_ever()) return;
  mutexes_.emplace(task, relaxed);
  order_goals();
  find_needs(shared);
  find_fatal_outcomes();
  find_ways();
}

void RiskySteps::learn_actions(const task::Task& task, const std::vector<bool>& allowed,
                               const RelaxedTask& relaxed) {
  allowed_ = allowed;
  variable_.assign(relaxed.num_facts, none);
  first_fact_ = relaxed.first_fact;
  first_fact_.push_back(relaxed.true_fact());
  for (std::uint32_t v = 0; v < task.variables.size(); ++v)
    for (std::uint32_t f = first_fact_[v]; f < first_fact_[v + 1]; ++f)
      variable_[f] = v;
  const auto facts_of = [&](std::span<const task::Fact> condition) {
    std::vector<std::uint32_t> facts;
    for (const task::Fact& f : condition)
      facts.push_back(relaxed.fact(f.variable.index(), f.value));
    return facts;
  };
  achievers_.resize(relaxed.num_facts);
  for (std::uint32_t a = 0; a < task.actions.size(); ++a) {
    needs_.push_back(facts_of(task.actions[a].precondition));
    effects_.emplace_back();
    for (const task::Outcome& outcome : task.actions[a].outcomes)
      effects_.back().push_back({outcome.probability, facts_of(outcome.effects)});
    if (!allowed[a]) continue;
    for (const Effect& effect : effects_.back())
      for (const std::uint32_t fact : effect.facts)
        if (!contains(needs_[a], fact) &&
            (achievers_[fact].empty() || achievers_[fact].back() != a))
          achievers_[fact].push_back(a);
  }
  goals_ = facts_of(task.goal[0]);
}

bool RiskySteps::makes_false(const Effect& effect, std::uint32_t fact) const {
  return std::any_of(effect.facts.begin(), effect.facts.end(), [&](std::uint32_t added) {
    return added != fact && variable_[added] == variable_[fact];
  });
}

bool RiskySteps::chance_takes_for_ever() const {
  const std::vector<bool> lost = lost_by_chance();
  for (std::size_t fact = 0; fact < lost.size(); ++fact)
    if (lost[fact] && achievers_[fact].empty()) return true;
  return false;
}

bool RiskySteps::excludes_any(std::span<const std::uint32_t> facts, std::uint32_t fact) const {
  return std::any_of(facts.begin(), facts.end(),
                     [&](std::uint32_t other) { return mutexes_->exclude(fact, other); });
}

bool RiskySteps::adds(std::uint32_t action, std::uint32_t fact) const {
  return std::any_of(effects_[action].begin(), effects_[action].end(),
                     [&](const Effect& effect) { return contains(effect.facts, fact); });
}

void RiskySteps::order_goals() {
  std::vector<Goals> from(goals_.size());
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    from[i] = Goals{1} << i;
    for (std::size_t k = 0; k < goals_.size(); ++k) {
      const auto& achievers = achievers_[goals_[i]];
      if (k != i && !achievers.empty() &&
          std::all_of(achievers.begin(), achievers.end(), [&](std::uint32_t a) {
            return excludes_any(needs_[a], goals_[k]) && !adds(a, goals_[k]);
          }))
        from[i] |= Goals{1} << k;
    }
  }
  for (std::size_t via = 0; via < goals_.size(); ++via)
    for (std::size_t i = 0; i < goals_.size(); ++i)
      if ((from[i] >> via & 1) != 0) from[i] |= from[via];
  from_.assign(variable_.size(), 0);
  for (std::size_t i = 0; i < goals_.size(); ++i)
    from_[goals_[i]] = from[i];
}

/// What all achievers of a goal need; and what is needed for that, unless it holds.
void RiskySteps::find_needs(const Ranges& shared) {
  needs_of_goal_.resize(goals_.size());
  for (std::size_t i = 0; i < goals_.size(); ++i)
    for (const std::uint32_t fact : shared[goals_[i]]) {
      if (achievers_[fact].empty()) needs_of_goal_[i].push_back({fact, none});
      for (const std::uint32_t before : shared[fact])
        if (achievers_[before].empty()) needs_of_goal_[i].push_back({before, fact});
    }
}

/// Of facts that the action needs or adds, and what it makes false.
bool RiskySteps::never_holds_after(std::uint32_t action, const Effect& effect,
                                   std::uint32_t fact) const {
  if (contains(effect.facts, fact)) return false;
  return excludes_any(effect.facts, fact) || excludes_any(needs_[action], fact);
}

void RiskySteps::find_fatal_outcomes() {
  std::vector<bool> is_needed(first_fact_.size());  // per variable: has it something to be lost?
  for (const std::vector<Need>& needs : needs_of_goal_)
    for (const Need& need : needs)
      is_needed[variable_[need.fact]] = true;
  fatal_.resize(needs_.size());
  for (std::uint32_t a = 0; a < needs_.size(); ++a)
    for (const Effect& effect : effects_[a]) {
      if (std::none_of(effect.facts.begin(), effect.facts.end(),
                       [&](std::uint32_t f) { return is_needed[variable_[f]]; }))
        continue;
      FatalOutcome fatal{effect.probability, 0, false};
      for (std::size_t i = 0; i < goals_.size(); ++i) {
        const bool lost =
            std::any_of(needs_of_goal_[i].begin(), needs_of_goal_[i].end(), [&](const Need& need) {
              return makes_false(effect, need.fact) &&
                     (need.unless == none || never_holds_after(a, effect, need.unless));
            });
        if (!lost) continue;
        fatal.goals |= Goals{1} << i;
        fatal.always |= never_holds_after(a, effect, goals_[i]);
      }
      if (fatal.goals != 0) fatal_[a].push_back(fatal);
    }
}

/// Whether whatever achieves a fact needs the other one and makes it false.
bool RiskySteps::comes_true_by_letting_go(std::uint32_t fact, std::uint32_t other) const {
  return !achievers_[fact].empty() &&
         std::all_of(achievers_[fact].begin(), achievers_[fact].end(), [&](std::uint32_t a) {
           return contains(needs_[a], other) &&
                  std::all_of(effects_[a].begin(), effects_[a].end(), [&](const Effect& effect) {
                    return !contains(effect.facts, fact) || makes_false(effect, other);
                  });
         });
}

/// Does some outcome of an action take away what the action needs, and another does not?
std::vector<bool> RiskySteps::lost_by_chance() const {
  std::vector<bool> lost(variable_.size());
  for (std::size_t a = 0; a < needs_.size(); ++a)
    for (const std::uint32_t fact : needs_[a]) {
      const auto times =
          std::count_if(effects_[a].begin(), effects_[a].end(),
                        [&](const auto& effect) { return makes_false(effect, fact); });
      if (allowed_[a] && times > 0 && times < std::ssize(effects_[a])) lost[fact] = true;
    }
  return lost;
}

/// The facts that the action may make false: of a variable that it changes the one that it needs, or
/// any.
std::vector<std::uint32_t> RiskySteps::lets_go(std::uint32_t action) const {
  std::vector<std::uint32_t> facts;
  for (const Effect& effect : effects_[action])
    for (const std::uint32_t added : effect.facts) {
      const std::uint32_t variable = variable_[added];
      const auto needed = std::find_if(needs_[action].begin(), needs_[action].end(),
                                       [&](std::uint32_t f) { return variable_[f] == variable; });
      for (std::uint32_t f = first_fact_[variable]; f < first_fact_[variable + 1]; ++f)
        if (f != added && (needed == needs_[action].end() || *needed == f)) facts.push_back(f);
    }
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

void RiskySteps::find_ways() {
  ways_.resize(variable_.size());
  for (std::uint32_t a = 0; a < needs_.size(); ++a) {
    if (!allowed_[a]) continue;
    for (const std::uint32_t fact : lets_go(a))
      if (ways_[fact].size() <= most_ways) ways_[fact].push_back({a, {}});
  }
  const std::vector<bool> lost = lost_by_chance();
  for (std::uint32_t fact = 0; fact < variable_.size(); ++fact)
    if (ways_[fact].size() > most_ways || !all_are_risky(fact, lost)) ways_[fact].clear();
}

/// Whether there is no way to let go of the fact that is without a risk or price in all states.
bool RiskySteps::all_are_risky(std::uint32_t fact, const std::vector<bool>& lost) {
  return std::all_of(ways_[fact].begin(), ways_[fact].end(), [&](Way& way) {
    bool risky = !fatal_[way.action].empty();
    for (const std::uint32_t needed : needs_[way.action]) {
      if (needed == fact) continue;
      if (comes_true_by_letting_go(needed, fact)) way.only_later.push_back(needed);
      risky |= lost[needed] && !achievers_[needed].empty();
    }
    return risky || !way.only_later.empty();
  });
}

std::vector<std::uint32_t> RiskySteps::added_along(std::uint32_t action, std::uint32_t fact) const {
  std::vector<std::uint32_t> along;
  if (!any()) return along;
  bool first = true;
  for (const Effect& effect : effects_[action]) {
    if (!contains(effect.facts, fact)) continue;
    if (first) along = effect.facts;
    first = false;
    std::erase_if(along, [&](std::uint32_t other) { return !contains(effect.facts, other); });
  }
  std::erase_if(along, [&](std::uint32_t other) { return other == fact || ways_[other].empty(); });
  return along;
}

double RiskySteps::risk(std::uint32_t action, Goals goals) const {
  double sum = 0;
  for (const FatalOutcome& fatal : fatal_[action])
    if (fatal.always || (fatal.goals & goals) != 0) sum += fatal.probability;
  return sum;
}

}  // namespace carl::heuristics
