// Fronts by inner and outer approximation. Every question to the oracle teaches two things: a policy
// with its costs, a point that is attained, and a line that no policy is below. Mixtures of the
// points are the inner approximation; the lines bound a polyhedron, the outer one. While a vertex of
// the outer polyhedron is farther below the inner hull than it should be, the oracle is asked for
// the weights of the facet between them: either there is a policy below that facet, or a line that
// cuts the vertex off. With two costs that is the search that halves segments, one question for each
// vertex and each edge, and ends with the exact front; with more it ends at the distance asked for.
// With bounds on other costs the hull is that of the mixtures that meet them, and the question also
// has their multipliers (front_hull.h).
//
// H. P. Benson, "An outer approximation algorithm for generating all efficient extreme points in the
// outcome set of a multiple objective linear programming problem", Journal of Global Optimization 13,
// 1998. Lines between points that are known, for two costs: J. L. Cohon, "Multiobjective Programming
// and Planning", 1978. Weighted sums for Markov decision processes: V. Forejt, M. Kwiatkowska and
// D. Parker, "Pareto curves for probabilistic model checking", ATVA 2012.

#include "cssp/front.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "carl/error.h"
#include "cssp/extreme_rays.h"
#include "cssp/farkas.h"
#include "cssp/front_faces.h"
#include "cssp/front_hull.h"
#include "cssp/front_query.h"
#include "cssp/outer_search.h"
#include "cssp/solve_record.h"
#include "cssp/zero_bounds.h"
#include "util/timer.h"

namespace carl::cssp {
namespace {

constexpr double default_gap = 1e-3;
constexpr double exact = 1e-9;         // what is aimed at with two costs
constexpr double exact_enough = 1e-6;  // what is good enough if rounding errors are in the way
constexpr double least_share_varied = 1e-3;  // of a cost: what its scale is at least
constexpr double tie_breaker = 1e-6;
constexpr double same_vertex = 1e-9;
constexpr double negligible_weight = 1e-9;
constexpr double least_cut = 1e-3;  // of a distance, that a line must cut off to be progress
constexpr std::size_t most_steps_of_extreme = 1000;

/// A point of the front with the mixture of cuts that attains it.
struct Candidate {
  FrontPoint point;  // without violations
  std::vector<double> mixture;
};

class FrontSearch {
 public:
  FrontSearch(Cssp& cssp, Scalarisation& scalarisation, std::vector<std::size_t> costs, double aim,
              double accepted, const SolveOptions& options, Monitor& monitor)
      : cssp_(cssp),
        options_(options),
        monitor_(monitor),
        oracle_(scalarisation.oracle),
        lagrangian_(scalarisation.lagrangian),
        query_(lagrangian_, costs),
        aim_(aim),
        accepted_(accepted),
        outer_(costs.size() + 1) {
    front_.costs = std::move(costs);
    scale_.assign(num_costs(), 1.0);
  }

  ParetoFront run(bool policies) {
    const Timer timer;
    monitor_.report([](Progress& progress) { progress.phase = "front"; });
    try {
      if (find_feasible_policy()) {
        find_extremes();
        improve();
      }
    } catch (const LimitReached&) {
    } catch (const std::bad_alloc&) {
      front_.note = "out of memory";
    }
    if (front_.status == Status::limit) finish(policies);
    record_graph(oracle_.graph(), front_.statistics);
    oracle_.record(front_.statistics);
    front_.statistics.seconds.search = timer.seconds();
    front_.statistics.seconds.total = timer.seconds();
    return std::move(front_);
  }

 private:
  std::size_t num_costs() const { return front_.costs.size(); }
  const std::vector<Bound>& bounds() const { return cssp_.constraints(); }

  // --- to begin with ----------------------------------------------------------------------------

