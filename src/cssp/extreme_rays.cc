#include "cssp/extreme_rays.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace carl::cssp {
namespace {

void set_tight(ExtremeRays::Ray& ray, std::size_t constraint) {
  ray.tight.resize(std::max(ray.tight.size(), constraint / 64 + 1), 0);
  ray.tight[constraint / 64] |= std::uint64_t{1} << constraint % 64;
}

std::vector<std::uint64_t> common(const ExtremeRays::Ray& a, const ExtremeRays::Ray& b) {
  std::vector<std::uint64_t> both(std::min(a.tight.size(), b.tight.size()));
  for (std::size_t i = 0; i < both.size(); ++i)
    both[i] = a.tight[i] & b.tight[i];
  return both;
}

std::size_t count(const std::vector<std::uint64_t>& bits) {
  std::size_t sum = 0;
  for (const std::uint64_t word : bits)
    sum += static_cast<std::size_t>(std::popcount(word));
  return sum;
}

bool includes(const std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& some) {
  for (std::size_t i = 0; i < some.size(); ++i)
    if ((some[i] & ~(i < all.size() ? all[i] : 0)) != 0) return false;
  return true;
}

/// A ray is known up to a factor; this one keeps numbers short.
void normalise(std::vector<Rational>& x) {
  Rational sum = 0;
  for (const Rational& entry : x)
    sum += entry;
  for (Rational& entry : x)
    entry /= sum;
}

}  // namespace

ExtremeRays::ExtremeRays(std::size_t dimension)
    : dimension_(dimension), num_constraints_(dimension) {
  for (std::size_t i = 0; i < dimension; ++i) {
    Ray& ray = rays_.emplace_back();
    ray.id = next_id_++;
    ray.x.assign(dimension, 0);
    ray.x[i] = 1;
    for (std::size_t j = 0; j < dimension; ++j)
      if (j != i) set_tight(ray, j);
  }
}

/// No third ray is on all the constraints that both are on.
bool ExtremeRays::are_adjacent(const Ray& a, const Ray& b) const {
  const std::vector<std::uint64_t> both = common(a, b);
  if (count(both) + 2 < dimension_) return false;
  return std::none_of(rays_.begin(), rays_.end(), [&](const Ray& c) {
    return c.id != a.id && c.id != b.id && includes(c.tight, both);
  });
}

void ExtremeRays::add(const std::vector<Rational>& half_space) {
  const std::size_t constraint = num_constraints_++;
  std::vector<Rational> value;
  for (const Ray& ray : rays_) {
    Rational& sum = value.emplace_back(0);
    for (std::size_t i = 0; i < dimension_; ++i)
      sum += half_space[i] * ray.x[i];
  }
  std::vector<Ray> found;
  for (std::size_t n = 0; n < rays_.size(); ++n) {
    if (sgn(value[n]) >= 0) continue;
    for (std::size_t p = 0; p < rays_.size(); ++p) {
      if (sgn(value[p]) <= 0 || !are_adjacent(rays_[n], rays_[p])) continue;
      Ray& between = found.emplace_back();
      between.id = next_id_++;
      for (std::size_t i = 0; i < dimension_; ++i)
        between.x.push_back(value[p] * rays_[n].x[i] - value[n] * rays_[p].x[i]);
      normalise(between.x);
      between.tight = common(rays_[n], rays_[p]);
      set_tight(between, constraint);
    }
  }
  std::vector<Ray> kept;
  for (std::size_t i = 0; i < rays_.size(); ++i) {
    if (sgn(value[i]) < 0) continue;
    if (sgn(value[i]) == 0) set_tight(rays_[i], constraint);
    kept.push_back(std::move(rays_[i]));
  }
  rays_ = std::move(kept);
  std::move(found.begin(), found.end(), std::back_inserter(rays_));
}

}  // namespace carl::cssp
