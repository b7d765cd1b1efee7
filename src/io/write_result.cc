#include "carl/io.h"
#include "carl/question.h"
#include "io/json_writer.h"
#include "io/problem_json.h"

namespace carl {
namespace {

using io::JsonWriter;

void write_cost_vector(JsonWriter& json, const char* key, const Cssp& cssp,
                       const std::optional<std::vector<double>>& costs) {
  if (!costs) return;
  json.object(key, [&] {
    for (std::size_t i = 0; i < cssp.num_costs(); ++i)
      json.member(cssp.cost_names()[i], (*costs)[i]);
  });
}

void write_branching(JsonWriter& json, const Cssp& cssp, const Branching& branching) {
  json.member("nodes", branching.nodes);
  json.member("open", branching.open);
  json.object("with_coins", [&] {
    write_cost_vector(json, "costs", cssp, branching.costs_with_coins);
    json.member("lower_bound", branching.lower_bound_with_coins);
  });
}

void write_costs(JsonWriter& json, const Cssp& cssp, const Solution& solution) {
  if (solution.costs || solution.lower_bound) {
    std::optional<double> objective;
    if (solution.costs) objective = (*solution.costs)[0];
    json.member("objective", objective);
    json.member("lower_bound", solution.lower_bound);
    json.member("gap", solution.gap());
  }
  write_cost_vector(json, "costs", cssp, solution.costs);
  write_cost_vector(json, "deterministic_costs", cssp, solution.deterministic_costs);
  io::write_rewards(json, cssp);
}

void write_constraint(JsonWriter& json, const Cssp& cssp, const Solution& solution, std::size_t b) {
  const Bound& bound = cssp.bounds()[b];
  json.member("cost", cssp.cost_names()[bound.cost]);
  json.member("bound", bound.upper);
  if (solution.costs) {
    const double value = (*solution.costs)[bound.cost];
    json.member("value", value);
    if (const double more = excess(bound, value); more > 0) json.member("excess", more);
  }
  if (!solution.multipliers.empty()) json.member("multiplier", solution.multipliers[b]);
}

void write_policy_summary(JsonWriter& json, const Solution& solution) {
  const PolicySize size = solution.policy_size();
  json.member("states", size.states);
  json.member("stochastic_states", size.stochastic_states);
  json.array("mixture", [&] {
    for (const MixtureComponent& component : solution.mixture)
      json.object([&] {
        json.member("weight", component.weight);
        json.member("costs", component.costs);
      });
  });
}

void write_infeasibility(JsonWriter& json, const Cssp& cssp, const Infeasibility& reason) {
  const auto bounded_cost = [&](std::size_t b) { return cssp.cost_names()[cssp.bounds()[b].cost]; };
  if (!reason.zero_bounds.empty())
    return json.array("zero_bounds", [&] {
      for (const std::size_t b : reason.zero_bounds)
        json.element(bounded_cost(b));
    });
  json.object("weights", [&] {
    for (std::size_t b = 0; b < reason.weights.size(); ++b)
      if (reason.weights[b] != 0) json.member(bounded_cost(b), reason.weights[b]);
  });
  json.member("least", reason.least);
  json.member("allowed", reason.allowed);
}

void write_least_value(JsonWriter& json, const LeastValue& least) {
  using Verdict = LeastValue::Verdict;
  if (least.verdict == Verdict::impossible) return json.member("possible", false);
  json.member("necessary", least.necessary);
  if (least.verdict == Verdict::unknown) return;
  json.member("possible", true);
  json.member("sufficient", least.sufficient);
}

void write_repair(JsonWriter& json, const Cssp& cssp, const Repair& repair) {
  json.member("text", sentences(cssp, repair));
  json.object("alone", [&] {
    for (std::size_t b = 0; b < repair.alone.size(); ++b)
      json.object(cssp.cost_names()[cssp.bounds()[b].cost],
                  [&] { write_least_value(json, repair.alone[b]); });
  });
  json.object("factor", [&] { write_least_value(json, repair.all); });
}

void write_unreachable(JsonWriter& json, const UnreachableFact& fact) {
  json.member("fact", fact.fact);
  json.member("in_goal", fact.in_goal);
  json.array("achievers", [&] {
    for (const UnreachableFact::Achiever& achiever : fact.achievers)
      json.object([&] {
        json.member("action", achiever.action);
        json.member("needs", achiever.needs);
      });
  });
}

void write_dead_end(JsonWriter& json, const Cssp& cssp, const DeadEnd& dead_end) {
  json.member("text", sentences(cssp, dead_end));
  json.array("steps", [&] {
    for (const DeadEnd::Step& step : dead_end.steps)
      json.object([&] {
        io::write_state(json, "state", cssp, step.state);
        json.member("action", cssp.action_name(step.action));
        json.member("probability", step.probability);
      });
  });
  io::write_state(json, "dead_end", cssp, dead_end.state);
  if (!dead_end.reason.facts.empty())
    json.array("unreachable", [&] {
      for (const UnreachableFact& fact : dead_end.reason.facts)
        json.object([&] { write_unreachable(json, fact); });
    });
  if (!dead_end.reason.exclusive.empty()) json.member("exclusive", dead_end.reason.exclusive);
}

void write_trace(JsonWriter& json, const Solution& solution) {
  json.array("trace", [&] {
    for (const TracePoint& point : solution.trace)
      json.object([&] {
        json.member("seconds", point.seconds);
        json.member("multipliers", point.multipliers);
        json.member("cut", point.cut);
        json.member("value", point.value);
        json.member("lower_bound", point.lower_bound);
        json.member("upper_bound", point.upper_bound);
      });
  });
  json.member("cuts", solution.cuts);
}

void write_multiplier_search(JsonWriter& json, const MultiplierSearch& search) {
  json.member("seconds", search.seconds);
  json.member("scalarised_ssps", search.scalarised_ssps);
  json.member("distinct", search.distinct);
  json.member("nonzero", search.nonzero);
  json.member("expanded", search.expanded);
  json.member("evaluated", search.evaluated);
  json.member("backups", search.backups);
  json.member("q_values", search.q_values);
}

void write_statistics(JsonWriter& json, const Statistics& s) {
  json.member("scalarised_ssps", s.scalarised_ssps);
  json.member("expanded", s.expanded);
  json.member("generated", s.generated);
  json.member("evaluated", s.evaluated);
  json.member("backups", s.backups);
  json.member("q_values", s.q_values);
  json.member("components", s.components);
  json.member("lp_solves", s.lp_solves);
  json.member("lp_iterations", s.lp_iterations);
  json.member("state_action_pairs", s.state_action_pairs);
  json.member("transitions", s.transitions);
  json.member("state_bytes", s.state_bytes);
  json.member("transition_bytes", s.transition_bytes);
  if (s.multiplier_search)
    json.object("multiplier_search", [&] { write_multiplier_search(json, *s.multiplier_search); });
  json.object("seconds", [&] {
    json.member("parse", s.seconds.parse);
    json.member("ground", s.seconds.ground);
    json.member("heuristic", s.seconds.heuristic);
    json.member("search", s.seconds.search);
    json.member("extract", s.seconds.extract);
    json.member("scalarised_ssps", s.seconds.scalarised_ssps);
    json.member("total", s.seconds.total);
  });
  json.member("peak_memory_mb", static_cast<double>(peak_resident_memory()) / 1e6);
}

/// Why there is no solution, and what would help.
void write_reasons(JsonWriter& json, const Cssp& cssp, const Solution& solution) {
  if (solution.infeasibility)
    json.object("infeasibility", [&] { write_infeasibility(json, cssp, *solution.infeasibility); });
  if (solution.repair) json.object("repair", [&] { write_repair(json, cssp, *solution.repair); });
  if (solution.dead_end)
    json.object("reason", [&] { write_dead_end(json, cssp, *solution.dead_end); });
}

const char* name_of(Objective::Sense sense) {
  switch (sense) {
    case Objective::Sense::minimise:
      return "min";
    case Objective::Sense::maximise:
      return "max";
    case Objective::Sense::at_most:
      return "<=";
    case Objective::Sense::at_least:
      break;
  }
  return ">=";
}

/// The answer in the words of the question.
void write_property(JsonWriter& json, const Question& question, const Solution& solution) {
  json.member("text", question.text);
  if (question.kind == Question::Kind::achieve) {
    if (solution.status == Status::optimal)
      json.member("achievable", true);
    else if (solution.status == Status::infeasible || solution.status == Status::no_proper_policy)
      json.member("achievable", false);
  }
  json.array("objectives", [&] {
    for (const Objective& objective : question.objectives)
      json.object([&] {
        json.member("formula", objective.formula);
        json.member("sense", name_of(objective.sense));
        if (objective.is_bound()) json.member("bound", objective.bound);
        if (solution.costs)
          json.member("value", objective.value((*solution.costs)[objective.cost]));
      });
  });
}

}  // namespace

void write_result(const Cssp& cssp, const Solution& solution, std::ostream& out) {
  JsonWriter json(out, JsonWriter::Layout::indented);
  json.object([&] {
    json.member("format", "carl-result");
    json.member("version", 1);
    json.member("status", to_string(solution.status));
    json.member("algorithm", solution.algorithm);
    json.member_if_any("outer", solution.outer);
    json.member_if_any("heuristic", solution.heuristic);
    json.member_if_any("note", solution.note);
    if (const Question* question = cssp.model().question())
      json.object("property", [&] { write_property(json, *question, solution); });
    write_costs(json, cssp, solution);
    json.array("constraints", [&] {
      for (std::size_t b = 0; b < cssp.bounds().size(); ++b)
        json.object([&] { write_constraint(json, cssp, solution, b); });
    });
    if (solution.costs) json.object("policy", [&] { write_policy_summary(json, solution); });
    write_reasons(json, cssp, solution);
    if (solution.branching)
      json.object("branching", [&] { write_branching(json, cssp, *solution.branching); });
    if (!solution.trace.empty()) write_trace(json, solution);
    json.object("statistics", [&] { write_statistics(json, solution.statistics); });
  });
  out << '\n';
}

}  // namespace carl
