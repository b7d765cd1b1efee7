#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "carl/options.h"
#include "carl/problem.h"
#include "cssp/goal_chances.h"
#include "model/budget_model.h"
#include "model/budget_unit.h"
#include "model/failure_model.h"
#include "model/hopeful_model.h"
#include "model/validity.h"
#include "solver/make_problem.h"
#include "util/rational.h"
#include "util/shown.h"

namespace carl {
namespace {

const char* option_of(Guarantee::Kind kind) {
  switch (kind) {
    case Guarantee::Kind::chance:
      return "chance";
    case Guarantee::Kind::excess:
      return "excess";
    case Guarantee::Kind::cvar:
      break;
  }
  return "cvar";
}

void require_cost(const char* option, const std::string& name,
                  const std::vector<std::string>& costs) {
  if (std::find(costs.begin(), costs.end(), name) == costs.end())
    throw OptionError(fmt::format("`{}`: there is no cost named '{}'", option, shown(name)),
                      fmt::format("the costs are: {}", fmt::join(costs, ", ")));
}

void require_number(const char* option, const char* what, double value) {
  try {
    check_cost(what, value);
  } catch (const InputError& error) {
    throw OptionError(fmt::format("`{}`: {}", option, error.message()), error.hint());
  }
}

void validate(const Guarantee& guarantee, const std::vector<std::string>& costs) {
  const char* option = option_of(guarantee.kind);
  require_cost(option, guarantee.cost, costs);
  require_number(option, "bound", guarantee.upper);
  if (guarantee.kind != Guarantee::Kind::cvar) require_number(option, "limit", guarantee.limit);
  if (guarantee.kind == Guarantee::Kind::chance && guarantee.upper > 1)
    throw OptionError(fmt::format("`chance`: {} is not a probability", guarantee.upper));
  if (guarantee.kind == Guarantee::Kind::cvar && !(guarantee.limit >= 0 && guarantee.limit < 1))
    throw OptionError(
        fmt::format("`cvar`: the level is {}, but must be 0 or more and below 1", guarantee.limit),
        "0.95 is about the worst 5% of all runs");
}

void validate_units(const CsspOptions& options, const std::vector<std::string>& costs) {
  for (const auto& [name, unit] : options.units) {
    require_cost("unit", name, costs);
    require_number("unit", "unit", unit);
    if (unit == 0) throw OptionError(fmt::format("`unit`: the unit of '{}' is 0", shown(name)));
  }
}

/// The model's problem with nothing asked for beyond expected costs.
Cssp plain_problem(std::shared_ptr<Model> model, CsspOptions options) {
  options.guarantees.clear();
  options.goal_probability.reset();
  options.expected_costs_only = true;
  return Cssp(std::move(model), options);
}

/// Bounds by names, in two parts: those of costs that the model has, and of those to come.
void split_bounds(const Model& model, const CsspOptions& options, CsspOptions& of_model,
                  CsspOptions& of_others) {
  const auto& costs = model.cost_model().costs;
  of_model.bounds.clear();
  of_others.bounds.clear();
  for (const auto& bound : options.bounds) {
    const bool known = std::find(costs.begin(), costs.end(), bound.first) != costs.end();
    (known ? of_model : of_others).bounds.push_back(bound);
  }
}

/// Those about the same become one.
std::vector<Guarantee> strictest(const std::vector<Guarantee>& guarantees) {
  std::vector<Guarantee> result;
  for (const Guarantee& guarantee : guarantees) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const Guarantee& other) {
      return other.kind == guarantee.kind && other.cost == guarantee.cost &&
             other.limit == guarantee.limit;
    });
    if (same == result.end())
      result.push_back(guarantee);
    else
      same->upper = std::min(same->upper, guarantee.upper);
  }
  return result;
}

/// Joined with what has been used, if there are guarantees.
Cssp with_guarantees(std::shared_ptr<Model> model, const CsspOptions& options,
                     const std::vector<Guarantee>& guarantees) {
  if (guarantees.empty()) return plain_problem(std::move(model), options);
  CsspOptions of_model = options;
  CsspOptions of_others = options;
  split_bounds(*model, options, of_model, of_others);
  of_others.give_up.reset();
  return plain_problem(std::make_shared<BudgetModel>(plain_problem(std::move(model), of_model),
                                                     guarantees, options.units),
                       of_others);
}

std::optional<GoalProbability> goal_probability_of(const Model& model, const CsspOptions& options) {
  const std::optional<GoalProbability> goal =
      options.goal_probability ? options.goal_probability : model.cost_model().goal_probability;
  if (!goal) return std::nullopt;
  if (!goal->largest && !(goal->least >= 0 && goal->least <= 1))
    throw OptionError(fmt::format("`goal_probability`: {} is not a probability", goal->least));
  // Penalties of the text are overruled by options; else they contradict it.
  if (options.give_up || (model.cost_model().give_up && !options.goal_probability))
    throw OptionError("a probability of the goal is asked for, so giving up has no price",
                      "leave out `give_up`, or `goal_probability`");
  return goal;
}

/// The model with a cost of failing. What has to be known of all states is found out.
std::shared_ptr<Model> with_failure(std::shared_ptr<Model> model, const GoalProbability& goal,
                                    bool has_guarantees, CsspOptions& options, Monitor& monitor) {
  CsspOptions own = options;
  CsspOptions others;
  split_bounds(*model, options, own, others);
  own.give_up.reset();
  Cssp without_giving_up = plain_problem(model, own);
  without_giving_up.set_penalties(std::nullopt);
  const bool by_masking =
      goal.largest && !has_guarantees && without_giving_up.constraints().empty();
  if (!by_masking && !goal.only_when_lost) return std::make_shared<FailureModel>(std::move(model));
  GoalChances chances = by_masking ? cssp::goal_chances(without_giving_up, 1, monitor)
                                   : cssp::lost_states(without_giving_up, 1, monitor);
  return std::make_shared<HopefulModel>(std::move(model), std::move(chances), by_masking);
}

