// Fronts against the hull of all deterministic policies of tiny random models, found by enumeration,
// and against the LP over all states where there are bounds or more states. Degenerate models among
// them: zero costs, costs that are equal, loops that are free in all costs of the front, giving up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carl/check.h"
#include "carl/error.h"
#include "carl/pareto.h"
#include "carl/solver.h"
#include "cssp/agreement.h"
#include "cssp/brute_force.h"
#include "cssp/extreme_rays.h"
#include "cssp/front_faces.h"
#include "cssp/front_hull.h"
#include "cssp/paper_examples.h"
#include "support/random_model.h"
#include "support/scale.h"
#include "util/random.h"

namespace carl {
namespace {

using Vector = std::vector<double>;

double scale(double value) {
  return std::max(1.0, std::abs(value));
}

std::vector<std::string> names(const Cssp& cssp, const std::vector<std::size_t>& costs) {
  std::vector<std::string> result;
  for (const std::size_t c : costs)
    result.push_back(cssp.cost_names()[c]);
  return result;
}

Vector seen(const Vector& all, const std::vector<std::size_t>& costs) {
  Vector result;
  for (const std::size_t c : costs)
    result.push_back(all[c]);
  return result;
}

ParetoFront front_of(Cssp cssp, const std::vector<std::size_t>& costs,
                     std::optional<double> gap = std::nullopt) {
  Monitor monitor;
  return pareto(cssp, {names(cssp, costs), gap, true}, {}, monitor);
}

/// The lower left of the convex hull, from left to right.
std::vector<Vector> hull(const std::set<Vector>& policies, const std::vector<std::size_t>& costs) {
  std::vector<Vector> points;
  for (const Vector& policy : policies)
    points.push_back(seen(policy, costs));
  std::sort(points.begin(), points.end());
  std::vector<Vector> chain;
  for (const Vector& p : points) {
    if (!chain.empty() && p[1] >= chain.back()[1] - 1e-9 * scale(p[1])) continue;
    while (chain.size() > 1) {
      const Vector& a = chain[chain.size() - 2];
      const Vector& b = chain.back();
      const double on_line = a[1] + (p[1] - a[1]) * (b[0] - a[0]) / (p[0] - a[0]);
      if (b[1] < on_line - 1e-9 * scale(on_line)) break;
      chain.pop_back();
    }
    // Left by rounding alone.
    if (!chain.empty() && p[0] <= chain.back()[0] + 1e-9 * scale(p[0])) chain.pop_back();
    chain.push_back(p);
  }
  return chain;
}

void expect_policies_as_said(const Cssp& cssp, const ParetoFront& front) {
  for (const ParetoVertex& vertex : front.vertices) {
    EXPECT_EQ(vertex.deterministic, vertex.policy.is_deterministic());
    Cssp own = cssp;
    own.remove_forbidden_actions(false);
    for (const Bound& bound : front.lifted)
      own.set_bound(own.cost_names()[bound.cost], std::numeric_limits<double>::infinity());
    Monitor monitor;
    const CheckReport check = check_policy(own, vertex.policy, nullptr, {}, monitor);
    ASSERT_TRUE(check.holds());
    for (std::size_t c = 0; c < cssp.num_costs(); ++c)
      EXPECT_NEAR((*check.costs)[c], vertex.costs[c], 1e-8 * scale(vertex.costs[c]));
  }
}

/// Small, with as many trade-offs as fit in.
testing::RandomModelOptions tiny(std::uint64_t seed) {
  testing::RandomModelOptions options = testing::random_options(seed, 4);
  SplitMix64 random(seed);
  options.bounds = testing::BoundsKind::none;
  if (options.dead_ends == testing::DeadEnds::unavoidable && seed % 5 != 0)
    options.dead_ends = testing::DeadEnds::avoidable;
  options.states = 2 + random.below(3);
  options.actions = 2 + random.below(5);
  options.costs = 3 + random.below(2);
  options.zero_secondary_costs |= random.below(3) == 0;
  return options;
}

/// Any, in any order, the primary cost among them or not.
std::vector<std::size_t> draw_costs(SplitMix64& random, std::size_t of, std::size_t count) {
  std::vector<std::size_t> costs(of);
  std::iota(costs.begin(), costs.end(), 0);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(costs[i], costs[i + random.below(of - i)]);
  costs.resize(count);
  return costs;
}

TEST(Front, OfTwoCostsIsTheHullOfAllPolicies) {
  std::size_t corners = 0;
  std::size_t without_primary_cost = 0;
  std::size_t no_policy = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(4000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SplitMix64 random(seed);
    const auto options = tiny(seed);
    Cssp cssp(testing::random_model(seed, options));
    const auto policies = testing::policy_costs(cssp, 3000);
    if (!policies) continue;
    const std::vector<std::size_t> costs = draw_costs(random, options.costs, 2);
    const ParetoFront front = front_of(cssp, costs);
    if (policies->empty()) {
      EXPECT_EQ(to_string(front.status), "no-proper-policy");
      ++no_policy;
      continue;
    }
    ASSERT_EQ(to_string(front.status), "optimal") << front.note;
    EXPECT_LE(*front.distance, 1e-8);
    const std::vector<Vector> truth = hull(*policies, costs);
    ASSERT_EQ(front.vertices.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      EXPECT_TRUE(front.vertices[i].deterministic);
      for (std::size_t c = 0; c < 2; ++c)
        EXPECT_NEAR(front.vertices[i].costs[costs[c]], truth[i][c], 1e-8 * scale(truth[i][c]));
    }
    expect_policies_as_said(cssp, front);
    corners += truth.size() > 2;
    without_primary_cost += costs[0] != 0 && costs[1] != 0;
    if (HasFailure()) break;
  }
  EXPECT_GT(corners, testing::at_full_scale(200));
  EXPECT_GT(without_primary_cost, testing::at_full_scale(800));
  EXPECT_GT(no_policy, testing::at_full_scale(30));
}

/// Weights, some of which may be zero.
Vector direction(SplitMix64& random, const ParetoFront& front) {
  Vector weights;
  for (const double unit : front.scale)
    weights.push_back(random.below(4) == 0 ? 0.0 : random.unit() / unit);
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; }))
    weights[0] = 1 / front.scale[0];
  return weights;
}

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The least of weighted costs, over the vertices of the front.
double support(const ParetoFront& front, const Vector& weights) {
  double least = std::numeric_limits<double>::infinity();
  for (const ParetoVertex& vertex : front.vertices)
    least = std::min(least, dot(weights, seen(vertex.costs, front.costs)));
  return least;
}

