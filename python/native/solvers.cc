#include "solvers.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "carl/error.h"
#include "carl/explore.h"
#include "carl/io.h"
#include "carl/pareto.h"
#include "carl/problem.h"
#include "carl/solver.h"
#include "interpreter.h"
#include "models.h"
#include "results.h"

namespace carl::python {
namespace {

/// carl::Solver with the lock of its model. A problem that asks for CVaR is as many problems as it
/// has thresholds, so nothing is kept from one solve of it to the next.
class SolverHandle {
 public:
  SolverHandle(std::shared_ptr<ModelHandle> handle, CsspOptions options)
      : handle_(std::move(handle)), options_(std::move(options)) {
    const Turn turn(*handle_);
    if (has_cvar(*handle_->model, options_)) return;
    Monitor monitor;
    solver_.emplace(make_problem(handle_->model, options_, monitor));
  }

  std::vector<std::pair<std::string, double>> bounds() const {
    if (solver_) return bounds_of(solver_->cssp());
    return bounds_of(Cssp(handle_->model, expected_costs()));
  }
  std::vector<std::string> cost_names() const {
    return solver_ ? solver_->cssp().cost_names() : handle_->model->cost_model().costs;
  }
  void set_bound(const std::string& cost, double upper) {
    const Turn turn(*handle_);
    if (solver_) return solver_->set_bound(cost, upper);
    CsspOptions changed = expected_costs();
    changed.bounds.emplace_back(cost, upper);
    Cssp(handle_->model, changed);  // throws if there is no such cost
    options_.bounds.emplace_back(cost, upper);
  }
  void set_give_up(const std::optional<std::vector<std::pair<std::string, double>>>& penalties) {
    const Turn turn(*handle_);
    if (solver_) return solver_->set_give_up(penalties);
    options_.give_up = penalties;
  }
  void forget() {
    const Turn turn(*handle_);
    if (solver_) solver_->forget();
  }

  std::shared_ptr<Result> solve(const SolveOptions& options, const Call& call) {
    std::optional<Solution> solution;
    std::optional<Cssp> cssp;
    const bool interrupted = run_interruptibly(call, [&](Monitor& monitor) {
      const std::lock_guard lock(handle_->in_use);
      if (solver_) {
        solution = solver_->solve(options, monitor);
        cssp = solver_->cssp();
      } else {
        SolvedProblem solved = solve_problem(handle_->model, options_, options, monitor);
        solution = std::move(solved.solution);
        cssp = std::move(solved.problem);
      }
    });
    return std::make_shared<Result>(
        Result{handle_, std::move(*cssp), std::move(*solution), interrupted});
  }

  /// As JSON; with the picture of it.
  std::pair<std::string, std::string> sweep(const SweepRange& range,
                                            const std::optional<SweepRange>& second,
                                            const SolveOptions& options, const Call& call) {
    std::ostringstream text;
    std::ostringstream plot;
    run_interruptibly(call, [&](Monitor& monitor) {
      const std::lock_guard lock(handle_->in_use);
      const Sweep found = warm().sweep(range, second, options, monitor);
      write_sweep(solver_->cssp(), found, text);
      write_sweep_plot(solver_->cssp(), found, plot);
    });
    return {text.str(), plot.str()};
  }

  std::shared_ptr<Front> pareto(const ParetoRequest& request, const SolveOptions& options,
                                const Call& call) {
    std::optional<ParetoFront> front;
    std::optional<Cssp> cssp;
    run_interruptibly(call, [&](Monitor& monitor) {
      const std::lock_guard lock(handle_->in_use);
      front = warm().pareto(request, options, monitor);
      cssp = solver_->cssp();
    });
    return std::make_shared<Front>(Front{handle_, std::move(*cssp), std::move(*front)});
  }

  py::dict explore(std::size_t max_states, std::size_t threads, const Call& call) {
    StateSpaceSize size;
    run_interruptibly(call, [&](Monitor& monitor) {
      const std::lock_guard lock(handle_->in_use);
      Cssp cssp = warm().cssp();
      size = carl::explore(cssp, max_states, monitor, threads);
    });
    py::dict result;
    result["complete"] = size.complete;
    result["states"] = size.states;
    result["goals"] = size.goals;
    result["pairs"] = size.pairs;
    result["outcomes"] = size.outcomes;
    result["hopeless"] = size.hopeless;
    return result;
  }

