#include "policy/policy_graph.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "carl/error.h"
#include "ssp/policy_evaluation.h"

namespace carl::policy {
namespace {

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

class PolicyGraphBuilder {
 public:
  PolicyGraphBuilder(Cssp& cssp, Monitor& monitor) : cssp_(cssp), monitor_(monitor) {}

  std::vector<PolicyNode> build(const StochasticPolicy& policy) {
    for (const PolicyEntry& entry : policy) {
      number_.emplace(entry.state, nodes_.size());
      nodes_.push_back({entry.state, entry.visits, unreached, {}, {}});
    }
    if (policy.empty()) discover(cssp_.initial_state());
    for (std::size_t i = 0; i < policy.size(); ++i)
      connect(i, policy[i]);
    set_depths();
    evaluate(policy);
    return std::move(nodes_);
  }

 private:
  /// The number of a successor: a state of the policy, or else a goal.
  std::uint32_t discover(StateId state) {
    const auto [entry, is_new] = number_.try_emplace(state, nodes_.size());
    if (is_new) {
      if (!cssp_.is_goal(state))
        throw InputError(
            fmt::format("the policy does not say what to do in {}", cssp_.state_name(state)),
            "'carl check' says what else may be wrong with it");
      nodes_.push_back({state, 0, unreached, {}, {}});
    }
    return static_cast<std::uint32_t>(entry->second);
  }

  void connect(std::size_t i, const PolicyEntry& entry) {
    monitor_.check();
    cssp_.expand(entry.state, expansion_);
    for (const auto& [action, probability] : entry.choices) {
      const std::size_t k = position_of(action);
      if (k == expansion_.num_actions())
        throw InputError(fmt::format("the policy uses {} in {}, where it cannot be done",
                                     cssp_.action_name(action), cssp_.state_name(entry.state)));
      PolicyNode::Choice choice{action, probability, {}};
      const auto successors = expansion_.successors(k);
      const auto probabilities = expansion_.probabilities(k);
      for (std::size_t o = 0; o < successors.size(); ++o) {
        const std::uint32_t to = discover(successors[o]);
        choice.outcomes.push_back({to, probabilities[o]});
        if (cssp_.is_goal(successors[o]))
          nodes_[to].visits += entry.visits * probability * probabilities[o];
      }
      if (action == Cssp::give_up_action) {
        const std::uint32_t end = discover(Cssp::given_up);
        choice.outcomes.push_back({end, 1.0});
        nodes_[end].visits += entry.visits * probability;
      }
      nodes_[i].choices.push_back(std::move(choice));
    }
  }

  std::size_t position_of(ActionId action) const {
    std::size_t k = 0;
    while (k < expansion_.num_actions() && expansion_.action(k) != action)
      ++k;
    return k;
  }

  void set_depths() {
    std::vector<std::size_t> queue{0};
    nodes_[0].depth = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t depth = nodes_[queue[next]].depth + 1;
      for (const PolicyNode::Choice& choice : nodes_[queue[next]].choices)
        for (const PolicyNode::Outcome& outcome : choice.outcomes) {
          if (nodes_[outcome.successor].depth != unreached) continue;
          nodes_[outcome.successor].depth = depth;
          queue.push_back(outcome.successor);
        }
    }
  }

  /// A search graph counts departures where a policy counts uses (see SearchGraph).
  void evaluate(const StochasticPolicy& policy) {
    graph::SearchGraph graph(cssp_);
    ssp::Policy departures;
    for (const PolicyEntry& entry : policy) {
      monitor_.check();
      graph.expand(entry.state);
      std::vector<ssp::Policy::Choice> choices;
      double sum = 0;
      for (const auto& [action, probability] : entry.choices) {
        const graph::PairId pair = pair_of(graph, entry.state, action);
        choices.push_back({pair, probability / graph.repeats(pair)});
        sum += choices.back().probability;
      }
      departures.add_state(entry.state);
      for (const auto& [pair, weight] : choices)
        departures.add_choice(pair, weight / sum);
    }
    const ssp::Evaluation evaluation = ssp::evaluate(graph, departures);
    if (!evaluation.proper) throw InputError("under this policy the goal may never be reached");
    const auto width = static_cast<std::ptrdiff_t>(graph.num_costs());
    auto value = evaluation.values.begin();
    for (std::size_t i = 0; i < policy.size(); ++i, value += width)
      nodes_[i].values.assign(value, value + width);
  }

  graph::PairId pair_of(const graph::SearchGraph& graph, StateId state, ActionId action) const {
    for (const graph::PairId pair : graph.pairs(state))
      if (graph.action(pair) == action) return pair;
    throw InputError(fmt::format("the policy uses {} in {}, where it changes nothing",
                                 cssp_.action_name(action), cssp_.state_name(state)));
  }

  Cssp& cssp_;
  Monitor& monitor_;
  Expansion expansion_;
  absl::flat_hash_map<StateId, std::size_t> number_;
  std::vector<PolicyNode> nodes_;
};

}  // namespace

std::vector<PolicyNode> policy_graph(Cssp& cssp, const StochasticPolicy& policy, Monitor& monitor) {
  return PolicyGraphBuilder(cssp, monitor).build(policy);
}

}  // namespace carl::policy
