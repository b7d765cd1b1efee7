// The default outer search: proximal cutting planes over policies. L(λ) is the minimum of finitely
// many linear functions, one per deterministic policy. Every query adds one of them, a cut, with
// exact coefficients. The master problem over all cuts gives an upper bound and the mixture that
// attains it; the queries give lower bounds, good ones where they would end the search. Where to ask
// next: at the maximum of the model, but not too far from the best point so far (the proximal step),
// because far away the model knows nothing. Close to the end, or with one constraint, at the maximum
// itself (Kelley's step), which ends after finitely many.
//
// A Lagrangian that has answered for other bounds knows cuts and lower bounds already. Neither
// depends on the bounds, so the search begins with the master problem over all of them, and may
// have nothing left to ask.
//
// All of this happens in scaled terms: λ̃_i = λ_i·u_i/C0, so that distances mean something.
//
// J. E. Kelley, "The cutting-plane method for solving convex programs", Journal of the Society for
// Industrial and Applied Mathematics 8, 1960. K. C. Kiwiel, "Proximity control in bundle methods
// for convex nondifferentiable minimization", Mathematical Programming 46, 1990.

#include <algorithm>
#include <cmath>

#include "cssp/farkas.h"
#include "cssp/outer_search.h"
#include "cssp/proximal_step.h"

namespace carl::cssp {
namespace {

constexpr double first_step_length = 0.3;
constexpr double enough_progress = 0.1;  // of what the model promised, to move the centre
constexpr double good_progress = 0.5;
constexpr double nearly_closed = 1e-6;  // relative gap below which Kelley's steps finish
constexpr double no_promise = 1e-9;
// What an answer may be off by, of the gap that is left; of a wider one no more than that.
constexpr double share_of_gap = 0.06;
constexpr double widest_gap = 0.1;
// Where all that is missing in the end is a better lower bound, of this share of the gap at least, the best
// multipliers are asked for again: values that are nearly there are sooner made exact than others found.
constexpr double much_of_gap = 0.1;
// What that bound may lose, of what it need not have.
constexpr double share_of_rest = 0.5;
constexpr int most_times_for_bound = 2;
constexpr double longest_step = 1e12;
constexpr double first_rho = 1e-3;
constexpr double rho_reduction = 1e-2;
constexpr double least_rho = 1e-9;
constexpr double least_rho_of_a_sweep = 1e-6;
constexpr std::size_t rounds_before_other_means = 2;
// A scaled multiplier says how many times the cost of the first policy it is worth to meet a bound.
constexpr double first_largest_multiplier = 30;
constexpr double growth_before_proof = 30;
// Queries in a row that teach nothing, when the oracle cannot be made more precise.
constexpr std::size_t most_fruitless = 3;

/// What is tolerated for as long as this lives.
class Tolerance {
 public:
  Tolerance(oracle::Oracle& oracle, double loss, oracle::Wanted wanted) : oracle_(oracle) {
    oracle_.tolerate(loss, wanted);
  }
  Tolerance(const Tolerance&) = delete;
  Tolerance& operator=(const Tolerance&) = delete;
  ~Tolerance() { oracle_.tolerate(0, oracle::Wanted::bounds); }

 private:
  oracle::Oracle& oracle_;
};

class BundleSearch final : public OuterSearch {
 public:
  BundleSearch(Lagrangian& lagrangian, const SolveOptions& options, BundleStart start)
      : OuterSearch(lagrangian, options),
        start_(std::move(start.multipliers)),
        proof_by_other_means_(std::move(start.proof)) {}

  End run() override {
    const std::size_t n = num_constraints();
    knows_policies_ = !lagrangian_.cuts().empty();
    for (const LowerLine& line : lagrangian_.lower_lines())
      learn(line);
    if (start_.empty()) start_ = incumbent_.multipliers;
    if (start_.empty()) start_.assign(n, 0.0);
    if (!knows_policies_)
      if (const auto end = ask(start_)) return *end;
    set_scale();
    centre_ = scaled(start_);
    while (true) {
      const MasterSolution master = solve_master_problem();
      if (gap_is_closed()) return End::optimal;
      if (lagrangian_.monitor().reached()) return End::limit;
      if (!master.feasible && step_length_ > longest_step)
        return trouble("the bounds are met or missed by rounding errors");
      std::optional<End> end;
      if (!master.feasible && prove_infeasibility_by_other_means()) return End::infeasible;
      if (!master.feasible && farkas_is_due(master))
        end = try_to_prove_infeasibility(master);
      else if (master.feasible && only_bound_is_missing())
        end = ask_for_bound();
      else if (master.feasible && (n <= 1 || knows_policies_ || apparent_gap() < nearly_closed))
        end = ask(unscaled(master.multipliers));
      else
        end = step(master);
      if (end) return *end;
    }
  }