  /// False if there is none; the status says why.
  bool find_feasible_policy() {
    BundleStart start{{}, proof_by_small_lp(oracle_)};
    if (!bounds().empty() && lagrangian_.cuts().empty()) {
      ++front_.statistics.lp_solves;
      if (const auto roc = oracle_.heuristics().constrained_roc(monitor_))
        start.multipliers = roc->multipliers;
    }
    const auto search = make_bundle_search(lagrangian_, options_, std::move(start));
    const End end = search->run();
    if (end == End::infeasible) {
      front_.status = Status::infeasible;
      front_.infeasibility = search->incumbent().infeasibility;
      return false;
    }
    if (end == End::no_proper_policy) {
      front_.status = Status::no_proper_policy;
      if ((front_.infeasibility = blame_zero_bounds(cssp_, monitor_)))
        front_.status = Status::infeasible;
      return false;
    }
    front_.note = search->incumbent().note;
    return search->incumbent().costs.has_value() && !monitor_.reached_now();
  }

  /// The least of each cost, and by what is found on the way what they vary by. Among policies that
  /// are equally good in one cost those count that are good in the others, which takes an idea of
  /// how large these are.
  void find_extremes() {
    for (std::size_t i = 0; i < num_costs(); ++i)
      settle_extreme(i);
    learn_points();
    const std::vector<double> largest = extent(std::vector<double>(num_costs(), 0.0)).most;
    const Extent found = extent(largest);
    for (std::size_t i = 0; i < num_costs(); ++i) {
      scale_[i] = std::max(found.most[i] - found.least[i], least_share_varied * found.most[i]);
      if (!(scale_[i] > 0)) scale_[i] = 1;
    }
    points_.clear();
  }

  /// Of the costs of policies that are best in one of them.
  struct Extent {
    std::vector<double> least;
    std::vector<double> most;
  };

  /// Where `largest` is not zero, ties are broken by that cost.
  Extent extent(const std::vector<double>& largest) const {
    Extent result{std::vector<double>(num_costs(), std::numeric_limits<double>::infinity()),
                  std::vector<double>(num_costs(), 0.0)};
    for (std::size_t i = 0; i < num_costs(); ++i) {
      std::vector<double> weights(num_costs(), 0.0);
      for (std::size_t j = 0; j < num_costs(); ++j)
        if (largest[j] > 0) weights[j] = tie_breaker * std::max(largest[i], 1e-9) / largest[j];
      weights[i] = 1;
      const auto best = best_mixture(points_, weights);
      if (!best) continue;
      for (std::size_t j = 0; j < num_costs(); ++j) {
        const double cost = mixed_cost(best->mixture, j);
        result.least[j] = std::min(result.least[j], cost);
        result.most[j] = std::max(result.most[j], cost);
      }
    }
    return result;
  }

  void settle_extreme(std::size_t i) {
    std::vector<double> weights(num_costs(), 0.0);
    weights[i] = 1;
    for (std::size_t step = 0; step < most_steps_of_extreme; ++step) {
      learn_points();
      const auto best = best_mixture(points_, weights);
      if (!best) return;
      const double value = mixed_cost(best->mixture, i);
      const auto answer = ask(weights, *best, 0.1 * aim_ * value);
      if (answer.outcome != Lagrangian::Outcome::answered) return;
      if (!answer.is_new || answer.line.least >= value - aim_ * value) return add(answer.line);
      monitor_.check();
    }
  }

  // --- points and lines -------------------------------------------------------------------------

  double mixed_cost(const std::vector<double>& mixture, std::size_t i) const {
    double sum = 0;
    for (std::size_t k = 0; k < mixture.size(); ++k)
      if (mixture[k] > 0) sum += mixture[k] * lagrangian_.cuts()[k].costs[front_.costs[i]];
    return sum;
  }

  void learn_points() {
    for (std::size_t k = points_.size(); k < lagrangian_.cuts().size(); ++k) {
      const std::vector<double>& costs = lagrangian_.cuts()[k].costs;
      FrontPoint& point = points_.emplace_back();
      for (std::size_t i = 0; i < num_costs(); ++i)
        point.costs.push_back(costs[front_.costs[i]] / scale_[i]);
      for (const Bound& bound : bounds())
        point.violations.push_back(violation(bound, costs) / bound.upper);
    }
  }

  /// Weights and multipliers are those of scaled costs and bounds.
  FrontQuery::Answer ask(const std::vector<double>& weights, const FrontDistance& found,
                         double enough) {
    std::vector<double> unscaled = weights;
    for (std::size_t i = 0; i < num_costs(); ++i)
      unscaled[i] /= scale_[i];
    std::vector<double> multipliers = found.multipliers;
    for (std::size_t b = 0; b < multipliers.size(); ++b)
      multipliers[b] /= bounds()[b].upper;
    monitor_.report([&](Progress& progress) { progress.iterations = lagrangian_.num_queries(); });
    return query_.ask(unscaled, multipliers, enough);
  }

