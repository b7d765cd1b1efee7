#include "cluster/policy_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/agreement.h"
#include "util/timer.h"

namespace carl::cluster {
namespace {

// What one correction leaves, at best and at least: the next one wins as much again.
constexpr double least_reduction = 1e-8;
constexpr double most_reduction = 1e-2;
// Norms of iterations are others than that which is asked for.
constexpr double safety = 0.25;
// Of the largest value: what smaller ones count as for scaling.
constexpr double least_scale = 1e-6;
constexpr double divergence = 1e12;
// With factors of the library and with ILU(0).
constexpr PetscInt most_iterations_at_first = 150;
constexpr PetscInt most_iterations = 1000;
constexpr int most_corrections = 12;
// What a sweep of the ranks' factors leaves of a residual, before that is known; where it is more than
// the second, iterations do better. Of sweeps in one go, and how often: then iterations take over as well.
constexpr double usual_rate = 0.05;
constexpr double slow_rate = 0.2;
constexpr int most_sweeps = 8;
constexpr int most_rounds = 3;
constexpr double negligible_share = 1e-6;
// What a solution must have to be one.
constexpr double enough = 1e-11;

template <bool transposed>
PetscErrorCode precondition(PC preconditioner, Vec b, Vec x) {
  void* factors = nullptr;
  check(PCShellGetContext(preconditioner, &factors));
  if (transposed)
    static_cast<RankFactors*>(factors)->solve_columns(b, 1, x);
  else
    static_cast<RankFactors*>(factors)->solve_rows(b, 1, x);
  return 0;
}

}  // namespace

RankPolicy::RankPolicy(std::span<const std::uint32_t> pairs) {
  first_.reserve(pairs.size() + 1);
  choices_.reserve(pairs.size());
  for (const std::uint32_t pair : pairs) {
    add_choice(pair, 1);
    end_state();
  }
}

void check_entries(std::size_t own, const Ranks& ranks, std::uint64_t most) {
  together(ranks, [&] {
    if (own > most)
      throw TooLarge(
          fmt::format("the equations of one rank have {} entries, more than PETSc was "
                      "built for, which is {}: use more ranks",
                      own, most));
  });
}

PolicyMatrix::PolicyMatrix(const Rows& rows, const Ghosts& ghosts, const Ranks& ranks,
                           const RankPolicy& policy, std::vector<double> scale, SolverWork& work,
                           Watch& watch, AtLimit at_limit)
    : rows_(rows),
      ghosts_(ghosts),
      ranks_(ranks),
      policy_(policy),
      work_(work),
      watch_(watch),
      at_limit_(at_limit),
      rate_(usual_rate) {
  const Timer timer;
  scale_by(std::move(scale));
  assemble();
  check(MatCreateVecs(matrix_, solution_.put(), right_.put()));
  check(VecDuplicate(solution_, change_.put()));
  check(VecDuplicate(right_, rest_.put()));
  choose(Method::rank_factors);
  seconds_ = timer.seconds();
}

/// Values that are next to nothing beside others would only make others huge.
void PolicyMatrix::scale_by(std::vector<double> scale) {
  scale_ = std::move(scale);
  double highest = 0;
  for (std::size_t s = 0; s < rows_.size(); ++s)
    if (std::isfinite(scale_[s])) highest = std::max(highest, scale_[s]);
  highest = ranks_.max(highest);
  if (highest == 0) highest = 1;
  for (double& value : scale_)
    value = std::isfinite(value) ? std::max(value, least_scale * highest) : highest;
}

/// Row by row: one on the diagonal, less the probability of every successor but goals.
void PolicyMatrix::assemble() {
  std::vector<PetscInt> first{0};
  std::vector<PetscInt> columns;
  std::vector<PetscScalar> entries;
  std::vector<std::pair<GlobalId, double>> row;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    row.assign(1, {rows_.begin() + s, 1.0});
    for (const auto& [pair, probability] : policy_.choices(s))
      for (std::size_t k = 0; k < rows_.targets(pair).size(); ++k)
        if (rows_.targets(pair)[k] != rows_.goal_slot())
          row.emplace_back(rows_.global(rows_.targets(pair)[k]),
                           -probability * rows_.probabilities(pair)[k] *
                               scale_[rows_.targets(pair)[k]] / scale_[s]);
    std::sort(row.begin(), row.end());
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k > 0 && row[k].first == row[k - 1].first) {
        entries.back() += row[k].second;
        continue;
      }
      columns.push_back(static_cast<PetscInt>(row[k].first));
      entries.push_back(row[k].second);
    }
    first.push_back(static_cast<PetscInt>(columns.size()));
  }
  check_entries(columns.size(), ranks_);
  const auto own = static_cast<PetscInt>(rows_.size());
  const auto all = static_cast<PetscInt>(rows_.ownership().total());
  check(MatCreateMPIAIJWithArrays(ranks_.communicator(), own, own, all, all, first.data(),
                                  columns.data(), entries.data(), matrix_.put()));
}

