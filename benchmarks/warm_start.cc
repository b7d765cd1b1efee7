// What a warm start saves: ten scalarisations of one problem solved in a row on the same graph and
// values, against ten solves from nothing. The scalarisations are those of a search that narrows in
// on a multiplier: 0, 1, 1/2, 3/4, 5/8, … of a scale that makes the secondary costs matter.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "carl/cssp.h"
#include "heuristics/make_heuristic.h"
#include "instance.h"
#include "ssp/ssp_algorithm.h"
#include "util/timer.h"

namespace {

struct Instance {
  const char* title;
  std::string domain;
  carl::benchmarks::Parameters parameters;
  double scale;  // of the multipliers
};

struct Effort {
  double seconds = 0;
  std::size_t backups = 0;
  std::size_t evaluations = 0;
};

std::shared_ptr<carl::Model> load(const Instance& instance) {
  return carl::benchmarks::load(instance.domain, instance.parameters);
}

std::vector<std::vector<double>> scalarisations(std::size_t num_costs, double scale) {
  std::vector<std::vector<double>> result;
  double step = 1;
  double share = 0;
  for (int k = 0; k < 10; ++k) {
    std::vector<double> weights(num_costs, share * scale);
    weights[0] = 1;
    result.push_back(std::move(weights));
    share += k % 2 == 0 ? step : -step;
    step /= 2;
  }
  return result;
}

/// Everything that a series of solves needs, made anew for a cold start.
class Solver {
 public:
  Solver(const Instance& instance, const std::string& algorithm, const std::string& heuristic,
         const std::vector<double>& weights)
      : cssp_(load(instance)),
        graph_(cssp_),
        heuristic_(carl::heuristics::make_heuristic(graph_, carl::heuristic_named(heuristic),
                                                    carl::HeuristicMode::lambda, monitor_)),
        ssp_(graph_, *heuristic_, weights),
        algorithm_(carl::ssp::make_ssp_algorithm(carl::inner_named(algorithm), ssp_)) {}

  void change(const std::vector<double>& weights) {
    ssp_.set_weights(weights);
    algorithm_->weights_changed();
  }
  double solve() {
    algorithm_->solve({1e-4, false}, monitor_);
    return ssp_.value(ssp_.initial_state());
  }
  void add_to(Effort& effort) const {
    effort.backups += ssp_.num_backups();
    effort.evaluations += heuristic_->evaluations();
  }

 private:
  carl::Monitor monitor_;
  carl::Cssp cssp_;
  carl::graph::SearchGraph graph_;
  std::unique_ptr<carl::heuristics::Heuristic> heuristic_;
  carl::ssp::ScalarisedSsp ssp_;
  std::unique_ptr<carl::ssp::SspAlgorithm> algorithm_;
};

void compare(const Instance& instance, const std::string& algorithm, const std::string& heuristic) {
  const std::size_t num_costs = load(instance)->cost_model().costs.size();
  const auto weights = scalarisations(num_costs, instance.scale);
  Effort cold;
  std::vector<double> values;
  for (const auto& w : weights) {
    Solver solver(instance, algorithm, heuristic, w);
    const carl::Timer timer;
    values.push_back(solver.solve());
    cold.seconds += timer.seconds();
    solver.add_to(cold);
  }
  Effort warm;
  Solver solver(instance, algorithm, heuristic, weights[0]);
  const carl::Timer timer;
  double difference = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (k > 0) solver.change(weights[k]);
    const double value = solver.solve();
    difference = std::max(difference, std::abs(value - values[k]) / std::max(1.0, values[k]));
  }
  warm.seconds = timer.seconds();
  solver.add_to(warm);
  std::printf(
      "| %s | %s | %s | %.2f s | %.2f s | %.2f | %.2f | %.2f | %.0e |\n", instance.title,
      algorithm.c_str(), heuristic.c_str(), cold.seconds, warm.seconds, warm.seconds / cold.seconds,
      static_cast<double>(warm.backups) / static_cast<double>(cold.backups),
      static_cast<double>(warm.evaluations) / static_cast<double>(cold.evaluations), difference);
  std::fflush(stdout);
}

}  // namespace

int main() {
  const std::vector<Instance> instances{
      {"SAR(4, 3, .75)", "sar", {{"n", "4"}, {"d", "3"}, {"r", "0.75"}}, 0.5},
      {"Elevators(1, 2, 2)", "elevators", {{"e", "1"}, {"w", "2"}, {"h", "2"}}, 1.0},
      {"CTW(4, 4, 2), q", "ctw", {{"n", "4"}, {"d", "4"}, {"c", "2"}, {"variant", "q"}}, 2.0},
  };
  std::puts(
      "| instance | algorithm | heuristic | cold | warm | time | backups | evaluations | "
      "difference |");
  std::puts("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const Instance& instance : instances)
    for (const char* algorithm : {"cg-ilao", "ilao"})
      for (const char* heuristic : {"lmcut", "roc"})
        compare(instance, algorithm, heuristic);
  return 0;
}