  void add(const ParetoLine& line) {
    std::vector<Rational> half_space(line.weights.begin(), line.weights.end());
    half_space.push_back(Rational(-line.least));
    outer_.add(half_space);
    front_.lines.push_back(line);
  }

  /// Vertices of the outer polyhedron are rays of its cone, in scaled costs; other rays are
  /// directions in which it goes on.
  std::optional<std::vector<double>> vertex_of(const ExtremeRays::Ray& ray) const {
    if (sgn(ray.x.back()) == 0) return std::nullopt;
    std::vector<double> vertex;
    for (std::size_t i = 0; i < num_costs(); ++i)
      vertex.push_back(to_double(ray.x[i] / ray.x.back()) / scale_[i]);
    return vertex;
  }

  // --- the search -------------------------------------------------------------------------------

  /// What is known of a vertex of the outer polyhedron.
  struct OuterVertex {
    std::vector<double> at;
    double distance = std::numeric_limits<double>::infinity();
    FrontDistance found;
    std::size_t points = 0;  // that were known when the distance was worked out
    bool stuck = false;
  };

  void improve() {
    while (true) {
      monitor_.check();
      learn_points();
      OuterVertex* vertex = farthest();
      if (vertex == nullptr || vertex->distance <= aim_) return;
      vertex->stuck = !improve(*vertex);
    }
  }

  bool improve(const OuterVertex& vertex) {
    const std::vector<double>& weights = vertex.found.weights;
    if (weights.empty()) return false;
    const auto answer = ask(weights, vertex.found, 0.1 * vertex.distance);
    if (answer.outcome != Lagrangian::Outcome::answered) return false;
    // In units of the distance: weights of the scaled costs that sum to one.
    double sum = 0;
    double deficit = answer.line.least;
    for (std::size_t i = 0; i < num_costs(); ++i) {
      sum += answer.line.weights[i] * scale_[i];
      deficit -= answer.line.weights[i] * scale_[i] * vertex.at[i];
    }
    const bool cuts = deficit / sum > least_cut * vertex.distance;
    if (cuts) add(answer.line);
    return cuts || answer.is_new;
  }

  /// Distances only ever shrink, so the largest one known is an upper bound that is worked out anew
  /// if policies have been found since. Null if all are settled or stuck.
  OuterVertex* farthest() {
    std::map<std::size_t, OuterVertex> known;
    for (const ExtremeRays::Ray& ray : outer_.rays()) {
      const auto old = vertices_.find(ray.id);
      if (old != vertices_.end()) {
        known.emplace(ray.id, std::move(old->second));
      } else if (auto at = vertex_of(ray)) {
        known[ray.id].at = std::move(*at);
      }
    }
    vertices_ = std::move(known);
    while (true) {
      OuterVertex* best = nullptr;
      for (auto& [id, vertex] : vertices_)
        if (!vertex.stuck && (best == nullptr || vertex.distance > best->distance)) best = &vertex;
      if (best == nullptr || best->points == points_.size()) return best;
      const auto found = distance_below(points_, best->at);
      best->points = points_.size();
      if (found) {
        best->found = *found;
        best->distance = found->distance;
      } else {
        best->stuck = true;
      }
      monitor_.check();
    }
  }

  // --- the answer -------------------------------------------------------------------------------

  void finish(bool policies) {
    points_.clear();
    learn_points();
    std::vector<Candidate> candidates;
    if (bounds().empty())
      add_policies(candidates);
    else
      add_mixtures(candidates);
    keep_vertices(candidates);
    sort(candidates);
    for (const Candidate& candidate : candidates)
      add_vertex(candidate, policies);
    join_vertices();
    front_.scale = scale_;
    settle_distance(candidates);
    settle_status();
  }

  void add_policies(std::vector<Candidate>& candidates) const {
    for (std::size_t k = 0; k < points_.size(); ++k) {
      std::vector<double> mixture(points_.size(), 0.0);
      mixture[k] = 1;
      candidates.push_back({points_[k], std::move(mixture)});
    }
  }

