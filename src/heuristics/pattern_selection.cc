#include "heuristics/pattern_selection.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <set>
#include <utility>

#include "task/successor_generator.h"
#include "util/random.h"

namespace carl::heuristics {
namespace {

constexpr std::uint64_t seed = 1;
// Runs of a policy before it counts as one that can be carried out, and failures that are enough to
// see what is missing.
constexpr std::size_t most_runs = 200;
constexpr std::size_t enough_failures = 40;
constexpr std::size_t most_steps = 300;
constexpr std::size_t num_samples = 100;
constexpr std::size_t longest_walk = 40;
// Variables that are tried out of those that make the policy fail, most frequent first.
constexpr std::size_t candidates_per_step = 4;
constexpr double weight_of_samples = 0.3;
// Up to so many states an estimate may stay the same when a variable joins.
constexpr std::size_t states_of_little_cost = 10'000;
constexpr double least_rise = 1e-3;
// Single goal variables from which patterns are grown, best first.
constexpr std::size_t most_single_starts = 3;

using Values = std::vector<std::uint32_t>;

bool holds(const task::Fact& fact, const Values& state) {
  return state[fact.variable.index()] == fact.value;
}

bool hold(std::span<const task::Fact> facts, const Values& state) {
  return std::all_of(facts.begin(), facts.end(),
                     [&](const task::Fact& fact) { return holds(fact, state); });
}

const task::Outcome& draw_outcome(const std::vector<task::Outcome>& outcomes, SplitMix64& random) {
  double left = random.unit();
  for (const task::Outcome& outcome : outcomes)
    if ((left -= outcome.probability) < 0) return outcome;
  return outcomes.back();
}

/// One thing that the action may do in a state.
class Happening {
 public:
  Happening(const task::Task& task, const task::Action& action, const Values& state,
            SplitMix64& random)
      : action_(action), state_(state), random_(random) {
    collect(draw_outcome(action.outcomes, random));
    // "None of those" gives way to a fact.
    std::stable_partition(effects_.begin(), effects_.end(), [&](const task::Fact& effect) {
      return task.variables[effect.variable.index()].values[effect.value].empty();
    });
  }

  void apply_to(Values& state) const {
    for (const task::Fact& effect : effects_)
      state[effect.variable.index()] = effect.value;
  }

 private:
  void collect(const task::Outcome& outcome) {
    effects_.insert(effects_.end(), outcome.effects.begin(), outcome.effects.end());
    for (const std::uint32_t k : outcome.conditionals) {
      const task::ConditionalEffect& effect = action_.conditionals[k];
      if (std::any_of(effect.condition.begin(), effect.condition.end(),
                      [&](const auto& term) { return hold(term, state_); }))
        collect(draw_outcome(effect.outcomes, random_));
    }
  }

  const task::Action& action_;
  const Values& state_;
  SplitMix64& random_;
  std::vector<task::Fact> effects_;
};

void carry_out(const task::Task& task, std::uint32_t action, Values& state, SplitMix64& random) {
  Happening(task, task.actions[action], state, random).apply_to(state);
}

bool is_goal(const task::Task& task, const Values& state) {
  return std::any_of(task.goal.begin(), task.goal.end(),
                     [&](const auto& goal) { return hold(goal, state); });
}

/// States at the ends of random walks.
std::vector<Values> sample_states(const TaskContext& context) {
  const task::Task& task = context.model.task();
  const task::StateLayout& layout = context.model.layout();
  const task::SuccessorGenerator generator(task, layout);
  SplitMix64 random(seed);
  std::vector<Values> samples;
  std::vector<std::uint64_t> words(layout.num_words());
  std::vector<std::uint32_t> applicable;
  for (std::size_t i = 0; i < num_samples; ++i) {
    Values state = task.initial;
    for (std::size_t steps = 1 + random.below(longest_walk); steps > 0; --steps) {
      std::fill(words.begin(), words.end(), 0);
      layout.pack(state, words);
      applicable.clear();
      generator.collect(words.data(), applicable);
      std::erase_if(applicable, [&](std::uint32_t a) { return !context.rules.allowed[a]; });
      if (applicable.empty() || is_goal(task, state)) break;
      const std::uint32_t action = applicable[random.below(applicable.size())];
      carry_out(task, action, state, random);
    }
    samples.push_back(std::move(state));
  }
  return samples;
}

/// Runs the policy of a projection in the task and notes which variables make it fail.
class Rehearsal {
 public:
  Rehearsal(const task::Task& task, const PatternDatabase& database)
      : task_(task),
        database_(database),
        known_(task.variables.size(), false),
        blame_(task.variables.size(), 0) {
    for (const std::uint32_t v : database.pattern())
      known_[v] = true;
    SplitMix64 random(seed);
    std::size_t failures = 0;
    for (std::size_t run = 0; run < most_runs && failures < enough_failures; ++run)
      if (!succeeds(random)) ++failures;
  }

