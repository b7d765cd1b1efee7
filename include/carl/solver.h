// A problem with all that has been learnt of it. Solve it, change a bound or the penalties for
// giving up, and solve it again: policies that were found and lower bounds that were proved do not
// depend on the bounds, so the next answer begins with them.
//
//   carl::Solver solver(carl::load_model({"domain.pddl", "problem.pddl"}, monitor));
//   carl::Solution with_12 = solver.solve({}, monitor);
//   solver.set_bound("fuel", 10);
//   carl::Solution with_10 = solver.solve({}, monitor);
//
// Answers are those of solve() on the problem as it is then: whatever was asked before, they are
// proved to the same gap. (Among policies that are equally good, another one may be found.)
//
// A solver is used by one thread at a time; several solvers, each with a model of its own, by
// several threads at once. To end a solve from another thread, interrupt its Monitor.
#ifndef CARL_SOLVER_H
#define CARL_SOLVER_H

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/pareto.h"
#include "carl/solution.h"
#include "carl/solve.h"
#include "carl/sweep.h"

namespace carl {

class Solver {
 public:
  explicit Solver(std::shared_ptr<Model> model, const CsspOptions& options = {});
  explicit Solver(Cssp cssp);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// The problem as it is now. Checks and simulations take a copy of it, which shares the model.
  const Cssp& cssp() const;

  /// Changes or adds the bound of a cost. Zero forbids all actions with any of it, infinity lifts
  /// the bound. Throws OptionError.
  void set_bound(std::string_view cost, double upper);
  /// Penalties by cost, those left out are zero; or none: there is no giving up. Throws OptionError.
  void set_give_up(const std::optional<std::vector<std::pair<std::string, double>>>& penalties);

  /// As the function of that name. What has been learnt serves CARL (and `auto` where it chooses
  /// CARL) as long as its inner algorithm, heuristic and seed are the same; other algorithms begin
  /// afresh.
  Solution solve(const SolveOptions& options, Monitor& monitor);
  /// As the function of that name, but the swept costs need not have a bound; bounds are left as
  /// they were.
  Sweep sweep(const SweepRange& range, const std::optional<SweepRange>& second,
              const SolveOptions& options, Monitor& monitor);

  /// As the function of that name; bounds are left as they were.
  ParetoFront pareto(const ParetoRequest& request, const SolveOptions& options, Monitor& monitor);

  /// Forgets all that has been learnt; the next solve is the first.
  void forget();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace carl

#endif
