#include "carl/solve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "carl/error.h"
#include "cssp/algorithms.h"
#include "cssp/cost_units.h"
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
    {"carl", cssp::solve_carl},       {"auto", cssp::solve_auto}, {"i-dual", cssp::solve_i_dual},
    {"i2-dual", cssp::solve_i2_dual}, {"lp", cssp::solve_lp},     {"cg-ilao", cssp::solve_ssp},
    {"ilao", cssp::solve_ssp},        {"lrtdp", cssp::solve_ssp}, {"vi", cssp::solve_ssp},
};

Solution ended_by(const std::string& algorithm, LimitKind kind) {
  Solution solution;
  solution.algorithm = algorithm;
  solution.status = kind == LimitKind::interrupt ? Status::interrupted : Status::limit;
  solution.note = LimitReached(kind).what();
  return solution;
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
      solution = algorithm.solve(cssp, units.options(options), limits);
      if (solution.status == Status::no_proper_policy)
        cssp::blame_zero_bounds(cssp, limits, solution);
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
