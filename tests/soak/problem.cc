#include "soak/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/read_explicit.h"
#include "pddl/read.h"
#include "soak/plain_model.h"
#include "support/random_domain.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "task/instantiate.h"
#include "util/random.h"

namespace carl::soak {
namespace {

/// No larger number is accepted.
constexpr double largest_bound = 1e15;

class Draw {
 public:
  explicit Draw(std::uint64_t number) : random_(SplitMix64(number).next()) {}

  Problem run() {
    for (;;) {
      problem_ = {};
      const std::uint64_t form = random_.below(10);
      if (form < 6)
        draw_explicit();
      else if (form < 7)
        draw_one_variable();
      else if (form < 9)
        draw_task();
      else
        draw_domain();
      const LoadedProblem loaded(problem_);
      Cssp cssp = loaded.cssp(false);
      const ExactOracle oracle(cssp, most);
      if (!oracle.complete()) continue;
      draw_bounds(cssp, oracle);
      return problem_;
    }
  }

 private:
  bool chance(double probability) { return random_.unit() < probability; }

  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[random_.below(items.size())];
  }

  testing::RandomModelOptions draw_options() {
    testing::RandomModelOptions options = testing::random_options(random_.next(), 10);
    options.bounds = testing::BoundsKind::none;
    options.costs = 1 + random_.below(5);
    if (options.dead_ends == testing::DeadEnds::unavoidable && !options.give_up && chance(0.7))
      options.dead_ends = testing::DeadEnds::avoidable;
    const auto draw = [&](bool& option, double probability, const char* name) {
      option = chance(probability);
      if (option) problem_.features += std::string(problem_.features.empty() ? "" : " ") + name;
    };
    draw(options.near_loops, 0.3, "near-loops");
    draw(options.tiny_probabilities, 0.3, "tiny-probabilities");
    draw(options.wide_costs, 0.3, "wide-costs");
    draw(options.many_free_actions, 0.2, "free-actions");
    draw(options.zero_cost_loop, options.states >= 2 ? 0.03 : 0, "free-loop");
    return options;
  }

  PlainModel draw_plain() {
    const testing::RandomModelOptions options = draw_options();
    Cssp cssp(testing::random_model(random_.next(), options));
    PlainModel model = plain(cssp);
    if (chance(0.02)) {
      model.goals.push_back(model.initial);
      problem_.features += " initial-goal";
    }
    if (chance(0.02)) {
      // One action from elsewhere is left, because a model must mention its initial state.
      const bool all = chance(0.5);
      std::erase_if(model.actions, [&](const auto& a) { return all || a.state == model.initial; });
      model.actions.push_back({"elsewhere",
                               "go",
                               std::vector<double>(model.costs.size(), 1.0),
                               {{model.initial, 1.0}}});
      problem_.features += " no-actions";
    }
    return model;
  }

  void draw_explicit() {
    problem_.form = "explicit";
    problem_.text = draw_plain().json();
  }

  void draw_one_variable() {
    problem_.form = "one-variable";
    problem_.factored = true;
    problem_.text = draw_plain().ppddl();
  }

  void draw_task() {
    problem_.form = "task";
    problem_.factored = true;
    task::Task task = testing::random_task(random_.next())->task();
    if (chance(0.3)) {
      problem_.features = "wide-costs";
      for (std::size_t i = 0; i < task.costs.costs.size(); ++i) {
        const double unit = std::pow(10.0, static_cast<double>(random_.below(13)) - 6);
        for (std::vector<double>& costs : task.cost_vectors)
          costs[i] *= unit;
        if (task.costs.give_up) (*task.costs.give_up)[i] *= unit;
      }
    }
    problem_.text = testing::ppddl_text(task);
  }

  void draw_domain() {
    problem_.form = "domain";
    problem_.factored = true;
    problem_.text = testing::random_problem(random_.next());
  }

