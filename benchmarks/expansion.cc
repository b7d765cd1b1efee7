// How fast problems are read, grounded and expanded, and what a stored state takes: full
// reachability of benchmark instances whose sizes are known.

#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>

#include "carl/explore.h"
#include "carl/generate.h"
#include "carl/io.h"

namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

/// An instance in a file of the current folder, removed again at the end.
class InstanceFile {
 public:
  InstanceFile(const std::string& domain, const Parameters& parameters)
      : path_("bench_expansion." + domain + ".pddl") {
    const auto instance = carl::generate_instance(domain, parameters, 1);
    std::ofstream(path_) << instance.domain_text << instance.problem_text;
  }
  ~InstanceFile() { std::remove(path_.c_str()); }
  InstanceFile(const InstanceFile&) = delete;
  InstanceFile& operator=(const InstanceFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void read_and_ground(benchmark::State& state, const std::string& domain,
                     const Parameters& parameters) {
  const InstanceFile file(domain, parameters);
  for (auto _ : state) {
    carl::Monitor monitor;
    benchmark::DoNotOptimize(carl::load_model({file.path()}, monitor));
  }
}

void expand_all(benchmark::State& state, const std::string& domain, const Parameters& parameters) {
  const InstanceFile file(domain, parameters);
  double pairs = 0;
  for (auto _ : state) {
    state.PauseTiming();
    carl::Monitor monitor;
    carl::Cssp cssp(carl::load_model({file.path()}, monitor));
    state.ResumeTiming();
    const carl::StateSpaceSize size = carl::explore(cssp, 100'000'000, monitor);
    pairs += static_cast<double>(size.pairs);
    state.counters["states"] = static_cast<double>(size.states);
    state.counters["pairs"] = static_cast<double>(size.pairs);
    state.counters["bytes/state"] =
        static_cast<double>(size.state_bytes) / static_cast<double>(size.states);
    state.counters["bytes/transition"] =
        static_cast<double>(size.transition_bytes) / static_cast<double>(size.outcomes);
  }
  state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsRate);
}

const Parameters exbw_1{{"id", "1"}};
const Parameters sar_4{{"n", "4"}, {"d", "3"}, {"r", "0.75"}};
const Parameters ctw_4{{"n", "4"}, {"d", "4"}, {"c", "2"}};
const Parameters elevators_2{{"e", "2"}, {"w", "1"}, {"h", "1"}};

BENCHMARK_CAPTURE(read_and_ground, exbw_1, "exbw", exbw_1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_and_ground, sar_4_3_75, "sar", sar_4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_and_ground, ctw_4_4_2, "ctw", ctw_4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(expand_all, exbw_1, "exbw", exbw_1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(expand_all, sar_4_3_75, "sar", sar_4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(expand_all, ctw_4_4_2, "ctw", ctw_4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(expand_all, elevators_2_1_1, "elevators", elevators_2)
    ->Unit(benchmark::kMillisecond);

}  // namespace