  /// Those that fail most often first.
  std::vector<std::uint32_t> blamed() const {
    std::vector<std::uint32_t> variables;
    for (std::uint32_t v = 0; v < blame_.size(); ++v)
      if (blame_[v] > 0) variables.push_back(v);
    std::stable_sort(variables.begin(), variables.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return blame_[a] > blame_[b]; });
    return variables;
  }

 private:
  bool succeeds(SplitMix64& random) {
    Values state = task_.initial;
    for (std::size_t step = 0; step < most_steps; ++step) {
      const StateId projected = database_.find(state);
      assert(projected.valid());
      if (database_.is_goal(projected)) return is_goal(task_, state) || blame_goal(state);
      const std::span<const std::uint32_t> actions = database_.best_actions(projected);
      if (actions.empty()) return true;  // it gives up
      const auto action = std::find_if(actions.begin(), actions.end(), [&](std::uint32_t a) {
        return hold(task_.actions[a].precondition, state);
      });
      if (action == actions.end()) return blame_action(actions, state);
      if (!decides(task_.actions[*action])) return false;
      carry_out(task_, *action, state, random);
    }
    return true;  // it may be on its way
  }

  /// Whether the pattern knows all conditions of the action's effects on it. What it does not know is
  /// to blame: there the policy has chosen what happens.
  bool decides(const task::Action& action) {
    const auto is_known = [&](const task::Fact& fact) { return known_[fact.variable.index()]; };
    bool decided = true;
    for (const task::ConditionalEffect& effect : action.conditionals) {
      if (std::none_of(effect.outcomes.begin(), effect.outcomes.end(), [&](const auto& outcome) {
            return !outcome.conditionals.empty() ||
                   std::any_of(outcome.effects.begin(), outcome.effects.end(), is_known);
          }))
        continue;
      for (const std::vector<task::Fact>& term : effect.condition)
        for (const task::Fact& fact : term)
          if (!is_known(fact)) {
            ++blame_[fact.variable.index()];
            decided = false;
          }
    }
    return decided;
  }

  bool blame_action(std::span<const std::uint32_t> actions, const Values& state) {
    return blame_nearest(actions.size(), state,
                         [&](std::size_t i) -> const std::vector<task::Fact>& {
                           return task_.actions[actions[i]].precondition;
                         });
  }

  bool blame_goal(const Values& state) {
    return blame_nearest(
        task_.goal.size(), state,
        [&](std::size_t i) -> const std::vector<task::Fact>& { return task_.goal[i]; });
  }

  /// Of several conditions the one of which least is missing. Returns false.
  template <class Condition>
  bool blame_nearest(std::size_t count, const Values& state, Condition condition) {
    const auto num_missing = [&](std::size_t i) {
      const std::vector<task::Fact>& facts = condition(i);
      return std::count_if(facts.begin(), facts.end(),
                           [&](const task::Fact& fact) { return !holds(fact, state); });
    };
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < count; ++i)
      if (num_missing(i) < num_missing(nearest)) nearest = i;
    for (const task::Fact& fact : condition(nearest))
      if (!holds(fact, state)) ++blame_[fact.variable.index()];
    return false;
  }

  const task::Task& task_;
  const PatternDatabase& database_;
  std::vector<bool> known_;         // by variable: it is in the pattern
  std::vector<std::size_t> blame_;  // by variable
};

class Selection {
 public:
  Selection(const TaskContext& context, std::span<const double> weights,
            const SelectionLimits& limits)
      : task_(context.model.task()),
        projector_(task_, context.cssp, context.rules.allowed),
        weights_(weights.begin(), weights.end()),
        limits_(limits),
        samples_(sample_states(context)) {}

