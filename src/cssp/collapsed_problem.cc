#include "cssp/collapsed_problem.h"

#include <algorithm>

#include "carl/explicit_builder.h"
#include "cssp/solution_policy.h"
#include "graph/pair_range.h"
#include "ssp/flow_policy.h"
#include "ssp/policy_evaluation.h"

namespace carl::cssp {

using graph::CollapsedLoops;
using graph::PairId;

namespace {

/// Of the primary cost and those with bounds.
std::vector<double> all_that_counts(const Cssp& cssp) {
  std::vector<double> weights(cssp.num_costs(), 0.0);
  weights[0] = 1;
  for (const Bound& bound : cssp.bounds())
    weights[bound.cost] = 1;
  return weights;
}

}  // namespace

CollapsedProblem::CollapsedProblem(Cssp& original, std::size_t threads, Monitor& monitor)
    : original_(original), graph_(original, threads) {
  if (!graph_.expand_all(monitor)) throw LimitReached(monitor.kind());
  loops_ = CollapsedLoops(graph_, all_that_counts(original), monitor);
  monitor.check();
  number_states();
  CsspOptions options;
  collapsed_.emplace(build(), options);
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
        builder.add_action(here, graph_.cost(p));
        pair_.push_back(p);
      }
    });
  }
  return builder.build(number_[graph_.initial_state().index()]);
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
  std::vector<double> flow(graph_.num_pairs(), 0.0);
  std::vector<PairId> fallback(graph_.num_states());
  std::vector<std::pair<double, ssp::Policy>> policies;
  for (const MixtureComponent& part : parts) {
    ssp::Policy policy =
        ssp::deterministic_envelope(graph_, graph_.initial_state(), choices(part.policy));
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    for (std::size_t i = 0; i < policy.size(); ++i) {
      const PairId pair = policy.choices(i)[0].pair;
      flow[pair.index()] += part.weight * evaluation.visits[i];
      fallback[policy.state(i).index()] = pair;
    }
    policies.emplace_back(part.weight, std::move(policy));
  }
  const ssp::Policy mixed = ssp::policy_of_flow(
      graph_, flow, [&](StateId s) { return fallback[s.index()]; }, ssp::Flow::of_policies);
  set_policy(graph_, mixed, ssp::evaluate(graph_, mixed), solution);
  for (const auto& [weight, policy] : policies)
    add_mixture_component(graph_, weight, policy, ssp::evaluate(graph_, policy).costs, options,
                          solution);
}

}  // namespace carl::cssp
