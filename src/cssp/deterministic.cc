// The best policy that tosses no coin. Optimal policies of a CSSP may have to randomise, but in no
// more states than there are bounds, so what stands between CARL's answer and a deterministic policy
// is a handful of coin tosses. Branch and bound on them:
//
//  - A node is a restriction: some pairs are forbidden, as masks on the one graph that all nodes
//    share. Its relaxation is the CSSP without these pairs, in which coins may be tossed. CARL solves
//    it from what is known: values, the cuts of all policies that respect the restriction, and the
//    line that proved the bound of its parent, which holds for fewer policies, too.
//  - If the policy of the relaxation, taken as a vertex, tosses no coin, it is the best of the node.
//    Else the heaviest toss is taken away, by visits × (1 - largest probability) × how much its
//    actions differ in costs: one child for each action of it, which then is the only one in that state, and
//    one without all of them. Every deterministic policy of the node is in one of the children, the
//    policy of the relaxation in none.
//  - Every policy that a scalarised problem has ever had for an answer is deterministic. The best
//    one that meets the bounds is the incumbent; nodes that cannot be better than it by more than
//    the gap are closed. Until there is one, the search dives for it, along the most likely actions.
//
// Where rounding errors keep a relaxation from being solved, the first state on the way whose action
// is still open is decided instead: that needs no relaxation, and ends at single policies. So the
// search is finite whatever happens, and exact.
//
// The relaxation is that of the occupation-measure MILP (D. Dolgov and E. Durfee, "Stationary
// deterministic policies for constrained MDPs with multiple rewards, costs, and discount factors",
// IJCAI 2005); what is new is to solve it by scalarisation, with heuristic search, and to branch on
// nothing but the coins of a vertex. S. Hong and B. Williams, "An anytime algorithm for constrained
// stochastic shortest path problems with deterministic policies", Artificial Intelligence 316, 2023,
// close the same gap by enumerating policies in the order of their Lagrangian (docs/deterministic.md).

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cssp/algorithms.h"
#include "cssp/coin_tosses.h"
#include "cssp/farkas.h"
#include "cssp/feasibility.h"
#include "cssp/lower_line.h"
#include "cssp/outer_search.h"
#include "cssp/solve_record.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

using graph::PairId;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Policies whose costs differ by less are as good as each other: without that, ties that rounding
// errors tell apart would all be looked at.
constexpr double least_gap = 1e-9;
// Relaxations are solved to this share of the gap, so that a node whose policy tosses no coin is
// done.
constexpr double share_of_gap = 0.1;
// Nodes are about bounds that are loosened by this, relatively: less than what policies may exceed
// them by, and much more than what rounding errors amount to. Otherwise a node could be proved
// infeasible by the last digit of a policy that meets a bound exactly.
constexpr double loosening = 4e-10;

/// While it lives, the problem has bounds that leave room for rounding errors.
class LoosenedBounds {
 public:
  explicit LoosenedBounds(Cssp& cssp) : cssp_(cssp), bounds_(cssp.constraints()) {
    for (const auto& [cost, upper] : bounds_)
      cssp_.set_upper(cost, upper * (1 + loosening));
  }
  ~LoosenedBounds() {
    for (const auto& [cost, upper] : bounds_)
      cssp_.set_upper(cost, upper);
  }
  LoosenedBounds(const LoosenedBounds&) = delete;
  LoosenedBounds& operator=(const LoosenedBounds&) = delete;

 private:
  Cssp& cssp_;
  std::vector<Bound> bounds_;
};

struct Node {
  std::vector<PairId> forbidden;
  double bound = 0;             // no policy of the node costs less
  std::vector<LowerLine> line;  // the one that says most of it; none at the root
  std::size_t number = 0;       // in the order in which nodes are made
};

/// For a heap with the least bound on top; of equal ones the youngest, which is the deepest.
bool comes_later(const Node& a, const Node& b) {
  return a.bound != b.bound ? a.bound > b.bound : a.number < b.number;
}

class Branch {
 public:
  Branch(Cssp& cssp, Scalarisation& scalarisation, const SolveOptions& options, Monitor& monitor)
      : cssp_(cssp),
        given_(cssp),
        options_(options),
        oracle_(scalarisation.oracle),
        lagrangian_(scalarisation.lagrangian),
        monitor_(monitor),
        relaxation_options_(options) {
    relaxation_options_.gap *= share_of_gap;
  }

  /// `relaxed` is the answer with coins.
  Solution run(Solution relaxed) {
    const Timer timer;
    learn_policies();
    search();
    oracle_.restrict({});
    lagrangian_.problem_changed();
    Solution solution = finish(relaxed);
    solution.statistics.seconds = relaxed.statistics.seconds;
    solution.statistics.seconds.search += timer.seconds();
    return solution;
  }

 private:
  // --- the search -------------------------------------------------------------------------------

