// Problems without bounds: one SSP, solved by one of its algorithms, and certified. The search
// stops at a residual of ε; what is reported is the exact cost of its greedy policy and a sound
// lower bound from its values. While their gap is too wide, ε is tightened and the search goes on.

#include "cssp/algorithms.h"
#include "cssp/lower_line.h"
#include "cssp/solution_policy.h"
#include "cssp/solve_record.h"
#include "graph/zero_cost_loops.h"
#include "heuristics/make_heuristic.h"
#include "oracle/strategy.h"
#include "ssp/ssp_algorithm.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

constexpr double default_epsilon = 1e-4;
constexpr double tightening = 0.1;
// Below this (relative to the value) residuals are rounding errors.
constexpr double least_epsilon = 1e-14;

class SspSolver {
 public:
  SspSolver(InnerAlgorithm algorithm, Cssp& cssp, const SolveOptions& options, Monitor& monitor)
      : algorithm_(algorithm),
        heuristic_kind_(oracle::heuristic_of(algorithm, options.search, cssp)),
        options_(options),
        monitor_(monitor),
        graph_(cssp, options.threads) {
    solution_.algorithm = to_string(algorithm);
    solution_.heuristic = to_string(heuristic_kind_);
    const PhaseTimer timer(solution_.statistics.seconds.heuristic);
    heuristic_ = heuristics::make_heuristic(
        graph_, heuristic_kind_, options.search.heuristic_mode.value_or(HeuristicMode::lambda),
        monitor, options.threads);
  }

  Solution run() {
    const Timer timer;
    std::vector<double> weights(graph_.num_costs(), 0.0);
    weights[0] = 1;
    monitor_.report([&](Progress& progress) { progress.phase = solution_.algorithm; });
    ssp::ScalarisedSsp ssp(graph_, *heuristic_, weights);
    ssp.use_scalar_residual();
    const auto algorithm = ssp::make_ssp_algorithm(algorithm_, ssp, options_.seed);
    search(ssp, *algorithm);
    record(ssp, *algorithm, timer.seconds());
    return std::move(solution_);
  }

 private:
  void search(ssp::ScalarisedSsp& ssp, ssp::SspAlgorithm& algorithm) {
    bool exact = false;  // once values at ε have proved not to be good enough
    for (double epsilon = options_.search.epsilon.value_or(default_epsilon);;
         epsilon *= tightening, exact = true) {
      const bool finished = algorithm.solve({.epsilon = epsilon, .exact = exact}, monitor_);
      graph::reject_zero_cost_loops(graph_, monitor_);
      if (ssp.value(ssp.initial_state()) == ssp::infinity) return end_without_policy(ssp);
      certify(ssp);
      report();
      if (!finished) return end_by_limit(monitor_, solution_);
      if (const auto gap = solution_.gap(); gap && *gap <= options_.gap) {
        solution_.status = Status::optimal;
        return;
      }
      if (epsilon < least_epsilon * std::max(1.0, ssp.value(ssp.initial_state()))) {
        solution_.status = Status::limit;
        solution_.note = "numerical trouble: the requested gap cannot be certified";
        return;
      }
    }
  }

  void end_without_policy(const ssp::ScalarisedSsp& ssp) {
    if (ssp.goal_is_out_of_reach(monitor_)) {
      solution_.status = Status::no_proper_policy;
    } else if (monitor_.reached()) {
      end_by_limit(monitor_, solution_);
    } else {
      solution_.status = Status::limit;
      solution_.note = "numerical trouble: policies are too expensive for the numbers in use";
    }
  }

  /// Keeps the best policy and the best lower bound so far.
  void certify(const ssp::ScalarisedSsp& ssp) {
    const PhaseTimer timer(solution_.statistics.seconds.extract);
    lines_.push_back(lower_line(graph_, {}, ssp.values(), monitor_));
    take_policy(ssp);
    set_lower_bound(graph_.cssp(), lines_, solution_);
  }

  void take_policy(const ssp::ScalarisedSsp& ssp) {
    if (!ssp.greedy_policy_is_closed()) return;
    const ssp::Policy policy = ssp.greedy_policy();
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    if (!evaluation.proper) return;
    if (solution_.costs && evaluation.costs[0] >= (*solution_.costs)[0]) return;
    set_policy(graph_, policy, evaluation, solution_);
    add_mixture_component(graph_, 1.0, policy, evaluation.costs, options_, solution_);
  }

  void report() const {
    monitor_.report([&](Progress& progress) {
      const double unit = graph_.cssp().units()[0];
      if (solution_.lower_bound) progress.lower_bound = *solution_.lower_bound * unit;
      if (solution_.costs) progress.upper_bound = solution_.costs->front() * unit;
    });
  }

  void record(const ssp::ScalarisedSsp& ssp, const ssp::SspAlgorithm& algorithm, double seconds) {
    Statistics& statistics = solution_.statistics;
    record_graph(graph_, statistics);
    statistics.scalarised_ssps = 1;
    statistics.evaluated = heuristic_->evaluations();
    statistics.backups = ssp.num_backups();
    statistics.q_values = ssp.num_q_values();
    statistics.components = algorithm.num_components();
    statistics.lp_solves = heuristic_->lp_solves();
    statistics.seconds.heuristic += ssp.heuristic_seconds();
    statistics.seconds.search = seconds - ssp.heuristic_seconds() - statistics.seconds.extract;
  }

  InnerAlgorithm algorithm_;
  HeuristicKind heuristic_kind_;
  const SolveOptions& options_;
  Monitor& monitor_;
  graph::SearchGraph graph_;
  std::unique_ptr<heuristics::Heuristic> heuristic_;
  Solution solution_;
  std::vector<LowerLine> lines_;
};

}  // namespace

Solution solve_ssp(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  return SspSolver(*inner_algorithm(options.algorithm), cssp, options, monitor).run();
}

}  // namespace carl::cssp