 private:
  // --- scaling ----------------------------------------------------------------------------------

  void set_scale() {
    const std::vector<double>& first = lagrangian_.cuts().front().costs;
    primary_scale_ = lagrangian_.primary_scale();
    for (const Bound& bound : lagrangian_.constraints()) {
      scale_.push_back(bound.upper > 0 ? bound.upper : std::max(first[bound.cost], 1e-9));
      // Half of what a policy may exceed a bound by; the rest is for rounding. The curves of a
      // sweep begin where bounds are met exactly.
      const double share = is_part_of_sweep() ? 0.01 : 0.5;
      tolerance_.push_back(share * bound_tolerance(bound) / scale_.back());
    }
  }

  std::vector<double> scaled(std::vector<double> multipliers) const {
    for (std::size_t i = 0; i < multipliers.size(); ++i)
      multipliers[i] *= scale_[i] / primary_scale_;
    return multipliers;
  }
  std::vector<double> unscaled(std::vector<double> multipliers) const {
    for (std::size_t i = 0; i < multipliers.size(); ++i)
      multipliers[i] *= primary_scale_ / scale_[i];
    return multipliers;
  }

  void learn_cuts() {
    for (std::size_t k = cuts_.size(); k < lagrangian_.cuts().size(); ++k) {
      const std::vector<double>& costs = lagrangian_.cuts()[k].costs;
      ScaledCut cut{costs[0] / primary_scale_, {}};
      for (std::size_t i = 0; i < num_constraints(); ++i) {
        const Bound& bound = lagrangian_.constraints()[i];
        cut.g.push_back(violation(bound, costs) / scale_[i]);
      }
      cuts_.push_back(std::move(cut));
    }
  }

  /// The minimum over all cuts: an upper bound on L, nearly exact where a query has been.
  double model(const std::vector<double>& multipliers) const {
    double least = cuts_.front().at(multipliers);
    for (const ScaledCut& cut : cuts_)
      least = std::min(least, cut.at(multipliers));
    return least;
  }

  // --- steps ------------------------------------------------------------------------------------

  MasterSolution solve_master_problem() {
    learn_cuts();
    note_best();
    MasterSolution master = solve_master(cuts_, tolerance_);
    if (!master.feasible) {
      ++infeasible_rounds_;
      return master;
    }
    std::vector<double> costs(lagrangian_.cssp().num_costs(), 0.0);
    for (std::size_t k = 0; k < cuts_.size(); ++k)
      for (std::size_t i = 0; i < costs.size(); ++i)
        costs[i] += master.mixture[k] * lagrangian_.cuts()[k].costs[i];
    if (costs[0] < incumbent_.upper_bound) {
      incumbent_.upper_bound = costs[0];
      incumbent_.mixture = master.mixture;
      incumbent_.costs = std::move(costs);
    }
    return master;
  }

  /// Keeps the multipliers of which the model expects most, of the last and the best before.
  void note_best() {
    if (!last_asked_) return;
    if (best_asked_ && model(scaled(*last_asked_)) <= model(scaled(*best_asked_))) return;
    best_asked_ = last_asked_;
    times_asked_for_bound_ = 0;
  }

  /// What the lower bound of the best multipliers would be if their answer was exact.
  double apparent_bound() const {
    if (!best_asked_) return incumbent_.lower_bound;
    return std::max(incumbent_.lower_bound, model(scaled(*best_asked_)) * primary_scale_);
  }

  /// As it would be with that bound.
  double apparent_gap() const {
    const double known = gap();
    if (known == std::numeric_limits<double>::infinity()) return known;
    return std::min(known, relative_gap(incumbent_.upper_bound, apparent_bound()));
  }