/// In any direction the truth is nowhere above the front, and not further below than it says.
void expect_supported(const ParetoFront& front, const Vector& weights, double truth) {
  const double found = support(front, weights);
  EXPECT_GE(found, truth - 1e-8 * scale(truth));
  EXPECT_LE(found, truth + *front.distance * dot(weights, front.scale) + 1e-8 * scale(truth));
}

TEST(Front, OfThreeCostsAndMoreIsAsCloseAsItSays) {
  std::size_t corners = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(1500); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SplitMix64 random(seed);
    testing::RandomModelOptions options = tiny(seed);
    options.costs = 4 + random.below(2);
    Cssp cssp(testing::random_model(seed, options));
    const auto policies = testing::policy_costs(cssp, 1000);
    if (!policies || policies->empty()) continue;
    const double gap = seed % 3 == 0 ? 1e-9 : seed % 3 == 1 ? 1e-3 : 0.1;
    const ParetoFront front =
        front_of(cssp, draw_costs(random, options.costs, 3 + random.below(2)), gap);
    ASSERT_EQ(to_string(front.status), "optimal") << front.note;
    EXPECT_LE(*front.distance, std::max(gap, 1e-6));
    for (int i = 0; i < 30; ++i) {
      const Vector weights = direction(random, front);
      double truth = std::numeric_limits<double>::infinity();
      for (const Vector& policy : *policies)
        truth = std::min(truth, dot(weights, seen(policy, front.costs)));
      expect_supported(front, weights, truth);
    }
    for (const ParetoLine& line : front.lines)
      for (const Vector& policy : *policies)
        EXPECT_GE(dot(line.weights, seen(policy, front.costs)),
                  line.least - 1e-9 * scale(line.least));
    expect_policies_as_said(cssp, front);
    corners += front.vertices.size() > 4;
    if (HasFailure()) break;
  }
  EXPECT_GT(corners, testing::at_full_scale(70));
}