  void search() {
    const LoosenedBounds loosened(cssp_);
    Node root;
    learn_bound(root);
    add(std::move(root));
    while (std::optional<Node> node = next()) {
      report();
      if (is_closed(*node)) {
        close(*node);
      } else if (!explore_within_limits(*node)) {
        add(std::move(*node));
        break;
      }
    }
    if (dive_) add(std::move(*dive_));
  }

  /// The best one; while no policy is known the child that the dive has come to.
  std::optional<Node> next() {
    std::optional<Node> node;
    if (dive_ && !incumbent_) {
      node = std::exchange(dive_, std::nullopt);
    } else {
      if (dive_) add(std::move(*std::exchange(dive_, std::nullopt)));
      if (open_.empty()) return std::nullopt;
      std::pop_heap(open_.begin(), open_.end(), comes_later);
      node = std::move(open_.back());
      open_.pop_back();
    }
    bound_at_hand_ = node->bound;
    return node;
  }

  void add(Node node) {
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), comes_later);
  }

  /// A node that costs at least so much is of no use.
  double enough() const {
    return incumbent_ ? incumbent_->costs[0] * (1 - options_.gap) : infinity;
  }
  bool is_closed(const Node& node) const { return node.bound >= enough(); }
  void close(const Node& node) { least_closed_ = std::min(least_closed_, node.bound); }

  bool explore_within_limits(Node& node) {
    if (monitor_.reached()) return false;
    try {
      return explore(node);
    } catch (const LimitReached&) {
      return false;
    }
  }

  /// False if a limit ended it.
  bool explore(Node& node) {
    ++num_nodes_;
    oracle_.restrict(node.forbidden);
    lagrangian_.restricted(node.line);
    const auto search = make_bundle_search(lagrangian_, relaxation_options_,
                                           {start_of(node), proof_by_small_lp(oracle_)});
    search->take_part_in_branching(enough());
    const End end = search->run();
    learn_policies();
    learn_bound(node);
    if (end == End::limit || monitor_.reached()) return false;
    if (end == End::infeasible || end == End::no_proper_policy) return true;
    if (end == End::optimal && !is_closed(node) && !search->incumbent().mixture.empty()) {
      const PolicyWithCoins policy = few_coins(oracle_, per_policy(search->incumbent().mixture));
      for (const ssp::Policy& near : without_coins(oracle_.graph(), policy))
        consider(near);
      if (!is_closed(node) && !policy.tosses.empty()) {
        branch(node, policy.tosses.front());
        return true;
      }
    }
    if (is_closed(node))
      close(node);
    else
      decide_first_open_state(node);
    return true;
  }

  std::vector<double> start_of(const Node& node) const {
    if (node.line.empty()) return {};
    std::vector<double> multipliers;
    for (const Bound& bound : cssp_.constraints())
      multipliers.push_back(node.line.front().multipliers[bound.cost]);
    return multipliers;
  }

  void learn_bound(Node& node) const {
    for (const LowerLine& line : lagrangian_.lower_lines()) {
      const double bound = lower_bound(cssp_, line);
      if (bound < node.bound || (bound == node.bound && !node.line.empty())) continue;
      node.bound = bound;
      node.line.assign(1, line);
    }
  }

  /// One weight per policy of the oracle, from one per cut.
  std::vector<double> per_policy(const std::vector<double>& mixture) const {
    std::vector<double> weights(oracle_.num_policies(), 0.0);
    for (std::size_t k = 0; k < mixture.size(); ++k)
      weights[lagrangian_.cuts()[k].policy] = mixture[k];
    return weights;
  }

  // --- children ---------------------------------------------------------------------------------

  void branch(const Node& node, const CoinToss& toss) {
    std::vector<PairId> others;  // that have no part in the toss
    for (const PairId p : oracle_.graph().pairs(toss.state))
      if (std::find(toss.pairs.begin(), toss.pairs.end(), p) == toss.pairs.end())
        others.push_back(p);
    for (const PairId only : toss.pairs) {
      Node child = child_of(node);
      child.forbidden.insert(child.forbidden.end(), others.begin(), others.end());
      for (const PairId p : toss.pairs)
        if (p != only) child.forbidden.push_back(p);
      if (only == toss.pairs.front())
        dive_ = std::move(child);
      else
        add(std::move(child));
    }
    if (others.empty()) return;
    Node child = child_of(node);
    child.forbidden.insert(child.forbidden.end(), toss.pairs.begin(), toss.pairs.end());
    add(std::move(child));
  }

  Node child_of(const Node& node) {
    Node child = node;
    child.number = ++num_children_;
    return child;
  }

  /// Without a relaxation to go by: a child for each action of the first state, from the start on,
  /// that has more than one left. If there is no such state, the node is a single policy.
  void decide_first_open_state(const Node& node) {
    const graph::SearchGraph& graph = oracle_.graph();
    std::vector<PairId> choice(graph.num_states());
    std::vector<StateId> queue{graph.initial_state()};
    std::vector<bool> seen;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const StateId s = queue[next];
      seen.resize(graph.num_states(), false);
      if (seen[s.index()] || graph.is_goal(s)) continue;
      seen[s.index()] = true;
      if (oracle_.ssp().is_fringe(s)) oracle_.ssp().expand(s);
      CoinToss open{s, {}, 0};
      for (const PairId p : graph.pairs(s))
        open.pairs.push_back(p);
      if (open.pairs.empty()) return;  // nothing can be done there
      if (open.pairs.size() > 1) return branch(node, open);
      choice.resize(graph.num_states());
      choice[s.index()] = open.pairs.front();
      const auto successors = graph.successors(open.pairs.front());
      queue.insert(queue.end(), successors.begin(), successors.end());
    }
    consider(ssp::deterministic_envelope(graph, graph.initial_state(), choice));
  }

  // --- what is known ----------------------------------------------------------------------------

  void learn_policies() {
    for (; num_known_ < oracle_.num_policies(); ++num_known_)
      if (oracle_.is_allowed(num_known_) && is_better(oracle_.costs(num_known_)))
        incumbent_ = {oracle_.policy_on_graph(num_known_), oracle_.costs(num_known_)};
  }

  void consider(ssp::Policy policy) {
    const std::optional<std::vector<double>> costs = oracle_.evaluate(policy);
    if (costs && is_better(*costs)) incumbent_ = {std::move(policy), *costs};
  }

  bool is_better(const std::vector<double>& costs) const {
    return (!incumbent_ || costs[0] < incumbent_->costs[0]) && meets_bounds(given_, costs);
  }

  /// No policy without coins costs less.
  double least() const {
    double least = least_closed_;
    if (!open_.empty()) least = std::min(least, open_.front().bound);
    return incumbent_ ? std::min(least, incumbent_->costs[0]) : least;
  }

  void report() const {
    monitor_.report([&](Progress& progress) {
      progress.phase = "branching";
      progress.states = oracle_.graph().num_states();
      progress.iterations = num_nodes_;
      progress.multipliers.clear();
      progress.lower_bound = std::min(least(), bound_at_hand_) * cssp_.units()[0];
      if (incumbent_) progress.upper_bound = incumbent_->costs[0] * cssp_.units()[0];
    });
  }

  Solution finish(const Solution& relaxed) const {
    Solution solution;
    solution.algorithm = relaxed.algorithm;
    solution.outer = relaxed.outer;
    solution.heuristic = to_string(oracle_.heuristic());
    solution.branching = Branching{num_nodes_, open_.size(), relaxed.costs, relaxed.lower_bound};
    if (least() != infinity) solution.lower_bound = least();
    if (incumbent_) {
      solution.costs = incumbent_->costs;
      solution.policy = oracle_.in_terms_of_actions(incumbent_->policy);
      solution.mixture = {{1, incumbent_->costs, {}}};
      if (options_.mixture_policies) solution.mixture[0].policy = solution.policy;
    }
    if (!open_.empty())
      end_by_limit(monitor_, solution);
    else
      solution.status = incumbent_ ? Status::optimal : Status::infeasible;
    record_graph(oracle_.graph(), solution.statistics);
    oracle_.record(solution.statistics);
    solution.statistics.lp_solves += relaxed.statistics.lp_solves;
    return solution;
  }

  struct Incumbent {
    ssp::Policy policy;
    std::vector<double> costs;
  };

  Cssp& cssp_;
  const Cssp given_;  // with the bounds as they are
  const SolveOptions& options_;
  oracle::SearchOracle& oracle_;
  Lagrangian& lagrangian_;
  Monitor& monitor_;
  SolveOptions relaxation_options_;
  std::vector<Node> open_;  // a heap
  std::optional<Node> dive_;
  std::optional<Incumbent> incumbent_;
  std::size_t num_known_ = 0;  // policies of the oracle that have been considered
  std::size_t num_nodes_ = 0;
  std::size_t num_children_ = 0;
  double bound_at_hand_ = 0;  // of the node that is being solved
  double least_closed_ = infinity;
};

}  // namespace

SolveOptions for_branching(SolveOptions options) {
  options.gap = std::max(options.gap, least_gap);
  return options;
}

Solution solve_deterministic(Cssp& cssp, Scalarisation& scalarisation, const SolveOptions& options,
                             Monitor& monitor) {
  Solution relaxed = solve_carl(cssp, scalarisation, options, monitor);
  if (relaxed.status == Status::infeasible || relaxed.status == Status::no_proper_policy)
    return relaxed;
  return Branch(cssp, scalarisation, options, monitor).run(std::move(relaxed));
}

}  // namespace carl::cssp
