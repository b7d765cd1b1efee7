// Calls of a solver, at the end, whose answers are compared with those of the LP on a model that
// nobody has worked on. Exits with 1 if they cannot both be right.
// clang-format off
#include <chrono>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/error.h"
#include "carl/explicit_builder.h"
#include "carl/io.h"
#include "carl/monitor.h"
#include "carl/pareto.h"
#include "carl/solve.h"
#include "carl/solver.h"
#include "carl/sweep.h"

namespace {

std::shared_ptr<carl::Model> model() {
  carl::ExplicitBuilder builder({{"time", "fuel", "risk"}, {{1, 4.5}}, {}});
  builder.add_states(3);
  builder.add_goal(carl::StateId(2));
  builder.add_outcome(0.5, carl::StateId(1));
  builder.add_outcome(0.5, carl::StateId(2));
  builder.add_action(carl::StateId(0), std::vector<double>{1, 3, 0});
  builder.add_outcome(1, carl::StateId(1));
  builder.add_action(carl::StateId(0), std::vector<double>{2, 1, 0.25});
  builder.add_outcome(1, carl::StateId(2));
  builder.add_action(carl::StateId(1), std::vector<double>{1, 3, 0});
  builder.add_outcome(0.75, carl::StateId(2));
  builder.add_outcome(0.25, carl::StateId(1));
  builder.add_action(carl::StateId(1), std::vector<double>{4, 0, 0});
  return builder.build(carl::StateId(0));
}

constexpr double infinity = std::numeric_limits<double>::infinity();

std::unique_ptr<carl::Monitor> no_limit() {
  return std::make_unique<carl::Monitor>();
}

[[maybe_unused]] std::unique_ptr<carl::Monitor> interrupted_after_reports(std::size_t n) {
  auto monitor = no_limit();
  monitor->set_listener([&self = *monitor, n](const carl::Progress&) mutable {
    if (n-- == 0) self.interrupt();
  });
  return monitor;
}

[[maybe_unused]] std::unique_ptr<carl::Monitor> interrupted_at_look(std::size_t n) {
  const auto clock = [now = carl::Monitor::Clock::time_point{}]() mutable {
    return std::exchange(now, now + std::chrono::seconds(1));
  };
  return std::make_unique<carl::Monitor>(static_cast<double>(n), 0, nullptr, clock);
}

/// The same problem, never seen before, by the LP.
carl::Solution by_lp(const carl::Cssp& now, const char* swept = nullptr, double bound = 0) {
  carl::Cssp cssp(model());
  for (const std::string& cost : cssp.cost_names())
    cssp.set_bound(cost, infinity);
  for (const carl::Bound& b : now.bounds())
    cssp.set_bound(cssp.cost_names()[b.cost], b.upper);
  if (swept != nullptr) cssp.set_bound(swept, bound);
  std::optional<std::vector<std::pair<std::string, double>>> penalties;
  for (std::size_t i = 0; now.give_up_penalty() && i < now.num_costs(); ++i) {
    if (!penalties) penalties.emplace();
    penalties->emplace_back(cssp.cost_names()[i], (*now.give_up_penalty())[i]);
  }
  cssp.set_penalties(penalties);
  carl::SolveOptions options;
  options.algorithm = carl::Algorithm::lp;
  options.gap = 1e-8;
  return carl::solve(cssp, options, *no_limit());
}

/// What each says of the optimum; their intervals must meet.
bool compare(carl::Status status, double lower, double upper, const carl::Solution& lp) {
  const double lp_upper = lp.costs ? lp.costs->front() : infinity;
  const double lp_lower = lp.lower_bound.value_or(lp.costs ? 0 : infinity);
  std::cout << to_string(status) << " [" << lower << ", " << upper << "], by the LP "
            << to_string(lp.status) << " [" << lp_lower << ", " << lp_upper << "]\n";
  const bool ended = status == carl::Status::limit || status == carl::Status::interrupted;
  const bool meet = lower <= lp_upper * (1 + 1e-9) && lp_lower <= upper * (1 + 1e-9);
  return meet && (ended || status == lp.status);
}

[[maybe_unused]] bool solve(carl::Solver& solver, const carl::SolveOptions& options,
                            std::unique_ptr<carl::Monitor> monitor) {
  try {
    const carl::Solution solution = solver.solve(options, *monitor);
    const double upper = solution.costs ? solution.costs->front() : infinity;
    return compare(solution.status, solution.lower_bound.value_or(0), upper,
                   by_lp(solver.cssp()));
  } catch (const carl::InputError& error) {
    std::cout << error.message() << '\n';
    return true;
  }
}

[[maybe_unused]] bool sweep(carl::Solver& solver, const carl::SweepRange& range,
                            const std::optional<carl::SweepRange>& second,
                            const carl::SolveOptions& options,
                            std::unique_ptr<carl::Monitor> monitor) {
  bool right = true;
  try {
    const carl::Sweep sweep = solver.sweep(range, second, options, *monitor);
    for (const carl::SweepCurve& curve : sweep.curves) {
      carl::Cssp at = solver.cssp();
      if (second) at.set_bound(second->cost, *curve.second);
      for (const carl::SweepPoint& point : curve.points)
        right &= compare(point.status, point.lower_bound.value_or(0),
                         point.objective.value_or(infinity),
                         by_lp(at, range.cost.c_str(), point.bound));
    }
  } catch (const carl::InputError& error) {
    std::cout << error.message() << '\n';
  } catch (const carl::LimitReached& limit) {
    std::cout << limit.what() << '\n';
  }
  return right;
}

/// The vertices, if the primary cost comes first: what the others are, as bounds.
[[maybe_unused]] bool front(carl::Solver& solver, const carl::ParetoRequest& request,
                            const carl::SolveOptions& options,
                            std::unique_ptr<carl::Monitor> monitor) {
  bool right = true;
  try {
    const carl::ParetoFront front = solver.pareto(request, options, *monitor);
    std::cout << to_string(front.status) << '\n';
    for (const carl::ParetoVertex& vertex : front.vertices) {
      if (front.costs.front() != 0) break;
      carl::Cssp at = solver.cssp();
      at.set_bound(request.costs[0], infinity);
      for (std::size_t i = 1; i < request.costs.size(); ++i)
        at.set_bound(request.costs[i], vertex.costs[front.costs[i]] * (1 + 1e-9));
      right &= compare(carl::Status::limit, 0, vertex.costs[0] * (1 + 1e-6), by_lp(at));
    }
  } catch (const carl::InputError& error) {
    std::cout << error.message() << '\n';
  } catch (const carl::LimitReached& limit) {
    std::cout << limit.what() << '\n';
  }
  return right;
}

}  // namespace

