#include "solver/fresh_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "carl/check.h"
#include "carl/error.h"

namespace carl::testing {
namespace {

// How far bounds are moved to see whether they are on the edge of what is possible.
constexpr double nudge = 1e-7;
// Relative differences that rounding explains.
constexpr double rounding = 1e-9;
// The same for numbers that come of different evaluations of one policy.
constexpr double evaluation_rounding = 1e-7;
// As close a sweep comes to the least bound that can be met, in terms of the costs of actions.
constexpr double least_bound_precision = 2e-6;
// Every so many solves are compared with a fresh one of the same options, beside the LP.
constexpr std::size_t solves_per_fresh_one = 4;
// More than that no bound may be.
constexpr double greatest_number = 1e15;
// How often a search may ask for the same multipliers.
constexpr std::size_t a_handful = 8;
// To which the LP that answers are compared with is solved.
constexpr double truth_gap = 1e-8;

Terms moved(const Terms& terms, double factor) {
  Terms result = terms;
  for (Bound& bound : result.bounds)
    bound.upper *= factor;
  return result;
}

Terms with_bound(const Terms& terms, std::size_t cost, double upper) {
  Terms result = terms;
  const auto same = std::find_if(result.bounds.begin(), result.bounds.end(),
                                 [&](const Bound& bound) { return bound.cost == cost; });
  if (same != result.bounds.end())
    same->upper = upper;
  else
    result.bounds.push_back({cost, upper});
  return result;
}

std::string mixture_errors(const Solution& solution) {
  double weights = 0;
  std::vector<double> mixed(solution.costs->size(), 0.0);
  for (const MixtureComponent& part : solution.mixture) {
    weights += part.weight;
    for (std::size_t i = 0; i < mixed.size(); ++i)
      mixed[i] += part.weight * part.costs[i];
  }
  if (std::abs(weights - 1) > rounding)
    return fmt::format("the mixture's weights sum to {}", weights);
  for (std::size_t i = 0; i < mixed.size(); ++i)
    if (std::abs(mixed[i] - (*solution.costs)[i]) > evaluation_rounding * mixed[i])
      return fmt::format("the mixture costs {}, the policy {}", mixed, *solution.costs);
  return {};
}

/// Of the multipliers that were asked for most often.
std::size_t most_often_asked(const std::vector<TracePoint>& trace) {
  std::map<std::vector<double>, std::size_t> times;
  std::size_t most = 0;
  for (const TracePoint& point : trace)
    most = std::max(most, ++times[point.multipliers]);
  return most;
}

/// What contradicts itself.
std::string inner_errors(const Terms& terms, const SolveIt& call, const Solution& solution) {
  if (!solution.multipliers.empty() && solution.multipliers.size() != terms.bounds.size())
    return fmt::format("{} multipliers for {} bounds", solution.multipliers.size(),
                       terms.bounds.size());
  for (const TracePoint& point : solution.trace)
    if (point.cut >= solution.cuts.size() || point.multipliers.size() != terms.bounds.size())
      return "the trace does not fit the cuts or the bounds";
  if (most_often_asked(solution.trace) > a_handful)
    return fmt::format("asked {} times for the same multipliers", most_often_asked(solution.trace));
  if (solution.status == Status::infeasible && !solution.infeasibility)
    return "infeasible, unproved";
  if (!solution.costs) return solution.status == Status::optimal ? "optimal without a policy" : "";
  const double objective = (*solution.costs)[0];
  if (solution.lower_bound && *solution.lower_bound > objective)
    return fmt::format("lower bound {} above its own objective {}", *solution.lower_bound,
                       objective);
  if (solution.status == Status::optimal &&
      !(solution.gap() && *solution.gap() <= call.options.gap))
    return fmt::format("optimal with the bounds {} and {} for a gap of {}",
                       solution.lower_bound.value_or(-1), objective, call.options.gap);
  for (const Bound& bound : terms.bounds)
    if ((*solution.costs)[bound.cost] > bound.upper + bound_tolerance(bound))
      return fmt::format("cost {} is {}, above its bound {}", bound.cost,
                         (*solution.costs)[bound.cost], bound.upper);
  return mixture_errors(solution);
}

}  // namespace

// --- the truth ------------------------------------------------------------------------------------

FreshAnswers::Truth FreshAnswers::by_lp(const Terms& terms) const {
  SolveOptions options;
  options.algorithm = Algorithm::lp;
  options.gap = truth_gap;
  options.explain = false;
  Cssp cssp = fresh_problem(draft_, terms);
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  if (!solution.costs) return {.status = solution.status};
  return {Status::optimal, solution.lower_bound.value_or(0), (*solution.costs)[0]};
}

const FreshAnswers::Truth& FreshAnswers::truth(const Terms& terms) {
  const auto known = std::find_if(known_.begin(), known_.end(),
                                  [&](const auto& one) { return one.first == terms; });
  if (known != known_.end()) return known->second;
  return known_.emplace_back(terms, by_lp(terms)).second;
}

bool FreshAnswers::agrees(const Terms& terms, Status status) {
  const Status fresh = truth(terms).status;
  if (fresh == status || fresh == Status::limit) return true;
  if (status == Status::optimal) return truth(moved(terms, 1 + nudge)).status == Status::optimal;
  return status == Status::infeasible && truth(moved(terms, 1 - nudge)).status == status;
}

std::string FreshAnswers::enclosure(const Terms& terms, std::optional<double> lower,
                                    std::optional<double> upper) {
  const Truth& fresh = truth(terms);
  if (fresh.status != Status::optimal) return {};
  const double slack = rounding * std::abs(fresh.upper);
  if (lower && *lower > fresh.upper + slack) {
    const Truth& stricter = truth(moved(terms, 1 - nudge));
    if (stricter.status == Status::optimal && *lower > stricter.upper + slack)
      return fmt::format("lower bound {} above the optimum {}", *lower, fresh.upper);
  }
  if (upper && *upper < fresh.lower - slack) {
    const Truth& laxer = truth(moved(terms, 1 + nudge));
    if (laxer.status == Status::optimal && *upper < laxer.lower - slack)
      return fmt::format("objective {} below the optimum {}", *upper, fresh.lower);
  }
  return {};
}

// --- solutions ------------------------------------------------------------------------------------

std::string FreshAnswers::judge(const Terms& terms, const SolveIt& call, const Solution& solution,
                                const PolicyFile& policy) {
  for (const std::string& error :
       {inner_errors(terms, call, solution), against_truth(terms, solution)})
    if (!error.empty()) return error;
  const bool ended = solution.status == Status::limit || solution.status == Status::interrupted;
  if (ended && call.interruption.by == Interruption::By::nothing)
    return fmt::format("{} though nothing ended it: {}", to_string(solution.status), solution.note);
  if (++num_judged_ % solves_per_fresh_one == 0)
    if (const std::string error = against_fresh(terms, call, solution); !error.empty())
      return error;
  if (solution.costs) return check_policy_of(terms, solution, policy);
  if (solution.repair)
    if (const std::string error = check_repair(terms, *solution.repair); !error.empty())
      return error;
  if (solution.infeasibility) return check_proof(terms, *solution.infeasibility);
  return {};
}

std::string FreshAnswers::against_truth(const Terms& terms, const Solution& solution) {
  const bool settled = solution.status != Status::limit && solution.status != Status::interrupted;
  if (settled && !agrees(terms, solution.status))
    return fmt::format("{}, but {} by the LP", to_string(solution.status),
                       to_string(truth(terms).status));
  if (solution.costs && !agrees(terms, Status::optimal))
    return fmt::format("a policy, but {} by the LP", to_string(truth(terms).status));
  std::optional<double> objective;
  if (solution.costs) objective = (*solution.costs)[0];
  return enclosure(terms, solution.lower_bound, objective);
}

/// Solved with the same options, by a solver that knows nothing.
std::string FreshAnswers::against_fresh(const Terms& terms, const SolveIt& call,
                                        const Solution& solution) {
  Cssp cssp = fresh_problem(draft_, terms);
  Monitor monitor;
  Solution fresh;
  try {
    fresh = solve(cssp, call.options, monitor);
  } catch (const InputError& error) {
    return fmt::format("an answer where a fresh solve says: {}", error.message());
  }
  const bool settled = solution.status != Status::limit && solution.status != Status::interrupted;
  if (settled && solution.status != fresh.status && !agrees(terms, fresh.status))
    return fmt::format("{}, but {} by a fresh solve", to_string(solution.status),
                       to_string(fresh.status));
  return against_truth(terms, fresh).empty() ? "" : "a fresh solve contradicts the LP";
}

std::string FreshAnswers::judge_error(const Terms& terms, const SolveIt& call,
                                      const std::string& error) {
  Cssp cssp = fresh_problem(draft_, terms);
  Monitor monitor;
  try {
    solve(cssp, call.options, monitor);
  } catch (const InputError& fresh) {
    return fresh.message() == error ? ""
                                    : fmt::format("'{}' instead of '{}'", error, fresh.message());
  }
  return fmt::format("an error that a fresh solve does not make: {}", error);
}

std::string FreshAnswers::check_policy_of(const Terms& terms, const Solution& solution,
                                          const PolicyFile& policy) const {
  Cssp judged = fresh_problem(draft_, terms, false);
  Monitor monitor;
  const CheckReport report = check_policy(judged, policy, nullptr, {}, monitor);
  for (const Finding& finding : report.findings)
    if (!finding.warning)
      return fmt::format("the policy fails the check: {} {} {} (expected {}, found {})",
                         to_string(finding.kind), finding.state, finding.what, finding.expected,
                         finding.found);
  for (std::size_t i = 0; i < judged.num_costs(); ++i)
    if (std::abs((*report.costs)[i] - (*solution.costs)[i]) >
        evaluation_rounding * (*solution.costs)[i])
      return fmt::format("costs {}, but {} by the check", *solution.costs, *report.costs);
  return {};
}

// --- infeasibility --------------------------------------------------------------------------------

/// With a little of the primary cost: some loops may cost none of what is weighted.
std::optional<std::vector<double>> FreshAnswers::cheap_policy(
    const Terms& terms, const std::vector<double>& weights) const {
  TableDraft table = written_out(draft_);
  Terms only_zero{{}, terms.give_up};
  for (const Bound& bound : terms.bounds)
    if (bound.upper == 0) only_zero.bounds.push_back({bound.cost + 1, 0});
  const auto add_weighted = [&](std::vector<double>& cost) {
    double sum = 1e-9 * cost[0];
    for (std::size_t b = 0; b < weights.size(); ++b)
      sum += weights[b] * cost[terms.bounds[b].cost];
    cost.insert(cost.begin(), sum);
  };
  table.costs.costs.insert(table.costs.costs.begin(), "weighted");
  for (TableDraft::Action& action : table.actions)
    add_weighted(action.cost);
  if (only_zero.give_up) add_weighted(*only_zero.give_up);
  SolveOptions options;
  options.explain = false;
  options.carl.inner = InnerAlgorithm::vi;
  Cssp cssp = fresh_problem(table, only_zero);
  Monitor monitor;
  const Solution solution = solve(cssp, options, monitor);
  if (!solution.costs) return std::nullopt;
  return std::vector<double>(solution.costs->begin() + 1, solution.costs->end());
}

std::string FreshAnswers::check_proof(const Terms& terms, const Infeasibility& proof) {
  if (!proof.zero_bounds.empty()) return check_blamed(terms, proof.zero_bounds);
  double allowed = 0;
  double sum = 0;
  for (std::size_t b = 0; b < terms.bounds.size(); ++b) {
    if (proof.weights[b] < 0) return "a proof of infeasibility with a negative weight";
    sum += proof.weights[b];
    allowed += proof.weights[b] * terms.bounds[b].upper;
  }
  if (std::abs(sum - 1) > rounding || std::abs(allowed - proof.allowed) > rounding * allowed ||
      proof.least <= proof.allowed)
    return fmt::format("no proof: weights {} least {} allowed {}", proof.weights, proof.least,
                       proof.allowed);
  const auto costs = cheap_policy(terms, proof.weights);
  if (!costs) return {};
  double cost = 0;
  for (std::size_t b = 0; b < terms.bounds.size(); ++b)
    cost += proof.weights[b] * (*costs)[terms.bounds[b].cost];
  if (proof.least > cost * (1 + rounding))
    return fmt::format("a policy costs {} by the weights {}, of which {} is said to be the least",
                       cost, proof.weights, proof.least);
  return {};
}

/// These bounds of zero leave no proper policy, and none of them could be left out.
std::string FreshAnswers::check_blamed(const Terms& terms,
                                       const std::vector<std::size_t>& zero_bounds) {
  Terms blamed{{}, terms.give_up};
  for (const std::size_t b : zero_bounds) {
    if (b >= terms.bounds.size() || terms.bounds[b].upper != 0)
      return "blames what is no zero bound";
    blamed.bounds.push_back(terms.bounds[b]);
  }
  if (truth(blamed).status == Status::optimal) return "blames bounds of zero that can be met";
  for (std::size_t out = 0; out < blamed.bounds.size(); ++out) {
    Terms others = blamed;
    others.bounds.erase(others.bounds.begin() + static_cast<std::ptrdiff_t>(out));
    if (truth(others).status != Status::optimal) return "blames more bounds of zero than it takes";
  }
  return {};
}

std::string FreshAnswers::check_repair(const Terms& terms, const Repair& repair) {
  using Verdict = LeastValue::Verdict;
  if (repair.alone.size() != terms.bounds.size()) return "a repair for other bounds";
  for (std::size_t b = 0; b < terms.bounds.size(); ++b) {
    const LeastValue& value = repair.alone[b];
    // What one bound has to be may depend on the last digits of the others.
    const auto status_with = [&](double upper, double factor) {
      return truth(moved(with_bound(terms, terms.bounds[b].cost, upper), factor)).status;
    };
    const bool possible = value.verdict == Verdict::found || value.verdict == Verdict::enclosed;
    if (possible && status_with(value.sufficient, 1 + nudge) == Status::infeasible)
      return fmt::format("bound {} at {} is not enough", b, value.sufficient);
    if (possible && value.necessary > 0 &&
        status_with(value.necessary, 1 - nudge) == Status::optimal)
      return fmt::format("bound {} at less than {} is enough", b, value.necessary);
    if (value.verdict == Verdict::impossible &&
        status_with(greatest_number / 2, 1 - nudge) == Status::optimal)
      return fmt::format("bound {} could be raised", b);
  }
  return {};
}

// --- sweeps ---------------------------------------------------------------------------------------

std::string FreshAnswers::judge(const Terms& terms, const SweepIt& call, const Sweep& sweep) {
  const std::size_t num_curves = call.second ? call.second->values().size() : 1;
  if (sweep.curves.size() != num_curves) return "a sweep with other curves";
  const auto& names = costs_of(draft_).costs;
  for (const SweepCurve& curve : sweep.curves) {
    Terms of_curve = terms;
    if (call.second) {
      const auto place = std::find(names.begin(), names.end(), call.second->cost) - names.begin();
      of_curve = with_bound(terms, static_cast<std::size_t>(place), *curve.second);
    }
    const std::string error = check_curve(of_curve, call, curve);
    if (!error.empty()) return error;
  }
  return {};
}

std::string FreshAnswers::check_curve(const Terms& terms, const SweepIt& call,
                                      const SweepCurve& curve) {
  const auto& names = costs_of(draft_).costs;
  const auto cost = static_cast<std::size_t>(
      std::find(names.begin(), names.end(), call.range.cost) - names.begin());
  const bool interrupted = call.interruption.by != Interruption::By::nothing;
  for (const SweepPoint& point : curve.points) {
    const std::string error = check_point(with_bound(terms, cost, point.bound), point, interrupted);
    if (!error.empty()) return fmt::format("at {}={}: {}", call.range.cost, point.bound, error);
  }
  if (!curve.infeasible_below) return {};
  const double least = *curve.infeasible_below;
  const double off = least_bound_precision * std::max(least, greatest_cost(cost));
  if (!agrees(with_bound(terms, cost, least + off), Status::optimal))
    return fmt::format("{}={} is said to be the least that can be met", call.range.cost, least);
  if (least > off && !agrees(with_bound(terms, cost, least - off), Status::infeasible))
    return fmt::format("{} can be met below {}", call.range.cost, least);
  return {};
}

double FreshAnswers::greatest_cost(std::size_t cost) const {
  double greatest = 0;
  for (const TableDraft::Action& action : written_out(draft_).actions)
    greatest = std::max(greatest, action.cost[cost]);
  return greatest;
}

std::string FreshAnswers::check_point(const Terms& terms, const SweepPoint& point,
                                      bool interrupted) {
  const bool ended = point.status == Status::limit || point.status == Status::interrupted;
  if (ended && !interrupted) return "unsettled though nothing ended it";
  if (!ended && !agrees(terms, point.status))
    return fmt::format("{}, but {} by the LP", to_string(point.status),
                       to_string(truth(terms).status));
  return enclosure(terms, point.lower_bound, point.objective);
}

// --- fronts ---------------------------------------------------------------------------------------

/// If the other costs of the front are bounded by what a vertex costs, the least primary cost is
/// that of the vertex, and the lines say no more of it than the LP.
std::string FreshAnswers::judge(const Terms& terms, const FrontIt& call, const ParetoFront& front) {
  Terms lifted = terms;
  std::erase_if(lifted.bounds, [&](const Bound& bound) {
    return std::find(call.costs.begin(), call.costs.end(), bound.cost) != call.costs.end();
  });
  const bool ended = front.status == Status::limit || front.status == Status::interrupted;
  if (ended && call.interruption.by == Interruption::By::nothing)
    return fmt::format("unsettled though nothing ended it: {}", front.note);
  if (!ended && !agrees(lifted, front.status))
    return fmt::format("{}, but {} by the LP", to_string(front.status),
                       to_string(truth(lifted).status));
  if (call.costs.front() != 0) return {};
  for (const ParetoVertex& vertex : front.vertices) {
    Terms of_vertex = lifted;
    for (const std::size_t cost : call.costs)
      if (cost != 0) of_vertex = with_bound(of_vertex, cost, vertex.costs[cost]);
    double lower = 0;
    for (const ParetoLine& line : front.lines) {
      if (line.weights[0] == 0) continue;
      double rest = line.least;
      for (std::size_t i = 1; i < call.costs.size(); ++i)
        rest -= line.weights[i] * vertex.costs[call.costs[i]];
      lower = std::max(lower, rest / line.weights[0]);
    }
    const std::string error = enclosure(of_vertex, lower, vertex.costs[0]);
    if (!error.empty()) return error;
  }
  return {};
}

}  // namespace carl::testing
