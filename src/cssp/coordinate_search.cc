// The outer search of the paper (algorithm 2). find-λ*: coordinate search, each coordinate by an
// exact line search that intersects the tangents at both ends; find-all-optima: strong
// ε-consistency at λ; extract-opt-policy: the SOL over the tied support. Coordinate search can get
// stuck on the kinks of L. That shows as a gap between L(λ) and the cost of the extracted policy;
// then the projected subgradient method with diminishing steps goes on from there.
//
// What the paper leaves open: λ may be optimal only up to the gap. An optimal policy may then do, in
// states that are met one time in a million, what is far from tied there. So before the subgradient
// method takes its many steps, the least primary cost is taken on all pairs that cost no more than
// the gap. If even the subgradient method does not close the certified gap, or if a line search
// finds no end (the problem may be infeasible), the bundle search finishes the work, and a note says
// so.
//
// J. Schmalz and F. Trevizan, "Solving Constrained Stochastic Shortest Path Problems with
// Scalarisation", ECAI 2025. The coordinate search: S. Hong and B. C. Williams, "An anytime
// algorithm for constrained stochastic shortest path problems with deterministic policies",
// Artificial Intelligence 316, 2023.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cssp/farkas.h"
#include "cssp/feasibility.h"
#include "cssp/outer_search.h"
#include "cssp/search_effort.h"
#include "cssp/tied_support.h"

namespace carl::cssp {
namespace {

// A multiplier beyond this (in scaled terms) without an end of the line search: perhaps infeasible.
constexpr double farthest = 1e3;
constexpr double growth = 4;
constexpr double default_eta = 1e-4;
constexpr double eta_reduction = 0.1;
constexpr double least_step = 1e-4;  // of the subgradient method, in scaled terms
// Gains below this, relative to L, are rounding: the search is stuck.
constexpr double least_gain = 1e-12;
constexpr std::size_t most_subgradient_steps = 2000;
constexpr double least_epsilon_for_equations = 1e-9;
// As in the dual methods.
constexpr double least_ignored_flow = 1e-10;
constexpr double largest_ignored_flow = 1e-6;
// How often a bound may be missed by rounding.
constexpr int most_margins = 4;

class CoordinateSearch final : public OuterSearch {
 public:
  CoordinateSearch(Lagrangian& lagrangian, oracle::SearchOracle& search,
                   const SolveOptions& options)
      : OuterSearch(lagrangian, options), search_(search), lambda_(num_constraints(), 0.0) {}

  End run() override {
    if (!move_to(lambda_)) return *end_;
    if (coordinate_search()) return End::optimal;
    if (end_) return *end_;
    if (unbounded_) return finish_by_bundle_search();
    if (extract_from_near_ties(lambda_)) return End::optimal;
    const double highest = here_.value;
    End end = End::optimal;
    if (end_ || !subgradient_method() ||
        !(extract(incumbent_.multipliers) || extract_from_near_ties(incumbent_.multipliers)))
      end = end_ ? *end_ : finish_by_bundle_search();
    note_what_went_wrong(highest);
    return end;
  }

 private:
  /// L and its subgradient at a point.
  struct Point {
    double value = 0;
    std::vector<double> g;
  };

  /// Sets end_ if there is no answer.
  std::optional<Point> evaluate(const std::vector<double>& lambda) {
    const Lagrangian::Answer answer = query(lambda);
    if (answer.outcome != Lagrangian::Outcome::answered) {
      if (answer.outcome == Lagrangian::Outcome::no_proper_policy)
        end_ = End::no_proper_policy;
      else
        end_ = lagrangian_.monitor().reached() ? End::limit
                                               : trouble("no proper policy could be made out");
      return std::nullopt;
    }
    is_final_ = answer.is_final;
    const std::vector<double>& costs = lagrangian_.cuts()[answer.cut].costs;
    Point point{answer.weighted_cost, {}};
    for (std::size_t i = 0; i < lambda.size(); ++i) {
      const Bound& bound = lagrangian_.constraints()[i];
      point.value -= lambda[i] * bound.upper;
      point.g.push_back(violation(bound, costs));
    }
    return point;
  }