  SelectedPattern run() {
    std::vector<Candidate> starts = make_starts();
    for (std::size_t i = 0; i < starts.size() && !best_is_carried_out_; ++i)
      grow(std::move(starts[i]), i + 1 < starts.size() ? half_way() : limits_.work);
    return {std::move(best_.database), best_is_carried_out_, work_};
  }

 private:
  struct Candidate {
    std::unique_ptr<PatternDatabase> database;
    double initial = 0;  // the estimate of the initial state
    double score = -1;
  };

  /// To what is left to be done.
  std::size_t half_way() const { return std::max(work_, (work_ + limits_.work) / 2); }

  /// Null if it would be too much work, or has been tried before.
  Candidate make(Pattern pattern, std::size_t work_limit) {
    std::sort(pattern.begin(), pattern.end());
    if (work_ >= work_limit || !tried_.insert(pattern).second) return {};
    Candidate candidate{std::make_unique<PatternDatabase>(projector_, std::move(pattern))};
    PatternDatabase& database = *candidate.database;
    DatabaseSize size = limits_.size;
    size.work = std::min(size.work, (work_limit - work_) / 2);
    const bool fits = database.expand(size);
    if (fits) {
      database.set_weights(weights_);
      candidate.initial = database.value(database.find(task_.initial));
      candidate.score = score(database);
    }
    work_ += database.work();
    if (!fits) return {};
    return candidate;
  }

  double score(const PatternDatabase& database) const {
    const auto value = [&](const Values& state) {
      const StateId projected = database.find(state);
      return projected.valid() ? database.value(projected) : 0.0;
    };
    double sum = 0;
    for (const Values& sample : samples_)
      if (const double v = value(sample); v != std::numeric_limits<double>::infinity()) sum += v;
    return value(task_.initial) + weight_of_samples * sum / static_cast<double>(samples_.size());
  }

  /// All variables of the goal, and single ones, those that say most first.
  std::vector<Candidate> make_starts() {
    Pattern all;
    for (const std::vector<task::Fact>& goal : task_.goal)
      for (const task::Fact& fact : goal)
        all.push_back(static_cast<std::uint32_t>(fact.variable.index()));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<Candidate> starts;
    // If there are several goals, variables of one say nothing: another may be reached.
    if (task_.goal.size() == 1)
      for (const std::uint32_t v : all)
        if (Candidate single = make({v}, limits_.work); single.database)
          starts.push_back(std::move(single));
    std::stable_sort(starts.begin(), starts.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    starts.resize(std::min(starts.size(), most_single_starts));
    if (all.empty()) return starts;
    if (Candidate together = make(all, limits_.work); together.database)
      starts.insert(starts.begin(), std::move(together));
    return starts;
  }

  /// Adds variables until the policy can be carried out, or nothing more fits.
  void grow(Candidate current, std::size_t work_limit) {
    while (true) {
      const std::vector<std::uint32_t> blamed = Rehearsal(task_, *current.database).blamed();
      Candidate next = best_extension(*current.database, blamed, work_limit);
      const bool ends = !next.database || !is_worth_its_size(next, current);
      if (current.score > best_.score) {
        best_ = std::move(current);
        best_is_carried_out_ = blamed.empty();
      }
      if (ends) return;
      current = std::move(next);
    }
  }

  /// Large ones have to say more about the initial state.
  static bool is_worth_its_size(const Candidate& larger, const Candidate& smaller) {
    return larger.database->num_states() <= states_of_little_cost ||
           larger.initial > smaller.initial * (1 + least_rise);
  }

  Candidate best_extension(const PatternDatabase& database,
                           const std::vector<std::uint32_t>& blamed, std::size_t work_limit) {
    Candidate best;
    for (std::size_t i = 0; i < std::min(blamed.size(), candidates_per_step); ++i) {
      Pattern pattern = database.pattern();
      pattern.push_back(blamed[i]);
      Candidate candidate = make(std::move(pattern), work_limit);
      if (candidate.score > best.score) best = std::move(candidate);
    }
    return best;
  }

  const task::Task& task_;
  Projector projector_;
  std::vector<double> weights_;
  SelectionLimits limits_;
  std::vector<Values> samples_;
  std::set<Pattern> tried_;
  std::size_t work_ = 0;
  Candidate best_;
  bool best_is_carried_out_ = false;
};

}  // namespace

SelectedPattern select_pattern(const TaskContext& context, std::span<const double> weights,
                               const SelectionLimits& limits) {
  return Selection(context, weights, limits).run();
}

}  // namespace carl::heuristics