 private:
  /// The model's lock, waited for without the interpreter's.
  class Turn {
   public:
    explicit Turn(ModelHandle& handle) : lock_(handle.in_use, std::defer_lock) {
      const py::gil_scoped_release others_go_on;
      lock_.lock();
    }

   private:
    std::unique_lock<std::mutex> lock_;
  };

  CsspOptions expected_costs() const {
    CsspOptions options = options_;
    options.guarantees.clear();
    options.goal_probability.reset();
    options.units.clear();
    options.expected_costs_only = true;
    return options;
  }
  Solver& warm() {
    if (!solver_)
      throw InputError("this is not done for problems with a bound on CVaR",
                       "bound the expected excess over a threshold instead");
    return *solver_;
  }

  std::shared_ptr<ModelHandle> handle_;
  CsspOptions options_;
  std::optional<Solver> solver_;  // none if there is CVaR
};

void bind_options(py::module_& module) {
  py::class_<CsspOptions>(module, "CsspOptions")
      .def(py::init<>())
      .def_readwrite("bounds", &CsspOptions::bounds)
      .def_readwrite("give_up", &CsspOptions::give_up)
      .def_readwrite("seed", &CsspOptions::seed)
      .def_readwrite("units", &CsspOptions::units)
      .def("add_guarantee",
           [](CsspOptions& o, const std::string& kind, std::string cost, double limit,
              double upper) {
             const auto which = kind == "chance"   ? Guarantee::Kind::chance
                                : kind == "excess" ? Guarantee::Kind::excess
                                                   : Guarantee::Kind::cvar;
             o.guarantees.push_back({which, std::move(cost), limit, upper});
           })
      .def("set_goal_probability",
           [](CsspOptions& o, std::optional<double> least, bool only_when_lost) {
             o.goal_probability = GoalProbability{least.value_or(1), !least, only_when_lost};
           });

  py::class_<SolveOptions>(module, "SolveOptions")
      .def(py::init<>())
      .def_readwrite("threads", &SolveOptions::threads)
      .def_readwrite("seed", &SolveOptions::seed)
      .def_readwrite("gap", &SolveOptions::gap)
      .def_readwrite("mixture_policies", &SolveOptions::mixture_policies)
      .def_readwrite("deterministic", &SolveOptions::deterministic)
      .def("set_algorithm",
           [](SolveOptions& o, const std::string& name) { o.algorithm = algorithm_named(name); })
      .def("set_outer",
           [](SolveOptions& o, const std::string& name) { o.carl.outer = outer_named(name); })
      .def("set_inner",
           [](SolveOptions& o, const std::string& name) { o.carl.inner = inner_named(name); })
      .def("set_heuristic",
           [](SolveOptions& o, const std::string& name) {
             o.search.heuristic = heuristic_named(name);
           })
      .def("set_heuristic_mode",
           [](SolveOptions& o, const std::string& name) {
             o.search.heuristic_mode = heuristic_mode_named(name);
           })
      .def("set_epsilon", [](SolveOptions& o, double epsilon) { o.search.epsilon = epsilon; })
      .def("set_eta", [](SolveOptions& o, double eta) { o.carl.eta = eta; });

  py::class_<Call>(module, "Call")
      .def(py::init<>())
      .def_readwrite("time_limit", &Call::time_limit)
      .def_readwrite("memory_limit", &Call::memory_limit)
      .def_readwrite("progress", &Call::progress);

  py::class_<SweepRange>(module, "SweepRange")
      .def(py::init([](std::string cost, double from, double to, double step) {
        return SweepRange{std::move(cost), from, to, step};
      }));
}

}  // namespace

void bind_solvers(py::module_& module) {
  bind_options(module);
  py::class_<SolverHandle>(module, "Solver")
      .def(py::init<std::shared_ptr<ModelHandle>, CsspOptions>())
      .def_property_readonly("bounds", &SolverHandle::bounds)
      .def_property_readonly("cost_names", &SolverHandle::cost_names)
      .def("set_bound", &SolverHandle::set_bound)
      .def("set_give_up", &SolverHandle::set_give_up)
      .def("forget", &SolverHandle::forget)
      .def("solve", &SolverHandle::solve)
      .def("sweep", &SolverHandle::sweep)
      .def("pareto",
           [](SolverHandle& solver, std::vector<std::string> costs, std::optional<double> gap,
              const SolveOptions& options, const Call& call) {
             return solver.pareto({std::move(costs), gap, true}, options, call);
           })
      .def("explore", &SolverHandle::explore);
}

}  // namespace carl::python
