// Draws sequences that try to catch a Solver keeping what no longer holds. A number drawn from the
// air rarely matters, so bounds and penalties are taken from policies of the model: from their very
// costs, which are corners of what is possible, and from between them. Most solves of a sequence are
// by the same algorithms, because only these build on what was learnt before.

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/call_sequence.h"
#include "util/random.h"

namespace carl::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Expected costs of some policies; at least one.
std::vector<std::vector<double>> some_costs(const ModelDraft& draft) {
  std::vector<std::vector<double>> result;
  const std::size_t num_costs = costs_of(draft).costs.size();
  SolveOptions options;
  options.explain = false;
  Terms terms{{}, costs_of(draft).give_up};
  for (int round = 0; round < 2; ++round) {
    Cssp cssp = fresh_problem(draft, terms);
    Monitor monitor;
    const Solution solution = solve(cssp, options, monitor);
    result.insert(result.end(), solution.cuts.begin(), solution.cuts.end());
    if (!solution.costs) break;
    for (std::size_t i = 1; i < num_costs; ++i)
      if ((*solution.costs)[i] > 0) terms.bounds.push_back({i, 0.7 * (*solution.costs)[i]});
  }
  if (result.empty()) result.emplace_back(num_costs, 5.0);
  return result;
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed)
      : random_(seed ^ 0xCA11), model_(random_draft(seed)), policies_(some_costs(model_)) {
    usual_ = other_options();
  }

  CallSequence sequence() {
    CallSequence result{model_, {}};
    for (std::size_t n = 3 + random_.below(10); result.calls.size() < n;) {
      result.calls.push_back(some_call());
      const bool changed = std::holds_alternative<SetBound>(result.calls.back()) ||
                           std::holds_alternative<SetGiveUp>(result.calls.back());
      if (changed && chance(0.6)) result.calls.emplace_back(solve_call());
    }
    result.calls.emplace_back(SolveIt{usual_, {}});
    return result;
  }

 private:
  bool chance(double probability) { return random_.unit() < probability; }
  template <class Choices>
  auto one_of(const Choices& choices) {
    return choices[random_.below(choices.size())];
  }
  const CostModel& costs() const { return costs_of(model_); }
  bool factored() const { return std::holds_alternative<task::Task>(model_); }

  Call some_call() {
    const std::uint64_t kind = random_.below(100);
    if (kind < 33) return set_bound();
    if (kind < 48) return SetGiveUp{some_penalties()};
    if (kind < 74) return solve_call();
    if (kind < 82) return sweep_call();
    if (kind < 86 && costs().costs.size() > 1) return front_call();
    if (kind < 88) return SimulateIt{};
    if (kind < 90) return Forget{};
    if (kind < 93) return MoveIt{};
    if (kind < 96) return Renew{chance(0.5)};
    return WrongCall{static_cast<WrongCall::Kind>(random_.below(5))};
  }

  /// Now and then the primary cost, which may have a bound like any other.
  std::size_t some_cost() {
    const std::size_t n = costs().costs.size();
    return n == 1 || chance(0.04) ? 0 : 1 + random_.below(n - 1);
  }

  /// Far below what bounds may be at most, where costs differ widely.
  double some_amount(std::size_t cost) {
    const double one = std::min(1e12, one_of(policies_)[cost]);
    const double other = std::min(1e12, one_of(policies_)[cost]);
    const std::uint64_t kind = random_.below(4);
    if (kind == 0) return one;
    if (kind == 1) return one * (0.2 + 1.5 * random_.unit());
    const double share = random_.unit();
    return share * one + (1 - share) * other;
  }

  Call set_bound() {
    const std::size_t cost = some_cost();
    const std::uint64_t kind = random_.below(10);
    return SetBound{cost, kind < 3 ? 0 : kind < 5 ? infinity : some_amount(cost)};
  }

  std::optional<std::vector<double>> some_penalties() {
    if (chance(0.25)) return std::nullopt;
    std::vector<double> penalties(costs().costs.size(), 0.0);
    for (std::size_t i = 0; i < penalties.size(); ++i)
      if (i == 0 || chance(0.6)) penalties[i] = some_amount(i) * (chance(0.3) ? 10 : 1);
    return penalties;
  }

  SolveOptions other_options() {
    using Inner = InnerAlgorithm;
    SolveOptions options;
    if (chance(0.7))
      options.carl.inner = one_of(std::vector{Inner::vi, Inner::cg_ilao, Inner::cg_ilao,
                                              Inner::ilao, Inner::lrtdp, Inner::cg_ilao_paper});
    if (chance(0.1)) options.carl.outer = OuterAlgorithm::coordinate;
    if (factored() && chance(0.2))
      options.search.heuristic =
          one_of(std::vector{HeuristicKind::lmcut, HeuristicKind::zero, HeuristicKind::roc,
                             HeuristicKind::dijkstra, HeuristicKind::pdb});
    if (chance(0.1)) options.search.heuristic_mode = HeuristicMode::ideal_point;
    return options;
  }

  SolveOptions some_options() {
    SolveOptions options = chance(0.8) ? usual_ : other_options();
    const std::uint64_t algorithm = random_.below(20);
    if (algorithm == 0) options.algorithm = Algorithm::lp;
    if (algorithm == 1) options.algorithm = Algorithm::i_dual;
    if (algorithm == 2 && factored()) options.algorithm = Algorithm::i2_dual;
    if (algorithm == 3) options.algorithm = Algorithm::cg_ilao;  // refused if there are bounds
    if (algorithm == 4 || algorithm == 5) options.algorithm = Algorithm::automatic;
    if (chance(0.3)) options.gap = one_of(std::vector{1e-2, 1e-6, 1e-9});
    options.explain = chance(0.3);
    options.mixture_policies = chance(0.2);
    return options;
  }

  Interruption some_interruption() {
    if (chance(0.8)) return {};
    const auto by = chance(0.5) ? Interruption::By::reports : Interruption::By::clock;
    return {by, static_cast<std::size_t>(random_.below(by == Interruption::By::reports ? 12 : 4))};
  }

  Call solve_call() { return SolveIt{some_options(), some_interruption()}; }

  SweepRange some_range(std::size_t cost, std::size_t points) {
    double from = chance(0.2) ? 0 : some_amount(cost);
    double to = some_amount(cost);
    if (from > to) std::swap(from, to);
    // A width of which the steps are certain to be so many, whatever the rounding.
    const double step = to > from ? (to - from) / (static_cast<double>(points) - 0.5) : 1;
    return {costs().costs[cost], from, to, step};
  }

  Call sweep_call() {
    SweepIt call{.range = some_range(some_cost(), 2 + random_.below(3)),
                 .second = {},
                 .options = chance(0.8) ? usual_ : other_options(),
                 .interruption = some_interruption()};
    if (costs().costs.size() > 2 && chance(0.2)) call.second = some_range(some_cost(), 2);
    return call;
  }

  Call front_call() {
    FrontIt call{.costs = {},
                 .gap = {},
                 .options = chance(0.8) ? usual_ : other_options(),
                 .interruption = some_interruption()};
    std::vector<std::size_t> others;
    for (std::size_t c = 1; c < costs().costs.size(); ++c)
      others.push_back(c);
    if (others.size() == 1 || chance(0.8)) call.costs.push_back(0);
    const std::size_t wanted = others.size() > 1 && chance(0.3) ? 3 : 2;
    while (!others.empty() && call.costs.size() < wanted) {
      const std::size_t i = random_.below(others.size());
      call.costs.push_back(others[i]);
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (chance(0.3)) call.gap = one_of(std::vector{1e-1, 1e-3, 1e-6});
    return call;
  }

  SplitMix64 random_;
  ModelDraft model_;
  std::vector<std::vector<double>> policies_;
  SolveOptions usual_;
};

}  // namespace

CallSequence random_sequence(std::uint64_t seed) {
  return Draw(seed).sequence();
}

}  // namespace carl::testing
