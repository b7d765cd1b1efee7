// Absorbing Markov chains by state elimination (Grassmann, Taksar and Heyman): take one state out
// after the other and let its neighbours jump over it. Nothing is ever subtracted, so in floating
// point every digit is good, whatever the chain, and in rational arithmetic the answer is exact.
#ifndef CARL_POLICY_ELIMINATION_H
#define CARL_POLICY_ELIMINATION_H

#include <cstddef>
#include <utility>
#include <vector>

namespace carl::policy {

/// One strongly connected component of a chain. Self-loops need not be given: what counts is how
/// the rest of the probability is shared, and p_ii is what is missing from one.
template <class Number>
class Elimination {
 public:
  explicit Elimination(std::size_t size)
      : size_(size), step_(size * size, Number(0)), exit_(size, Number(0)) {}

  Number& step(std::size_t from, std::size_t to) { return step_[from * size_ + to]; }
  /// Probability of leaving the component.
  Number& exit(std::size_t from) { return exit_[from]; }

  /// x = b + x P: expected visits, if b is where the component is entered. `meter(number)` is
  /// called for every number computed and ends the work by returning false.
  template <class Meter>
  bool visits(std::vector<Number>& b, Meter meter) {
    for (std::size_t k = size_; k-- > 0;) {
      if (!eliminate(k, meter)) return false;
      for (std::size_t j = 0; j < k; ++j)
        if (step(k, j) != 0) b[j] += b[k] * step(k, j);
    }
    // step(k, j) has been divided by the probability of leaving k; so is what comes in.
    for (std::size_t k = 0; k < size_; ++k) {
      b[k] /= leaving_[k];
      for (std::size_t i = 0; i < k; ++i)
        if (step(i, k) != 0) b[k] += b[i] * step(i, k) / leaving_[k];
      if (!meter(b[k])) return false;
    }
    return true;
  }

  /// v = d + P v: expected costs to go, if d are the costs of a step and of what follows outside.
  template <class Meter>
  bool values(std::vector<Number>& d, Meter meter) {
    for (std::size_t k = size_; k-- > 0;) {
      if (!eliminate(k, meter)) return false;
      d[k] /= leaving_[k];
      for (std::size_t i = 0; i < k; ++i)
        if (step(i, k) != 0) d[i] += step(i, k) * d[k];
    }
    for (std::size_t k = 0; k < size_; ++k)
      for (std::size_t j = 0; j < k; ++j)
        if (step(k, j) != 0) d[k] += step(k, j) * d[j];
    return true;
  }

 private:
  /// Afterwards step(k, ·) is where k leads when it is left, and the states before k jump over it.
  template <class Meter>
  bool eliminate(std::size_t k, Meter& meter) {
    if (k + 1 == size_) leaving_.assign(size_, Number(0));
    Number leaving = exit_[k];
    for (std::size_t j = 0; j < k; ++j)
      leaving += step(k, j);
    for (std::size_t j = 0; j < k; ++j)
      if (step(k, j) != 0) step(k, j) /= leaving;
    exit_[k] /= leaving;
    for (std::size_t i = 0; i < k; ++i) {
      const Number& through = step(i, k);
      if (through == 0) continue;
      for (std::size_t j = 0; j < k; ++j) {
        if (j == i || step(k, j) == 0) continue;
        step(i, j) += through * step(k, j);
        if (!meter(step(i, j))) return false;
      }
      exit_[i] += through * exit_[k];
      if (!meter(exit_[i])) return false;
    }
    leaving_[k] = std::move(leaving);
    return true;
  }

  std::size_t size_;
  std::vector<Number> step_;
  std::vector<Number> exit_;
  std::vector<Number> leaving_;
};

}  // namespace carl::policy

#endif