TEST(Front, KeepsBoundsOnOtherCosts) {
  std::size_t infeasible = 0;
  std::size_t stochastic = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(2000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SplitMix64 random(seed);
    testing::RandomModelOptions options = tiny(seed);
    options.costs = 4;
    const auto model = testing::random_model(seed, options);
    Cssp free(model);
    const auto policies = testing::policy_costs(free, 300);
    if (!policies || policies->empty()) continue;
    const std::vector<std::size_t> costs = draw_costs(random, 4, 2 + random.below(2));
    CsspOptions changes;
    for (std::size_t c = 0; c < 4; ++c) {
      const bool of_front = std::find(costs.begin(), costs.end(), c) != costs.end();
      if (random.below(4) == 0) continue;
      const double some =
          std::next(policies->begin(), static_cast<std::ptrdiff_t>(random.below(policies->size())))
              ->at(c);
      const double other =
          std::next(policies->begin(), static_cast<std::ptrdiff_t>(random.below(policies->size())))
              ->at(c);
      const double share = random.unit();
      changes.bounds.emplace_back(free.cost_names()[c],
                                  of_front ? some / 2 : share * some + (1 - share) * other);
    }
    Cssp cssp(model, changes);
    std::vector<Bound> bounds;
    for (const Bound& bound : cssp.bounds())
      if (std::find(costs.begin(), costs.end(), bound.cost) == costs.end()) bounds.push_back(bound);
    const ParetoFront front = front_of(cssp, costs);
    EXPECT_EQ(front.lifted.size() + bounds.size(), cssp.bounds().size());
    if (!testing::best_mixture(*policies, bounds)) {
      EXPECT_EQ(to_string(front.status), "infeasible") << front.note;
      ++infeasible;
      continue;
    }
    ASSERT_EQ(to_string(front.status), "optimal") << front.note;
    EXPECT_LE(*front.distance, costs.size() == 2 ? 1e-6 : 1e-3);
    for (int i = 0; i < 20; ++i) {
      const Vector weights = direction(random, front);
      std::set<Vector> weighted;
      for (Vector policy : *policies) {
        policy.insert(policy.begin(), dot(weights, seen(policy, costs)));
        weighted.insert(policy);
      }
      std::vector<Bound> moved = bounds;
      for (Bound& bound : moved)
        ++bound.cost;
      expect_supported(front, weights, *testing::best_mixture(weighted, moved));
    }
    expect_policies_as_said(cssp, front);
    stochastic += std::any_of(front.vertices.begin(), front.vertices.end(),
                              [](const auto& vertex) { return !vertex.deterministic; });
    if (HasFailure()) break;
  }
  EXPECT_GT(infeasible, testing::at_full_scale(20));
  EXPECT_GT(stochastic, testing::at_full_scale(200));
}

/// The optimum of the LP over all states if the second cost of the front may be so much.
double by_lp(const std::shared_ptr<Model>& model, CsspOptions changes, double bound) {
  changes.bounds.emplace_back(Cssp(model).cost_names()[1], bound);
  const Solution solution = run(model, lp(), changes);
  return solution.costs ? (*solution.costs)[0] : std::numeric_limits<double>::infinity();
}

