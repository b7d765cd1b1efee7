#include "carl/explain.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carl/error.h"
#include "carl/solver.h"
#include "cssp/continuations.h"
#include "policy/policy_graph.h"

namespace carl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The policy is optimal up to this gap, so that losses below it mean nothing.
constexpr double aim = 1e-9;
// Losses that are a smaller share of what is still to pay are none.
constexpr double no_loss = 1e-6;
// Prices that are a smaller share of the primary cost per unit of the bound are none.
constexpr double no_price = 1e-9;

class Explainer {
 public:
  Explainer(const Cssp& cssp, const ExplainRequest& request, const SolveOptions& options,
            Monitor& monitor)
      : cssp_(cssp), request_(request), options_(options), monitor_(monitor), solver_(cssp) {
    options_.gap = std::min(options_.gap, aim);
    options_.explain = false;
  }

  Explanation run() {
    if (!find_policy()) return std::move(result_);
    const policy::PolicyGraph graph(cssp_, policy_, monitor_);
    graph_ = &graph;
    for (std::size_t node = 0; node < graph.size(); ++node)
      if (!graph.is_goal(node)) node_of_[graph.state(node)] = node;
    const auto costs = graph.values(0);
    if (graph.is_goal(0))
      result_.costs.assign(cssp_.num_costs(), 0.0);
    else
      result_.costs.assign(costs.begin(), costs.end());
    cssp::Continuations continuations(cssp_, options_, request_.max_states, monitor_);
    continuations_ = &continuations;
    for (const StateId state : states())
      if (!cssp_.is_goal(state))
        result_.states.push_back(explain(state));  // the initial one may be
    for (std::size_t c = 0; c < cssp_.num_costs(); ++c)
      result_.spending.push_back(spending(c));
    if (request_.ranges)
      for (std::size_t b = 0; b < cssp_.bounds().size(); ++b)
        add_range(b);
    return std::move(result_);
  }

 private:
  // --- what is explained ------------------------------------------------------------------------

  /// False if there is none.
  bool find_policy() {
    const bool all_given = request_.policy && request_.multipliers.size() == cssp_.bounds().size();
    result_.status = Status::optimal;
    if (!all_given) {
      Solution solution = solver_.solve(options_, monitor_);
      result_.note = solution.note;
      // Rounding errors may leave a gap above the one aimed at.
      const bool good = solution.costs && solution.gap() && *solution.gap() <= no_loss;
      result_.status = good ? Status::optimal : solution.status;
      if (!good) return false;
      policy_ = std::move(solution.policy);
      result_.multipliers = std::move(solution.multipliers);
    }
    if (request_.policy) policy_ = *request_.policy;
    if (request_.multipliers.size() == cssp_.bounds().size())
      result_.multipliers = request_.multipliers;
    return true;
  }

  std::vector<StateId> states() {
    if (request_.states.empty() && request_.most_visited == 0) return {cssp_.initial_state()};
    std::vector<StateId> found;
    for (const std::string& name : request_.states) {
      found.push_back(state_named(name));
      if (cssp_.is_goal(found.back()))
        throw InputError(fmt::format("'{}' is a goal, where nothing is done", name));
    }
    std::vector<std::size_t> nodes(graph_->chain().size());
    std::iota(nodes.begin(), nodes.end(), 0);
    std::stable_sort(nodes.begin(), nodes.end(), [&](std::size_t a, std::size_t b) {
      return graph_->visits(a) > graph_->visits(b);
    });
    for (std::size_t i = 0; i < std::min(request_.most_visited, nodes.size()); ++i)
      found.push_back(graph_->state(nodes[i]));
    return found;
  }

  /// Those of the policy first: of a problem without end not all have been met.
  StateId state_named(const std::string& name) const {
    for (std::size_t node = 0; node < graph_->size(); ++node)
      if (!graph_->is_goal(node) && cssp_.state_name(graph_->state(node)) == name)
        return graph_->state(node);
    for (std::size_t s = 0; s < cssp_.num_states(); ++s)
      if (cssp_.state_name(StateId(s)) == name) return StateId(s);
    throw InputError(fmt::format("no state '{}' is known", name),
                     fmt::format("states are named as in a policy file, for example '{}'",
                                 cssp_.state_name(graph_->state(0))));
  }

  // --- one state --------------------------------------------------------------------------------

  /// [1 λ], perhaps without a bound.
  std::vector<double> weights(std::optional<std::size_t> without = std::nullopt) const {
    std::vector<double> result(cssp_.num_costs(), 0.0);
    for (std::size_t b = 0; b < cssp_.bounds().size(); ++b)
      if (without != b) result[cssp_.bounds()[b].cost] += result_.multipliers[b];
    result[0] += 1;
    return result;
  }