  // --- find-λ* ----------------------------------------------------------------------------------

  bool move_to(const std::vector<double>& lambda) {
    const auto point = evaluate(lambda);
    if (!point) return false;
    lambda_ = lambda;
    here_ = *point;
    return true;
  }

  /// Rounds over all coordinates until none improves L by more than η, then extraction. As long as
  /// that leaves a gap and the search is not stuck, η is reduced.
  bool coordinate_search() {
    for (double eta = options_.carl.eta.value_or(default_eta);; eta *= eta_reduction) {
      double gained = 0;  // by the last round
      do {
        const double before = here_.value;
        gained = 0;
        for (std::size_t i = 0; i < lambda_.size(); ++i) {
          const double start = here_.value;
          if (!line_search(i)) return false;
          gained = std::max(gained, here_.value - start);
        }
        if (here_.value <= before) break;
      } while (gained > eta && lambda_.size() > 1);
      if (extract(lambda_)) return true;
      if (end_ || gained <= least_gain * std::max(1.0, std::abs(here_.value))) return false;
    }
  }

  /// Maximises L over coordinate i, exactly: between a point where L rises and one where it falls,
  /// the next one to look at is where their tangents meet.
  bool line_search(std::size_t i) {
    struct Limit {
      double lambda;
      Point point;
    };
    if (here_.g[i] <= 0 && lambda_[i] == 0) return true;
    Limit low{lambda_[i], here_};
    Limit high = low;
    if (here_.g[i] <= 0) {
      if (!step_to(i, 0.0)) return false;
      if (here_.g[i] <= 0) return true;
      low = {0.0, here_};
    }
    const double upper = lagrangian_.constraints()[i].upper;
    const double scale = lagrangian_.primary_scale() / std::max(1e-9, upper);
    while (high.point.g[i] > 0) {
      unbounded_ = high.lambda > farthest * scale;
      if (unbounded_ || !step_to(i, std::max(growth * high.lambda, scale))) return false;
      if (here_.g[i] > 0) low = {lambda_[i], here_};
      high = {lambda_[i], here_};
    }
    while (true) {
      const double fall = low.point.g[i] - high.point.g[i];
      const double middle = (high.point.value - low.point.value + low.point.g[i] * low.lambda -
                             high.point.g[i] * high.lambda) /
                            fall;
      const double top = low.point.value + low.point.g[i] * (middle - low.lambda);
      if (!step_to(i, std::clamp(middle, low.lambda, high.lambda))) return false;
      const bool reached = here_.value >= top - least_gain * std::max(1.0, std::abs(top));
      if (reached || lambda_[i] <= low.lambda || lambda_[i] >= high.lambda) return true;
      (here_.g[i] > 0 ? low : high) = {lambda_[i], here_};
    }
  }

  bool step_to(std::size_t i, double value) {
    std::vector<double> lambda = lambda_;
    lambda[i] = value;
    return move_to(lambda);
  }

  /// Projected subgradient steps, in scaled terms, of lengths 1, 1/2, 1/3, …
  bool subgradient_method() {
    const double primary = lagrangian_.primary_scale();
    std::vector<double> lambda = lambda_;
    for (std::size_t k = 1; k <= most_subgradient_steps; ++k) {
      const double length = 1.0 / static_cast<double>(k);
      if (length < least_step) break;
      const auto point = evaluate(lambda);
      if (!point) return false;
      std::vector<double> scaled_g(lambda.size());
      double norm = 0;
      for (std::size_t i = 0; i < lambda.size(); ++i) {
        scaled_g[i] = point->g[i] / std::max(1e-9, lagrangian_.constraints()[i].upper);
        norm += scaled_g[i] * scaled_g[i];
      }
      if (norm == 0) break;
      const std::vector<double> before = lambda;
      for (std::size_t i = 0; i < lambda.size(); ++i) {
        const double scale = primary / std::max(1e-9, lagrangian_.constraints()[i].upper);
        lambda[i] = std::max(0.0, lambda[i] + length * scaled_g[i] / std::sqrt(norm) * scale);
      }
      if (lambda == before) break;  // no multiplier may fall below zero
    }
    return true;
  }