/// Primary cost on a front of the first two costs.
double on_front(const ParetoFront& front, double second) {
  const auto& v = front.vertices;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i].costs[1] > second) continue;
    if (i == 0) return v[0].costs[0];
    const double share = (second - v[i].costs[1]) / (v[i - 1].costs[1] - v[i].costs[1]);
    return v[i].costs[0] + share * (v[i - 1].costs[0] - v[i].costs[0]);
  }
  return v.back().costs[0];
}

TEST(Front, IsWhatTheLpFindsPointByPoint) {
  std::size_t vertices = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(400); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SplitMix64 random(seed);
    testing::RandomModelOptions options = options_for(seed);
    options.actions = 6;
    const auto model = testing::random_model(seed, options);
    const CsspOptions changes = random_bounds(model, seed);
    const ParetoFront front = front_of(Cssp(model, changes), {0, 1});
    const double infinity = std::numeric_limits<double>::infinity();
    if (by_lp(model, changes, infinity) == infinity) {
      EXPECT_NE(to_string(front.status), "optimal");
      continue;
    }
    ASSERT_EQ(to_string(front.status), "optimal") << front.note;
    vertices += front.vertices.size();
    const double least = front.vertices.back().costs[1];
    const double most = front.vertices.front().costs[1];
    for (int i = 0; i < 5; ++i) {
      const double bound = least + random.unit() * 1.1 * (most - least) + 1e-8 * most;
      const double truth = by_lp(model, changes, bound);
      EXPECT_NEAR(on_front(front, bound), truth, 1e-6 * scale(truth)) << "bound " << bound;
    }
    if (least > 1e-6) {
      EXPECT_EQ(by_lp(model, changes, least * (1 - 1e-6)), infinity);
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(vertices, testing::at_full_scale(450));
}

/// Time 1 by taxi for 30, 2 by a train that comes half the time, or 4 on foot.
TEST(Front, GettingToWork) {
  const ParetoFront front = front_of(Cssp(testing::getting_to_work()), {0, 1});
  ASSERT_EQ(to_string(front.status), "optimal");
  EXPECT_EQ(front.lifted.size(), 1U);  // the bound on effort stays
  for (const ParetoVertex& vertex : front.vertices)
    EXPECT_LE(vertex.costs[2], 10 + 1e-8);
  EXPECT_NEAR(front.vertices.front().costs[0], 1, 1e-9);
  EXPECT_NEAR(front.vertices.front().costs[1], 15, 1e-7);
  EXPECT_NEAR(front.vertices.back().costs[1], 6.25, 1e-7);
  EXPECT_NEAR(front.vertices.back().costs[0], 2.25, 1e-7);
  EXPECT_FALSE(front.vertices.front().deterministic);
}

TEST(Front, WhenItIsInterruptedItIsWhatIsKnown) {
  for (const std::size_t queries : {1U, 3U, 6U, 12U}) {
    Cssp cssp(slippery_grid(8));
    Monitor monitor;
    std::size_t reports = 0;
    monitor.set_listener([&](const Progress& progress) {
      if (progress.iterations >= queries && ++reports > 1) monitor.interrupt();
    });
    const ParetoFront front = pareto(cssp, {names(cssp, {0, 1}), {}, true}, {}, monitor);
    EXPECT_EQ(to_string(front.status), "interrupted");
    EXPECT_EQ(front.note, "interrupted");
    if (front.vertices.empty()) continue;
    EXPECT_GT(*front.distance, 1e-6);
    expect_policies_as_said(Cssp(slippery_grid(8)), front);
    // The whole front is no further below than it says.
    const ParetoFront whole = front_of(Cssp(slippery_grid(8)), {0, 1});
    ASSERT_EQ(to_string(whole.status), "optimal") << whole.note;
    for (const ParetoLine& line : whole.lines) {
      const double found = support(front, line.weights);
      EXPECT_LE(found, line.least + *front.distance * dot(line.weights, front.scale) +
                           1e-8 * scale(found));
    }
  }
}

TEST(Front, AsksAboutTwiceForEachVertex) {
  const ParetoFront front = front_of(Cssp(slippery_grid(8)), {0, 1});
  ASSERT_EQ(to_string(front.status), "optimal");
  EXPECT_GT(front.vertices.size(), 10U);
  EXPECT_LT(front.statistics.scalarised_ssps, 4 * front.vertices.size());
}

TEST(Front, LeavesBoundsAsTheyWere) {
  Solver solver(testing::getting_to_work());
  Monitor monitor;
  const double before = (*solver.solve({}, monitor).costs)[0];
  const ParetoFront front = solver.pareto({{"time", "price", "effort"}, 1e-6, false}, {}, monitor);
  EXPECT_EQ(to_string(front.status), "optimal");
  EXPECT_EQ(front.lifted.size(), 2U);
  EXPECT_TRUE(front.vertices.front().policy.empty());
  EXPECT_EQ(solver.cssp().bounds().size(), 2U);
  EXPECT_NEAR((*solver.solve({}, monitor).costs)[0], before, 1e-9);
}

TEST(Front, WrongRequests) {
  Cssp cssp(testing::getting_to_work());
  Monitor monitor;
  const auto message = [&](const ParetoRequest& request) {
    try {
      pareto(cssp, request, {}, monitor);
    } catch (const OptionError& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message({{"time"}, {}, true}),
            "`costs`: a front is a trade-off between two costs or more");
  EXPECT_EQ(message({{"time", "money"}, {}, true}), "`costs`: there is no cost named 'money'");
  EXPECT_EQ(message({{"time", "time"}, {}, true}), "`costs`: 'time' is given twice");
  EXPECT_EQ(message({{"time", "price"}, -1.0, true}), "`gap`: -1 is not a number of 0 or more");
  SolveOptions c_roc;
  c_roc.search.heuristic_mode = HeuristicMode::c_roc;
  EXPECT_THROW(
      {
        try {
          pareto(cssp, {{"time", "price"}, {}, true}, c_roc, monitor);
        } catch (const OptionError& error) {
          EXPECT_EQ(error.message(),
                    "C-ROC is not for fronts, whose lower lines hold for all values of a cost");
          throw;
        }
      },
      OptionError);
  EXPECT_EQ(message({{"time", "price"}, NAN, true}), "`gap`: nan is not a number of 0 or more");
}

// --- hulls ----------------------------------------------------------------------------------------

TEST(ExtremeRays, OfAnOctahedronsCone) {
  // |x - 1| + |y - 1| + |z - 1| ≤ 1 has six vertices.
  cssp::ExtremeRays cone(4);
  for (const int x : {-1, 1})
    for (const int y : {-1, 1})
      for (const int z : {-1, 1})
        cone.add({x, y, z, 1 - x - y - z});
  EXPECT_EQ(cone.rays().size(), 6U);
  for (const auto& ray : cone.rays()) {
    EXPECT_GT(sgn(ray.x.back()), 0);
    Rational distance = 0;
    for (std::size_t i = 0; i < 3; ++i)
      distance += abs(Rational(ray.x[i] / ray.x.back() - 1));
    EXPECT_EQ(distance, 1);
  }
}

TEST(FrontFaces, OfAPyramid) {
  // Three extremes and a point below the triangle between them.
  const auto joined = cssp::front_faces({{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0.6, 0.6, 0.6}});
  EXPECT_THAT(joined.faces, ::testing::UnorderedElementsAre(::testing::ElementsAre(0, 1, 3),
                                                            ::testing::ElementsAre(0, 2, 3),
                                                            ::testing::ElementsAre(1, 2, 3)));
  EXPECT_EQ(joined.edges.size(), 6U);
  // Where one cost goes along with another there are no faces.
  const auto chain = cssp::front_faces({{0, 2, 2}, {0.5, 0.5, 0.5}, {2, 0, 0}});
  EXPECT_TRUE(chain.faces.empty());
  EXPECT_EQ(chain.edges.size(), 2U);
}

}  // namespace
}  // namespace carl
