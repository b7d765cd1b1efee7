#include "policy/running_sample.h"

#include <algorithm>
#include <cmath>

namespace carl::policy {
namespace {

constexpr double normal_95 = 1.959963984540054;  // the 97.5% quantile of the normal distribution

/// The smallest value that at least a share q of all do not exceed.
double quantile(const Distribution& distribution, std::size_t size, double q) {
  const auto rank =
      std::max(std::size_t{1}, static_cast<std::size_t>(std::ceil(q * static_cast<double>(size))));
  std::size_t seen = 0;
  for (const auto& [value, times] : distribution) {
    seen += times;
    if (seen >= rank) return value;
  }
  return distribution.back().first;
}

}  // namespace

void RunningSample::add(const double* values, std::size_t stride, std::size_t count) {
  if (count == 0) return;
  if (size_ == 0) least_ = greatest_ = values[0];
  for (std::size_t r = 0; r < count; ++r) {
    const double value = values[r * stride];
    sum_ += value;
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
    counts_.add(value);
  }
  if (size_ == 0) shift_ = sum_ / static_cast<long double>(count);
  for (std::size_t r = 0; r < count; ++r)
    squares_ += (values[r * stride] - shift_) * (values[r * stride] - shift_);
  size_ += count;
}

Sample RunningSample::sample(const Distribution& distribution) const {
  Sample sample;
  sample.exact = exact_;
  if (size_ == 0) return sample;
  const auto n = static_cast<long double>(size_);
  const long double mean = sum_ / n;
  const long double squares = squares_ - n * (mean - shift_) * (mean - shift_);
  sample.mean = static_cast<double>(mean);
  if (size_ > 1)
    sample.deviation = static_cast<double>(std::sqrt(std::max(0.0L, squares) / (n - 1)));
  sample.half_width = normal_95 * sample.deviation / std::sqrt(static_cast<double>(n));
  const auto at = [&](double q) {
    return std::clamp(quantile(distribution, size_, q), least_, greatest_);
  };
  sample.least = least_;
  sample.median = at(0.5);
  sample.percentile_95 = at(0.95);
  sample.percentile_99 = at(0.99);
  sample.greatest = greatest_;
  sample.quantile_error = counts_.relative_error();
  return sample;
}

}  // namespace carl::policy
