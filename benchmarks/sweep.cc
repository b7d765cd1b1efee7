// What a sweep saves: all values of a bound from one search, against a solve of its own for each of
// them, and whether both say the same.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "carl/sweep.h"

namespace {

struct SeparateSolves {
  carl::SweepEffort effort;
  double difference = 0;          // of objectives, relative, the largest
  std::size_t disagreements = 0;  // points with another status
};

void compare(const carl::SweepPoint& point, const carl::Solution& solution,
             SeparateSolves& result) {
  result.effort.scalarised_ssps += solution.statistics.scalarised_ssps;
  result.effort.seconds += solution.statistics.seconds.total;
  result.disagreements += solution.status != point.status;
  if (!solution.costs || !point.objective) return;
  const double value = (*solution.costs)[0];
  if (value == *point.objective) return;
  const double difference = std::abs(value - *point.objective) / std::abs(value);
  result.difference = std::max(result.difference, difference);
}

SeparateSolves solve_separately(carl::Cssp& cssp, const carl::Sweep& sweep) {
  const auto& names = cssp.cost_names();
  const auto cost = std::find(names.begin(), names.end(), sweep.cost) - names.begin();
  SeparateSolves result;
  carl::Monitor monitor;
  for (const carl::SweepPoint& point : sweep.curves.front().points) {
    cssp.set_upper(static_cast<std::size_t>(cost), point.bound);
    compare(point, carl::solve(cssp, {}, monitor), result);
  }
  return result;
}

void run(const carl::SweepRange& range, const std::vector<std::string>& files) {
  carl::Monitor monitor;
  carl::CsspOptions options;
  options.bounds.emplace_back(range.cost, range.to);
  carl::Cssp cssp(carl::load_model(files, monitor), options);
  const carl::Sweep sweep = carl::sweep(cssp, range, std::nullopt, {}, monitor);
  const carl::SweepEffort together{sweep.statistics.scalarised_ssps,
                                   sweep.statistics.seconds.total};
  const SeparateSolves separate = solve_separately(cssp, sweep);
  const auto row = [](const char* what, const carl::SweepEffort& effort) {
    std::printf("| %s | %zu | %.2f s |\n", what, effort.scalarised_ssps, effort.seconds);
  };
  std::puts("| | scalarised problems | time |\n| --- | ---: | ---: |");
  row("sweep", together);
  row("separate solves", separate.effort);
  std::printf("\n%zu points; largest relative difference %.2g, %zu with another status\n",
              sweep.curves.front().points.size(), separate.difference, separate.disagreements);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fputs("usage: bench_sweep COST FROM TO STEP MODEL...\n", stderr);
    return 2;
  }
  try {
    run({argv[1], std::stod(argv[2]), std::stod(argv[3]), std::stod(argv[4])},
        {argv + 5, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
