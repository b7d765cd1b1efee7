// i-dual. The LP takes fringe states for goals with
// a terminal cost vector h(s): an ideal point, whose every component is a lower bound by itself. A
// λ-heuristic's vector will not do, since only its projection is a bound, and only for one λ.
// Between two LPs the search looks a few steps ahead; `i-dual-textbook` does not, as published.
//
// With C-ROC as h, as in the literature, the LP is no relaxation any more: C-ROC may cut off the
// optimum (see heuristics/constrained_roc.h). What is claimed then rests on λ-ROC, which is
// evaluated on the fringe at the end, for the multipliers of the LP.
//
// F. Trevizan, S. Thiébaux, P. Santana and B. Williams, "Heuristic search in dual space for
// constrained stochastic shortest path problems", ICAPS 2016.

#include <algorithm>

#include "cssp/algorithms.h"
#include "cssp/dual_method.h"
#include "heuristics/constrained_roc.h"
#include "heuristics/make_heuristic.h"
#include "oracle/strategy.h"
#include "ssp/policy_iteration.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

class IDual final : public DualMethod {
 public:
  IDual(HeuristicKind heuristic, Cssp& cssp, const SolveOptions& options, Monitor& monitor)
      : DualMethod(options.algorithm, heuristic, cssp, options, monitor),
        constrained_(options.search.heuristic_mode == HeuristicMode::c_roc) {
    const PhaseTimer timer(solution_.statistics.seconds.heuristic);
    admissible_ = heuristics::make_heuristic(
        graph_, heuristic, constrained_ ? HeuristicMode::lambda : HeuristicMode::ideal_point,
        monitor, options.threads);
    if (!constrained_) return;
    c_roc_ = heuristics::make_heuristic(graph_, heuristic, HeuristicMode::c_roc, monitor);
    solution_.heuristic = to_string(HeuristicMode::c_roc);
    solution_.note = c_roc_warning;
  }

 private:
  bool evaluate(StateId s, GrowingLp::Exit& exit) override {
    if (constrained_) return c_roc_->evaluate(s, exit.costs);
    if (!admissible_->evaluate(s, exit.costs)) return false;
    remember(s, exit.costs);
    return true;
  }

  void bound_fringe(std::span<const double> weights, std::vector<double>& values) override {
    const std::size_t n = cssp_.num_costs();
    std::vector<double> h(n);
    if (constrained_) admissible_->set_weights(weights);
    for_each_fringe_state([&](StateId s) {
      if (!constrained_) {
        const auto known = std::span(terminal_costs_).subspan(s.index() * n, n);
        values[s.index()] = graph::weighted_cost(known, weights);
      } else {
        const bool known = !monitor_.reached() && admissible_->evaluate(s, h);
        values[s.index()] = known ? graph::weighted_cost(h, weights) : 0.0;
      }
    });
  }

  bool is_relaxation() const override { return !constrained_; }

  void record(Statistics& statistics) const override {
    statistics.evaluated = admissible_->evaluations();
    statistics.lp_solves += admissible_->lp_solves();
    if (!constrained_) return;
    statistics.evaluated += c_roc_->evaluations();
    statistics.lp_solves += c_roc_->lp_solves();
  }

  void remember(StateId s, std::span<const double> costs) {
    const std::size_t first = s.index() * costs.size();
    terminal_costs_.resize(std::max(terminal_costs_.size(), first + costs.size()), 0.0);
    std::copy(costs.begin(), costs.end(),
              terminal_costs_.begin() + static_cast<std::ptrdiff_t>(first));
  }

  bool constrained_;
  std::unique_ptr<heuristics::Heuristic> admissible_;  // an ideal point, or what proves the rest
  std::unique_ptr<heuristics::Heuristic> c_roc_;       // the terminal costs, if asked for
  std::vector<double> terminal_costs_;                 // num_costs per state
};

}  // namespace

Solution solve_i_dual(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  const HeuristicKind heuristic = oracle::heuristic_of_i_dual(options.search, cssp);
  Solution solution = IDual(heuristic, cssp, options, monitor).run();
  if (options.search.heuristic_mode == HeuristicMode::c_roc)
    return solution;  // does not promise an optimum
  return with_help_of_carl(std::move(solution), cssp, options, monitor);
}

}  // namespace carl::cssp
