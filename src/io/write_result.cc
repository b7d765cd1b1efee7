#include <nlohmann/json.hpp>

#include "carl/io.h"

namespace carl {
namespace {

using Json = nlohmann::ordered_json;

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json constraints_of(const Cssp& cssp, const Solution& solution) {
  Json list = Json::array();
  for (std::size_t b = 0; b < cssp.bounds().size(); ++b) {
    const Bound& bound = cssp.bounds()[b];
    Json entry{{"cost", cssp.cost_names()[bound.cost]}, {"bound", bound.upper}};
    if (solution.costs) {
      const double value = (*solution.costs)[bound.cost];
      entry["value"] = value;
      if (const double more = excess(bound, value); more > 0) entry["excess"] = more;
    }
    if (!solution.multipliers.empty()) entry["multiplier"] = solution.multipliers[b];
    list.push_back(std::move(entry));
  }
  return list;
}

Json policy_summary(const Solution& solution) {
  std::size_t stochastic = 0;
  for (const PolicyEntry& entry : solution.policy)
    stochastic += entry.choices.size() > 1;
  Json mixture = Json::array();
  for (const MixtureComponent& component : solution.mixture)
    mixture.push_back({{"weight", component.weight}, {"costs", component.costs}});
  return {{"states", solution.policy.size()},
          {"stochastic_states", stochastic},
          {"mixture", std::move(mixture)}};
}

Json infeasibility_of(const Cssp& cssp, const Infeasibility& reason) {
  if (!reason.zero_bounds.empty()) {
    Json names = Json::array();
    for (const std::size_t b : reason.zero_bounds)
      names.push_back(cssp.cost_names()[cssp.bounds()[b].cost]);
    return {{"zero_bounds", std::move(names)}};
  }
  Json weights = Json::object();
  for (std::size_t b = 0; b < reason.weights.size(); ++b)
    if (reason.weights[b] != 0)
      weights[cssp.cost_names()[cssp.bounds()[b].cost]] = reason.weights[b];
  return {{"weights", weights}, {"least", reason.least}, {"allowed", reason.allowed}};
}

Json least_value(const LeastValue& least) {
  using Verdict = LeastValue::Verdict;
  if (least.verdict == Verdict::impossible) return {{"possible", false}};
  Json json{{"necessary", least.necessary}};
  if (least.verdict == Verdict::unknown) return json;
  json["possible"] = true;
  json["sufficient"] = least.sufficient;
  return json;
}

Json repair_of(const Cssp& cssp, const Repair& repair) {
  Json alone = Json::object();
  for (std::size_t b = 0; b < repair.alone.size(); ++b)
    alone[cssp.cost_names()[cssp.bounds()[b].cost]] = least_value(repair.alone[b]);
  return {{"text", sentences(cssp, repair)},
          {"alone", std::move(alone)},
          {"factor", least_value(repair.all)}};
}

/// As in policy files.
Json state_of(const Cssp& cssp, StateId state) {
  const std::vector<std::string> facts = cssp.state_facts(state);
  return cssp.model().factored() ? Json(facts) : Json(facts.front());
}

Json reason_of(const Cssp& cssp, const DeadEnd& dead_end) {
  Json steps = Json::array();
  for (const DeadEnd::Step& step : dead_end.steps)
    steps.push_back({{"state", state_of(cssp, step.state)},
                     {"action", cssp.action_name(step.action)},
                     {"probability", step.probability}});
  Json reason{{"text", sentences(cssp, dead_end)},
              {"steps", std::move(steps)},
              {"dead_end", state_of(cssp, dead_end.state)}};
  Json facts = Json::array();
  for (const UnreachableFact& fact : dead_end.reason.facts) {
    Json achievers = Json::array();
    for (const UnreachableFact::Achiever& achiever : fact.achievers)
      achievers.push_back({{"action", achiever.action}, {"needs", achiever.needs}});
    facts.push_back(
        {{"fact", fact.fact}, {"in_goal", fact.in_goal}, {"achievers", std::move(achievers)}});
  }
  if (!facts.empty()) reason["unreachable"] = std::move(facts);
  if (!dead_end.reason.exclusive.empty()) reason["exclusive"] = dead_end.reason.exclusive;
  return reason;
}

Json trace_of(const Solution& solution) {
  Json list = Json::array();
  for (const TracePoint& point : solution.trace)
    list.push_back({{"seconds", point.seconds},
                    {"multipliers", point.multipliers},
                    {"cut", point.cut},
                    {"value", point.value},
                    {"lower_bound", point.lower_bound},
                    {"upper_bound", optional_number(point.upper_bound)}});
  return list;
}

Json statistics_of(const Statistics& s) {
  return {{"scalarised_ssps", s.scalarised_ssps},
          {"expanded", s.expanded},
          {"generated", s.generated},
          {"evaluated", s.evaluated},
          {"backups", s.backups},
          {"q_values", s.q_values},
          {"components", s.components},
          {"lp_solves", s.lp_solves},
          {"lp_iterations", s.lp_iterations},
          {"state_action_pairs", s.state_action_pairs},
          {"transitions", s.transitions},
          {"state_bytes", s.state_bytes},
          {"transition_bytes", s.transition_bytes},
          {"seconds",
           {{"parse", s.seconds.parse},
            {"ground", s.seconds.ground},
            {"heuristic", s.seconds.heuristic},
            {"search", s.seconds.search},
            {"extract", s.seconds.extract},
            {"total", s.seconds.total}}},
          {"peak_memory_mb", static_cast<double>(peak_resident_memory()) / 1e6}};
}

}  // namespace

void write_result(const Cssp& cssp, const Solution& solution, std::ostream& out) {
  Json result{{"format", "carl-result"},
              {"version", 1},
              {"status", to_string(solution.status)},
              {"algorithm", solution.algorithm}};
  if (!solution.outer.empty()) result["outer"] = solution.outer;
  if (!solution.heuristic.empty()) result["heuristic"] = solution.heuristic;
  if (!solution.note.empty()) result["note"] = solution.note;
  if (solution.costs || solution.lower_bound) {
    result["objective"] = solution.costs ? Json((*solution.costs)[0]) : Json();
    result["lower_bound"] = optional_number(solution.lower_bound);
    result["gap"] = optional_number(solution.gap());
  }
  if (solution.costs) {
    Json costs = Json::object();
    for (std::size_t i = 0; i < cssp.num_costs(); ++i)
      costs[cssp.cost_names()[i]] = (*solution.costs)[i];
    result["costs"] = std::move(costs);
  }
  for (std::size_t i = 0; i < cssp.num_costs(); ++i)
    if (cssp.is_reward(i)) result["rewards"].push_back(cssp.cost_names()[i]);
  result["constraints"] = constraints_of(cssp, solution);
  if (solution.costs) result["policy"] = policy_summary(solution);
  if (solution.infeasibility)
    result["infeasibility"] = infeasibility_of(cssp, *solution.infeasibility);
  if (solution.repair) result["repair"] = repair_of(cssp, *solution.repair);
  if (solution.dead_end) result["reason"] = reason_of(cssp, *solution.dead_end);
  if (!solution.trace.empty()) {
    result["trace"] = trace_of(solution);
    result["cuts"] = solution.cuts;
  }
  result["statistics"] = statistics_of(solution.statistics);
  out << result.dump(2) << '\n';
}

}  // namespace carl
