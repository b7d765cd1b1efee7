// Value iteration: expand everything, then topological iteration. All states become ε-consistent,
// so strong ε-consistency comes for free, and so does the start from the values of another λ, or of
// the same graph with another mask.

#include <algorithm>
#include <span>

#include "ssp/ssp_algorithm.h"
#include "ssp/topological_iteration.h"

namespace carl::ssp {
namespace {

class ValueIteration final : public SspAlgorithm {
 public:
  explicit ValueIteration(ScalarisedSsp& ssp) : SspAlgorithm(ssp) {}

  void weights_changed() override {}
  std::size_t num_components() const override {
    return iteration_ ? iteration_->num_components() : 0;
  }
  double accepted_loss() const override { return iteration_ ? iteration_->accepted_loss() : 0; }

 protected:
  bool search(const Consistency& consistency, Monitor& monitor) override {
    if (!iteration_ && !prepare(monitor)) return false;
    return iteration_->solve(consistency, monitor);
  }

  bool settle(double epsilon, Monitor& monitor) override {
    return iteration_->solve({.epsilon = epsilon, .exact = true}, monitor);
  }

 private:
  bool is_solved_before() const {
    const std::span<const StateId> states = ssp_.graph().expanded_states();
    return std::any_of(states.begin(), states.end(),
                       [&](StateId s) { return ssp_.choice(s).valid(); });
  }

  bool prepare(Monitor& monitor) {
    if (!ssp_.expand_all(monitor)) return false;
    using Values = TopologicalIteration::Values;
    const Values values = ssp_.has_scalar_residual() ? Values::scalars : Values::vectors;
    iteration_ = std::make_unique<TopologicalIteration>(ssp_, values);
    if (is_solved_before())
      iteration_->resume(monitor);
    else
      iteration_->start(monitor);
    // What a limit has cut short is of no use to the search that may follow.
    if (monitor.reached()) iteration_.reset();
    return iteration_ != nullptr;
  }

  std::unique_ptr<TopologicalIteration> iteration_;
};

}  // namespace

std::unique_ptr<SspAlgorithm> make_value_iteration(ScalarisedSsp& ssp) {
  return std::make_unique<ValueIteration>(ssp);
}

}  // namespace carl::ssp