void PolicyMatrix::choose(Method method) {
  method_ = method;
  if (method == Method::rank_factors) {
    factors_.emplace(matrix_, std::span(scale_).first(rows_.size()), ranks_,
                     ends_at_limits() ? &watch_.monitor() : nullptr);
    if (!ranks_.all(factors_->ok())) method_ = Method::rank_ilu0;
  }
  if (method_ != Method::rank_factors) factors_.reset();
  if (method_ == Method::factorization)
    choose_factorization();
  else
    choose_iteration();
}

void PolicyMatrix::choose_iteration() {
  check(KSPCreate(ranks_.communicator(), solver_.put()));
  check(KSPSetOperators(solver_, matrix_, matrix_));
  check(KSPSetType(solver_, KSPBCGS));
  PC preconditioner = nullptr;
  check(KSPGetPC(solver_, &preconditioner));
  if (factors_) {
    check(PCSetType(preconditioner, PCSHELL));
    check(PCShellSetContext(preconditioner, &*factors_));
    check(PCShellSetApply(preconditioner, precondition<false>));
    check(PCShellSetApplyTranspose(preconditioner, precondition<true>));
  } else {
    check(PCSetType(preconditioner, PCBJACOBI));  // with ILU(0) of each block
  }
  check(KSPSetPCSide(solver_, PC_RIGHT));
  check(KSPSetInitialGuessNonzero(solver_, PETSC_TRUE));
  check(KSPSetTolerances(solver_, least_reduction, 0, divergence,
                         factors_ ? most_iterations_at_first : most_iterations));
  check(KSPSetConvergenceTest(solver_, test, this, nullptr));
}

/// Of an iteration. All ranks have the same norm, and look at limits together.
PetscErrorCode PolicyMatrix::test(KSP /*solver*/, PetscInt /*iteration*/, PetscReal norm,
                                  KSPConvergedReason* reason, void* matrix) {
  auto& self = *static_cast<PolicyMatrix*>(matrix);
  *reason = KSP_CONVERGED_ITERATING;
  if (!std::isfinite(norm))
    *reason = KSP_DIVERGED_NANORINF;
  else if (norm <= self.reduction_ * self.first_norm_)
    *reason = KSP_CONVERGED_RTOL;
  else if (norm >= divergence * self.first_norm_)
    *reason = KSP_DIVERGED_DTOL;
  else if (self.ends_at_limits() && self.watch_.reached(self.rows_.ownership().total()))
    *reason = KSP_DIVERGED_ITS;
  return 0;
}

/// All factors take longer than incomplete ones did: what is left of the time must be that, at least.
bool PolicyMatrix::has_time_to_factorize() {
  if (watch_.reached()) return false;
  return ranks_.all(!ranks_.is_first() || watch_.monitor().seconds_left() > seconds_);
}

void PolicyMatrix::choose_factorization() {
  ++work_.factorizations;
  check(KSPCreate(ranks_.communicator(), solver_.put()));
  check(KSPSetOperators(solver_, matrix_, matrix_));
  check(KSPSetType(solver_, KSPPREONLY));
  PC preconditioner = nullptr;
  check(KSPGetPC(solver_, &preconditioner));
  check(PCSetType(preconditioner, PCLU));
  check(PCFactorSetMatSolverType(preconditioner, MATSOLVERMUMPS));
}

std::vector<double> PolicyMatrix::residual(const std::vector<double>& b,
                                           const std::vector<double>& x) const {
  std::vector<double> result(rows_.size());
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    // From differences, which lose no digits where all values are large.
    long double sum = b[s];
    for (const auto& [pair, probability] : policy_.choices(s)) {
      long double part = 0;
      const auto targets = rows_.targets(pair);
      const auto probabilities = rows_.probabilities(pair);
      for (std::size_t k = 0; k < targets.size(); ++k)
        part += static_cast<long double>(probabilities[k]) *
                (static_cast<long double>(x[targets[k]]) - x[s]);
      sum += probability * part;
    }
    result[s] = static_cast<double>(sum);
  }
  return result;
}

