// Sweeps over bounds. What a scalarised problem teaches, the costs of a policy and a line
// C0 + λ·C ≥ least, holds whatever the bounds are. So one Lagrangian serves all values of all swept
// bounds: a solve begins with the master problem over everything known, and between breakpoints
// that are known it has nothing to ask. A proof of infeasibility, r·C ≥ least, holds for all bounds
// as well; it says how far a bound must be raised at least.

#include "cssp/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "carl/error.h"
#include "cssp/farkas.h"
#include "cssp/mixture_master.h"
#include "cssp/outer_search.h"
#include "cssp/solve_record.h"
#include "cssp/trade_off.h"
#include "cssp/zero_bounds.h"
#include "util/timer.h"

namespace carl {
namespace cssp {
namespace {

// Breakpoints are where tangents meet, so tangents had better be exact.
constexpr double aim = 1e-9;
// Proofs of infeasibility are looked for up to this distance from what is known to be feasible: the
// closer, the less the primary cost may weigh in them, and the slower they are found.
constexpr double proof_precision = 1e-6;
// How far, in terms of same_point(), the least bound that can be met may be rounded up.
constexpr double most_nudge = 1;
constexpr std::size_t most_points = 100'000;

/// A constraint of the problem that is varied; put back in the end.
class SweptBound {
 public:
  SweptBound(Cssp& cssp, const std::string& name) : cssp_(cssp), constraint_(find(cssp, name)) {
    cost_ = cssp.constraints()[constraint_].cost;
    original_ = cssp.constraints()[constraint_].upper;
  }
  ~SweptBound() { set(original_); }
  SweptBound(const SweptBound&) = delete;
  SweptBound& operator=(const SweptBound&) = delete;

  void set(double upper) { cssp_.set_upper(cost_, upper); }
  std::size_t cost() const { return cost_; }
  std::size_t constraint() const { return constraint_; }

 private:
  static std::size_t find(const Cssp& cssp, const std::string& name) {
    for (std::size_t i = 0; i < cssp.constraints().size(); ++i)
      if (cssp.cost_names()[cssp.constraints()[i].cost] == name) return i;
    throw InputError(fmt::format("there is no bound on '{}' that could be varied", name));
  }

  Cssp& cssp_;
  std::size_t constraint_;
  std::size_t cost_ = 0;
  double original_ = 0;
};

/// The optimum at one value of the bound: a tangent, unless it ended otherwise.
struct Evaluation {
  End end = End::limit;
  Tangent tangent;
  bool is_least = true;  // of a bound that is asked for as the least that can be met
};

Evaluation ended(End end) {
  Evaluation evaluation;
  evaluation.end = end;
  return evaluation;
}

class Sweeper {
 public:
  Sweeper(Cssp& cssp, Scalarisation& scalarisation, const SweepRange& range,
          const std::optional<SweepRange>& second, double asked_gap, const SolveOptions& options,
          Monitor& monitor)
      : cssp_(cssp),
        asked_gap_(asked_gap),
        options_(options),
        monitor_(monitor),
        range_(range),
        bound_(cssp, range.cost),
        oracle_(scalarisation.oracle),
        lagrangian_(scalarisation.lagrangian),
        queries_before_(lagrangian_.num_queries()) {
    result_.cost = range.cost;
    if (!second) {
      prepare_curve(std::nullopt);
      return;
    }
    if (second->cost == range.cost)
      throw InputError(fmt::format("the bound on '{}' is varied twice", range.cost),
                       "vary the bounds on two different costs");
    result_.second_cost = second->cost;
    second_.emplace(cssp, second->cost);
    for (const double value : second->values())
      prepare_curve(value);
  }

  Sweep run() {
    const Timer timer;
    monitor_.report([](Progress& progress) { progress.phase = "sweep"; });
    try {
      for (SweepCurve& curve : result_.curves) {
        if (no_proper_policy_) break;
        if (second_) second_->set(*curve.second);
        add_curve(curve);
        monitor_.check();
      }
    } catch (const LimitReached& limit) {
      ended_by(limit.kind());
    } catch (const std::bad_alloc&) {
      ended_by(LimitKind::memory);
      result_.note = "out of memory";
    }
    blame_zero_bounds_if_any();
    settle_status();
    record_graph(oracle_.graph(), result_.statistics);
    oracle_.record(result_.statistics);
    result_.statistics.seconds.search = timer.seconds();
    result_.statistics.seconds.total = timer.seconds();
    return std::move(result_);
  }

