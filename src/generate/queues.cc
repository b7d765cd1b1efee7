// A line of stations with queues in front of them, whose machines wear out. In every step one thing
// happens at most: a job arrives (and is lost if the first queue is full), a station passes a job on
// (unless the next queue is full), a machine wears by a level; the last level is standing still.
// One may let all run, rush (all are half as fast again and wear twice as fast), or maintain one
// machine, which stands still until it is as new. The shift ends after so many steps in expectation.
// Waiting is minimised, the effort of rushing and maintaining has a bound. All states but the end
// are one strongly connected component, without the geometry of a grid.
#include <algorithm>
#include <memory>

#include "carl/model.h"
#include "generate/generator.h"
#include "generate/numbered_model.h"
#include "util/random.h"

namespace carl::generators {
namespace {

constexpr std::size_t rush = 1;
constexpr std::size_t first_maintenance = 2;
constexpr double rushing_speed = 1.5;
constexpr double rushing_wear = 2;
constexpr std::size_t most_states = 500'000'000;

struct Size {
  std::size_t stations;
  std::size_t capacity;  // jobs in a queue
  std::size_t levels;    // of wear; the last one stands still
  double steps;

  std::size_t per_station() const { return (capacity + 1) * (levels + 1); }
  std::size_t end() const {
    std::size_t states = 1;
    for (std::size_t i = 0; i < stations; ++i)
      states *= per_station();
    return states;
  }
};

std::vector<std::string> action_names(std::size_t stations) {
  std::vector<std::string> names{"run", "rush"};
  for (std::size_t i = 0; i < stations; ++i)
    names.push_back("maintain-" + std::to_string(i + 1));
  return names;
}

class Queues final : public NumberedModel {
 public:
  Queues(const Size& size, std::uint64_t seed)
      : NumberedModel({{"waiting", "effort", "lost"}, {{1, size.steps / 10}}, {}},
                      action_names(size.stations), size.end() + 1, 0, size.end()),
        size_(size) {
    draw_rates(seed);
    for (std::size_t waiting = 0; waiting <= size.stations * size.capacity; ++waiting)
      for (const double lost : {0.0, arrives_})
        for (const double effort : {0.0, 1.0, 2.0})
          costs_.push_back({static_cast<double>(waiting), effort, lost});
  }

  std::span<const double> cost(ActionId action) const override {
    const std::size_t state = action.index() / num_actions();
    const std::size_t kind = std::min(action.index() % num_actions(), first_maintenance);
    std::size_t waiting = 0;
    for (std::size_t i = 0, rest = state; i < size_.stations; ++i, rest /= size_.per_station())
      waiting += queue(rest % size_.per_station());
    const bool full = queue(state % size_.per_station()) == size_.capacity;
    return costs_[(waiting * 2 + (full ? 1 : 0)) * 3 + kind];
  }

 private:
  /// Probabilities in a step, such that no more than one thing happens in any case.
  void draw_rates(std::uint64_t seed) {
    SplitMix64 random(seed);
    const auto between = [&](double low, double high) {
      return low + (high - low) * random.unit();
    };
    const double arrival = between(0.3, 0.5);
    const double repair = 0.5;
    double sum = arrival + repair;
    for (std::size_t i = 0; i < size_.stations; ++i) {
      serves_.push_back(between(0.6, 1.0));
      wears_.push_back(between(0.01, 0.03));
      sum += serves_[i] * rushing_speed + wears_[i] * rushing_wear;
    }
    ends_ = 1 / size_.steps;
    const double share = (1 - ends_) / sum;
    arrives_ = arrival * share;
    repaired_ = repair * share;
    for (std::size_t i = 0; i < size_.stations; ++i) {
      serves_[i] *= share;
      wears_[i] *= share;
    }
  }

  std::size_t queue(std::size_t station) const { return station / (size_.levels + 1); }
  std::size_t wear(std::size_t station) const { return station % (size_.levels + 1); }
  /// What the number of a state grows by if a queue grows by one.
  std::size_t one_job(std::size_t unit) const { return unit * (size_.levels + 1); }

  bool is_applicable(std::size_t state, std::size_t action) const override {
    for (std::size_t i = first_maintenance; i < action; ++i)
      state /= size_.per_station();
    return action < first_maintenance || wear(state % size_.per_station()) > 0;
  }

  void add_outcomes(std::size_t state, std::size_t action, Expansion& out) const override {
    double rest = 1 - ends_;
    const auto may_happen = [&](double probability, std::size_t successor) {
      out.add_outcome(probability, StateId(successor));
      rest -= probability;
    };
    out.add_outcome(ends_, StateId(size_.end()));
    if (queue(state % size_.per_station()) < size_.capacity)
      may_happen(arrives_, state + one_job(1));
    const double speed = action == rush ? rushing_speed : 1;
    const double wearing = action == rush ? rushing_wear : 1;
    std::size_t unit = 1;
    for (std::size_t i = 0; i < size_.stations; ++i, unit *= size_.per_station()) {
      const std::size_t station = state / unit % size_.per_station();
      if (action == first_maintenance + i) {
        may_happen(repaired_, state - unit * wear(station));
        continue;
      }
      if (wear(station) == size_.levels) continue;
      may_happen(wears_[i] * wearing, state + unit);
      if (queue(station) == 0) continue;
      const std::size_t next = unit * size_.per_station();
      const bool last = i + 1 == size_.stations;
      if (!last && queue(state / next % size_.per_station()) == size_.capacity) continue;
      may_happen(serves_[i] * speed, state - one_job(unit) + (last ? 0 : one_job(next)));
    }
    out.add_outcome(rest, StateId(state));
  }

  Size size_;
  double ends_ = 0;
  double arrives_ = 0;
  double repaired_ = 0;
  std::vector<double> serves_;  // by station
  std::vector<double> wears_;
  std::vector<std::vector<double>> costs_;
};

std::shared_ptr<Model> make_queues(const Arguments& arguments, std::uint64_t seed) {
  Size size{};
  size.stations = arguments.integer("stations", 1, 6);
  size.capacity = arguments.integer("capacity", 1, 1000);
  size.levels = arguments.integer("levels", 1, 100);
  size.steps = static_cast<double>(arguments.integer("steps", 2, 1'000'000'000));
  double states = 1;
  for (std::size_t i = 0; i < size.stations; ++i)
    states *= static_cast<double>(size.per_station());
  if (states > static_cast<double>(most_states))
    throw arguments.error("stations", "gives more than 500 million states");
  return std::make_shared<Queues>(size, seed);
}

}  // namespace

ModelGenerator queues_generator() {
  return {{"queues",
           "explicit model: stations in a line whose machines wear out, one component",
           {{"stations", "2", "how many, 1 … 6"},
            {"capacity", "9", "of the queue at each, 1 … 1000"},
            {"levels", "4", "of wear, the last of which stands still, 1 … 100"},
            {"steps", "1000", "of a shift, in expectation, 2 … 10^9"}},
           true},
          make_queues};
}

}  // namespace carl::generators