  /// Coordinate search was stuck if there are multipliers with a better L than the highest that it
  /// has found. If not, these were optimal, and what failed was the extraction.
  void note_what_went_wrong(double highest) {
    const double known =
        std::isfinite(incumbent_.upper_bound) ? incumbent_.upper_bound : incumbent_.lower_bound;
    const bool stuck = known - highest > options_.gap * std::abs(known);
    add_note(
        stuck ? "coordinate search got stuck; the subgradient method went on"
              : "no policy could be extracted at multipliers that are optimal up to the gap; the "
                "subgradient method went on");
  }

  // --- find-all-optima and extract-opt-policy ---------------------------------------------------

  /// True if the extracted policy closes the gap.
  bool extract(const std::vector<double>& lambda) {
    return as_extraction([&] { return extract_from_ties(lambda); });
  }

  /// Where λ is optimal only up to the gap, what an optimal policy does is tied only up to the gap.
  bool extract_from_near_ties(const std::vector<double>& lambda) {
    return as_extraction([&] {
      return find_near_optima(lambda) &&
             accept([&] { return support_->least_primary_cost(lagrangian_.monitor()); },
                    "the least primary cost on what is tied up to the gap was taken");
    });
  }

  /// Expands what near ties lead to, as long as that is not more than has been expanded to find λ.
  bool find_near_optima(const std::vector<double>& lambda) {
    if (!find_all_optima(lambda)) return false;
    const std::size_t most_expanded = 2 * search_.graph().num_expanded();
    while (true) {
      support_.emplace(TiedSupport::up_to(options_.gap * here_.value, search_.ssp()));
      const std::vector<StateId>& fringe = support_->fringe();
      if (fringe.empty() || search_.graph().num_expanded() + fringe.size() > most_expanded)
        return true;
      if (!search_.expand(fringe)) {
        end_ = End::limit;
        return false;
      }
    }
  }

  template <class Extract>
  bool as_extraction(Extract extract) {
    const MultiplierSearch before = effort(search_, timer_);
    const bool closed = extract();
    add(difference(effort(search_, timer_), before), extraction_.effort);
    return closed;
  }

  bool extract_from_ties(const std::vector<double>& lambda) {
    const double epsilon = search_.epsilon();
    bool closed = find_all_optima(lambda) && solve_equations(lambda, "");
    while (!closed && !end_ && search_.epsilon() > least_epsilon_for_equations && search_.tighten())
      closed = find_all_optima(lambda) &&
               solve_equations(lambda, "the equations needed a smaller epsilon");
    search_.set_epsilon(epsilon);
    if (closed || end_) return closed;
    return find_all_optima(lambda) &&
           accept([&] { return support_->least_primary_cost(lagrangian_.monitor()); },
                  "the least primary cost on the tied support was taken");
  }

  /// The LP of a support that stays the same serves again.
  bool find_all_optima(const std::vector<double>& lambda) {
    // What has been answered for good is not asked for again: a smaller ε is for the ties alone.
    const bool is_known = is_final_ && lambda == lagrangian_.multipliers();
    if (!is_known && !evaluate(lambda)) return false;
    if (!search_.make_strongly_consistent()) {
      end_ = End::limit;
      return false;
    }
    TiedSupport support(search_.ssp(), search_.epsilon());
    if (support_) support.reuse(std::move(*support_));
    support_.emplace(std::move(support));
    return true;
  }