  /// Only policies are wanted while the gap is still wide, as good as they need be. Without constraints
  /// the first answer is the last, a bound may be enough to end a part of a branching, and what has taught
  /// nothing is asked for in earnest.
  Lagrangian::Answer query_roughly(const std::vector<double>& multipliers) {
    if (num_constraints() == 0)
      return query_within(share_of_rest * options_.gap, oracle::Wanted::bounds, multipliers);
    const bool only_policies = !is_part_of_branching() && fruitless_ == 0;
    const double left = std::max(std::min(apparent_gap(), widest_gap), options_.gap);
    return query_within(share_of_gap * left,
                        only_policies ? oracle::Wanted::policies : oracle::Wanted::bounds,
                        multipliers);
  }

  /// The loss is a share of the primary cost.
  Lagrangian::Answer query_within(double loss, oracle::Wanted wanted,
                                  const std::vector<double>& multipliers) {
    last_asked_ = multipliers;
    const Tolerance tolerance(lagrangian_.oracle(), loss * share_of_primary(multipliers), wanted);
    return query(multipliers);
  }

  /// Of what answers cost, about: the others are what the multipliers make of the bounds.
  double share_of_primary(const std::vector<double>& multipliers) const {
    const double primary = incumbent_.upper_bound;
    double weighted = primary;
    for (std::size_t i = 0; i < num_constraints(); ++i)
      weighted += multipliers[i] * lagrangian_.constraints()[i].upper;
    return std::isfinite(weighted) && weighted > 0 ? primary / weighted : 1;
  }

  /// The policies are there, but what was tolerated while the gap was wide is in the way of the end.
  bool only_bound_is_missing() const {
    if (!best_asked_ || times_asked_for_bound_ == most_times_for_bound) return false;
    const double lost = apparent_bound() - incumbent_.lower_bound;
    return apparent_gap() <= options_.gap &&
           lost > much_of_gap * (incumbent_.upper_bound - incumbent_.lower_bound);
  }

  /// No better than it need be at first, then as good as it can be.
  std::optional<End> ask_for_bound() {
    const bool is_first = times_asked_for_bound_++ == 0;
    const double rest = std::max(0.0, options_.gap - apparent_gap());
    const double before = incumbent_.lower_bound;
    const double loss = is_first ? share_of_rest * rest : 0;
    return judge_by_bound(query_within(loss, oracle::Wanted::bounds, *best_asked_), before);
  }

  std::optional<End> ask(const std::vector<double>& multipliers) {
    const double before = incumbent_.lower_bound;
    return judge_by_bound(query_roughly(multipliers), before);
  }

  std::optional<End> judge_by_bound(const Lagrangian::Answer& answer, double before) {
    return judge(answer, answer.is_new || incumbent_.lower_bound > before * (1 + 1e-12));
  }

  /// If a query teaches nothing while the gap is open, the oracle is too coarse.
  std::optional<End> judge(const Lagrangian::Answer& answer, bool progress) {
    if (answer.outcome == Lagrangian::Outcome::no_proper_policy) return End::no_proper_policy;
    if (answer.outcome == Lagrangian::Outcome::limit) {
      if (lagrangian_.monitor().reached()) return End::limit;
      return trouble("no proper policy could be made out");
    }
    fruitless_ = progress ? 0 : fruitless_ + 1;
    if (fruitless_ == 0) return std::nullopt;
    const bool more_precise = !answer.is_final && lagrangian_.oracle().tighten();
    if (!more_precise && fruitless_ >= most_fruitless) return trouble("the gap cannot be closed");
    return std::nullopt;
  }

  std::optional<End> step(const MasterSolution& master) {
    const std::vector<double> y = proximal_step(cuts_, centre_, step_length_);
    const double at_centre = model(centre_);
    const double predicted = model(y) - at_centre;
    if (predicted <= no_promise * std::max(1.0, std::abs(at_centre))) {
      step_length_ = std::min(step_length_ * 10, longest_step);
      if (master.feasible) return ask(unscaled(master.multipliers));
      return step_length_ < longest_step ? std::nullopt : try_to_prove_infeasibility(master);
    }
    // Multipliers that large are worth it only if the bounds can be met at all.
    if (!master.feasible && farkas_is_worth_it(master) &&
        *std::max_element(y.begin(), y.end()) > largest_before_proof_) {
      largest_before_proof_ *= growth_before_proof;
      return try_to_prove_infeasibility(master);
    }
    const Lagrangian::Answer answer = query_roughly(unscaled(y));
    if (answer.outcome != Lagrangian::Outcome::answered) return judge(answer, false);
    learn_cuts();
    const double actual = model(y) - at_centre;
    if (const auto end = judge(answer, answer.is_new || actual >= enough_progress * predicted))
      return end;
    if (actual >= enough_progress * predicted) {
      centre_ = y;
      if (actual >= good_progress * predicted) step_length_ *= master.feasible ? 2 : 4;
    } else if (actual < -predicted) {
      step_length_ /= 2;
    }
    return std::nullopt;
  }

