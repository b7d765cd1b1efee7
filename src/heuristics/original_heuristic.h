// A problem that joins the states of another with what has been used of its costs (see
// model/budget_model.h) can do nothing that could not be done there, so estimates of the original
// problem's costs hold for it; those of the new costs are 0. One difference: where no goal can be
// reached, what giving up costs of the new ones is not known here.
#ifndef CARL_HEURISTICS_ORIGINAL_HEURISTIC_H
#define CARL_HEURISTICS_ORIGINAL_HEURISTIC_H

#include <memory>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/options.h"
#include "graph/search_graph.h"
#include "heuristics/heuristic.h"
#include "heuristics/make_heuristic.h"
#include "model/budget_model.h"

namespace carl::heuristics {

class OriginalHeuristic final : public Heuristic {
 public:
  OriginalHeuristic(const graph::SearchGraph& unfolded, HeuristicKind kind, HeuristicMode mode,
                    Monitor& monitor, std::size_t threads);

  void set_weights(std::span<const double> weights) override;
  bool depends_on_weights() const override { return heuristic_->depends_on_weights(); }
  bool evaluate(StateId state, std::span<double> out) override;
  void evaluate_all(std::span<const StateId> states, std::span<double> out,
                    std::span<std::uint8_t> is_hopeful) override;
  std::size_t work_per_evaluation() const override { return heuristic_->work_per_evaluation(); }
  std::size_t lp_solves() const override { return heuristic_->lp_solves(); }

 private:
  const BudgetModel& unfolded_;
  Cssp original_;  // with the bounds of zero and the units of the unfolded problem
  graph::SearchGraph graph_;
  Heuristics heuristics_;
  std::unique_ptr<Heuristic> heuristic_;
  std::vector<StateId> originals_;  // of states that are asked about together
  std::vector<double> estimates_;   // of these
};

}  // namespace carl::heuristics

#endif