 private:
  void prepare_curve(std::optional<double> second) {
    SweepCurve& curve = result_.curves.emplace_back();
    curve.second = second;
    for (const double value : range_.values())
      curve.points.emplace_back().bound = value;
  }

  // --- one value of the bound -------------------------------------------------------------------

  Evaluation solve_at(double u) {
    bound_.set(u);
    for (const Infeasibility& proof : proofs_)
      if (least_bound(proof) > u + same_point(u)) return ended(End::infeasible);
    const Timer timer;
    const auto search =
        make_bundle_search(lagrangian_, options_, {start(), proof_by_small_lp(oracle_)});
    search->take_part_in_sweep();
    End end = search->run();
    const Incumbent& incumbent = search->incumbent();
    if (!result_.first_point)
      result_.first_point =
          SweepEffort{lagrangian_.num_queries() - queries_before_, timer.seconds()};
    if (end == End::infeasible) proofs_.push_back(*incumbent.infeasibility);
    if (end == End::trouble && search->gap() <= asked_gap_) end = End::optimal;
    if (end != End::optimal) {
      note_end(end, incumbent.note);
      return ended(end);
    }
    return {end,
            {u, incumbent.upper_bound, std::min(incumbent.lower_bound, incumbent.upper_bound),
             -incumbent.multipliers[bound_.constraint()]},
            true};
  }

  /// Where C-ROC would put the multipliers, for the very first search.
  std::vector<double> start() {
    if (!lagrangian_.cuts().empty()) return {};
    ++result_.statistics.lp_solves;
    const auto roc = oracle_.heuristics().constrained_roc(monitor_);
    return roc ? roc->multipliers : std::vector<double>();
  }

  void note_end(End end, const std::string& note) {
    if (end == End::limit)
      ended_by(monitor_.kind());
    else if (end == End::trouble)
      result_.note = fmt::format("numerical trouble: {}", note);
    no_proper_policy_ |= end == End::no_proper_policy;
  }

  void ended_by(LimitKind kind) {
    interrupted_ |= kind == LimitKind::interrupt;
    result_.note = LimitReached(kind).what();
  }

  // --- where no policy meets the bounds ---------------------------------------------------------

  /// What a proof, r·C ≥ least, demands of the swept bound, given the others.
  double least_bound(const Infeasibility& proof) const {
    double rest = proof.least;
    double weight = 0;
    for (std::size_t b = 0; b < proof.weights.size(); ++b) {
      const Bound& bound = cssp_.bounds()[b];
      if (bound.cost == bound_.cost())
        weight = proof.weights[b];
      else
        rest -= proof.weights[b] * bound.upper;
    }
    if (weight > 0) return rest / weight;
    if (rest > 0) return ssp::infinity;
    return 0.0;
  }

  double demanded(double u) const {
    for (const Infeasibility& proof : proofs_)
      u = std::max(u, least_bound(proof));
    return u;
  }

  /// The least that mixtures of known policies need of the swept bound, given the others.
  double attained() const {
    std::vector<ScaledCut> cuts;
    for (const Cut& cut : lagrangian_.cuts()) {
      ScaledCut& scaled = cuts.emplace_back();
      scaled.f = cut.costs[bound_.cost()];
      for (const Bound& bound : cssp_.constraints())
        if (bound.cost != bound_.cost())
          scaled.g.push_back(violation(bound, cut.costs) / std::max(bound.upper, 1e-9));
    }
    const MasterSolution master =
        solve_master(cuts, std::vector<double>(cuts.front().g.size(), 1e-11));
    if (!master.feasible) return ssp::infinity;
    return master.objective;
  }

  /// The least bound that can be met, from `u` on: Newton's method on the proofs, each of which
  /// touches the set of bounds that can be met, until they demand what a known mixture attains.
  /// What then is still in the way are rounding errors.
  Evaluation least_feasible(double u) {
    double nudge = 0;  // in terms of same_point(), once rounding errors are in the way
    for (u = demanded(u); u != ssp::infinity;) {
      const Evaluation found = solve_at(u);
      if (found.end == End::optimal) return found;
      if (found.end != End::infeasible && found.end != End::trouble) return found;
      const double next = demanded(u);
      const double most = attained();
      if (nudge > most_nudge) {
        if (most == ssp::infinity) return found;
        Evaluation known = solve_at(most + same_point(most));
        known.is_least = false;
        return known;
      }
      if (next < most - proof_precision * std::max(1.0, most) && next > u + same_point(u)) {
        u = next;
      } else if (u < most && most < u + 3 * proof_precision * std::max(1.0, u)) {
        u = most;
      } else {
        nudge = nudge == 0 ? 0.01 : 10 * nudge;
        u = std::max(u, next) + nudge * same_point(u);
      }
    }
    return ended(End::infeasible);
  }

