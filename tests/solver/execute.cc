#include "solver/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "carl/error.h"
#include "carl/simulate.h"
#include "carl/solver.h"
#include "solver/fresh_answers.h"

namespace carl::testing {
namespace {

/// By a clock that goes on by a second each time that somebody looks, or from the listener.
std::unique_ptr<Monitor> monitor_for(const Interruption& interruption) {
  if (interruption.by == Interruption::By::clock)
    return std::make_unique<Monitor>(static_cast<double>(interruption.after), 0, nullptr,
                                     [now = Monitor::Clock::time_point{}]() mutable {
                                       return std::exchange(now, now + std::chrono::seconds(1));
                                     });
  auto monitor = std::make_unique<Monitor>();
  if (interruption.by == Interruption::By::reports)
    monitor->set_listener([&self = *monitor, left = interruption.after](const Progress&) mutable {
      if (left-- == 0) self.interrupt();
    });
  return monitor;
}

PolicyFile by_names(const Cssp& cssp, const Policy& policy) {
  PolicyFile file;
  file.costs = cssp.cost_names();
  for (const Policy::Entry& entry : policy) {
    PolicyFile::Entry& named = file.states.emplace_back();
    named.state = cssp.state_name(entry.state);
    named.factored = cssp.model().factored();
    named.visits = entry.visits;
    for (const Policy::Choice choice : entry.choices)
      named.choices.push_back({cssp.action_name(choice.action), choice.probability});
  }
  return file;
}

class Execution {
 public:
  explicit Execution(const CallSequence& sequence)
      : sequence_(sequence),
        fresh_(sequence.model),
        model_(build(sequence.model)),
        solver_(std::make_unique<Solver>(model_)),
        terms_(original_terms()) {}

  std::optional<Disagreement> run() {
    for (std::size_t i = 0; i < sequence_.calls.size(); ++i) {
      std::string error =
          std::visit([&](const auto& call) { return perform(call); }, sequence_.calls[i]);
      if (error.empty()) error = wrong_terms();
      if (!error.empty()) return Disagreement{i, error};
    }
    return std::nullopt;
  }

 private:
  Terms original_terms() const {
    return {model_->cost_model().bounds, model_->cost_model().give_up};
  }
  const std::string& cost_name(std::size_t cost) const { return model_->cost_model().costs[cost]; }

  /// The solver must show what has been set, whatever it has done with it.
  std::string wrong_terms() const {
    const Cssp& cssp = solver_->cssp();
    return Terms{cssp.bounds(), cssp.give_up_penalty()} == terms_
               ? ""
               : "bounds or penalties are not those that were set";
  }

  // --- calls that change the problem ------------------------------------------------------------

  std::string perform(const SetBound& call) {
    solver_->set_bound(cost_name(call.cost), call.upper);
    const auto same = std::find_if(terms_.bounds.begin(), terms_.bounds.end(),
                                   [&](const Bound& bound) { return bound.cost == call.cost; });
    const bool lifted = call.upper == std::numeric_limits<double>::infinity();
    if (same == terms_.bounds.end()) {
      if (!lifted) terms_.bounds.push_back({call.cost, call.upper});
    } else if (lifted) {
      terms_.bounds.erase(same);
    } else {
      same->upper = call.upper;
    }
    return {};
  }

  std::string perform(const SetGiveUp& call) {
    terms_.give_up = call.penalties;
    if (!call.penalties) {
      solver_->set_give_up(std::nullopt);
      return {};
    }
    std::vector<std::pair<std::string, double>> named;
    for (std::size_t i = 0; i < call.penalties->size(); ++i)
      if ((*call.penalties)[i] != 0) named.emplace_back(cost_name(i), (*call.penalties)[i]);
    solver_->set_give_up(named);
    return {};
  }

  std::string perform(const WrongCall& call) {
    using Kind = WrongCall::Kind;
    Monitor monitor;
    SolveOptions options;
    try {
      if (call.kind == Kind::unknown_cost) solver_->set_bound("no such cost", 1);
      if (call.kind == Kind::negative_bound) solver_->set_bound(cost_name(0), -1);
      if (call.kind == Kind::unknown_penalty) solver_->set_give_up({{{"no such cost", 1.0}}});
      options.gap = -1;
      if (call.kind == Kind::negative_gap) solver_->solve(options, monitor);
      options.gap = 1e-4;
      if (call.kind == Kind::no_such_sweep)
        solver_->sweep({"no such cost", 0, 1, 1}, {}, options, monitor);
    } catch (const InputError&) {
      return {};
    }
    return "a wrong call was not refused";
  }

