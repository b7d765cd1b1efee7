#include "soak/plain_model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "util/rational.h"

namespace carl::soak {

std::string PlainModel::json() const {
  nlohmann::ordered_json document{{"format", "cssp"}, {"version", 1}, {"costs", costs}};
  auto& upper = document["bounds"] = nlohmann::ordered_json::object();
  for (const auto& [cost, value] : bounds)
    upper[cost] = value;
  if (give_up) {
    auto& penalty = document["give_up"] = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < costs.size(); ++i)
      penalty[costs[i]] = (*give_up)[i];
  }
  document["initial"] = initial;
  document["goals"] = goals;
  auto& list = document["actions"] = nlohmann::ordered_json::array();
  for (const Action& action : actions) {
    auto outcomes = nlohmann::ordered_json::object();
    for (const auto& [state, probability] : action.outcomes)
      outcomes[state] = probability;
    list.push_back({{"state", action.state},
                    {"name", action.name},
                    {"cost", action.cost},
                    {"outcomes", outcomes}});
  }
  std::string text = document.dump();
  for (std::size_t at = 0; (at = text.find("{\"state\"", at)) != std::string::npos; at += 2)
    text.insert(at, "\n");
  return text + "\n";
}

std::string PlainModel::ppddl() const {
  std::string text = "(define (domain d) (:predicates (at ?s))\n(:constants";
  std::set<std::string> states{initial};
  states.insert(goals.begin(), goals.end());
  for (const Action& action : actions) {
    states.insert(action.state);
    for (const auto& [state, probability] : action.outcomes)
      states.insert(state);
  }
  for (const std::string& state : states)
    text += " " + state;
  text += ")\n(:functions";
  for (const std::string& cost : costs)
    text += fmt::format(" ({})", cost);
  text += ")\n";
  const auto increases = [&](const std::vector<double>& amounts) {
    std::string list;
    for (std::size_t i = 0; i < amounts.size(); ++i)
      if (amounts[i] > 0) list += fmt::format(" (increase ({}) {})", costs[i], amounts[i]);
    return list;
  };
  for (const Action& action : actions) {
    text += fmt::format("(:action {}-{} :parameters () :precondition (at {})\n :effect (and",
                        action.state, action.name, action.state);
    text += increases(action.cost) + " (probabilistic";
    // Exactly a distribution, whatever the rounding of its doubles: the rest of less than 1 would
    // stand for doing nothing.
    Rational sum = 0;
    for (const auto& [state, probability] : action.outcomes)
      sum += decimal(probability);
    for (const auto& [state, probability] : action.outcomes) {
      text += fmt::format("\n  {} ", Rational(decimal(probability) / sum).get_str());
      text += state == action.state
                  ? "(and)"
                  : fmt::format("(and (at {}) (not (at {})))", state, action.state);
    }
    text += ")))\n";
  }
  text += fmt::format(")\n(define (problem p) (:domain d) (:init (at {}))\n(:goal (or", initial);
  for (const std::string& goal : goals)
    text += fmt::format(" (at {})", goal);
  text += fmt::format("))\n(:metric minimize ({}))\n", costs.front());
  if (give_up) text += "(:give-up" + increases(*give_up) + ")\n";
  return text + ")\n";
}

PlainModel plain(Cssp& cssp) {
  PlainModel model;
  model.costs = cssp.cost_names();
  for (const Bound& bound : cssp.bounds())
    model.bounds.emplace_back(model.costs[bound.cost], bound.upper);
  model.give_up = cssp.give_up_penalty();
  std::set<StateId> seen;
  std::vector<StateId> queue;
  const auto visit = [&](StateId state) {
    if (seen.insert(state).second) queue.push_back(state);
  };
  visit(cssp.initial_state());
  model.initial = cssp.state_name(cssp.initial_state());
  Expansion expansion;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const StateId state = queue[next];
    if (cssp.is_goal(state)) {
      model.goals.push_back(cssp.state_name(state));
      continue;
    }
    cssp.expand(state, expansion);
    for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
      const ActionId id = expansion.action(a);
      for (const StateId successor : expansion.successors(a))
        visit(successor);
      if (id == Cssp::give_up_action) continue;
      PlainModel::Action action{cssp.state_name(state), cssp.action_name(id), {}, {}};
      const auto cost = cssp.cost(id);
      action.cost.assign(cost.begin(), cost.end());
      for (std::size_t k = 0; k < expansion.successors(a).size(); ++k)
        action.outcomes.emplace_back(cssp.state_name(expansion.successors(a)[k]),
                                     expansion.probabilities(a)[k]);
      model.actions.push_back(std::move(action));
    }
  }
  return model;
}

}  // namespace carl::soak
