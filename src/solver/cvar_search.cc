// CVaR by a search over its threshold. The conditional value at risk of level α is
//
//   CVaR(X) = min over b of  b + E[(X - b)⁺]/(1 - α),
//
// so a policy has CVaR(X) ≤ c if and only if its expected excess over some threshold b is at most
// (1 - α)(c - b), and b need only be one of the values that X takes: a multiple of the unit, at most
// c. For a fixed policy this is convex in b, but the optimum over policies is not, so that all
// thresholds count. Each is a problem with a bound on an expectation. They are solved best first, by
// lower bounds that follow from those solved before: since
//
//   (X - b)⁺ ≤ (X - b')⁺ + (b' - b)⁺   for any b, b',
//
// whoever meets the bound of b' exceeds that of b by no more than α(b' - b) if b' is above it, and
// (1 - α)(b - b') if it is below; times the shadow price at b that is what the optimum can differ by.
//
// The formula for CVaR: R. T. Rockafellar and S. Uryasev, "Optimization of conditional
// value-at-risk", Journal of Risk 2, 2000.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carl/options.h"
#include "carl/problem.h"
#include "model/budget_model.h"
#include "model/budget_unit.h"
#include "solver/make_problem.h"
#include "util/timer.h"

namespace carl {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// More combinations of thresholds than this are not worth a start.
constexpr std::size_t most_candidates = 100'000;

struct Cvar {
  Guarantee guarantee;
  Rational unit;
  std::size_t levels = 1;  // how many thresholds there are: 0, 1, … units
};

/// Thresholds in units, one for each CVaR.
using Levels = std::vector<std::size_t>;

struct Candidate {
  Levels levels;
  double lower_bound = 0;
  bool solved = false;
};

class CvarSearch {
 public:
  CvarSearch(const std::shared_ptr<Model>& model, const CsspOptions& options,
             const SolveOptions& solve_options, Monitor& monitor)
      : model_(model), options_(options), solve_options_(solve_options), monitor_(monitor) {
    solve_options_.explain = false;
    find_candidates();
  }

  SolvedProblem run() {
    const Timer timer;
    if (std::optional<SolvedProblem> answer = without_cvar()) return std::move(*answer);
    while (!monitor_.reached()) {
      Candidate* next = best_candidate();
      if (next == nullptr || next->lower_bound >= worth_trying()) break;
      solve(*next);
    }
    finish();
    best_->solution.statistics.seconds.total = timer.seconds();
    return std::move(*best_);
  }

 private:
  void find_candidates();
  std::optional<SolvedProblem> without_cvar();
  Candidate* best_candidate();
  void solve(Candidate& candidate);
  void learn(const Candidate& solved, const SolvedProblem& answer);
  void finish();

  std::vector<double> thresholds(const Levels& levels) const {
    std::vector<double> result;
    for (std::size_t i = 0; i < levels.size(); ++i)
      result.push_back(to_double(levels[i] * cvars_[i].unit));
    return result;
  }
  /// The optimum is known well enough if all others are above this.
  double worth_trying() const {
    if (!best_ || !best_->solution.costs) return infinity;
    return best_->solution.costs->front() * (1 - solve_options_.gap);
  }
  /// By how much a policy that meets the bound of the other threshold may exceed that of the solved
  /// one.
  double slack(std::size_t i, std::size_t solved, std::size_t other) const {
    const double level = cvars_[i].guarantee.limit;
    const double unit = rounded_up(cvars_[i].unit);
    return other > solved ? level * static_cast<double>(other - solved) * unit
                          : (1 - level) * static_cast<double>(solved - other) * unit;
  }
  std::size_t distance_to_solved(const Candidate& candidate) const;

