#include "carl/solve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "carl/error.h"
#include "cssp/algorithms.h"
#include "cssp/cost_units.h"
#include "cssp/dead_end.h"
#include "cssp/repair.h"
#include "cssp/zero_bounds.h"
#include "heuristics/make_heuristic.h"
#include "ssp/ssp_algorithm.h"
#include "util/timer.h"

namespace carl {
namespace {

struct Algorithm {
  const char* name;
  Solution (*solve)(Cssp&, const SolveOptions&, Limits&);
};

constexpr Algorithm algorithms[] = {
    {"carl", cssp::solve_carl},
    {"auto", cssp::solve_auto},
    {"i-dual", cssp::solve_i_dual},
    {"i2-dual", cssp::solve_i2_dual},
    {"lp", cssp::solve_lp},
    {"cg-ilao", cssp::solve_ssp},
    {"cg-ilao-paper", cssp::solve_ssp},
    {"ilao", cssp::solve_ssp},
    {"lrtdp", cssp::solve_ssp},
    {"vi", cssp::solve_ssp},
};

Solution ended_by(const std::string& algorithm, LimitKind kind) {
  Solution solution;
  solution.algorithm = algorithm;
  solution.status = kind == LimitKind::interrupt ? Status::interrupted : Status::limit;
  solution.note = LimitReached(kind).what();
  return solution;
}

void add_note(const std::string& note, Solution& solution) {
  solution.note += (solution.note.empty() ? "" : "; ") + note;
}

void work_out_why(Cssp& cssp, const SolveOptions& options, Limits& limits, Solution& solution) {
  if (solution.status == Status::no_proper_policy)
    solution.dead_end = cssp::find_dead_end(cssp, limits);
  if (solution.status != Status::infeasible) return;
  if (!solution.repair) solution.repair = cssp::find_repair(cssp, options, limits);
  if (solution.repair) cssp::repair_zero_bounds(cssp, options, limits, *solution.repair);
}

/// Extra work after the answer: whatever becomes of it is no reason to withhold that.
void explain(Cssp& cssp, const SolveOptions& options, Limits& limits, Solution& solution) {
  try {
    work_out_why(cssp, options, limits, solution);
  } catch (const LimitReached&) {
  } catch (const std::bad_alloc&) {
  } catch (const InputError&) {  // a loop at no cost, among states that the answer did not need
  }
  const char* missing = solution.status == Status::no_proper_policy && !solution.dead_end
                            ? "why there is no proper policy could not be worked out"
                        : solution.status == Status::infeasible && !solution.repair
                            ? "what would suffice could not be worked out"
                            : nullptr;
  if (missing == nullptr) return;
  add_note(limits.reached() ? fmt::format("{}: {}", missing, LimitReached(limits.kind()).what())
                            : missing,
           solution);
}

}  // namespace

const std::vector<std::string>& algorithm_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Algorithm& algorithm : algorithms)
      list.emplace_back(algorithm.name);
    return list;
  }();
  return names;
}

const std::vector<std::string>& heuristic_names() {
  return heuristics::heuristic_names();
}

const std::vector<std::string>& heuristic_mode_names() {
  return heuristics::heuristic_mode_names();
}

const std::vector<std::string>& outer_names() {
  static const std::vector<std::string> names{"bundle", "coordinate"};
  return names;
}

const std::vector<std::string>& inner_names() {
  return ssp::ssp_algorithm_names();
}

Solution solve(Cssp& cssp, const SolveOptions& options, Limits& limits) {
  const Timer timer;
  for (const Algorithm& algorithm : algorithms) {
    if (options.algorithm != algorithm.name) continue;
    Solution solution;
    try {
      const cssp::CostUnits units(cssp);
      const SolveOptions own_options = units.options(options);
      solution = algorithm.solve(cssp, own_options, limits);
      if (solution.status == Status::no_proper_policy)
        cssp::blame_zero_bounds(cssp, limits, solution);
      if (options.explain) explain(cssp, own_options, limits, solution);
      units.to_model(solution);
    } catch (const LimitReached& limit) {
      solution = ended_by(options.algorithm, limit.kind());
    } catch (const std::bad_alloc&) {
      solution = ended_by(options.algorithm, LimitKind::memory);
      solution.note = "out of memory";
    }
    solution.statistics.seconds.total += timer.seconds();
    return solution;
  }
  throw InputError(fmt::format("there is no algorithm named '{}'", options.algorithm),
                   fmt::format("choose one of: {}", fmt::join(algorithm_names(), ", ")));
}

}  // namespace carl
