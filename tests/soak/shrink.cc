#include "soak/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carl/monitor.h"
#include "soak/plain_model.h"

namespace carl::soak {
namespace {

PlainModel plain_model(const Problem& problem) {
  Cssp cssp = LoadedProblem(problem).cssp(false);
  return plain(cssp);
}

Problem explicit_problem(PlainModel model) {
  Problem problem;
  problem.form = "explicit";
  problem.bounds = std::move(model.bounds);
  model.bounds.clear();
  problem.text = model.json();
  return problem;
}

class Shrinking {
 public:
  Shrinking(Shrunk start, CpuWatch& watch, double seconds, double patience)
      : best_(std::move(start)),
        watch_(watch),
        seconds_(seconds),
        patience_(patience, 0, nullptr) {}

  Shrunk run() {
    if (best_.problem.factored) {
      try_problem(explicit_problem(plain_model(best_.problem)));
      if (best_.problem.factored) {
        while (shrink_text() || shrink_bounds()) {
        }
        return best_;
      }
    }
    while (shrink_bounds() || shrink_model()) {
    }
    return best_;
  }

 private:
  bool try_problem(const Problem& problem) {
    if (patience_.seconds_left() <= 0) return false;
    try {
      const Judge judge(problem);
      if (!judge.complete()) return false;
      Verdict verdict = judge.verdict(best_.configuration, watch_, seconds_);
      if (verdict.kind != best_.verdict.kind || verdict.code != best_.verdict.code) return false;
      best_ = {problem, best_.configuration, std::move(verdict)};
      return true;
    } catch (const std::exception&) {
      return false;  // it is no problem any more
    }
  }

  bool shrink_bounds() {
    bool shrunk = false;
    for (std::size_t i = best_.problem.bounds.size(); i-- > 0;) {
      Problem smaller = best_.problem;
      smaller.bounds.erase(smaller.bounds.begin() + static_cast<std::ptrdiff_t>(i));
      shrunk = try_problem(smaller) || shrunk;
    }
    return shrunk;
  }

  /// Tries `change(model, i)` for i = count-1 … 0 of the model as it then is.
  template <class Count, class Change>
  bool each(const Count& count, const Change& change) {
    bool shrunk = false;
    PlainModel model = plain_model(best_.problem);
    for (std::size_t i = count(model); i-- > 0;) {
      if (i >= count(model)) continue;
      PlainModel smaller = model;
      if (!change(smaller, i) || !try_problem(explicit_problem(smaller))) continue;
      model = std::move(smaller);
      shrunk = true;
    }
    return shrunk;
  }

  bool shrink_model() {
    const auto once = [](const PlainModel&) { return std::size_t{1}; };
    const auto actions = [](const PlainModel& m) { return m.actions.size(); };
    const auto costs = [](const PlainModel& m) { return m.costs.size(); };
    const auto numbers = [](const PlainModel& m) { return m.actions.size() * m.costs.size(); };
    bool shrunk = each(once, [](PlainModel& m, std::size_t) {
      return std::exchange(m.give_up, std::nullopt).has_value();
    });
    shrunk = each(actions,
                  [](PlainModel& m, std::size_t i) {
                    m.actions.erase(m.actions.begin() + static_cast<std::ptrdiff_t>(i));
                    return true;
                  }) ||
             shrunk;
    shrunk = each(actions, skip_state) || shrunk;
    shrunk = each(actions, drop_outcome) || shrunk;
    shrunk = each(costs, drop_cost) || shrunk;
    shrunk = each(numbers,
                  [](PlainModel& m, std::size_t i) {
                    return simplify(m.actions[i / m.costs.size()].cost[i % m.costs.size()]);
                  }) ||
             shrunk;
    return shrunk;
  }

  /// Whoever came to the state of this action now comes to the goal.
  static bool skip_state(PlainModel& model, std::size_t i) {
    const std::string state = model.actions[i].state;
    if (state == model.initial || model.goals.empty()) return false;
    std::erase_if(model.actions, [&](const auto& action) { return action.state == state; });
    for (PlainModel::Action& action : model.actions)
      if (std::any_of(action.outcomes.begin(), action.outcomes.end(),
                      [&](const auto& outcome) { return outcome.first == state; }))
        merge(action, state, model.goals.front());
    return true;
  }

  static void merge(PlainModel::Action& action, const std::string& from, const std::string& to) {
    double moved = 0;
    std::erase_if(action.outcomes, [&](const auto& outcome) {
      if (outcome.first == from) moved = outcome.second;
      return outcome.first == from;
    });
    for (auto& [state, probability] : action.outcomes)
      if (state == to) {
        probability += moved;
        return;
      }
    action.outcomes.emplace_back(to, moved);
  }

  static bool drop_outcome(PlainModel& model, std::size_t i) {
    auto& outcomes = model.actions[i].outcomes;
    if (outcomes.size() < 2) return false;
    const auto least =
        std::min_element(outcomes.begin(), outcomes.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const double mass = least->second;
    outcomes.erase(least);
    std::max_element(outcomes.begin(), outcomes.end(), [](const auto& a, const auto& b) {
      return a.second < b.second;
    })->second += mass;
    return true;
  }

  static bool drop_cost(PlainModel& model, std::size_t i) {
    if (i == 0) return false;
    const std::string name = model.costs[i];
    if (std::any_of(model.bounds.begin(), model.bounds.end(),
                    [&](const auto& bound) { return bound.first == name; }))
      return false;
    const auto at = static_cast<std::ptrdiff_t>(i);
    model.costs.erase(model.costs.begin() + at);
    if (model.give_up) model.give_up->erase(model.give_up->begin() + at);
    for (PlainModel::Action& action : model.actions)
      action.cost.erase(action.cost.begin() + at);
    return true;
  }

  static bool simplify(double& number) {
    const double before = number;
    if (number == 0 || number == 1) return false;
    const double unit = std::pow(10.0, std::floor(std::log10(number)));
    number = std::round(number / unit) * unit;
    return number != before;
  }

  /// Takes actions out of a PPDDL text.
  bool shrink_text() {
    bool shrunk = false;
    for (std::size_t at = best_.problem.text.rfind("(:action"); at != std::string::npos;) {
      Problem smaller = best_.problem;
      std::size_t end = at;
      int depth = 0;
      do {
        if (smaller.text[end] == '(') ++depth;
        if (smaller.text[end] == ')') --depth;
        ++end;
      } while (depth > 0 && end < smaller.text.size());
      smaller.text.erase(at, end - at);
      shrunk = try_problem(smaller) || shrunk;
      if (at == 0) break;
      at = best_.problem.text.rfind("(:action", at - 1);
    }
    return shrunk;
  }

  Shrunk best_;
  CpuWatch& watch_;
  double seconds_;
  Monitor patience_;
};

}  // namespace

Shrunk shrink(const Problem& problem, const Configuration& configuration, const Verdict& verdict,
              CpuWatch& watch, double seconds, double patience) {
  return Shrinking({problem, configuration, verdict}, watch, seconds, patience).run();
}

std::string file_text(const Problem& problem) {
  return problem.factored ? problem.text : plain_model(problem).json();
}

std::string command(const Problem& problem, const Configuration& configuration,
                    const std::string& file) {
  std::string text = fmt::format("carl solve {}{}", file, configuration.command());
  if (problem.factored)
    for (const auto& [cost, upper] : problem.bounds)
      text += fmt::format(" --bound '{}={}'", cost, upper);
  return text;
}

}  // namespace carl::soak