  std::shared_ptr<Model> model_;
  CsspOptions options_;
  SolveOptions solve_options_;
  Monitor& monitor_;
  std::vector<Cvar> cvars_;
  std::vector<Candidate> candidates_;
  std::vector<Levels> solved_;
  std::optional<SolvedProblem> best_;
  std::size_t num_solved_ = 0;
};

/// All combinations of thresholds.
void CvarSearch::find_candidates() {
  CsspOptions plain = options_;
  plain.guarantees.clear();
  plain.goal_probability.reset();
  plain.expected_costs_only = true;
  plain.bounds.clear();
  const Cssp original(model_, plain);
  std::size_t count = 1;
  for (const Guarantee& guarantee : guarantees_of(*model_, options_)) {
    if (guarantee.kind != Guarantee::Kind::cvar) continue;
    const auto& names = original.cost_names();
    const auto cost = static_cast<std::size_t>(
        std::find(names.begin(), names.end(), guarantee.cost) - names.begin());
    Cvar cvar{guarantee, unit_of(original, cost, options_.units)};
    const Rational most = as_written(guarantee.upper);
    const bool given = std::any_of(options_.units.begin(), options_.units.end(),
                                   [&](const auto& unit) { return unit.first == guarantee.cost; });
    budget_levels(guarantee.cost, most, cvar.unit, given);
    const Rational units = most / cvar.unit;
    cvar.levels = 1 + mpz_class(units.get_num() / units.get_den()).get_ui();
    count *= cvar.levels;
    if (count > most_candidates)
      throw OptionError(
          fmt::format("`cvar`: there are more than {} combinations of thresholds", most_candidates),
          "count in larger units, by `unit`");
    cvars_.push_back(std::move(cvar));
  }
  Levels levels(cvars_.size(), 0);
  for (std::size_t k = 0; k < count; ++k) {
    candidates_.push_back({levels, 0, false});
    for (std::size_t i = 0; i < levels.size() && ++levels[i] == cvars_[i].levels; ++i)
      levels[i] = 0;
  }
}

/// What is known without CVaR holds for all thresholds; if there is no solution, there is none.
std::optional<SolvedProblem> CvarSearch::without_cvar() {
  const std::vector<double> none(cvars_.size(), std::numeric_limits<double>::quiet_NaN());
  Cssp problem = make_problem(model_, options_, monitor_, none);
  Solution solution = carl::solve(problem, solve_options_, monitor_);
  if (!solution.costs) return SolvedProblem{std::move(problem), std::move(solution), {}};
  for (Candidate& candidate : candidates_)
    candidate.lower_bound = solution.lower_bound.value_or(0);
  return std::nullopt;
}

/// Of several that promise as much, the one about whose neighbours least is known.
Candidate* CvarSearch::best_candidate() {
  Candidate* best = nullptr;
  std::size_t best_distance = 0;
  for (Candidate& candidate : candidates_) {
    if (candidate.solved || (best != nullptr && candidate.lower_bound > best->lower_bound))
      continue;
    const std::size_t distance = distance_to_solved(candidate);
    if (best != nullptr && candidate.lower_bound == best->lower_bound && distance <= best_distance)
      continue;
    best = &candidate;
    best_distance = distance;
  }
  return best;
}

/// Before anything is solved: to the ends of the range.
std::size_t CvarSearch::distance_to_solved(const Candidate& candidate) const {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  if (solved_.empty())
    for (std::size_t i = 0; i < cvars_.size(); ++i)
      least = std::min({least, candidate.levels[i], cvars_[i].levels - 1 - candidate.levels[i]});
  for (const Levels& other : solved_) {
    std::size_t distance = 0;
    for (std::size_t i = 0; i < other.size(); ++i)
      distance += std::max(other[i], candidate.levels[i]) - std::min(other[i], candidate.levels[i]);
    least = std::min(least, distance);
  }
  return least;
}

void CvarSearch::solve(Candidate& candidate) {
  const std::vector<double> at = thresholds(candidate.levels);
  Cssp problem = make_problem(model_, options_, monitor_, at);
  Solution solution = carl::solve(problem, solve_options_, monitor_);
  candidate.solved = !monitor_.reached();
  if (solution.lower_bound)
    candidate.lower_bound = std::max(candidate.lower_bound, *solution.lower_bound);
  if (solution.status == Status::infeasible || solution.status == Status::no_proper_policy)
    candidate.lower_bound = infinity;
  solved_.push_back(candidate.levels);
  ++num_solved_;
  SolvedProblem answer{std::move(problem), std::move(solution), at};
  learn(candidate, answer);
  const bool is_better =
      !best_ ||
      (answer.solution.costs &&
       (!best_->solution.costs || answer.solution.costs->front() < best_->solution.costs->front()));
  if (is_better) best_ = std::move(answer);
}

/// Lower bounds on the others. Nothing follows from a problem in which exceeding is forbidden.
void CvarSearch::learn(const Candidate& solved, const SolvedProblem& answer) {
  const Cssp& problem = answer.problem;
  const Solution& solution = answer.solution;
  std::vector<std::size_t> bound_of;  // by CVaR
  for (std::size_t i = 0; i < cvars_.size(); ++i) {
    const std::string name =
        charge_name(solver::at_threshold(cvars_[i].guarantee, answer.thresholds[i]));
    for (std::size_t b = 0; b < problem.bounds().size(); ++b)
      if (problem.cost_names()[problem.bounds()[b].cost] == name) bound_of.push_back(b);
    if (bound_of.size() != i + 1 || problem.bounds()[bound_of[i]].upper == 0) return;
  }
  // Without coins bounds are raised by branching, and shadow prices know nothing of that.
  const bool priced =
      !solve_options_.deterministic && solution.lower_bound && !solution.multipliers.empty();
  const bool refuted = solution.infeasibility && solution.infeasibility->zero_bounds.empty();
  for (Candidate& other : candidates_) {
    if (other.solved) continue;
    double loss = 0;
    double relief = 0;
    for (std::size_t i = 0; i < cvars_.size(); ++i) {
      const double more = slack(i, solved.levels[i], other.levels[i]);
      if (priced) loss += solution.multipliers[bound_of[i]] * more;
      if (refuted) relief += solution.infeasibility->weights[bound_of[i]] * more;
    }
    if (priced) other.lower_bound = std::max(other.lower_bound, *solution.lower_bound - loss);
    if (refuted && solution.infeasibility->least > solution.infeasibility->allowed + relief)
      other.lower_bound = infinity;
  }
}

void CvarSearch::finish() {
  double least = infinity;
  for (const Candidate& candidate : candidates_)
    least = std::min(least, candidate.lower_bound);
  // Nothing was solved: the limit came first.
  if (!best_)
    best_ =
        SolvedProblem{make_problem(model_, options_, monitor_, thresholds(candidates_[0].levels)),
                      {},
                      thresholds(candidates_[0].levels)};
  Solution& solution = best_->solution;
  solution.repair.reset();
  solution.infeasibility.reset();
  std::string note;
  if (solution.costs) {
    solution.lower_bound = std::min(least, solution.costs->front());
    const bool settled = *solution.gap() <= solve_options_.gap;
    solution.status = settled ? Status::optimal : Status::limit;
    for (std::size_t i = 0; i < cvars_.size(); ++i) {
      const Guarantee excess = solver::at_threshold(cvars_[i].guarantee, best_->thresholds[i]);
      const auto& names = best_->problem.cost_names();
      const auto cost = static_cast<std::size_t>(
          std::find(names.begin(), names.end(), charge_name(excess)) - names.begin());
      const double value = excess.limit + (*solution.costs)[cost] / (1 - cvars_[i].guarantee.limit);
      note += fmt::format("{}CVaR {:.10g} of {} is at most {:.6g}, by its excess over {:.10g}",
                          note.empty() ? "" : "; ", cvars_[i].guarantee.limit,
                          cvars_[i].guarantee.cost, value, excess.limit);
    }
  } else if (least == infinity) {
    solution.status = Status::infeasible;
    note = "no threshold of CVaR admits a policy";
  } else {
    solution.status = Status::limit;
    solution.lower_bound = least;
  }
  if (monitor_.reached() && solution.status == Status::limit) {
    if (monitor_.kind() == LimitKind::interrupt) solution.status = Status::interrupted;
    note = LimitReached(monitor_.kind()).what() + (note.empty() ? "" : "; " + note);
  }
  solution.note = fmt::format("{}{}{} of {} thresholds solved", note, note.empty() ? "" : "; ",
                              num_solved_, candidates_.size());
}

}  // namespace

SolvedProblem solve_problem(const std::shared_ptr<Model>& model, const CsspOptions& options,
                            const SolveOptions& solve_options, Monitor& monitor) {
  const bool cvar = has_cvar(*model, options);
  if (cvar && solve_options.checkpoint.enabled())
    throw OptionError("there are no checkpoints of problems with bounds on CVaR: they are many",
                      "leave out `checkpoint` and `resume`");
  if (cvar) return CvarSearch(model, options, solve_options, monitor).run();
  Cssp problem = make_problem(model, options, monitor);
  Solution solution = solve(problem, solve_options, monitor);
  return {std::move(problem), std::move(solution), {}};
}

}  // namespace carl