  // --- the curve --------------------------------------------------------------------------------

  /// With the others as they are.
  void add_curve(SweepCurve& curve) {
    const Evaluate evaluate = [&](double u) -> std::optional<Tangent> {
      const Evaluation found = solve_at(u);
      if (found.end != End::optimal) return std::nullopt;
      return found.tangent;
    };
    const Evaluation right = solve_at(range_.to);
    if (right.end == End::limit || right.end == End::no_proper_policy) return;
    const Evaluation left = least_feasible(range_.from);
    std::vector<Piece> pieces;
    if (left.end == End::optimal && right.end == End::optimal)
      pieces = linear_pieces(left.tangent, right.tangent, evaluate);
    if (left.end == End::optimal) find_ends(curve, left, right, evaluate);
    add_breakpoints(curve, pieces);
    for (SweepPoint& point : curve.points)
      settle(point, left, right, pieces);
    if (curve.slack_above)
      for (SweepPoint& point : curve.points)
        if (point.multiplier && point.bound >= *curve.slack_above - same_point(point.bound))
          point.multiplier = 0;
  }

  /// Where the curve begins and where it becomes level, within the range or not.
  void find_ends(SweepCurve& curve, const Evaluation& left, const Evaluation& right,
                 const Evaluate& evaluate) {
    Evaluation first = left;
    if (left.tangent.at <= range_.from) first = least_feasible(0.0);
    if (first.end != End::optimal) return;
    if (first.tangent.at > 0 && first.is_least) curve.infeasible_below = first.tangent.at;
    const std::optional<Tangent> level = level_part();
    if (!level) return;
    Tangent before = first.tangent;
    if (!on_line(*level, left.tangent)) before = left.tangent;
    if (right.end == End::optimal && !on_line(*level, right.tangent)) before = right.tangent;
    curve.slack_above = start_of_last_piece(before, *level, evaluate);
  }

  /// A bound that is twice what any known policy incurs has no price.
  std::optional<Tangent> level_part() {
    const auto most = [&] {
      double cost = range_.to;
      for (const Cut& cut : lagrangian_.cuts())
        cost = std::max(cost, cut.costs[bound_.cost()]);
      return cost;
    };
    while (true) {
      const double u = 2 * most() + 1;
      Evaluation found = solve_at(u);
      if (found.end != End::optimal) return std::nullopt;
      if (2 * most() > u) continue;  // by policies that were not known
      found.tangent.slope = 0;
      return found.tangent;
    }
  }

  void add_breakpoints(SweepCurve& curve, const std::vector<Piece>& pieces) const {
    if (pieces.empty()) return;
    const Tangent& begin = pieces.front().from;
    if (curve.infeasible_below && begin.at == *curve.infeasible_below && pieces.front().settled())
      curve.breakpoints.push_back({begin.at, begin.value, {}, pieces.front().slope()});
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
      if (pieces[i].settled() && pieces[i + 1].settled())
        curve.breakpoints.push_back(
            {pieces[i].to.at, pieces[i].to.value, pieces[i].slope(), pieces[i + 1].slope()});
    const Tangent& end = pieces.back().to;
    if (curve.slack_above && same(*curve.slack_above, end.at) && pieces.back().settled())
      curve.breakpoints.push_back({end.at, end.value, pieces.back().slope(), 0});
  }

  static bool same(double u, double v) { return std::abs(u - v) <= same_point(u); }

