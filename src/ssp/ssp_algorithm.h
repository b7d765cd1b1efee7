// The door to the algorithms that solve scalarised SSPs. An algorithm works on the values and
// greedy choices of a ScalarisedSsp and may keep knowledge of its own from one solve to the next.
#ifndef CARL_SSP_SSP_ALGORITHM_H
#define CARL_SSP_SSP_ALGORITHM_H

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "carl/limits.h"
#include "ssp/scalarised_ssp.h"

namespace carl::ssp {

/// When values are good enough.
struct Consistency {
  /// Largest residual, over all cost components, in any state of the greedy envelope.
  double epsilon = 1e-4;
  /// Strong ε-consistency (§3.2 of the paper): the same for all policies that are greedy up to ε at
  /// once, so that the values describe every optimal policy.
  bool strong = false;
  /// CG-iLAO* gives up, as if by a limit, when it has expanded so many states.
  std::size_t max_expanded = std::numeric_limits<std::size_t>::max();
};

class SspAlgorithm {
 public:
  virtual ~SspAlgorithm() = default;

  /// Makes the values consistent and the greedy policy closed. False if a limit ended it first. If
  /// the initial state turns out to have no proper policy its value is infinite.
  virtual bool solve(const Consistency& consistency, Limits& limits) = 0;
  /// The scalarisation has changed since the last solve.
  virtual void weights_changed() = 0;
  /// Strongly connected components that were solved one by one, if that is what it does.
  virtual std::size_t num_components() const { return 0; }

  /// Called now and then during solve().
  void set_observer(std::function<void()> observe) { observe_ = std::move(observe); }

 protected:
  void observe() const {
    if (observe_) observe_();
  }
  const std::function<void()>& observer() const { return observe_; }

 private:
  std::function<void()> observe_;
};

std::unique_ptr<SspAlgorithm> make_cg_ilao(ScalarisedSsp& ssp);
std::unique_ptr<SspAlgorithm> make_ilao(ScalarisedSsp& ssp);
std::unique_ptr<SspAlgorithm> make_lrtdp(ScalarisedSsp& ssp, std::uint64_t seed);
std::unique_ptr<SspAlgorithm> make_value_iteration(ScalarisedSsp& ssp);

/// "cg-ilao", "ilao", "lrtdp", "vi".
const std::vector<std::string>& ssp_algorithm_names();
/// `seed` is for algorithms that sample.
std::unique_ptr<SspAlgorithm> make_ssp_algorithm(const std::string& name, ScalarisedSsp& ssp,
                                                 std::uint64_t seed = 0);

}  // namespace carl::ssp

#endif
