#include "carl/solver.h"

#include <limits>
#include <utility>

#include "solver/learnt.h"

namespace carl {
namespace {

/// Puts all bounds back in the end.
class BoundsKept {
 public:
  explicit BoundsKept(Cssp& cssp) : cssp_(cssp), original_(cssp) {}
  ~BoundsKept() { cssp_ = std::move(original_); }
  BoundsKept(const BoundsKept&) = delete;
  BoundsKept& operator=(const BoundsKept&) = delete;

 private:
  Cssp& cssp_;
  Cssp original_;
};

/// A bound that is to be swept counts as a constraint, even where it is zero.
void make_constraint(Cssp& cssp, const SweepRange& swept) {
  for (const Bound& bound : cssp.constraints())
    if (cssp.cost_names()[bound.cost] == swept.cost) return;
  cssp.set_bound(swept.cost, swept.to > 0 ? swept.to : 1.0);
}

}  // namespace

class Solver::State {
 public:
  explicit State(Cssp problem) : cssp(std::move(problem)) {}

  Cssp cssp;
  solver::Learnt learnt;
};

Solver::Solver(std::shared_ptr<Model> model, const CsspOptions& options)
    : Solver(Cssp(std::move(model), options)) {}
Solver::Solver(Cssp cssp) : state_(std::make_unique<State>(std::move(cssp))) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const Cssp& Solver::cssp() const {
  return state_->cssp;
}

void Solver::set_bound(std::string_view cost, double upper) {
  state_->cssp.set_bound(cost, upper);
}

void Solver::set_give_up(
    const std::optional<std::vector<std::pair<std::string, double>>>& penalties) {
  state_->cssp.set_penalties(penalties);
}

Solution Solver::solve(const SolveOptions& options, Monitor& monitor) {
  return solver::solve(state_->cssp, state_->learnt, options, monitor);
}

Sweep Solver::sweep(const SweepRange& range, const std::optional<SweepRange>& second,
                    const SolveOptions& options, Monitor& monitor) {
  const BoundsKept kept(state_->cssp);
  for (const SweepRange* swept : {&range, second ? &*second : nullptr})
    if (swept != nullptr) make_constraint(state_->cssp, *swept);
  return solver::sweep(state_->cssp, state_->learnt, range, second, options, monitor);
}

ParetoFront Solver::pareto(const ParetoRequest& request, const SolveOptions& options,
                           Monitor& monitor) {
  return solver::pareto(state_->cssp, state_->learnt, request, options, monitor);
}

void Solver::forget() {
  state_->learnt = {};
}

Solution solve(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  solver::Learnt learnt;
  return solver::solve(cssp, learnt, options, monitor);
}

Sweep sweep(Cssp& cssp, const SweepRange& range, const std::optional<SweepRange>& second,
            const SolveOptions& options, Monitor& monitor) {
  solver::Learnt learnt;
  return solver::sweep(cssp, learnt, range, second, options, monitor);
}

ParetoFront pareto(Cssp& cssp, const ParetoRequest& request, const SolveOptions& options,
                   Monitor& monitor) {
  solver::Learnt learnt;
  return solver::pareto(cssp, learnt, request, options, monitor);
}

}  // namespace carl