  /// Close to every vertex of the outer polyhedron: the one that is best for weights amid those of
  /// its lines, which is a vertex, and the one that it is seen through.
  void add_mixtures(std::vector<Candidate>& candidates) const {
    if (points_.empty()) return;
    for (const ExtremeRays::Ray& ray : outer_.rays()) {
      const auto at = vertex_of(ray);
      if (!at) continue;
      if (const auto found = best_mixture(points_, weights_amid(ray)))
        add_mixture(found->mixture, candidates);
      if (const auto found = distance_below(points_, *at)) add_mixture(found->mixture, candidates);
    }
  }

  void add_mixture(const std::vector<double>& mixture, std::vector<Candidate>& candidates) const {
    std::vector<double> pruned = mixture;
    double sum = 0;
    for (double& weight : pruned) {
      if (weight < negligible_weight) weight = 0;
      sum += weight;
    }
    for (double& weight : pruned)
      weight /= sum;
    const bool feasible = std::all_of(bounds().begin(), bounds().end(), [&](const Bound& bound) {
      double cost = 0;
      for (std::size_t k = 0; k < pruned.size(); ++k)
        cost += pruned[k] * lagrangian_.cuts()[k].costs[bound.cost];
      return excess(bound, cost) == 0;
    });
    const std::vector<double>& chosen = feasible ? pruned : mixture;
    Candidate candidate{{}, chosen};
    for (std::size_t i = 0; i < num_costs(); ++i)
      candidate.point.costs.push_back(mixed_cost(chosen, i) / scale_[i]);
    candidates.push_back(std::move(candidate));
  }

  std::vector<double> weights_amid(const ExtremeRays::Ray& ray) const {
    std::vector<double> sum(num_costs(), 0.0);
    for (std::size_t i = 0; i < num_costs(); ++i)
      if (ray.is_tight(i)) sum[i] += 1;
    for (std::size_t j = 0; j < front_.lines.size(); ++j) {
      if (!ray.is_tight(outer_.dimension() + j)) continue;
      std::vector<double> weights = front_.lines[j].weights;
      for (std::size_t i = 0; i < num_costs(); ++i)
        weights[i] *= scale_[i];
      const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
      for (std::size_t i = 0; i < num_costs(); ++i)
        sum[i] += weights[i] / total;
    }
    return sum;
  }

  /// Without those that others, or mixtures of others, do not fall short of.
  static void keep_vertices(std::vector<Candidate>& candidates) {
    std::vector<FrontPoint> points;
    for (Candidate& candidate : candidates) {
      candidate.point.violations.clear();
      points.push_back(candidate.point);
    }
    for (std::size_t i = points.size(); i-- > 0;) {
      const auto others = distance_below(points, points[i].costs, i);
      if (!others || others->distance > same_vertex) continue;
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  static void sort(std::vector<Candidate>& candidates) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.point.costs < b.point.costs; });
  }

  void add_vertex(const Candidate& candidate, bool policies) {
    ParetoVertex& vertex = front_.vertices.emplace_back();
    std::vector<double> mixture(oracle_.num_policies(), 0.0);
    const auto heaviest = std::max_element(candidate.mixture.begin(), candidate.mixture.end());
    const auto first = static_cast<std::size_t>(heaviest - candidate.mixture.begin());
    if (*heaviest == 1) {
      const Cut& cut = lagrangian_.cuts()[first];
      vertex.costs = cut.costs;
      if (policies) vertex.policy = oracle_.policy(cut.policy);
      return;
    }
    for (std::size_t k = 0; k < candidate.mixture.size(); ++k)
      mixture[lagrangian_.cuts()[k].policy] = candidate.mixture[k];
    oracle::EvaluatedPolicy found = oracle_.mix(mixture);
    vertex.costs = std::move(found.costs);
    vertex.deterministic = found.policy.is_deterministic();
    if (policies) vertex.policy = std::move(found.policy);
  }