  void settle(SweepPoint& point, const Evaluation& left, const Evaluation& right,
              const std::vector<Piece>& pieces) const {
    const double u = point.bound;
    const bool before =
        left.end == End::optimal && left.is_least && u < left.tangent.at - same_point(u);
    if (before || demanded(u) > u + same_point(u)) {
      point.status = Status::infeasible;
      return;
    }
    // Of a breakpoint, the piece to the right.
    const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& p) {
      return u < p.to.at - same_point(u) || &p == &pieces.back();
    });
    if (left.end == End::optimal && u < left.tangent.at - same_point(u)) return;
    if (piece != pieces.end()) {
      const double inside = std::clamp(u, piece->from.at, piece->to.at);
      point.piece = static_cast<std::size_t>(piece - pieces.begin());
      point.objective = piece->upper_bound(inside);
      point.lower_bound = std::min(*point.objective, piece->lower_bound(inside));
      if (!piece->settled()) return;
      point.multiplier = -piece->slope();
      point.status = Status::optimal;
    }
    for (const Evaluation& end : {left, right})
      if (end.end == End::optimal && same(end.tangent.at, u)) {
        point.status = Status::optimal;
        point.objective = end.tangent.value;
        point.lower_bound = end.tangent.lower;
        if (!point.multiplier) point.multiplier = -end.tangent.slope;
      }
  }

  // --- all of it --------------------------------------------------------------------------------

  /// If other bounds, of zero, leave no proper policy, all points are infeasible.
  void blame_zero_bounds_if_any() {
    if (!no_proper_policy_) return;
    try {
      if (!blame_zero_bounds(cssp_, monitor_)) return;
      no_proper_policy_ = false;
      for (SweepCurve& curve : result_.curves)
        for (SweepPoint& point : curve.points)
          point.status = Status::infeasible;
    } catch (const LimitReached& limit) {
      no_proper_policy_ = false;
      ended_by(limit.kind());
    }
  }

  void settle_status() {
    const Status unsettled = interrupted_ ? Status::interrupted : Status::limit;
    result_.status = Status::infeasible;
    bool settled = true;
    for (SweepCurve& curve : result_.curves)
      for (SweepPoint& point : curve.points) {
        if (no_proper_policy_) point.status = Status::no_proper_policy;
        if (point.status == Status::limit) {
          point.status = unsettled;
          settled = false;
        }
        if (point.status != Status::infeasible) result_.status = Status::optimal;
      }
    if (!settled) result_.status = unsettled;
    if (no_proper_policy_) result_.status = Status::no_proper_policy;
    if (settled) result_.note.clear();
  }

  Cssp& cssp_;
  double asked_gap_;
  SolveOptions options_;
  Monitor& monitor_;
  SweepRange range_;
  SweptBound bound_;
  std::optional<SweptBound> second_;
  oracle::SearchOracle& oracle_;
  Lagrangian& lagrangian_;
  std::size_t queries_before_;
  std::vector<Infeasibility> proofs_;
  bool no_proper_policy_ = false;
  bool interrupted_ = false;
  Sweep result_;
};

}  // namespace

SolveOptions for_sweep(SolveOptions options) {
  options.algorithm = Algorithm::carl;
  options.carl.outer = OuterAlgorithm::bundle;
  if (options.gap > aim) options.gap = aim;  // what is not a number stays none, to be found out
  return options;
}

Sweep run_sweep(Cssp& cssp, Scalarisation& scalarisation, const SweepRange& range,
                const std::optional<SweepRange>& second, double asked_gap,
                const SolveOptions& options, Monitor& monitor) {
  return Sweeper(cssp, scalarisation, range, second, asked_gap, options, monitor).run();
}

}  // namespace cssp

std::vector<double> SweepRange::values() const {
  const std::string text = fmt::format("{}={}:{}:{}", cost, from, to, step);
  const char* hint = "write COST=FROM:TO:STEP, for example fuel=5:20:1";
  if (!(from >= 0) || !std::isfinite(to) || !std::isfinite(step))
    throw InputError(fmt::format("{}: a bound is a number and at least 0", text), hint);
  if (from > to) throw InputError(fmt::format("{}: the range ends before it begins", text), hint);
  if (!(step > 0)) throw InputError(fmt::format("{}: the step must be more than 0", text), hint);
  const double steps = std::floor((to - from) / step * (1 + 1e-12));
  if (steps >= cssp::most_points)
    throw InputError(
        fmt::format("{}: more than {} points", text, cssp::most_points),
        "breakpoints are exact whatever the step is: a few points are enough for a picture");
  std::vector<double> values;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(steps); ++i)
    values.push_back(std::min(to, from + static_cast<double>(i) * step));
  return values;
}

}  // namespace carl
