// A facet of the hull and all above is w·x ≥ w·p_0 - γ with w, γ ≥ 0 that holds for all points,
// w·(p_j - p_0) + γ ≥ 0: these (w, γ) are a cone, and the facets its extreme rays.

#include "cssp/front_faces.h"

#include <algorithm>

#include "cssp/extreme_rays.h"

namespace carl::cssp {
namespace {

struct Facet {
  std::vector<bool> has_point;
  std::vector<bool> has_direction;  // w_i = 0: it goes on for ever

  bool bounded() const {
    return std::none_of(has_direction.begin(), has_direction.end(), [](bool has) { return has; });
  }
};

std::vector<Facet> facets_of(const std::vector<std::vector<double>>& points) {
  const std::size_t k = points.front().size();
  ExtremeRays cone(k + 1);
  for (std::size_t j = 1; j < points.size(); ++j) {
    std::vector<Rational> row;
    for (std::size_t i = 0; i < k; ++i)
      row.push_back(Rational(points[j][i]) - Rational(points.front()[i]));
    row.emplace_back(1);
    cone.add(row);
  }
  std::vector<Facet> facets;
  for (const ExtremeRays::Ray& ray : cone.rays()) {
    Facet facet;
    for (std::size_t i = 0; i < k; ++i)
      facet.has_direction.push_back(sgn(ray.x[i]) == 0);
    const auto& directions = facet.has_direction;
    if (std::all_of(directions.begin(), directions.end(), [](bool has) { return has; })) continue;
    for (std::size_t j = 0; j < points.size(); ++j)
      facet.has_point.push_back(ray.is_tight(k + j));
    facets.push_back(std::move(facet));
  }
  return facets;
}

/// Both are on so many facets, and nothing else is on all of these.
bool are_joined(const std::vector<Facet>& facets, std::size_t a, std::size_t b) {
  std::vector<const Facet*> common;
  for (const Facet& facet : facets)
    if (facet.has_point[a] && facet.has_point[b]) common.push_back(&facet);
  const std::size_t k = facets.front().has_direction.size();
  if (common.size() + 1 < k) return false;
  const auto all = [&](const auto& has) { return std::all_of(common.begin(), common.end(), has); };
  for (std::size_t c = 0; c < facets.front().has_point.size(); ++c)
    if (c != a && c != b && all([&](const Facet* f) { return f->has_point[c]; })) return false;
  for (std::size_t i = 0; i < k; ++i)
    if (all([&](const Facet* f) { return f->has_direction[i]; })) return false;
  return true;
}

}  // namespace

FrontFaces front_faces(const std::vector<std::vector<double>>& points) {
  FrontFaces result;
  if (points.size() < 2) return result;
  const std::vector<Facet> facets = facets_of(points);
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = a + 1; b < points.size(); ++b)
      if (are_joined(facets, a, b)) result.edges.emplace_back(a, b);
  for (const Facet& facet : facets) {
    std::vector<std::size_t> face;
    for (std::size_t j = 0; j < points.size(); ++j)
      if (facet.has_point[j]) face.push_back(j);
    if (facet.bounded() && face.size() > 2) result.faces.push_back(std::move(face));
  }
  return result;
}

}  // namespace carl::cssp