/// The least failure that is possible under the bounds is known up to this.
constexpr double tolerance_of_largest = 1e-8;

void set_goal_probability(const GoalProbability& goal, Monitor& monitor, Cssp& problem) {
  const std::size_t failure = *problem.model().failure_cost();
  const std::string& name = problem.cost_names()[failure];
  if (!goal.largest) return problem.set_bound(name, to_double(1 - as_written(goal.least)));
  if (problem.constraints().empty()) return;
  if (const std::optional<double> least = cssp::least_expectation(problem, failure, monitor))
    problem.set_bound(name, *least + tolerance_of_largest);
}

std::vector<Guarantee> with_thresholds(const std::vector<Guarantee>& guarantees,
                                       const std::vector<double>& thresholds) {
  std::size_t next = 0;
  std::vector<Guarantee> result;
  for (const Guarantee& guarantee : guarantees) {
    if (guarantee.kind != Guarantee::Kind::cvar) {
      result.push_back(guarantee);
      continue;
    }
    if (next == thresholds.size())
      throw OptionError(fmt::format("{} is a search over many problems, one for each threshold",
                                    to_string(guarantee)),
                        "for a single one ask for the expected excess over a limit, `excess`");
    const double threshold = thresholds[next++];
    if (!std::isnan(threshold)) result.push_back(solver::at_threshold(guarantee, threshold));
  }
  return strictest(result);
}

/// The number in "excess(fuel > 12)", of this cost.
std::optional<double> excess_limit(std::string_view name, const std::string& cost) {
  const std::string before = fmt::format("excess({} > ", cost);
  if (!name.starts_with(before) || !name.ends_with(')')) return std::nullopt;
  name.remove_prefix(before.size());
  name.remove_suffix(1);
  const std::optional<Rational> limit = parse_rational(name);
  return limit ? std::optional(to_double(*limit)) : std::nullopt;
}

}  // namespace

std::string to_string(const Guarantee& guarantee) {
  if (guarantee.kind == Guarantee::Kind::cvar)
    return fmt::format("CVaR {:.10g} of {} ≤ {:.10g}", guarantee.limit, guarantee.cost,
                       guarantee.upper);
  return fmt::format("{} ≤ {:.10g}", charge_name(guarantee), guarantee.upper);
}

std::vector<Guarantee> guarantees_of(const Model& model, const CsspOptions& options) {
  std::vector<Guarantee> all = model.cost_model().guarantees;
  all.insert(all.end(), options.guarantees.begin(), options.guarantees.end());
  for (const Guarantee& guarantee : all)
    validate(guarantee, model.cost_model().costs);
  return strictest(all);
}

bool has_cvar(const Model& model, const CsspOptions& options) {
  const std::vector<Guarantee> guarantees = guarantees_of(model, options);
  return std::any_of(guarantees.begin(), guarantees.end(), [](const Guarantee& guarantee) {
    return guarantee.kind == Guarantee::Kind::cvar;
  });
}

std::vector<double> thresholds_of(const Model& model, const CsspOptions& options,
                                  const std::vector<std::string>& costs) {
  const std::vector<Guarantee> guarantees = guarantees_of(model, options);
  std::vector<std::string> others;  // that are not about CVaR
  for (const Guarantee& guarantee : guarantees)
    if (guarantee.kind == Guarantee::Kind::excess) others.push_back(charge_name(guarantee));
  std::vector<double> thresholds;
  std::map<std::string, std::size_t> before;  // by cost: bounds on its CVaR so far
  for (const Guarantee& guarantee : guarantees) {
    if (guarantee.kind != Guarantee::Kind::cvar) continue;
    std::vector<double> own;
    std::optional<double> found;  // of another guarantee, which this one is the same as
    for (const std::string& name : costs) {
      const std::optional<double> limit = excess_limit(name, guarantee.cost);
      const bool is_other = std::find(others.begin(), others.end(), name) != others.end();
      if (limit && is_other) found = limit;
      if (limit && !is_other) own.push_back(*limit);
    }
    // In the order of the guarantees; those with the same threshold have become one.
    const std::size_t place = before[guarantee.cost]++;
    if (!own.empty()) found = own[std::min(place, own.size() - 1)];
    if (!found)
      throw InputError(
          fmt::format("the file does not say which threshold of {} it is about",
                      to_string(guarantee)),
          "among its costs there is an excess over the threshold if it was made for this problem");
    thresholds.push_back(*found);
  }
  return thresholds;
}

Guarantee solver::at_threshold(const Guarantee& cvar, double threshold) {
  return {Guarantee::Kind::excess, cvar.cost, threshold,
          std::max(0.0, (1 - cvar.limit) * (cvar.upper - threshold))};
}

Cssp make_problem(std::shared_ptr<Model> model, const CsspOptions& options, Monitor& monitor,
                  const std::vector<double>& thresholds) {
  const std::vector<Guarantee> guarantees =
      with_thresholds(guarantees_of(*model, options), thresholds);
  validate_units(options, model->cost_model().costs);
  const std::optional<GoalProbability> goal = goal_probability_of(*model, options);
  CsspOptions rest = options;
  if (goal) model = with_failure(std::move(model), *goal, !guarantees.empty(), rest, monitor);
  Cssp problem = with_guarantees(std::move(model), rest, guarantees);
  if (goal) set_goal_probability(*goal, monitor, problem);
  return problem;
}

}  // namespace carl
