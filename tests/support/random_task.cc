#include "support/random_task.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/load.h"
#include "util/random.h"

namespace carl::testing {
namespace {

using task::Fact;
using task::VariableId;

class RandomTask {
 public:
  RandomTask(std::uint64_t seed, bool conditional) : random_(seed), conditional_(conditional) {}

  task::Task make() {
    const std::size_t variables = between(2, 5);
    for (std::size_t v = 0; v < variables; ++v) {
      task::Variable variable;
      for (std::size_t d = 0, n = between(2, 4); d < n; ++d)
        variable.values.push_back(fmt::format("(v{} d{})", v, d));
      if (conditional_ && chance(0.5)) variable.values.back().clear();
      task_.variables.push_back(std::move(variable));
      task_.initial.push_back(0);
    }
    add_costs();
    for (std::size_t a = 0, n = between(6, 24); a < n; ++a)
      if (conditional_ && chance(0.7))
        add_conditional_action(a);
      else
        add_action(a);
    for (std::size_t k = 0, n = chance(0.2) ? 2 : 1; k < n; ++k)
      task_.goal.push_back(some_facts(between(1, variables), true));
    add_exact_numbers();
    return std::move(task_);
  }

 private:
  std::size_t between(std::size_t least, std::size_t most) {
    return least + random_.below(most - least + 1);
  }
  bool chance(double probability) { return random_.unit() < probability; }

  void add_costs() {
    const std::size_t costs = between(1, 4);
    for (std::size_t i = 0; i < costs; ++i)
      task_.costs.costs.push_back(fmt::format("cost{}", i));
    for (std::size_t k = 0; k < 4; ++k) {
      std::vector<double> vector;
      for (std::size_t i = 0; i < costs; ++i)
        vector.push_back(i > 0 && chance(0.5) ? 0.0 : 0.25 * static_cast<double>(between(1, 20)));
      task_.cost_vectors.push_back(std::move(vector));
    }
    if (!chance(0.5)) return;
    task_.costs.give_up.emplace();
    for (std::size_t i = 0; i < costs; ++i)
      task_.costs.give_up->push_back(static_cast<double>(between(i == 0 ? 5 : 0, 40)));
  }

  /// All numbers are dyadic, so their doubles are exact.
  void add_exact_numbers() {
    const auto intern = [&](double value) {
      task_.numbers.emplace_back(value);
      return task::NumberId(task_.numbers.size() - 1);
    };
    for (const std::vector<double>& costs : task_.cost_vectors) {
      auto& exact = task_.exact_cost_vectors.emplace_back();
      for (const double cost : costs)
        exact.push_back(intern(cost));
    }
    for (task::Action& action : task_.actions) {
      for (task::Outcome& outcome : action.outcomes)
        outcome.exact_probability = intern(outcome.probability);
      for (task::ConditionalEffect& effect : action.conditionals)
        for (task::Outcome& outcome : effect.outcomes)
          outcome.exact_probability = intern(outcome.probability);
    }
  }

  /// Facts about different variables, sorted. Goals are away from where the task starts.
  std::vector<Fact> some_facts(std::size_t count, bool away) {
    std::vector<Fact> facts;
    for (std::size_t v = 0; v < task_.variables.size(); ++v) {
      const std::size_t left = task_.variables.size() - v;
      if (random_.below(left) >= count) continue;
      --count;
      const std::size_t values = task_.variables[v].values.size();
      const std::size_t value = away ? between(1, values - 1) : between(0, values - 1);
      facts.push_back({VariableId(v), static_cast<std::uint32_t>(value)});
    }
    return facts;
  }

  void add_action(std::size_t number) {
    task::Action action = bare_action(number, 1, 2);
    action.outcomes = some_outcomes([&] { return some_facts(between(1, 2), false); });
    task_.actions.push_back(std::move(action));
  }

  task::Action bare_action(std::size_t number, std::size_t least_needed, std::size_t most_needed) {
    task::Action action;
    action.label = static_cast<std::uint32_t>(number);
    action.cost = static_cast<std::uint32_t>(between(0, task_.cost_vectors.size() - 1));
    action.precondition = some_facts(between(least_needed, most_needed), false);
    task_.labels.push_back(fmt::format("(a{})", number));
    return action;
  }

