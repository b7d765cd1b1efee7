#include "solver/print_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

namespace carl::testing {
namespace {

constexpr const char* includes =
    R"(// Calls of a solver, at the end, whose answers are compared with those of the LP on a model that
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

)";

constexpr const char* helpers =
    R"(constexpr double infinity = std::numeric_limits<double>::infinity();

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
)";

std::string number(double value) {
  return value == std::numeric_limits<double>::infinity() ? "infinity" : fmt::format("{}", value);
}

class Printer {
 public:
  explicit Printer(const CallSequence& sequence)
      : sequence_(sequence), names_(costs_of(sequence.model).costs) {}

  std::string text() const {
    std::string text = includes;
    text += "namespace {\n\nstd::shared_ptr<carl::Model> model() {\n" + body_text(sequence_.model) +
            "}\n\n" + helpers + "\n}  // namespace\n\nint main() {\n" +
            "  const std::shared_ptr<carl::Model> used = model();\n  carl::Solver solver(used);\n  "
            "bool right = true;\n";
    for (const Call& call : sequence_.calls)
      text += "  " + std::visit([&](const auto& one) { return statement(one); }, call) + "\n";
    return text + "  return right ? 0 : 1;\n}\n";
  }

 private:
  std::string statement(const SetBound& call) const {
    return fmt::format("solver.set_bound(\"{}\", {});", names_[call.cost], number(call.upper));
  }

  std::string statement(const SetGiveUp& call) const {
    if (!call.penalties) return "solver.set_give_up(std::nullopt);";
    std::string penalties;
    for (std::size_t i = 0; i < call.penalties->size(); ++i)
      penalties += fmt::format("{}{{\"{}\", {}}}", i == 0 ? "" : ", ", names_[i],
                               number((*call.penalties)[i]));
    return fmt::format("solver.set_give_up({{{{{}}}}});", penalties);
  }

  std::string statement(const SolveIt& call) const {
    return with_options(call.options, fmt::format("right &= solve(solver, options, {});",
                                                  monitor_text(call.interruption)));
  }

  std::string statement(const SweepIt& call) const {
    return with_options(
        call.options,
        fmt::format("right &= sweep(solver, {}, {}, options, {});", range_text(call.range),
                    call.second ? "carl::SweepRange" + range_text(*call.second) : "std::nullopt",
                    monitor_text(call.interruption)));
  }

  std::string statement(const FrontIt& call) const {
    std::vector<std::string> costs;
    for (const std::size_t cost : call.costs)
      costs.push_back(fmt::format("\"{}\"", names_[cost]));
    return with_options(
        call.options,
        fmt::format("right &= front(solver, {{{{{}}}, {}, true}}, options, {});",
                    fmt::join(costs, ", "), call.gap ? number(*call.gap) : "std::nullopt",
                    monitor_text(call.interruption)));
  }

  static std::string statement(const SimulateIt&) {
    return "// here the last policy was simulated";
  }
  static std::string statement(const Forget&) { return "solver.forget();"; }
  static std::string statement(const MoveIt&) {
    return "{\n    carl::Solver elsewhere(std::move(solver));\n    solver = "
           "carl::Solver(model());\n    solver = std::move(elsewhere);\n  }";
  }
  static std::string statement(const Renew& call) {
    return call.keep_terms ? "solver = carl::Solver(carl::Cssp(solver.cssp()));"
                           : "solver = carl::Solver(used);";
  }

  std::string statement(const WrongCall& call) const {
    return fmt::format(
        "try {{\n    {}\n    right = false;\n  }} catch (const carl::InputError&) {{\n  }}",
        wrong_statement(call.kind));
  }

  std::string wrong_statement(WrongCall::Kind kind) const {
    switch (kind) {
      case WrongCall::Kind::unknown_cost:
        return "solver.set_bound(\"no such cost\", 1);";
      case WrongCall::Kind::negative_bound:
        return fmt::format("solver.set_bound(\"{}\", -1);", names_[0]);
      case WrongCall::Kind::unknown_penalty:
        return "solver.set_give_up({{{\"no such cost\", 1}}});";
      case WrongCall::Kind::negative_gap:
        return "carl::SolveOptions options;\n    options.gap = -1;\n    solver.solve(options, "
               "*no_limit());";
      case WrongCall::Kind::no_such_sweep:
        break;
    }
    return "solver.sweep({\"no such cost\", 0, 1, 1}, {}, {}, *no_limit());";
  }

  static std::string monitor_text(const Interruption& interruption) {
    switch (interruption.by) {
      case Interruption::By::nothing:
        break;
      case Interruption::By::reports:
        return fmt::format("interrupted_after_reports({})", interruption.after);
      case Interruption::By::clock:
        return fmt::format("interrupted_at_look({})", interruption.after);
    }
    return "no_limit()";
  }

  static std::string range_text(const SweepRange& range) {
    return fmt::format("{{\"{}\", {}, {}, {}}}", range.cost, range.from, range.to, range.step);
  }

  static std::string with_options(const SolveOptions& options, const std::string& call) {
    std::string text = "{\n    carl::SolveOptions options;\n";
    const auto add = [&](const char* option, const std::string& value) {
      text += fmt::format("    options.{} = {};\n", option, value);
    };
    const auto named = [](const char* kind, std::string_view name) {
      return fmt::format("carl::{}_named(\"{}\")", kind, name);
    };
    const SolveOptions simple;
    if (options.algorithm != simple.algorithm)
      add("algorithm", named("algorithm", to_string(options.algorithm)));
    if (options.carl.outer != simple.carl.outer)
      add("carl.outer", named("outer", to_string(options.carl.outer)));
    if (options.carl.inner) add("carl.inner", named("inner", to_string(*options.carl.inner)));
    if (options.search.heuristic)
      add("search.heuristic", named("heuristic", to_string(*options.search.heuristic)));
    if (options.search.heuristic_mode)
      add("search.heuristic_mode",
          named("heuristic_mode", to_string(*options.search.heuristic_mode)));
    if (options.gap != simple.gap) add("gap", number(options.gap));
    if (options.explain != simple.explain) add("explain", "false");
    if (options.mixture_policies) add("mixture_policies", "true");
    return text + "    " + call + "\n  }";
  }

  const CallSequence& sequence_;
  const std::vector<std::string>& names_;
};

}  // namespace

std::string program_text(const CallSequence& sequence) {
  return Printer(sequence).text();
}

}  // namespace carl::testing
