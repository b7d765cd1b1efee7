// What becomes of a cost over very many runs, taken down as they come: mean, deviation, quantiles.
#ifndef CARL_POLICY_RUNNING_SAMPLE_H
#define CARL_POLICY_RUNNING_SAMPLE_H

#include <cstddef>
#include <optional>
#include <vector>

#include "carl/simulate.h"
#include "policy/value_counts.h"

namespace carl::policy {

class RunningSample {
 public:
  /// `exact` is the expectation.
  RunningSample(double exact, std::optional<Bound> bound) : exact_(exact), counts_(bound) {}

  /// Takes down every stride-th of them. What comes first decides how squares are added up, so
  /// results are the same only if the pieces are.
  void add(const double* values, std::size_t stride, std::size_t count);

  Sample sample(const Distribution& distribution) const;
  Distribution distribution() const { return counts_.sorted(); }

 private:
  double exact_;
  ValueCounts counts_;
  std::size_t size_ = 0;
  double least_ = 0;
  double greatest_ = 0;
  long double sum_ = 0;
  long double shift_ = 0;    // the mean of the first piece: squares stay small
  long double squares_ = 0;  // Σ (value - shift)²
};

}  // namespace carl::policy

#endif