  template <class SomeEffects>
  std::vector<task::Outcome> some_outcomes(const SomeEffects& some_effects) {
    const std::size_t outcomes = between(1, 3);
    std::vector<std::vector<Fact>> effects;
    for (std::size_t k = 0; k < outcomes; ++k)
      effects.push_back(chance(0.15) ? std::vector<Fact>() : some_effects());
    std::sort(effects.begin(), effects.end());
    effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
    // Sixteenths, so that sums are exact.
    std::vector<task::Outcome> result;
    std::size_t left = 16;
    for (std::size_t k = 0; k < effects.size(); ++k) {
      const std::size_t others = effects.size() - k - 1;
      const std::size_t share = others == 0 ? left : between(1, left - others);
      left -= share;
      task::Outcome outcome;
      outcome.probability = static_cast<double>(share) / 16;
      outcome.effects = effects[k];
      result.push_back(std::move(outcome));
    }
    return result;
  }

  void add_conditional_action(std::size_t number) {
    task::Action action = bare_action(number, 0, 1);
    const bool exclusive = chance(0.4);
    // Who may give each variable a value: two parts of an effect must not give it different ones.
    const std::size_t parts = 1 + between(1, 4);
    owner_.clear();
    for (std::size_t v = 0; v < task_.variables.size(); ++v)
      owner_.push_back(random_.below(parts));
    action.outcomes = some_outcomes([&] { return own_facts(exclusive ? parts : 0); });
    if (exclusive)
      add_case_for_each_value(action);
    else
      for (std::size_t part = 1; part < parts; ++part)
        add_effect(action, some_condition(), [&] { return own_facts(part); });
    task_.actions.push_back(std::move(action));
  }

  /// Some of the facts that a part of an effect owns, and of "none of those" elsewhere.
  std::vector<Fact> own_facts(std::size_t part) {
    std::vector<Fact> facts;
    for (const Fact& fact : some_facts(between(1, 3), false)) {
      const auto& values = task_.variables[fact.variable.index()].values;
      const auto last = static_cast<std::uint32_t>(values.size() - 1);
      if (owner_[fact.variable.index()] == part)
        facts.push_back(fact);
      else if (values.back().empty())
        facts.push_back({fact.variable, last});
    }
    return facts;
  }

  std::vector<std::vector<Fact>> some_condition() {
    std::vector<std::vector<Fact>> terms;
    for (std::size_t k = 0, n = chance(0.2) ? 2 : 1; k < n; ++k)
      terms.push_back(some_facts(between(k == 0 && chance(0.1) ? 0 : 1, 2), false));
    return terms;
  }

  void add_case_for_each_value(task::Action& action) {
    const std::size_t v = random_.below(task_.variables.size());
    for (std::uint32_t d = 0; d < task_.variables[v].values.size(); ++d) {
      if (chance(0.2)) continue;
      add_effect(action, {{{VariableId(v), d}}}, [&] { return some_facts(between(1, 2), false); });
    }
  }

  /// Adds a conditional effect, below the outcomes of the action or of one that is there.
  template <class SomeEffects>
  void add_effect(task::Action& action, std::vector<std::vector<Fact>> condition,
                  const SomeEffects& some_effects) {
    const auto number = static_cast<std::uint32_t>(action.conditionals.size());
    task::ConditionalEffect effect;
    effect.condition = std::move(condition);
    effect.outcomes = some_outcomes(some_effects);
    if (number > 0 && chance(0.3))
      effect.parent = static_cast<std::uint32_t>(random_.below(number));
    auto& outcomes = effect.parent == task::ConditionalEffect::none
                         ? action.outcomes
                         : action.conditionals[effect.parent].outcomes;
    const std::size_t only = random_.below(outcomes.size());
    const bool in_all = chance(0.7);
    for (std::size_t o = 0; o < outcomes.size(); ++o)
      if (in_all || o == only) outcomes[o].conditionals.push_back(number);
    action.conditionals.push_back(std::move(effect));
  }