int main() {
  const std::shared_ptr<carl::Model> used = model();
  carl::Solver solver(used);
  bool right = true;
  {
    carl::SolveOptions options;
    right &= solve(solver, options, no_limit());
  }
  solver.set_bound("fuel", 2.5);
  {
    carl::SolveOptions options;
    options.carl.outer = carl::outer_named("coordinate");
    options.carl.inner = carl::inner_named("cg-ilao-paper");
    options.search.heuristic = carl::heuristic_named("dijkstra");
    options.search.heuristic_mode = carl::heuristic_mode_named("ideal-point");
    options.gap = 0.01;
    options.explain = false;
    options.mixture_policies = true;
    right &= solve(solver, options, no_limit());
  }
  // here the last policy was simulated
  solver.set_bound("risk", 0);
  solver.set_give_up({{{"time", 10}, {"fuel", 0}, {"risk", 0}}});
  {
    carl::SolveOptions options;
    options.algorithm = carl::algorithm_named("i-dual");
    right &= solve(solver, options, interrupted_after_reports(3));
  }
  solver.set_give_up(std::nullopt);
  solver.set_bound("risk", infinity);
  {
    carl::SolveOptions options;
    right &= sweep(solver, {"fuel", 1, 5, 1}, carl::SweepRange{"risk", 0, 0.25, 0.125}, options, no_limit());
  }
  solver.forget();
  {
    carl::SolveOptions options;
    right &= solve(solver, options, interrupted_at_look(1));
  }
  {
    carl::Solver elsewhere(std::move(solver));
    solver = carl::Solver(model());
    solver = std::move(elsewhere);
  }
  solver = carl::Solver(carl::Cssp(solver.cssp()));
  {
    carl::SolveOptions options;
    right &= sweep(solver, {"risk", 0, 1, 0.5}, std::nullopt, options, no_limit());
  }
  {
    carl::SolveOptions options;
    right &= front(solver, {{"time", "fuel", "risk"}, 0.01, true}, options, no_limit());
  }
  {
    carl::SolveOptions options;
    right &= front(solver, {{"fuel", "risk"}, std::nullopt, true}, options, interrupted_after_reports(2));
  }
  solver = carl::Solver(used);
  try {
    solver.set_bound("no such cost", 1);
    right = false;
  } catch (const carl::InputError&) {
  }
  try {
    solver.set_bound("time", -1);
    right = false;
  } catch (const carl::InputError&) {
  }
  try {
    solver.set_give_up({{{"no such cost", 1}}});
    right = false;
  } catch (const carl::InputError&) {
  }
  try {
    carl::SolveOptions options;
    options.gap = -1;
    solver.solve(options, *no_limit());
    right = false;
  } catch (const carl::InputError&) {
  }
  try {
    solver.sweep({"no such cost", 0, 1, 1}, {}, {}, *no_limit());
    right = false;
  } catch (const carl::InputError&) {
  }
  {
    carl::SolveOptions options;
    right &= solve(solver, options, no_limit());
  }
  return right ? 0 : 1;
}
