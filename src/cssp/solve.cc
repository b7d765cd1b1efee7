#include "carl/solve.h"

#include <fmt/format.h>

#include "carl/error.h"
#include "cssp/algorithms.h"
#include "cssp/cost_units.h"
#include "cssp/dead_end.h"
#include "cssp/repair.h"
#include "cssp/validate.h"
#include "cssp/zero_bounds.h"
#include "util/timer.h"

namespace carl {
namespace {

Solution run(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  switch (options.algorithm) {
    case Algorithm::carl:
      return cssp::solve_carl(cssp, options, monitor);
    case Algorithm::automatic:
      return cssp::solve_auto(cssp, options, monitor);
    case Algorithm::i_dual:
      return cssp::solve_i_dual(cssp, options, monitor);
    case Algorithm::i2_dual:
      return cssp::solve_i2_dual(cssp, options, monitor);
    case Algorithm::lp:
      return cssp::solve_lp(cssp, options, monitor);
    case Algorithm::cg_ilao:
    case Algorithm::cg_ilao_paper:
    case Algorithm::ilao:
    case Algorithm::lrtdp:
    case Algorithm::vi:
      break;
  }
  return cssp::solve_ssp(cssp, options, monitor);
}

Solution ended_by(Algorithm algorithm, LimitKind kind) {
  Solution solution;
  solution.algorithm = to_string(algorithm);
  solution.status = kind == LimitKind::interrupt ? Status::interrupted : Status::limit;
  solution.note = LimitReached(kind).what();
  return solution;
}

void add_note(const std::string& note, Solution& solution) {
  solution.note += (solution.note.empty() ? "" : "; ") + note;
}

void work_out_why(Cssp& cssp, const SolveOptions& options, Monitor& monitor, Solution& solution) {
  if (solution.status == Status::no_proper_policy)
    solution.dead_end = cssp::find_dead_end(cssp, monitor);
  if (solution.status != Status::infeasible) return;
  if (!solution.repair) solution.repair = cssp::find_repair(cssp, options, monitor);
  if (solution.repair) cssp::repair_zero_bounds(cssp, options, monitor, *solution.repair);
}

/// Extra work after the answer: whatever becomes of it is no reason to withhold that.
void explain(Cssp& cssp, const SolveOptions& options, Monitor& monitor, Solution& solution) {
  try {
    work_out_why(cssp, options, monitor, solution);
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
  add_note(monitor.reached() ? fmt::format("{}: {}", missing, LimitReached(monitor.kind()).what())
                             : missing,
           solution);
}

}  // namespace

Solution solve(Cssp& cssp, const SolveOptions& options, Monitor& monitor) {
  const Timer timer;
  cssp::validate(options, cssp);
  Solution solution;
  try {
    const cssp::CostUnits units(cssp);
    const SolveOptions own_options = units.options(options);
    solution = run(cssp, own_options, monitor);
    if (solution.status == Status::no_proper_policy)
      cssp::blame_zero_bounds(cssp, monitor, solution);
    if (options.explain) explain(cssp, own_options, monitor, solution);
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

}  // namespace carl
