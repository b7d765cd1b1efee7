#include "cluster/policy_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/agreement.h"

namespace carl::cluster {
namespace {

// Of one correction; the next one wins as much again.
constexpr double relative_tolerance = 1e-8;
constexpr double divergence = 1e12;
constexpr PetscInt most_iterations = 1000;
constexpr int most_corrections = 12;
constexpr double negligible_share = 1e-6;
// What a solution must have to be one.
constexpr double enough = 1e-11;

}  // namespace

RankPolicy::RankPolicy(std::span<const std::uint32_t> pairs) {
  first_.reserve(pairs.size() + 1);
  choices_.reserve(pairs.size());
  for (const std::uint32_t pair : pairs) {
    add_choice(pair, 1);
    end_state();
  }
}

PolicyMatrix::PolicyMatrix(const Rows& rows, const Ghosts& ghosts, const Ranks& ranks,
                           const RankPolicy& policy, SolverWork& work, Watch* watch)
    : rows_(rows), ghosts_(ghosts), ranks_(ranks), policy_(policy), work_(work), watch_(watch) {
  assemble();
  check(MatCreateVecs(matrix_, solution_.put(), right_.put()));
  choose_iteration();
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
                           -probability * rows_.probabilities(pair)[k]);
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
  together(ranks_, [&] {
    if (columns.size() > static_cast<std::size_t>(PETSC_MAX_INT))
      throw TooLarge("the equations of one rank are more than PETSc was built for: use more ranks");
  });
  const auto own = static_cast<PetscInt>(rows_.size());
  const auto all = static_cast<PetscInt>(rows_.ownership().total());
  check(MatCreateMPIAIJWithArrays(ranks_.communicator(), own, own, all, all, first.data(),
                                  columns.data(), entries.data(), matrix_.put()));
}

void PolicyMatrix::choose_iteration() {
  check(KSPCreate(ranks_.communicator(), solver_.put()));
  check(KSPSetOperators(solver_, matrix_, matrix_));
  check(KSPSetType(solver_, KSPBCGS));
  PC preconditioner = nullptr;
  check(KSPGetPC(solver_, &preconditioner));
  check(PCSetType(preconditioner, PCBJACOBI));  // with ILU(0) of each block
  check(KSPSetTolerances(solver_, relative_tolerance, 0, divergence, most_iterations));
  check(KSPSetConvergenceTest(solver_, test, this, nullptr));
}

/// Of an iteration. All ranks have the same norm, and look at limits together.
PetscErrorCode PolicyMatrix::test(KSP /*solver*/, PetscInt iteration, PetscReal norm,
                                  KSPConvergedReason* reason, void* matrix) {
  auto& self = *static_cast<PolicyMatrix*>(matrix);
  if (iteration == 0) self.first_norm_ = norm;
  *reason = KSP_CONVERGED_ITERATING;
  if (!std::isfinite(norm))
    *reason = KSP_DIVERGED_NANORINF;
  else if (norm <= relative_tolerance * self.first_norm_)
    *reason = KSP_CONVERGED_RTOL;
  else if (norm >= divergence * self.first_norm_)
    *reason = KSP_DIVERGED_DTOL;
  else if (self.watch_ != nullptr && self.watch_->reached(self.rows_.ownership().total()))
    *reason = KSP_DIVERGED_ITS;
  return 0;
}

void PolicyMatrix::choose_factorization() {
  is_factorized_ = true;
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

bool PolicyMatrix::correct(const std::vector<double>& residual, bool transposed,
                           std::vector<double>& x) {
  PetscScalar* entries = nullptr;
  check(VecGetArray(right_, &entries));
  std::copy(residual.begin(), residual.end(), entries);
  check(VecRestoreArray(right_, &entries));
  check(VecSet(solution_, 0));
  ++work_.systems;
  const PetscErrorCode error = transposed ? KSPSolveTranspose(solver_, right_, solution_)
                                          : KSPSolve(solver_, right_, solution_);
  if (ranks_.any(error != 0) || has_ended()) return false;
  PetscInt iterations = 0;
  check(KSPGetIterationNumber(solver_, &iterations));
  work_.iterations += static_cast<std::uint64_t>(iterations);
  KSPConvergedReason reason{};
  check(KSPGetConvergedReason(solver_, &reason));
  if (reason < 0 && reason != KSP_DIVERGED_ITS) return false;
  const PetscScalar* found = nullptr;
  check(VecGetArrayRead(solution_, &found));
  for (std::size_t s = 0; s < rows_.size(); ++s)
    x[s] += found[s];
  check(VecRestoreArrayRead(solution_, &found));
  return true;
}

/// Corrects until that makes nothing better.
bool PolicyMatrix::refine(const std::vector<double>& b, bool transposed, double precision,
                          std::vector<double>& x) {
  std::vector<double> best = x;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= most_corrections; ++i) {
    if (!transposed) ghosts_.fetch(x);
    const std::vector<double> rest = transposed ? residual_transposed(b, x) : residual(b, x);
    const double size = size_of(rest, b, x);
    const bool better = size < least / 2;
    if (size < least) {
      least = size;
      best = x;
    }
    if (least <= precision || !better) break;
    if (!correct(rest, transposed, x)) break;
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
  if (refine(b, transposed, precision, x)) return true;
  if (has_ended()) return false;
  if (!is_factorized_) choose_factorization();
  return refine(b, transposed, precision, x);
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
