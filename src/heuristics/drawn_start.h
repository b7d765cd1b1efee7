// Before the initial state is drawn nothing is known but the states that may be drawn, and the
// expectation of their estimates is an estimate: drawing costs nothing. It is better than what an
// estimator makes of the draw, which would mostly be the estimate of the best of these states.
#ifndef CARL_HEURISTICS_DRAWN_START_H
#define CARL_HEURISTICS_DRAWN_START_H

#include <memory>
#include <vector>

#include "carl/cssp.h"
#include "heuristics/heuristic.h"

namespace carl::heuristics {

/// True if the problem begins with a draw.
bool has_drawn_start(Cssp& cssp);

/// A heuristic of a problem that does; elsewhere it is what it is made of.
class DrawnStart final : public Heuristic {
 public:
  DrawnStart(Cssp& cssp, std::unique_ptr<Heuristic> heuristic);

  void set_weights(std::span<const double> weights) override { heuristic_->set_weights(weights); }
  bool depends_on_weights() const override { return heuristic_->depends_on_weights(); }
  bool evaluate(StateId state, std::span<double> out) override;
  void evaluate_all(std::span<const StateId> states, std::span<double> out,
                    std::span<std::uint8_t> is_hopeful) override;
  std::size_t work_per_evaluation() const override { return heuristic_->work_per_evaluation(); }
  std::size_t lp_solves() const override { return heuristic_->lp_solves(); }

 private:
  struct Drawn {
    double probability = 0;
    StateId state;
  };

  bool evaluate_start(std::span<double> out);

  std::unique_ptr<Heuristic> heuristic_;
  StateId start_;
  std::vector<Drawn> drawn_;  // those that are no goals
  bool can_give_up_;
};

}  // namespace carl::heuristics

#endif