std::vector<double> PolicyMatrix::residual_transposed(const std::vector<double>& b,
                                                      const std::vector<double>& x) const {
  std::vector<double> flow(rows_.num_slots(), 0.0);
  for (std::size_t s = 0; s < rows_.size(); ++s)
    for (const auto& [pair, probability] : policy_.choices(s))
      for (std::size_t k = 0; k < rows_.targets(pair).size(); ++k)
        flow[rows_.targets(pair)[k]] += x[s] * probability * rows_.probabilities(pair)[k];
  ghosts_.add_to_owners(flow);
  flow.resize(rows_.size());
  for (std::size_t s = 0; s < rows_.size(); ++s)
    flow[s] = b[s] + (flow[s] - x[s]);
  return flow;
}

/// The largest entry of a residual, relative to what it is the sum of. Where that is next to nothing
/// beside other entries it is nothing: what is zero in truth would never be found otherwise.
double PolicyMatrix::size_of(const std::vector<double>& residual, const std::vector<double>& b,
                             const std::vector<double>& x) const {
  double largest = 0;
  bool finite = true;
  for (std::size_t s = 0; s < residual.size(); ++s) {
    finite &= std::isfinite(residual[s]) && std::isfinite(x[s]);
    largest = std::max({largest, std::abs(x[s]), std::abs(b[s])});
  }
  const double floor = negligible_share * ranks_.max(largest);
  double size = finite ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < residual.size(); ++s)
    if (residual[s] != 0)
      size = std::max(size, std::abs(residual[s]) / (floor + std::abs(b[s]) + std::abs(x[s])));
  return ranks_.max(size);
}

/// A first step of the preconditioner alone: often it is most of the way, and what it leaves makes a
/// better shadow residual than a right-hand side with a single entry, which visits have.
void PolicyMatrix::start_with_preconditioner(bool transposed) {
  PC preconditioner = nullptr;
  check(KSPGetPC(solver_, &preconditioner));
  check(PCSetUp(preconditioner));
  check(transposed ? PCApplyTranspose(preconditioner, right_, solution_)
                   : PCApply(preconditioner, right_, solution_));
}

/// As many as should be enough, or one where they win little. All ranks find the same number.
int PolicyMatrix::sweeps_for(double reduction) const {
  if (rate_ > slow_rate) return 1;
  int sweeps = 1;
  for (double left = rate_; left > reduction && sweeps < most_sweeps; left *= rate_)
    ++sweeps;
  return sweeps;
}

/// x ← x + M (b - A x) with M for all sweeps. What that leaves, of all ranks.
double PolicyMatrix::sweep(bool transposed, int sweeps) {
  if (transposed)
    factors_->solve_columns(rest_, sweeps, change_);
  else
    factors_->solve_rows(rest_, sweeps, change_);
  work_.sweeps += static_cast<std::uint64_t>(sweeps);
  check(VecAXPY(solution_, 1, change_));
  check(transposed ? MatMultTranspose(matrix_, solution_, rest_)
                   : MatMult(matrix_, solution_, rest_));
  check(VecAYPX(rest_, -1, right_));
  PetscReal norm = 0;
  check(VecNorm(rest_, NORM_2, &norm));
  return norm;
}

/// Sweeps alone, which need no reductions between them, as long as they win much. What they leave is
/// where iterations begin: it makes a better shadow residual than a right-hand side with a single entry,
/// which visits have. True if that was all it takes.
bool PolicyMatrix::correct_by_sweeps(bool transposed) {
  const double wanted = reduction_ * first_norm_;
  double norm = 0;
  for (int round = 0; round < most_rounds; ++round) {
    if (round == 0 || rate_ >= 1) {
      norm = first_norm_;
      check(VecSet(solution_, 0));
      check(VecCopy(right_, rest_));
    }
    const double before = norm;
    const int sweeps = sweeps_for(wanted / before);
    norm = ranks_.broadcast(sweep(transposed, sweeps));  // ranks must agree on what to do next
    const double rate = std::pow(norm / before, 1.0 / sweeps);
    rate_ = std::isfinite(rate) ? std::min(rate, 1.0) : 1.0;
    const bool has_ended = ends_at_limits() && watch_.reached(rows_.ownership().total());
    if (norm <= wanted) return true;
    if (has_ended || (rate_ > slow_rate && (rate_ < 1 || sweeps == 1))) return false;
  }
  return false;
}