  SplitMix64 random_;
  bool conditional_;
  std::vector<std::size_t> owner_;  // by variable, for the action at hand
  task::Task task_;
};

}  // namespace

namespace {

std::string conjunction(const task::Task& task, const std::vector<Fact>& facts) {
  std::string text = "(and";
  for (const Fact& fact : facts)
    text += " " + task.variables[fact.variable.index()].values[fact.value];
  return text + ")";
}

/// A variable that gets a value loses the others.
std::string effect_text(const task::Task& task, const std::vector<Fact>& effects) {
  std::string text = "(and";
  for (const Fact& fact : effects) {
    const std::vector<std::string>& values = task.variables[fact.variable.index()].values;
    for (std::size_t d = 0; d < values.size(); ++d)
      text += d == fact.value ? " " + values[d] : " (not " + values[d] + ")";
  }
  return text + ")";
}

std::string increases(const task::Task& task, const std::vector<double>& costs) {
  std::string text;
  for (std::size_t i = 0; i < costs.size(); ++i)
    text += fmt::format(" (increase ({}) {})", task.costs.costs[i], costs[i]);
  return text;
}

std::string action_text(const task::Task& task, const task::Action& action) {
  const std::string& label = task.labels[action.label];
  std::string text =
      fmt::format("(:action {}\n :parameters () :precondition {}\n :effect (and (probabilistic",
                  label.substr(1, label.size() - 2), conjunction(task, action.precondition));
  for (const task::Outcome& outcome : action.outcomes)
    text += fmt::format("\n  {} {}", task.numbers[outcome.exact_probability.index()].get_str(),
                        effect_text(task, outcome.effects));
  return text + ")\n " + increases(task, task.cost_vectors[action.cost]) + "))\n";
}

/// `init` are the elements of :init.
std::string text_with_init(const task::Task& task, const std::string& init) {
  std::string predicates;
  std::size_t constants = 0;
  for (const task::Variable& variable : task.variables) {
    const std::string& fact = variable.values.front();
    predicates += fmt::format(" {} ?x)", fact.substr(0, fact.find(' ')));
    constants = std::max(constants, variable.values.size());
  }
  std::string text = fmt::format("(define (domain d)\n(:predicates{})\n(:constants", predicates);
  for (std::size_t d = 0; d < constants; ++d)
    text += fmt::format(" d{}", d);
  text += ")\n(:functions";
  for (const std::string& cost : task.costs.costs)
    text += fmt::format(" ({})", cost);
  text += ")\n";
  for (const task::Action& action : task.actions)
    text += action_text(task, action);
  text += fmt::format(")\n(define (problem p) (:domain d)\n(:init{})\n(:goal (or", init);
  for (const std::vector<Fact>& facts : task.goal)
    text += " " + conjunction(task, facts);
  text += fmt::format("))\n(:metric minimize ({}))\n", task.costs.costs.front());
  if (task.costs.give_up) text += "(:give-up" + increases(task, *task.costs.give_up) + ")\n";
  return text + ")\n";
}

std::string value_text(const task::Task& task, std::size_t variable, std::size_t value) {
  return " " + task.variables[variable].values[value];
}

std::string any_state(const task::Task& task, SplitMix64& random) {
  std::string text = "(and";
  for (std::size_t v = 0; v < task.variables.size(); ++v)
    text += value_text(task, v, random.below(task.variables[v].values.size()));
  return text + ")";
}

/// One of all values, each with the same probability, in one list or one nested in the other.
std::string any_value(const task::Task& task, std::size_t variable, bool nested) {
  const std::size_t values = task.variables[variable].values.size();
  std::string text = " (probabilistic";
  std::string end = ")";
  for (std::size_t d = 0; d < values; ++d) {
    text += fmt::format(" 1/{}{}", nested ? values - d : values, value_text(task, variable, d));
    if (!nested || d + 1 == values) continue;
    text += fmt::format(" {}/{} (probabilistic", values - d - 1, values - d);
    end += ")";
  }
  return text + end;
}

std::string any_distribution(const task::Task& task, SplitMix64& random) {
  if (random.below(2) == 0)
    return fmt::format(" (probabilistic 1/4 {} 5/8 {} 1/8 {})", any_state(task, random),
                       any_state(task, random), any_state(task, random));
  std::string text;
  const std::size_t drawn = random.below(task.variables.size());
  for (std::size_t v = 0; v < task.variables.size(); ++v) {
    const bool is_drawn = v == drawn || random.below(4) == 0;
    text +=
        is_drawn ? any_value(task, v, random.below(2) == 0) : value_text(task, v, task.initial[v]);
  }
  return text;
}

}  // namespace

std::string ppddl_text(const task::Task& task) {
  std::string init;
  for (std::size_t v = 0; v < task.variables.size(); ++v)
    init += value_text(task, v, task.initial[v]);
  return text_with_init(task, init);
}

std::string random_drawn_start(std::uint64_t seed) {
  const std::shared_ptr<TaskModel> model = random_task(seed);
  SplitMix64 random(seed);
  return text_with_init(model->task(), any_distribution(model->task(), random));
}

std::shared_ptr<TaskModel> random_task_or_draw(std::uint64_t seed) {
  return seed % 3 == 1 ? load_text(random_drawn_start(seed)) : random_task(seed);
}

std::shared_ptr<TaskModel> random_task(std::uint64_t seed) {
  return make_task_model(RandomTask(seed, false).make());
}

std::shared_ptr<TaskModel> random_conditional_task(std::uint64_t seed) {
  return make_task_model(RandomTask(seed, true).make());
}

}  // namespace carl::testing
