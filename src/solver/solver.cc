#include "carl/solver.h"

#include <limits>
#include <utility>

#include "solver/learnt.h"

namespace carl {
namespace {

/// Gives a cost without a bound, or with one of zero, a bound that can be varied; put back in the
/// end.
class BoundToSweep {
 public:
  BoundToSweep(Cssp& cssp, const SweepRange& range) : cssp_(cssp), name_(range.cost) {
    for (const Bound& bound : cssp.bounds())
      if (cssp.cost_names()[bound.cost] == name_) original_ = bound.upper;
    if (needs_one()) cssp.set_bound(name_, 1);
  }
  ~BoundToSweep() {
    if (needs_one()) cssp_.set_bound(name_, original_);
  }
  BoundToSweep(const BoundToSweep&) = delete;
  BoundToSweep& operator=(const BoundToSweep&) = delete;

 private:
  static constexpr double none = std::numeric_limits<double>::infinity();
  bool needs_one() const { return original_ == 0 || original_ == none; }

  Cssp& cssp_;
  std::string name_;
  double original_ = none;
};

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
  state_->cssp.set_give_up(penalties);
}

Solution Solver::solve(const SolveOptions& options, Monitor& monitor) {
  return solver::solve(state_->cssp, state_->learnt, options, monitor);
}

Sweep Solver::sweep(const SweepRange& range, const std::optional<SweepRange>& second,
                    const SolveOptions& options, Monitor& monitor) {
  const BoundToSweep first(state_->cssp, range);
  std::optional<BoundToSweep> other;
  if (second) other.emplace(state_->cssp, *second);
  return solver::sweep(state_->cssp, state_->learnt, range, second, options, monitor);
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

}  // namespace carl
