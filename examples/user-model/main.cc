// A model of one's own, written in C++: a drone carries a parcel over seven waypoints against the
// wind. Sprinting saves time but is risky and drains the battery; the total risk is bounded.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <iostream>
#include <string>

#include "carl/solve.h"
#include "carl/user_model.h"

namespace {

struct Drone {
  static constexpr int last_waypoint = 6;
  static constexpr int charging_pad = 3;
  static constexpr int full_battery = 4;

  struct State {
    int waypoint = 0;
    int battery = full_battery;
    bool operator==(const State&) const = default;
    std::size_t hash() const { return carl::hash_values(waypoint, battery); }
  };

  carl::CostModel cost_model() const {
    return {.costs = {"time", "risk"}, .bounds = {{.cost = 1, .upper = 0.1}}, .give_up = {}};
  }

  State initial() const { return {}; }
  bool is_goal(const State& s) const { return s.waypoint == last_waypoint; }

  void actions(const State& s, carl::ActionSink<State>& out) const {
    if (s.battery >= 1) {
      const int left = s.battery - 1;
      out.action("fly", {1, 0.01})
          .outcome(0.8, {s.waypoint + 1, left})
          .outcome(0.2, {s.waypoint, left});  // a gust of wind
    }
    if (s.battery >= 2) {
      const int left = s.battery - 2;
      out.action("sprint", {1, 0.05})
          .outcome(0.9, {std::min(s.waypoint + 2, last_waypoint), left})
          .outcome(0.1, {s.waypoint + 1, left});
    }
    if (s.waypoint == charging_pad && s.battery < full_battery)
      out.action("charge", {3, 0}).outcome(1.0, {s.waypoint, full_battery});
    out.action("be carried back", {10, 0}).outcome(1.0, State{});
  }

  std::string state_name(const State& s) const {
    return "waypoint " + std::to_string(s.waypoint) + " battery " + std::to_string(s.battery);
  }
};

}  // namespace

int main() {
  try {
    carl::Cssp cssp(carl::make_model(Drone{}));
    carl::Monitor monitor;
    const carl::Solution solution = carl::solve(cssp, {}, monitor);
    std::cout << carl::to_string(solution.status) << '\n';
    if (!solution.costs) return 1;
    for (std::size_t i = 0; i < cssp.num_costs(); ++i)
      std::cout << cssp.cost_names()[i] << ' ' << (*solution.costs)[i] << '\n';
    for (const carl::Policy::Entry entry : solution.policy) {
      std::cout << cssp.state_name(entry.state) << ':';
      for (const auto& choice : entry.choices)
        std::cout << "  " << cssp.action_name(choice.action) << ' ' << choice.probability;
      std::cout << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
