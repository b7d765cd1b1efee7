// Models that mix slowly, solved by default and by the LP over all states, each in turn, several
// times over, so that a busy moment hits both alike; the fastest run of each counts. These models
// are in memory as a whole, small, and a plain LP solves them in next to no time: whoever has one
// should not do worse by default.
//
//   bench_slow_models [GAP]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "carl/solve.h"
#include "support/slow_models.h"

namespace {

using namespace carl;

constexpr int runs = 5;

struct Instance {
  std::string name;
  std::shared_ptr<Model> model;
};

std::vector<Instance> instances() {
  using testing::queue_model;
  return {{"queue 3, 6,000 steps, 1,000 lost", queue_model({3, 6000, 1000})},
          {"queue 3, 6,000 steps, 50 lost", queue_model({3, 6000, 50})},
          {"queue 3, 6,000 steps, 5 lost", queue_model({3, 6000, 5})},
          {"queue 20, 60,000 steps, 1 lost", queue_model({20, 60000, 1})},
          {"queue 100, 100,000 steps, 20 lost", queue_model({100, 100000, 20})},
          {"walk of 100", testing::walk_model({100, 0.5, 0.55, 500})},
          {"walk of 1,000", testing::walk_model({1000, 0.5, 0.55, 5000})},
          {"threshold on 500, 100,000 steps", testing::threshold_model({500, 1e5, 2e4})},
          {"power manager 5, 10,000 steps", testing::power_manager_model({5, 1e4, 1.5e4, 400})},
          {"power manager 40, 100,000 steps", testing::power_manager_model({40, 1e5, 2e6, 200})},
          {"rover, 10 batteries, 20 tasks", testing::rover_model({10, 20, 3})},
          {"rover, 30 batteries, 60 tasks", testing::rover_model({30, 60, 30})}};
}

struct Run {
  double seconds = 1e9;
  Solution solution;
};

void solve_once(const Instance& instance, Algorithm algorithm, double gap, Run& best) {
  const std::clock_t start = std::clock();
  Cssp cssp(instance.model);
  Monitor monitor;
  SolveOptions options;
  options.algorithm = algorithm;
  options.gap = gap;
  Solution solution = solve(cssp, options, monitor);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (seconds < best.seconds) best = {seconds, std::move(solution)};
}

}  // namespace

int main(int argc, char** argv) {
  const double gap = argc > 1 ? std::atof(argv[1]) : SolveOptions().gap;
  fmt::print("| model | states | `lp`, ms | default, ms | ratio | scalarised problems |\n");
  fmt::print("| --- | ---: | ---: | ---: | ---: | ---: |\n");
  for (const Instance& instance : instances()) {
    Run by_lp;
    Run by_default;
    for (int i = 0; i < runs; ++i) {
      solve_once(instance, Algorithm::lp, gap, by_lp);
      solve_once(instance, Algorithm::carl, gap, by_default);
    }
    const Solution& solution = by_default.solution;
    if (solution.status != by_lp.solution.status) {
      fmt::print(stderr, "{}: {} by default, {} by the LP\n", instance.name,
                 to_string(solution.status), to_string(by_lp.solution.status));
      return 1;
    }
    fmt::print("| {}{} | {} | {:.1f} | {:.1f} | {:.2f} | {} |\n", instance.name,
               solution.status == Status::optimal ? "" : ", infeasible",
               solution.statistics.generated, 1e3 * by_lp.seconds, 1e3 * by_default.seconds,
               by_default.seconds / by_lp.seconds, solution.statistics.scalarised_ssps);
  }
}
