#include "cssp/collapsed_problem.h"

#include <algorithm>

#include "carl/explicit_builder.h"
#include "cssp/solution_policy.h"
#include "graph/pair_range.h"
#include "ssp/decomposition.h"
#include "ssp/flow_policy.h"
#include "ssp/policy_actions.h"
#include "ssp/policy_evaluation.h"

namespace carl::cssp {

using graph::CollapsedLoops;
using graph::PairId;

namespace {

/// Of the primary cost and those with bounds.
std::vector<double> all_that_counts(const Cssp& cssp, const std::vector<std::size_t>& others) {
  std::vector<double> weights(cssp.num_costs(), 0.0);
  for (const std::size_t cost : others)
    weights[cost] = 1;
  weights[0] = 1;
  for (const Bound& bound : cssp.bounds())
    weights[bound.cost] = 1;
  return weights;
}

}  // namespace

CollapsedProblem::CollapsedProblem(Cssp& original, std::size_t threads, Monitor& monitor,
                                   const std::vector<std::size_t>& others)
    : original_(original), graph_(original, threads), share_(original.num_costs(), 0.0) {
  if (!graph_.expand_all(monitor)) throw LimitReached(monitor.kind());
  loops_ = CollapsedLoops(graph_, all_that_counts(original, others), monitor);
  monitor.check();
  number_states();
  collapsed_.emplace(build());
}

bool CollapsedProblem::has_loops_at_no_primary_cost(Monitor& monitor) const {
  std::vector<double> primary(original_.num_costs(), 0.0);
  primary[0] = 1;
  for (const graph::ZeroCostLoop& loop : graph::find_zero_cost_loops(graph_, primary, monitor)) {
    const StateId first = number_[loop.states.front().index()];
    if (std::any_of(loop.states.begin(), loop.states.end(),
                    [&](StateId s) { return number_[s.index()] != first; }))
      return true;
  }
  return false;
}

void CollapsedProblem::add_share_of_bounds(double share) {
  const auto counts = [](const Bound& bound) { return bound.cost != 0 && bound.upper > 0; };
  const auto& bounds = original_.bounds();
  const auto number = std::count_if(bounds.begin(), bounds.end(), counts);
  double largest = 0;
  for (std::size_t row = 0; row < graph_.num_cost_rows(); ++row)
    largest = std::max(largest, graph_.cost_of_row(row)[0]);
  added_ = share * (largest > 0 ? largest : 1.0);
  for (const Bound& bound : bounds)
    if (counts(bound)) share_[bound.cost] = added_ / (static_cast<double>(number) * bound.upper);
  collapsed_.emplace(build());
}

void CollapsedProblem::number_states() {
  number_.assign(graph_.num_states(), StateId());
  for (std::size_t s = 0; s < graph_.num_states(); ++s) {
    if (number_[s].valid()) continue;
    const StateId number(first_.size());
    first_.emplace_back(s);
    loops_.for_each_same(StateId(s), [&](StateId same) { number_[same.index()] = number; });
  }
}

std::shared_ptr<Model> CollapsedProblem::build() {
  ExplicitBuilder builder(CostModel{original_.cost_names(), {}, {}});
  pair_.clear();
  builder.set_bounds(original_.bounds());
  if (original_.give_up_penalty()) builder.set_give_up(*original_.give_up_penalty());
  builder.add_states(first_.size());
  // State by state, so that actions get the numbers in which they are added.
  for (std::size_t c = 0; c < first_.size(); ++c) {
    const StateId here(c);
    if (graph_.is_goal(first_[c])) builder.add_goal(here);
    loops_.for_each_same(first_[c], [&](StateId s) {
      for (const PairId p : graph_.pairs(s)) {
        const auto successors = graph_.successors(p);
        const bool stays = std::all_of(successors.begin(), successors.end(),
                                       [&](StateId t) { return number_[t.index()] == here; });
        if (graph_.ends(p) || stays) continue;
        for (std::size_t k = 0; k < successors.size(); ++k)
          builder.add_outcome(graph_.probabilities(p)[k], number_[successors[k].index()], {});
        set_cost(p);
        builder.add_action(here, cost_);
        pair_.push_back(p);
      }
    });
  }
  return builder.build(number_[graph_.initial_state().index()]);
}

void CollapsedProblem::set_cost(PairId pair) {
  const std::span<const double> cost = graph_.cost(pair);
  cost_.assign(cost.begin(), cost.end());
  for (std::size_t c = 1; c < cost_.size(); ++c)
    cost_[0] += share_[c] * cost_[c];
}

PairId CollapsedProblem::giving_up(StateId s) const {
  for (const PairId p : graph_.pairs(s))
    if (graph_.ends(p)) return p;
  return {};
}

/// In every state of the loop a pair that may come closer to the one of the exit.
void CollapsedProblem::route(std::uint32_t loop, PairId exit, std::vector<PairId>& choice) const {
  choice[graph_.state(exit).index()] = exit;
  for (bool grows = true; grows;) {
    grows = false;
    for (const PairId p : loops_[loop].pairs) {
      PairId& here = choice[graph_.state(p).index()];
      if (here.valid()) continue;
      const auto successors = graph_.successors(p);
      if (std::none_of(successors.begin(), successors.end(),
                       [&](StateId t) { return choice[t.index()].valid(); }))
        continue;
      here = p;
      grows = true;
    }
  }
}

/// What a deterministic policy does in the states of the original problem.
std::vector<PairId> CollapsedProblem::choices(const Policy& policy) const {
  std::vector<PairId> choice(graph_.num_states());
  for (const Policy::Entry entry : policy) {
    const ActionId action = (*entry.choices.begin()).action;
    const StateId first = first_[entry.state.index()];
    const std::uint32_t loop = loops_.loop_of(first);
    if (action == Cssp::give_up_action)
      loops_.for_each_same(first, [&](StateId same) { choice[same.index()] = giving_up(same); });
    else if (loop == CollapsedLoops::none)
      choice[first.index()] = pair_[action.index()];
    else
      route(loop, pair_[action.index()], choice);
  }
  return choice;
}

void CollapsedProblem::to_original(const SolveOptions& options, Solution& solution) {
  solution.cuts.clear();
  solution.trace.clear();
  if (!solution.costs) return;
  std::vector<MixtureComponent> parts = std::move(solution.mixture);
  if (parts.empty() && solution.policy.is_deterministic())
    parts.push_back({1.0, *solution.costs, solution.policy});
  if (parts.empty()) {
    solution.status = Status::limit;
    solution.costs.reset();
    solution.note = "numerical trouble: the policy cannot be taken apart";
    return;
  }
  std::vector<double> flow;
  std::vector<PairId> fallback;
  std::vector<ssp::Policy> policies;
  mix(parts, policies, flow, fallback);
  const ssp::Policy mixed = ssp::policy_of_flow(
      graph_, flow, [&](StateId s) { return fallback[s.index()]; }, ssp::Flow::of_policies);
  set_policy(graph_, mixed, ssp::evaluate(graph_, mixed), solution);
  for (std::size_t k = 0; k < parts.size(); ++k)
    add_mixture_component(graph_, parts[k].weight, policies[k],
                          ssp::evaluate(graph_, policies[k]).costs, options, solution);
  if (solution.lower_bound && added_ > 0)
    solution.lower_bound = std::max(0.0, *solution.lower_bound - added_);
}

/// The flow of all of them, and what they do in the states of the original problem.
void CollapsedProblem::mix(const std::vector<MixtureComponent>& parts,
                           std::vector<ssp::Policy>& policies, std::vector<double>& flow,
                           std::vector<PairId>& fallback) const {
  flow.assign(graph_.num_pairs(), 0.0);
  fallback.assign(graph_.num_states(), PairId());
  for (const MixtureComponent& part : parts) {
    ssp::Policy policy =
        ssp::deterministic_envelope(graph_, graph_.initial_state(), choices(part.policy));
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    for (std::size_t i = 0; i < policy.size(); ++i) {
      const PairId pair = policy.choices(i)[0].pair;
      flow[pair.index()] += part.weight * evaluation.visits[i];
      fallback[policy.state(i).index()] = pair;
    }
    policies.push_back(std::move(policy));
  }
}

/// As a mixture of policies that toss no coin.
std::vector<MixtureComponent> CollapsedProblem::take_apart(const Policy& policy, Monitor& monitor) {
  if (policy.is_deterministic()) return {{1.0, {}, policy}};
  graph::SearchGraph graph(*collapsed_);
  if (!graph.expand_all(monitor)) throw LimitReached(monitor.kind());
  const ssp::Policy on_graph = ssp::in_terms_of_pairs(graph, policy);
  std::vector<MixtureComponent> parts;
  for (const ssp::MixturePart& part :
       ssp::decompose(graph, on_graph, ssp::evaluate(graph, on_graph)))
    parts.push_back(
        {part.weight, part.costs,
         ssp::in_terms_of_actions(graph, part.policy, ssp::evaluate(graph, part.policy).visits)});
  return parts;
}

void CollapsedProblem::to_original(Policy& policy, std::vector<double>& costs, Monitor& monitor) {
  std::vector<double> flow;
  std::vector<PairId> fallback;
  std::vector<ssp::Policy> policies;
  mix(take_apart(policy, monitor), policies, flow, fallback);
  const ssp::Policy mixed = ssp::policy_of_flow(
      graph_, flow, [&](StateId s) { return fallback[s.index()]; }, ssp::Flow::of_policies);
  const ssp::Evaluation evaluation = ssp::evaluate(graph_, mixed);
  policy = ssp::in_terms_of_actions(graph_, mixed, evaluation.visits);
  costs = evaluation.costs;
}

}  // namespace carl::cssp