  std::vector<double> primary() const {
    std::vector<double> result(cssp_.num_costs(), 0.0);
    result[0] = 1;
    return result;
  }

  bool has_price(std::size_t b) const {
    const double unit = cssp_.bounds()[b].upper > 0 ? cssp_.bounds()[b].upper : 1.0;
    return result_.multipliers[b] * unit > no_price * std::max(result_.costs[0], no_price);
  }

  /// After what happens, as the policy goes on, or as is best for these weights.
  std::optional<std::vector<double>> go_on(StateId state, const std::vector<double>& by,
                                           bool as_policy) {
    const auto node = node_of_.find(state);
    if (as_policy && node != node_of_.end()) {
      const auto values = graph_->values(node->second);
      return std::vector<double>(values.begin(), values.end());
    }
    return continuations_->from(state, by);
  }

  /// What each action costs, if it is taken once; none where no goal is certain.
  std::vector<std::optional<std::vector<double>>> costs_of(const Expansion& expansion,
                                                           const std::vector<double>& by,
                                                           bool as_policy) {
    std::vector<std::optional<std::vector<double>>> result;
    for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
      const auto cost = cssp_.cost(expansion.action(i));
      std::optional<std::vector<double>> sum(std::in_place, cost.begin(), cost.end());
      for (std::size_t k = 0; sum && k < expansion.successors(i).size(); ++k) {
        const auto rest = go_on(expansion.successors(i)[k], by, as_policy);
        for (std::size_t c = 0; rest && c < sum->size(); ++c)
          (*sum)[c] += expansion.probabilities(i)[k] * (*rest)[c];
        if (!rest) sum.reset();
      }
      result.push_back(std::move(sum));
    }
    return result;
  }

  /// Of all actions, weighted: infinite where there are no costs.
  static std::vector<double> losses(const std::vector<std::optional<std::vector<double>>>& costs,
                                    const std::vector<double>& by) {
    std::vector<double> result;
    for (const auto& cost : costs)
      result.push_back(cost ? std::inner_product(by.begin(), by.end(), cost->begin(), 0.0)
                            : infinity);
    const double least = *std::min_element(result.begin(), result.end());
    if (least == infinity) return result;
    for (double& loss : result)
      loss = loss - least <= no_loss * least ? 0.0 : loss - least;
    return result;
  }

  StateExplanation explain(StateId state) {
    StateExplanation result;
    result.state = state;
    Expansion expansion;
    cssp_.expand(state, expansion);
    if (expansion.num_actions() == 0) return result;
    const std::vector<double> by = weights();
    const auto costs = costs_of(expansion, by, true);
    const std::vector<double> lost = losses(costs, by);
    const std::vector<double> lost_without =
        losses(costs_of(expansion, primary(), false), primary());
    for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
      Alternative& alternative = result.actions.emplace_back();
      alternative.action = expansion.action(i);
      alternative.costs = costs[i];
      if (lost[i] < infinity) alternative.loss = lost[i];
      if (lost_without[i] < infinity) alternative.loss_without_bounds = lost_without[i];
    }
    add_plan(state, result);
    result.without_bounds = best(result, lost_without);
    for (std::size_t b = 0; b < cssp_.bounds().size(); ++b) {
      if (!has_price(b)) continue;
      const auto other = best(result, losses(costs_of(expansion, weights(b), false), weights(b)));
      if (other && is_worse(result, *other)) result.decisive.emplace_back(b, *other);
    }
    sort(result);
    return result;
  }

  /// What the policy does comes first, then what loses least.
  static void sort(StateExplanation& state) {
    const std::vector<Alternative>& actions = state.actions;
    std::vector<std::size_t> order(actions.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if (actions[a].probability != actions[b].probability)
        return actions[a].probability > actions[b].probability;
      return actions[a].loss.value_or(infinity) < actions[b].loss.value_or(infinity);
    });
    std::vector<Alternative> sorted;
    for (const std::size_t i : order)
      sorted.push_back(actions[i]);
    state.actions = std::move(sorted);
  }

  void add_plan(StateId state, StateExplanation& result) const {
    const auto node = node_of_.find(state);
    if (node == node_of_.end()) return;
    const policy::PolicyChain& chain = graph_->chain();
    result.visits = graph_->visits(node->second);
    for (std::size_t c = chain.first_choice(node->second); c < chain.first_choice(node->second + 1);
         ++c)
      for (Alternative& alternative : result.actions)
        if (alternative.action == chain.action(c)) alternative.probability = chain.probability(c);
  }

  /// Among equals what the policy does, then what is best at λ*. Actions are in the order of losses.
  static std::optional<ActionId> best(const StateExplanation& state,
                                      const std::vector<double>& lost) {
    const Alternative* chosen = nullptr;
    for (std::size_t i = 0; i < lost.size(); ++i) {
      const Alternative& other = state.actions[i];
      if (lost[i] > 0) continue;
      if (chosen == nullptr || other.probability > chosen->probability ||
          (other.probability == chosen->probability &&
           other.loss.value_or(infinity) < chosen->loss.value_or(infinity)))
        chosen = &other;
    }
    return chosen == nullptr ? std::nullopt : std::optional(chosen->action);
  }

  static bool is_worse(const StateExplanation& state, ActionId action) {
    return std::any_of(state.actions.begin(), state.actions.end(), [&](const Alternative& other) {
      return other.action == action && other.loss.value_or(infinity) > 0;
    });
  }

  // --- all of the policy ------------------------------------------------------------------------

  std::vector<Spending> spending(std::size_t cost) const {
    const policy::PolicyChain& chain = graph_->chain();
    std::vector<Spending> all;
    for (std::size_t node = 0; node < chain.size(); ++node) {
      double each = 0;
      for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c)
        each += chain.probability(c) * chain.cost(c)[cost];
      if (each > 0)
        all.push_back({chain.state(node), graph_->visits(node), each * graph_->visits(node)});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Spending& a, const Spending& b) { return a.amount > b.amount; });
    if (all.size() > request_.spenders) all.resize(request_.spenders);
    return all;
  }

  /// The piece of the curve that a sweep would draw on which the bound is. Bounds of zero forbid
  /// actions and have no price.
  void add_range(std::size_t b) {
    const Bound bound = cssp_.bounds()[b];
    if (bound.upper == 0) return;
    const std::string& name = cssp_.cost_names()[bound.cost];
    const Sweep here = solver_.sweep({name, bound.upper, bound.upper, 1}, {}, options_, monitor_);
    const SweepCurve& ends = here.curves.front();
    if (here.status != Status::optimal || !ends.slack_above) return;
    const double slack = *ends.slack_above;
    if (!has_price(b)) {
      result_.ranges.push_back({b, 0.0, std::min(slack, bound.upper), infinity});
      return;
    }
    const double least = std::min(ends.infeasible_below.value_or(0.0), bound.upper);
    const double most = std::max(slack, bound.upper);
    const double step = most > least ? most - least : 1.0;
    const Sweep curve = solver_.sweep({name, least, most, step}, {}, options_, monitor_);
    if (curve.status == Status::optimal) result_.ranges.push_back(piece_at(b, curve, least, slack));
  }

  /// If two pieces meet at the bound, the one with the price at hand.
  PriceRange piece_at(std::size_t b, const Sweep& sweep, double least, double slack) const {
    const double u = cssp_.bounds()[b].upper;
    const double price = result_.multipliers[b];
    std::vector<PriceRange> pieces;
    const auto& corners = sweep.curves.front().breakpoints;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (i == 0 && corners[0].slope_before && corners[0].bound > least)
        pieces.push_back({b, -*corners[0].slope_before, least, corners[0].bound});
      const double end = corners[i].slope < 0 ? std::max(slack, corners[i].bound) : infinity;
      pieces.push_back({b, -corners[i].slope, corners[i].bound,
                        i + 1 < corners.size() ? corners[i + 1].bound : end});
    }
    if (pieces.empty()) pieces.push_back({b, price, least, slack});
    const double nearby = 1e-7 * std::max(1.0, u);
    const PriceRange* chosen = nullptr;
    for (const PriceRange& piece : pieces)
      if (piece.from <= u + nearby && u - nearby <= piece.to &&
          (chosen == nullptr || std::abs(piece.price - price) < std::abs(chosen->price - price)))
        chosen = &piece;
    return chosen != nullptr ? *chosen : PriceRange{b, price, u, u};
  }

  Cssp cssp_;
  const ExplainRequest& request_;
  SolveOptions options_;
  Monitor& monitor_;
  Solver solver_;
  Policy policy_;
  const policy::PolicyGraph* graph_ = nullptr;
  cssp::Continuations* continuations_ = nullptr;
  absl::flat_hash_map<StateId, std::size_t> node_of_;
  Explanation result_;
};

}  // namespace

Explanation explain(const Cssp& cssp, const ExplainRequest& request, const SolveOptions& options,
                    Monitor& monitor) {
  return Explainer(cssp, request, options, monitor).run();
}

}  // namespace carl
