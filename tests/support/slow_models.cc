#include "support/slow_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "carl/explicit_builder.h"
#include "util/random.h"

namespace carl::testing {
namespace {

using Outcomes = std::vector<std::pair<double, std::string>>;

/// States by name; outcomes that are impossible or listed twice are fine.
class Writer {
 public:
  explicit Writer(CostModel costs) : builder_(std::move(costs)) {}

  void add(const std::string& state, const std::string& action, const std::vector<double>& cost,
           const Outcomes& outcomes) {
    Outcomes merged;
    for (const auto& outcome : outcomes) {
      const auto same = std::find_if(merged.begin(), merged.end(),
                                     [&](const auto& one) { return one.second == outcome.second; });
      if (same != merged.end())
        same->first += outcome.first;
      else if (outcome.first > 0)
        merged.push_back(outcome);
    }
    for (const auto& [probability, successor] : merged)
      builder_.add_outcome(probability, builder_.state(successor));
    builder_.add_action(builder_.state(state), action, cost);
  }

  std::shared_ptr<Model> finish(const std::string& initial) {
    builder_.add_goal(builder_.state("end"));
    return builder_.build(builder_.state(initial));
  }

 private:
  ExplicitBuilder builder_;
};

std::string at(const std::string& what, int i) {
  return fmt::format("{} {}", what, i);
}

void add_mode(const Queue& queue, const std::string& m, Writer& writer) {
  const double end = 1 / queue.steps;
  const double power = m == "on" ? 2.5 : m == "idle" ? 0.5 : 0.0;
  for (int q = 0; q <= queue.length; ++q) {
    for (const char* g : {"off", "idle", "on"}) {
      const std::string switching = at("switch " + m + " " + g, q);
      writer.add(at("decide " + m, q), fmt::format("to {}", g), {0, 0}, {{1.0, switching}});
      const double works = g == m ? 1.0 : m == "off" ? 0.002 : 0.5;
      writer.add(switching, "wait", {0, 0},
                 {{works, at(fmt::format("arrive {}", g), q)}, {1 - works, at("arrive " + m, q)}});
    }
    writer.add(at("arrive " + m, q), "tick", {0, 0},
               {{0.05, q < queue.length ? at("serve " + m, q + 1) : "lose " + m},
                {0.95, at("serve " + m, q)}});
    const double served = m == "on" && q > 0 ? 0.9 : 0.0;
    writer.add(at("serve " + m, q), "run", {power, 0},
               {{end, "end"},
                {served * (1 - end), at("decide " + m, q - 1)},
                {(1 - served) * (1 - end), at("decide " + m, q)}});
  }
  writer.add("lose " + m, "drop", {0, 1}, {{1.0, at("serve " + m, queue.length)}});
}

struct Mode {
  const char* name;
  double power;
  double leaves;  // the probability that a wish to change the mode comes true
};
constexpr std::array<Mode, 4> device_modes{
    {{"sleep", 0.1, 0.01}, {"standby", 0.3, 0.1}, {"idle", 1.0, 0.8}, {"busy", 2.15, 0.8}}};

/// What a step in mode `m` leads to that becomes mode `next` with this probability.
void add_step(const PowerManager& manager, const Mode& next, int burst, int q, double probability,
              Outcomes& outcomes) {
  for (const int later : {0, 1}) {
    const double turns = burst == 0 ? 0.02 : 0.1;
    const double comes = later == burst ? 1 - turns : turns;
    const int waiting = std::min(q + later, manager.length);
    const double served = next.name == std::string("busy") && waiting > 0 ? 0.7 : 0;
    const std::string state = fmt::format("{} {}", next.name, later);
    const double goes_on = probability * comes * (1 - 1 / manager.steps);
    outcomes.emplace_back(goes_on * served, at(state, waiting - 1));
    outcomes.emplace_back(goes_on * (1 - served), at(state, waiting));
  }
}

using SlowModel = std::variant<Queue, Walk, Threshold, PowerManager, Rover>;

SlowModel draw(std::uint64_t seed) {
  SplitMix64 random(seed);
  const auto power = [&](double low, double high) {
    return std::pow(10.0, low + (high - low) * random.unit());
  };
  const auto below = [&](std::size_t n) { return static_cast<int>(random.below(n)); };
  switch (random.below(5)) {
    case 0: {
      const double steps = power(2, 6);
      return Queue{1 + below(6), steps, steps * power(-4, -0.5)};
    }
    case 1: {
      const int length = 10 + below(90);
      const double drift = 0.48 + 0.04 * random.unit();
      return Walk{length, drift, drift + power(-2, -0.5), length * power(-1, 1.5)};
    }
    case 2: {
      const double steps = power(2, 6);
      return Threshold{5 + below(40), steps, steps * (0.1 + 0.8 * random.unit())};
    }
    case 3: {
      const double steps = power(2, 5);
      return PowerManager{1 + below(4), steps, steps * power(-1, 0.5), steps * power(-3, -1)};
    }
    default: {
      const int tasks = 1 + below(15);
      return Rover{1 + below(10), tasks, tasks * random.unit()};
    }
  }
}

struct Build {
  std::shared_ptr<Model> operator()(const Queue& m) const { return queue_model(m); }
  std::shared_ptr<Model> operator()(const Walk& m) const { return walk_model(m); }
  std::shared_ptr<Model> operator()(const Threshold& m) const { return threshold_model(m); }
  std::shared_ptr<Model> operator()(const PowerManager& m) const { return power_manager_model(m); }
  std::shared_ptr<Model> operator()(const Rover& m) const { return rover_model(m); }
};

struct Describe {
  std::string operator()(const Queue& m) const {
    return fmt::format("queue {} {} {}", m.length, m.steps, m.losses);
  }
  std::string operator()(const Walk& m) const {
    return fmt::format("walk {} {} {} {}", m.length, m.drift, m.push, m.fuel);
  }
  std::string operator()(const Threshold& m) const {
    return fmt::format("threshold {} {} {}", m.length, m.steps, m.delay);
  }
  std::string operator()(const PowerManager& m) const {
    return fmt::format("power manager {} {} {} {}", m.length, m.steps, m.waiting, m.losses);
  }
  std::string operator()(const Rover& m) const {
    return fmt::format("rover {} {} {}", m.batteries, m.tasks, m.undone);
  }
};

}  // namespace

std::shared_ptr<Model> queue_model(const Queue& queue) {
  Writer writer({{"energy", "lost"}, {{1, queue.losses}}, {}});
  for (const char* mode : {"off", "idle", "on"})
    add_mode(queue, mode, writer);
  return writer.finish(at("decide on", 0));
}

std::shared_ptr<Model> walk_model(const Walk& walk) {
  Writer writer({{"time", "fuel"}, {{1, walk.fuel}}, {}});
  const auto place = [&](int i) {
    return i == 0 ? std::string("end") : at("x", std::min(i, walk.length));
  };
  for (int i = 1; i <= walk.length; ++i) {
    writer.add(place(i), "drift", {1, 0},
               {{walk.drift, place(i - 1)}, {1 - walk.drift, place(i + 1)}});
    writer.add(place(i), "push", {1, 1},
               {{walk.push, place(i - 1)}, {1 - walk.push, place(i + 1)}});
  }
  return writer.finish(place(walk.length));
}

std::shared_ptr<Model> threshold_model(const Threshold& threshold) {
  Writer writer({{"energy", "delay"}, {{1, threshold.delay}}, {}});
  const double end = 1 / threshold.steps;
  for (int i = 0; i <= threshold.length; ++i)
    for (const bool work : {false, true}) {
      const std::string name = work ? "work" : "rest";
      const double nearer = work ? 0.55 : 0.45;
      writer.add(at("choose", i), name, {0, 0},
                 {{nearer, at(name, std::max(i - 1, 0))},
                  {1 - nearer, at(name, std::min(i + 1, threshold.length))}});
      writer.add(at(name, i), "step", {work ? 1.0 : 0.0, static_cast<double>(i) / threshold.length},
                 {{1 - end, at("choose", i)}, {end, "end"}});
    }
  return writer.finish(at("choose", threshold.length / 2));
}

std::shared_ptr<Model> power_manager_model(const PowerManager& manager) {
  Writer writer({{"power", "waiting", "lost"}, {{1, manager.waiting}, {2, manager.losses}}, {}});
  for (const Mode& mode : device_modes)
    for (const int burst : {0, 1})
      for (int q = 0; q <= manager.length; ++q)
        for (const Mode& wish : device_modes) {
          const std::string state = fmt::format("{} {}", mode.name, burst);
          const std::string stepping = fmt::format("{} to {} {}", mode.name, wish.name, burst);
          writer.add(at(state, q), fmt::format("to {}", wish.name), {0, 0, 0},
                     {{1.0, at(stepping, q)}});
          Outcomes outcomes{{1 / manager.steps, "end"}};
          const double works = mode.name == wish.name ? 1.0 : mode.leaves;
          add_step(manager, wish, burst, q, works, outcomes);
          add_step(manager, mode, burst, q, 1 - works, outcomes);
          const bool loses = burst == 1 && q == manager.length;
          writer.add(at(stepping, q), "step",
                     {mode.power, static_cast<double>(q), loses ? 1.0 : 0.0}, outcomes);
        }
  return writer.finish("sleep 0 0");
}

std::shared_ptr<Model> rover_model(const Rover& rover) {
  constexpr std::array<std::pair<double, double>, 3> ways{{{1, 0.02}, {2, 0.05}, {3, 0.08}}};
  constexpr double used_up = 0.001;
  Writer writer({{"energy", "undone"}, {{1, rover.undone}}, {}});
  for (int b = 0; b <= rover.batteries; ++b)
    for (int t = 0; t <= rover.tasks; ++t) {
      const std::string here = fmt::format("{} {}", b, t);
      writer.add("at " + here, "turn back", {0, static_cast<double>(rover.tasks - t)},
                 {{1.0, "end"}});
      if (b == 0 || t == rover.tasks) continue;
      for (std::size_t k = 0; k < ways.size(); ++k) {
        const auto [energy, works] = ways[k];
        const std::string planned = fmt::format("plan {} {}", k, here);
        writer.add("at " + here, fmt::format("plan {}", k), {0, 0}, {{1.0, planned}});
        writer.add(planned, "do", {energy, 0},
                   {{used_up, fmt::format("at {} {}", b - 1, t)},
                    {works, fmt::format("at {} {}", b, t + 1)},
                    {1 - used_up - works, "at " + here}});
      }
    }
  return writer.finish(fmt::format("at {} 0", rover.batteries));
}

std::shared_ptr<Model> random_slow_model(std::uint64_t seed) {
  return std::visit(Build{}, draw(seed));
}

std::string slow_model_text(std::uint64_t seed) {
  return fmt::format("seed {}: {}", seed, std::visit(Describe{}, draw(seed)));
}

}  // namespace carl::testing