  double off_by() {
    const int digits = 3 + static_cast<int>(random_.below(7));
    const std::uint64_t side = random_.below(5);
    if (side == 0) return 0;
    return (side < 3 ? 1 : -1) * std::pow(10.0, -digits);
  }

  void draw_bounds(const Cssp& cssp, const ExactOracle& oracle) {
    std::vector<std::size_t> costs;
    for (std::size_t i = chance(0.05) ? 0 : 1; i < oracle.num_costs(); ++i)
      costs.push_back(i);
    random_.shuffle(costs);
    costs.resize(std::min<std::size_t>(costs.size(), random_.below(5)));
    problem_.placing = "none";
    if (costs.empty()) return;
    if (!oracle.has_proper_policy()) {
      problem_.placing = "anywhere";
      for (const std::size_t i : costs)
        problem_.bounds.emplace_back(cssp.cost_names()[i], static_cast<double>(random_.below(10)));
      return;
    }
    ExactOracle::Bounds bounds(oracle.num_costs());
    place(oracle, costs, bounds);
    for (const std::size_t i : costs)
      if (bounds[i])
        problem_.bounds.emplace_back(cssp.cost_names()[i],
                                     std::min(to_double(*bounds[i]), largest_bound));
  }

  /// The last of `costs` gets the special bound.
  void place(const ExactOracle& oracle, const std::vector<std::size_t>& costs,
             ExactOracle::Bounds& bounds) {
    const ExactOracle::Bounds none(oracle.num_costs());
    const std::vector<Rational> free = oracle.minimum(0, none)->costs;
    const auto least = [&](std::size_t i) { return oracle.minimum(i, none)->value; };
    for (const std::size_t i : costs) {
      const Rational low = least(i);
      bounds[i] = low + decimal(0.05 + 1.5 * random_.unit()) * (free[i] - low);
    }
    const std::size_t last = costs.back();
    const double off = off_by();
    const auto shifted = [&](const Rational& value) {
      return decimal(to_double(value) * (1 + off));
    };
    const std::string shift = off == 0 ? "" : fmt::format("{:+.0e}", off);
    switch (random_.below(9)) {
      case 0:
        problem_.placing = "slack";
        for (const std::size_t i : costs)
          bounds[i] = 2 * free[i] + 1;
        break;
      case 1:
        problem_.placing = "zero";
        bounds[last] = 0;
        break;
      case 2:
        problem_.placing = "half";
        bounds[last] = least(last) / 2;
        break;
      case 3:
        problem_.placing = "optimum" + shift;
        for (const std::size_t i : costs)
          bounds[i] = shifted(free[i]);
        break;
      case 4:
        problem_.placing = "tiny";
        bounds[last] = free[last] * decimal(std::pow(10.0, -9 + 6 * random_.unit()));
        break;
      case 5:
        problem_.placing = "between";
        break;
      default: {
        bounds[last].reset();
        const auto edge = oracle.minimum(last, bounds);
        problem_.placing = edge ? "boundary" + shift : "contradictory";
        bounds[last] = edge ? shifted(edge->value) : free[last];
      }
    }
  }

  SplitMix64 random_;
  Problem problem_;
};

}  // namespace

LoadedProblem::LoadedProblem(const Problem& problem) : bounds_(problem.bounds) {
  Monitor monitor;
  if (!problem.factored) {
    explicit_ = io::read_explicit("model.json", problem.text, monitor);
    return;
  }
  const std::vector<pddl::SourceText> sources{{"problem.pddl", problem.text}};
  task_ = task::instantiate(pddl::read(sources, monitor), sources, monitor);
}

Cssp LoadedProblem::cssp(bool remove_forbidden_actions, std::uint64_t seed) const {
  CsspOptions options;
  options.bounds = bounds_;
  options.seed = seed;
  options.remove_forbidden_actions = remove_forbidden_actions;
  return Cssp(task_ ? make_task_model(*task_) : explicit_, options);
}

Problem draw_problem(std::uint64_t number) {
  return Draw(number).run();
}

}  // namespace carl::soak