  // --- calls that ask ---------------------------------------------------------------------------

  std::string perform(const SolveIt& call) {
    const std::unique_ptr<Monitor> monitor = monitor_for(call.interruption);
    Solution solution;
    try {
      solution = solver_->solve(call.options, *monitor);
    } catch (const InputError& error) {
      return fresh_.judge_error(terms_, call, error.message());
    } catch (const std::exception& error) {
      return fmt::format("an exception that is none of ours: {}", error.what());
    }
    last_policy_ = by_names(solver_->cssp(), solution.policy);
    last_terms_ = terms_;
    return fresh_.judge(terms_, call, solution, last_policy_);
  }

  std::string perform(const SweepIt& call) {
    const std::unique_ptr<Monitor> monitor = monitor_for(call.interruption);
    const bool twice = call.second && call.second->cost == call.range.cost;
    try {
      const Sweep sweep = solver_->sweep(call.range, call.second, call.options, *monitor);
      return twice ? "a bound was swept twice at once" : fresh_.judge(terms_, call, sweep);
    } catch (const LimitReached&) {
      const bool nothing = call.interruption.by == Interruption::By::nothing;
      return nothing ? "a limit was reached where there was none" : "";
    } catch (const InputError& error) {
      return twice ? "" : fmt::format("a sweep was refused: {}", error.message());
    } catch (const std::exception& error) {
      return fmt::format("an exception that is none of ours: {}", error.what());
    }
  }

  std::string perform(const FrontIt& call) {
    const std::unique_ptr<Monitor> monitor = monitor_for(call.interruption);
    ParetoRequest request{{}, call.gap, true};
    for (const std::size_t cost : call.costs)
      request.costs.push_back(cost_name(cost));
    try {
      return fresh_.judge(terms_, call, solver_->pareto(request, call.options, *monitor));
    } catch (const LimitReached&) {
      const bool nothing = call.interruption.by == Interruption::By::nothing;
      return nothing ? "a limit was reached where there was none" : "";
    } catch (const InputError& error) {
      return fmt::format("a front was refused: {}", error.message());
    } catch (const std::exception& error) {
      return fmt::format("an exception that is none of ours: {}", error.what());
    }
  }

  std::string perform(const SimulateIt&) {
    if (last_policy_.states.empty()) return {};
    // Of a problem that shares the model with the solver, and may have changed since.
    Cssp cssp = solver_->cssp();
    Monitor monitor;
    const Simulator simulator(cssp, last_policy_, monitor);
    if (!simulator.findings().empty())
      return terms_ == last_terms_ ? "the policy cannot be executed" : "";
    simulator.run({.runs = 20, .threads = 1, .max_steps = 1000}, monitor);
    return {};
  }

  // --- calls that change the solver -------------------------------------------------------------

  std::string perform(const Forget&) {
    solver_->forget();
    return {};
  }

  std::string perform(const MoveIt&) {
    auto elsewhere = std::make_unique<Solver>(std::move(*solver_));
    solver_ = std::make_unique<Solver>(build(sequence_.model));
    *solver_ = std::move(*elsewhere);
    return {};
  }

  std::string perform(const Renew& call) {
    if (call.keep_terms) {
      solver_ = std::make_unique<Solver>(solver_->cssp());
    } else {
      solver_ = std::make_unique<Solver>(model_);
      terms_ = original_terms();
    }
    return {};
  }

  const CallSequence& sequence_;
  FreshAnswers fresh_;
  std::shared_ptr<Model> model_;
  std::unique_ptr<Solver> solver_;
  Terms terms_;  // as they must be, by what was called
  PolicyFile last_policy_;
  Terms last_terms_;
};

}  // namespace

std::optional<Disagreement> execute(const CallSequence& sequence) {
  return Execution(sequence).run();
}

}  // namespace carl::testing
