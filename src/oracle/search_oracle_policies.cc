// The policies that a SearchOracle has found: in terms of the problem, mixed, taken apart, written to
// files and read back.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/output_file.h"
#include "oracle/search_oracle.h"
#include "ssp/decomposition.h"
#include "ssp/policy_actions.h"

namespace carl::oracle {

/// Nobody asks for the costs-to-go of mixtures.
ssp::EvaluationOptions SearchOracle::costs_and_visits() const {
  ssp::EvaluationOptions options{.value_tolerance = 1e-2};
  if (ssp_) options.rough_values = &ssp_->values();
  return options;
}

Policy SearchOracle::policy(PolicyHandle policy) const {
  return ssp::in_terms_of_actions(*graph_, policies_[policy].policy, visits_of(policy));
}

std::vector<double> SearchOracle::visits_of(PolicyHandle policy) const {
  const KnownPolicy& known = policies_[policy];
  if (!known.visits.empty()) return known.visits;
  return ssp::evaluate(*graph_, known.policy, costs_and_visits()).visits;
}

/// Without visits: they are worked out by whoever needs them.
void SearchOracle::save(PolicyHandle policy, const std::string& path) {
  OutputFile file(path);
  write_policy(cssp_, ssp::in_terms_of_actions(*graph_, policies_[policy].policy), file.stream());
  file.commit();
}

/// The search begins anew on a graph that has the states of the policy, and with its values.
PolicyHandle SearchOracle::restore(const std::string& path) {
  const Policy read = resolve_policy(cssp_, read_policy(path, *monitor_), *monitor_);
  policy_ = on_graph(read, path);
  evaluation_ =
      ssp::evaluate(*graph_, policy_, {.value_tolerance = value_tolerance, .monitor = monitor_});
  monitor_->check();
  if (!evaluation_.proper)
    throw InputError(fmt::format("'{}' is no proper policy of this problem", path));
  const std::vector<double> weights(ssp_->weights().begin(), ssp_->weights().end());
  record_search(abandoned_);
  algorithm_.reset();
  ssp_.reset();
  make_search(weights);
  is_as_before_ = false;
  bool is_new = false;
  return remember(is_new);
}

/// Expands the states of a policy. Throws InputError if it does not say everywhere what to do.
ssp::Policy SearchOracle::on_graph(const Policy& policy, const std::string& path) {
  const auto covers = [&](StateId s) { return graph_->is_goal(s) || policy.find(s).has_value(); };
  for (const Policy::Entry& entry : policy)
    if (!graph_->is_expanded(entry.state)) graph_->expand(entry.state);
  ssp::Policy found = ssp::in_terms_of_pairs(*graph_, policy);
  bool closed = covers(graph_->initial_state());
  for (std::size_t i = 0; i < found.size() && closed; ++i) {
    closed = found.choices(i).size() == 1;  // as those of all searches do
    for (const ssp::Policy::Choice& choice : found.choices(i))
      for (const StateId t : graph_->successors(choice.pair))
        closed = closed && covers(t);
  }
  if (!closed)
    throw InputError(fmt::format("'{}' does not say what to do in each state it leads to", path));
  return found;
}

std::optional<std::vector<double>> SearchOracle::evaluate(const ssp::Policy& policy) const {
  ssp::Evaluation evaluation = ssp::evaluate(*graph_, policy, costs_and_visits());
  if (!evaluation.proper) return std::nullopt;
  return std::move(evaluation.costs);
}

Policy SearchOracle::in_terms_of_actions(const ssp::Policy& policy) const {
  return ssp::in_terms_of_actions(*graph_, policy,
                                  ssp::evaluate(*graph_, policy, costs_and_visits()).visits);
}

EvaluatedPolicy SearchOracle::mix(std::span<const double> mixture) const {
  std::vector<graph::PairId> fallback(graph_->num_states());
  const std::vector<double> flow = flow_of(mixture, fallback);
  return evaluated(flow, ssp::Flow::of_policies, fallback);
}

EvaluatedPolicy SearchOracle::policy_of(const std::vector<double>& flow, ssp::Flow kind) const {
  return evaluated(flow, kind, std::vector<graph::PairId>(graph_->num_states()));
}

/// Of the summed occupation measures. `fallback` becomes what some policy does in a state.
std::vector<double> SearchOracle::flow_of(std::span<const double> mixture,
                                          std::vector<graph::PairId>& fallback) const {
  std::vector<double> flow(graph_->num_pairs(), 0.0);
  for (PolicyHandle k = 0; k < mixture.size(); ++k) {
    if (mixture[k] == 0) continue;
    const ssp::Policy& policy = policies_[k].policy;
    const std::vector<double> visits = visits_of(k);
    for (std::size_t i = 0; i < policy.size(); ++i) {
      const graph::PairId pair = policy.choices(i)[0].pair;
      flow[pair.index()] += mixture[k] * visits[i];
      fallback[policy.state(i).index()] = pair;
    }
  }
  return flow;
}

EvaluatedPolicy SearchOracle::evaluated(const std::vector<double>& flow, ssp::Flow kind,
                                        const std::vector<graph::PairId>& fallback) const {
  const auto otherwise = [&](StateId s) {
    return fallback[s.index()].valid() ? fallback[s.index()] : ssp_->choice(s);
  };
  const ssp::Policy policy = ssp::policy_of_flow(*graph_, flow, otherwise, kind);
  const ssp::Evaluation evaluation = ssp::evaluate(*graph_, policy, costs_and_visits());
  if (!evaluation.proper) return {};
  return {true, ssp::in_terms_of_actions(*graph_, policy, evaluation.visits), evaluation.costs};
}

std::vector<MixtureComponent> SearchOracle::take_apart(const Policy& policy,
                                                       bool with_policies) const {
  const ssp::Policy on_graph = ssp::in_terms_of_pairs(*graph_, policy);
  const ssp::Evaluation evaluation = ssp::evaluate(*graph_, on_graph, costs_and_visits());
  std::vector<MixtureComponent> mixture;
  if (!evaluation.proper) return mixture;
  for (const ssp::MixturePart& part :
       ssp::decompose(*graph_, on_graph, evaluation, costs_and_visits())) {
    mixture.push_back({part.weight, part.costs, {}});
    if (with_policies) mixture.back().policy = in_terms_of_actions(part.policy);
  }
  return mixture;
}

}  // namespace carl::oracle