  // --- infeasibility ----------------------------------------------------------------------------

  /// With next to no primary cost a problem may take very long; one of many is not worth it.
  bool farkas_is_too_slow() const { return is_part_of_sweep() && rho_ < least_rho_of_a_sweep; }

  bool farkas_is_worth_it(const MasterSolution& master) const {
    return !farkas_is_too_slow() && ray(master) != futile_ray_;
  }

  bool farkas_is_due(const MasterSolution& master) {
    if (!farkas_is_worth_it(master)) return false;
    const bool suspicious = knows_policies_ || infeasible_rounds_ > num_constraints() + 3 ||
                            apparent_bound() > 3 * lagrangian_.cuts().front().costs[0];
    return suspicious && ++suspicious_rounds_ % 3 == 1;
  }

  /// Scalarised problems with ever larger multipliers may take for ever.
  bool prove_infeasibility_by_other_means() {
    if (infeasible_rounds_ != rounds_before_other_means || !proof_by_other_means_) return false;
    incumbent_.infeasibility = proof_by_other_means_();
    return incumbent_.infeasibility.has_value();
  }

  /// Weights of the secondary costs by which the policies known cost more than the bounds allow.
  std::vector<double> ray(const MasterSolution& master) const {
    std::vector<double> r = master.multipliers;
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] /= scale_[i];
    return r;
  }

  std::optional<End> try_to_prove_infeasibility(const MasterSolution& master) {
    if (!farkas_is_worth_it(master)) return trouble("infeasibility could not be proved");
    const std::vector<double> r = ray(master);
    FarkasStep step = farkas_step(lagrangian_, r, rho_);
    const auto in_vain = [&] { return !step.proof && !step.answer.is_new && rho_ <= least_rho; };
    // Who asks again is answered exactly, and need not ask a third time.
    if (in_vain() && !step.answer.is_final) step = farkas_step(lagrangian_, r, rho_);
    if (in_vain()) futile_ray_ = r;
    if (step.proof) {
      incumbent_.infeasibility = step.proof;
      return End::infeasible;
    }
    // The same policy again: either ρ is still in the way, or ε.
    if (!step.answer.is_new && rho_ > least_rho) {
      rho_ *= rho_reduction;
      return judge(step.answer, true);
    }
    return judge(step.answer, step.answer.is_new);
  }

  End trouble(const char* what) {
    incumbent_.note = what;
    return End::trouble;
  }

  std::vector<double> start_;
  std::function<std::optional<Infeasibility>()> proof_by_other_means_;
  bool knows_policies_ = false;  // from the start: of earlier searches, for other bounds
  double primary_scale_ = 1;
  std::vector<double> scale_;
  std::vector<double> tolerance_;  // of the scaled bounds
  std::vector<ScaledCut> cuts_;
  std::vector<double> centre_;
  double step_length_ = first_step_length;  // t
  double rho_ = first_rho;
  std::vector<double> futile_ray_;  // that proves nothing, however little primary cost there is
  double largest_before_proof_ = first_largest_multiplier;
  std::size_t infeasible_rounds_ = 0;
  std::size_t suspicious_rounds_ = 0;
  std::size_t fruitless_ = 0;
  std::optional<std::vector<double>> last_asked_;
  std::optional<std::vector<double>> best_asked_;
  int times_asked_for_bound_ = 0;  // of the best
};

}  // namespace

std::unique_ptr<OuterSearch> make_bundle_search(Lagrangian& lagrangian, const SolveOptions& options,
                                                BundleStart start) {
  return std::make_unique<BundleSearch>(lagrangian, options, std::move(start));
}

}  // namespace carl::cssp