/// Or the parallel factorization.
bool PolicyMatrix::iterate(bool transposed) {
  const PetscErrorCode error = transposed ? KSPSolveTranspose(solver_, right_, solution_)
                                          : KSPSolve(solver_, right_, solution_);
  if (ranks_.any(error != 0) || has_ended()) return false;
  PetscInt iterations = 0;
  check(KSPGetIterationNumber(solver_, &iterations));
  work_.iterations += static_cast<std::uint64_t>(iterations);
  KSPConvergedReason reason{};
  check(KSPGetConvergedReason(solver_, &reason));
  return reason > 0 || reason == KSP_DIVERGED_ITS || reason == KSP_DIVERGED_BREAKDOWN;
}

bool PolicyMatrix::correct(const std::vector<double>& residual, bool transposed, double reduction,
                           std::vector<double>& x) {
  reduction_ = reduction;
  PetscScalar* entries = nullptr;
  check(VecGetArray(right_, &entries));
  for (std::size_t s = 0; s < rows_.size(); ++s)
    entries[s] = transposed ? residual[s] * scale_[s] : residual[s] / scale_[s];
  check(VecRestoreArray(right_, &entries));
  check(VecNorm(right_, NORM_2, &first_norm_));
  first_norm_ = ranks_.broadcast(first_norm_);
  ++work_.systems;
  if (method_ == Method::rank_ilu0) start_with_preconditioner(transposed);
  const bool is_done = method_ == Method::rank_factors && correct_by_sweeps(transposed);
  if (has_ended() || (!is_done && !iterate(transposed))) return false;
  const PetscScalar* found = nullptr;
  check(VecGetArrayRead(solution_, &found));
  for (std::size_t s = 0; s < rows_.size(); ++s)
    x[s] += transposed ? found[s] / scale_[s] : found[s] * scale_[s];
  check(VecRestoreArrayRead(solution_, &found));
  return true;
}

/// Corrects until that makes nothing better, though no more than it has to unless that is not enough.
bool PolicyMatrix::refine(const std::vector<double>& b, bool transposed, double precision,
                          std::vector<double>& x) {
  std::vector<double> best = x;
  double least = std::numeric_limits<double>::infinity();
  bool no_more_than_need_be = true;
  for (int i = 0; i <= most_corrections; ++i) {
    if (!transposed) ghosts_.fetch(x);
    const std::vector<double> rest = transposed ? residual_transposed(b, x) : residual(b, x);
    const double size = size_of(rest, b, x);
    const bool better = size < least / 2;
    if (size < least) {
      least = size;
      best = x;
    }
    if (least <= precision || (!better && !no_more_than_need_be)) break;
    no_more_than_need_be &= better;
    const double reduction = no_more_than_need_be ? std::clamp(safety * precision / size,
                                                               least_reduction, most_reduction)
                                                  : least_reduction;
    if (!correct(rest, transposed, reduction, x)) break;
  }
  x = std::move(best);
  return least <= std::max(enough, precision);
}

bool PolicyMatrix::solve(const std::vector<double>& b, bool transposed, double precision,
                         std::vector<double>& x) {
  const bool is_zero = std::all_of(b.begin(), b.end(), [](double entry) { return entry == 0; });
  if (ranks_.all(is_zero)) {  // or corrections would only ever come nearer
    std::fill(x.begin(), x.end(), 0.0);
    return true;
  }
  while (true) {
    if (refine(b, transposed, precision, x)) return true;
    if (has_ended() || method_ == Method::factorization) return false;
    const bool is_last = method_ == Method::rank_ilu0;
    if (is_last && !has_time_to_factorize()) return false;
    choose(is_last ? Method::factorization : Method::rank_ilu0);
  }
}

bool PolicyMatrix::solve(const std::vector<double>& b, std::vector<double>& x, double precision) {
  const bool solved = solve(b, false, precision, x);
  ghosts_.fetch(x);
  return solved;
}

bool PolicyMatrix::solve_transposed(const std::vector<double>& b, std::vector<double>& x) {
  return solve(b, true, exact, x);
}

}  // namespace carl::cluster