  bool solve_equations(const std::vector<double>& lambda, const char* note) {
    return accept([&] { return support_->solve_equations(lambda, lagrangian_.monitor()); }, note);
  }

  /// Takes the policy of the flow that `solve` finds on the tied support, and returns whether it
  /// closes the gap. Where it misses a bound by what the solver tolerates, `solve` has another try.
  template <class Solve>
  bool accept(Solve solve, const char* note) {
    const PhaseTimer timer(extraction_.seconds);
    for (int attempt = 0; attempt < most_margins; ++attempt) {
      ++extraction_.lp_solves;
      std::optional<std::vector<double>> flow = solve();
      if (!flow) return false;
      const ssp::Evaluation evaluation = evaluate_flow(*flow);
      if (!evaluation.proper) return false;
      if (meets_bounds(lagrangian_.cssp(), evaluation.costs)) {
        take(evaluation.costs, *flow, note);
        return gap_is_closed();
      }
      support_->keep_margin(evaluation.costs);
    }
    return false;
  }

  /// Of the policy of a flow. Where flow is next to nothing it may lead astray: then greedy choices
  /// take its place.
  ssp::Evaluation evaluate_flow(std::vector<double>& flow) {
    const graph::SearchGraph& graph = search_.graph();
    for (double ignored = least_ignored_flow;; ignored *= 10) {
      const ssp::Evaluation evaluation = ssp::evaluate(
          graph,
          ssp::policy_of_flow(graph, flow, [&](StateId s) { return search_.ssp().choice(s); }));
      if (evaluation.proper || ignored > largest_ignored_flow) return evaluation;
      for (double& y : flow)
        if (y < ignored) y = 0;
    }
  }

  void take(const std::vector<double>& costs, const std::vector<double>& flow, const char* note) {
    if (costs[0] >= incumbent_.upper_bound) return;
    incumbent_.upper_bound = costs[0];
    incumbent_.costs = costs;
    incumbent_.flow = flow;
    incumbent_.mixture.clear();
    add_note(note);
  }

  End finish_by_bundle_search() {
    const auto bundle = make_bundle_search(lagrangian_, options_,
                                           {incumbent_.multipliers, proof_by_small_lp(search_)});
    const End end = bundle->run();
    continue_trace(*bundle);
    const Incumbent& found = bundle->incumbent();
    if (found.upper_bound < incumbent_.upper_bound) {
      incumbent_.upper_bound = found.upper_bound;
      incumbent_.costs = found.costs;
      incumbent_.mixture = found.mixture;
      incumbent_.flow.clear();
    }
    if (found.lower_bound > incumbent_.lower_bound) {
      incumbent_.lower_bound = found.lower_bound;
      incumbent_.multipliers = found.multipliers;
    }
    incumbent_.infeasibility = found.infeasibility;
    if (end == End::optimal) add_note("the bundle search finished");
    return end == End::trouble ? trouble(found.note) : end;
  }

  /// The reason comes first, whatever was noted on the way.
  End trouble(const std::string& reason) {
    incumbent_.note = reason + (incumbent_.note.empty() ? "" : "; ") + incumbent_.note;
    return End::trouble;
  }

  void add_note(const std::string& note) {
    if (note.empty() || incumbent_.note.find(note) != std::string::npos) return;
    incumbent_.note += (incumbent_.note.empty() ? "" : "; ") + note;
  }

  oracle::SearchOracle& search_;
  std::vector<double> lambda_;
  Point here_;                          // L at lambda_
  std::optional<TiedSupport> support_;  // of the last find-all-optima
  bool is_final_ = false;               // the last answer
  std::optional<End> end_;
  bool unbounded_ = false;
};

}  // namespace

std::unique_ptr<OuterSearch> make_coordinate_search(Lagrangian& lagrangian,
                                                    oracle::SearchOracle& search,
                                                    const SolveOptions& options) {
  return std::make_unique<CoordinateSearch>(lagrangian, search, options);
}

}  // namespace carl::cssp