  void join_vertices() {
    if (num_costs() == 2)
      for (std::size_t i = 0; i + 1 < front_.vertices.size(); ++i)
        front_.edges.emplace_back(i, i + 1);
    if (num_costs() != 3) return;
    std::vector<std::vector<double>> points;
    for (const ParetoVertex& vertex : front_.vertices) {
      std::vector<double>& point = points.emplace_back();
      for (std::size_t i = 0; i < 3; ++i)
        point.push_back(vertex.costs[front_.costs[i]] / scale_[i]);
    }
    FrontFaces joined = front_faces(points);
    front_.edges = std::move(joined.edges);
    front_.faces = std::move(joined.faces);
  }

  /// From what is handed out, not from what the search has seen.
  void settle_distance(const std::vector<Candidate>& candidates) {
    if (candidates.empty()) return;
    std::vector<FrontPoint> points;
    for (const Candidate& candidate : candidates)
      points.push_back(candidate.point);
    double largest = 0;
    for (const ExtremeRays::Ray& ray : outer_.rays()) {
      const auto at = vertex_of(ray);
      if (!at) continue;
      const auto found = distance_below(points, *at);
      largest =
          std::max(largest, found ? found->distance : std::numeric_limits<double>::infinity());
    }
    front_.distance = largest;
  }

  void settle_status() {
    if (front_.distance && *front_.distance <= accepted_) {
      front_.status = Status::optimal;
      front_.note.clear();
    } else if (monitor_.reached()) {
      const bool interrupted = monitor_.kind() == LimitKind::interrupt;
      front_.status = interrupted ? Status::interrupted : Status::limit;
      front_.note = LimitReached(monitor_.kind()).what();
    } else if (front_.note != "out of memory") {
      front_.note =
          fmt::format("numerical trouble: {}",
                      front_.note.empty() ? "the distance cannot be closed" : front_.note);
    }
  }

  Cssp& cssp_;
  const SolveOptions& options_;
  Monitor& monitor_;
  oracle::SearchOracle& oracle_;
  Lagrangian& lagrangian_;
  FrontQuery query_;
  double aim_;
  double accepted_;
  std::vector<double> scale_;       // one per cost of the front
  std::vector<FrontPoint> points_;  // one per cut
  ExtremeRays outer_;               // in costs as the problem counts them, and one for the side
  std::map<std::size_t, OuterVertex> vertices_;
  ParetoFront front_;
};

double aim_of(const ParetoRequest& request) {
  return request.gap.value_or(request.costs.size() == 2 ? exact : default_gap);
}

}  // namespace

std::vector<std::size_t> front_costs(const Cssp& cssp, const ParetoRequest& request) {
  const auto& names = cssp.cost_names();
  const std::string hint = fmt::format("the costs are: {}", fmt::join(names, ", "));
  std::vector<std::size_t> costs;
  for (const std::string& name : request.costs) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw OptionError(fmt::format("`costs`: there is no cost named '{}'", name), hint);
    const auto cost = static_cast<std::size_t>(found - names.begin());
    if (std::find(costs.begin(), costs.end(), cost) != costs.end())
      throw OptionError(fmt::format("`costs`: '{}' is given twice", name), hint);
    costs.push_back(cost);
  }
  if (costs.size() < 2)
    throw OptionError("`costs`: a front is a trade-off between two costs or more", hint);
  if (request.gap && !(*request.gap >= 0))
    throw OptionError(fmt::format("`gap`: {} is not a number of 0 or more", *request.gap));
  return costs;
}

SolveOptions for_front(SolveOptions options, const ParetoRequest& request) {
  if (options.search.heuristic_mode == HeuristicMode::c_roc)
    throw OptionError("C-ROC is not for fronts, whose lower lines hold for all values of a cost",
                      "choose one of the modes lambda and ideal-point");
  options.algorithm = Algorithm::carl;
  options.carl.outer = OuterAlgorithm::bundle;
  options.gap = std::clamp(0.01 * aim_of(request), exact, 1e-4);
  return options;
}

ParetoFront run_front(Cssp& cssp, Scalarisation& scalarisation, std::vector<std::size_t> costs,
                      const ParetoRequest& request, const SolveOptions& options, Monitor& monitor) {
  const double aim = std::max(aim_of(request), exact);
  const double accepted = std::max(aim, exact_enough);
  return FrontSearch(cssp, scalarisation, std::move(costs), aim, accepted, options, monitor)
      .run(request.policies);
}

}  // namespace carl::cssp
