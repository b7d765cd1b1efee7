// The interface of the outer searches: they look for the multipliers λ* that maximise L(λ), and for
// a mixture of the policies found on the way that meets all bounds.
#ifndef CARL_CSSP_OUTER_SEARCH_H
#define CARL_CSSP_OUTER_SEARCH_H

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "carl/solve.h"
#include "cssp/lagrangian.h"
#include "cssp/mixture_master.h"
#include "oracle/search_oracle.h"
#include "util/timer.h"

namespace carl::cssp {

enum class End {
  optimal,  // the gap is closed
  infeasible,
  no_proper_policy,
  limit,
  trouble  // rounding errors are in the way
};

/// C(π) - u of one constraint. A bound that is met to twelve digits is met exactly: otherwise a
/// rounding error would be a slope, and L would rise without end.
double violation(const Bound& bound, const std::vector<double>& costs);

/// What is known at any time.
struct Incumbent {
  double lower_bound = 0;           // on the cost of policies that meet the bounds exactly
  std::vector<double> multipliers;  // of that bound
  double upper_bound = std::numeric_limits<double>::infinity();
  std::vector<double> mixture;  // of that bound: a weight per cut of the Lagrangian
  /// Of the policy of the upper bound. It may exceed bounds by their tolerance.
  std::optional<std::vector<double>> costs;
  std::optional<Infeasibility> infeasibility;
  /// Flow by each pair, if the policy is not a mixture of cuts.
  std::vector<double> flow;
  std::string note;
};

/// What went into making a policy of the answers, if that is part of the search.
struct Extraction {
  double seconds = 0;  // of linear programs
  std::size_t lp_solves = 0;
  MultiplierSearch effort;  // all of it, strong ε-consistency included: not for finding λ*
};

class OuterSearch {
 public:
  virtual ~OuterSearch() = default;
  virtual End run() = 0;

  /// This is one search of many: proofs that take very long are not worth it.
  void take_part_in_sweep() { part_of_sweep_ = true; }
  /// This one is about some policies of many: a lower bound of `enough` says all that there is to
  /// know of them, and nobody watches.
  void take_part_in_branching(double enough) {
    enough_ = enough;
    is_watched_ = false;
  }

  const Incumbent& incumbent() const { return incumbent_; }
  const Extraction& extraction() const { return extraction_; }
  /// Of the best policy and the best lower bound on all that are as feasible as it is.
  double gap() const;
  /// All queries so far.
  std::vector<TracePoint> trace() const;

 protected:
  OuterSearch(Lagrangian& lagrangian, const SolveOptions& options)
      : lagrangian_(lagrangian), options_(options) {}

  std::size_t num_constraints() const { return lagrangian_.constraints().size(); }
  /// Asks for L(λ) and keeps the lower bound if it is the best.
  Lagrangian::Answer query(const std::vector<double>& multipliers);
  /// The lower bound that a line means for the bounds of now, if it is the best so far.
  void learn(const LowerLine& line);
  /// Appends the queries of a search that took over; to be called before its incumbent is.
  void continue_trace(const OuterSearch& other);
  /// Tells who watches what is known, and where the search looks next.
  void report(std::span<const double> multipliers) const;
  bool is_part_of_sweep() const { return part_of_sweep_; }
  bool is_part_of_branching() const { return enough_ < std::numeric_limits<double>::infinity(); }
  bool gap_is_closed() const { return gap() <= options_.gap || incumbent_.lower_bound >= enough_; }

  Lagrangian& lagrangian_;
  const SolveOptions& options_;
  Incumbent incumbent_;
  Extraction extraction_;
  Timer timer_;

 private:
  void record(const std::vector<double>& multipliers, std::size_t cut);
  /// Mixtures with the latest cut are looked for only after it is recorded.
  void settle_upper_bound(std::vector<TracePoint>& trace) const;

  bool part_of_sweep_ = false;
  double enough_ = std::numeric_limits<double>::infinity();
  bool is_watched_ = true;
  std::vector<TracePoint> trace_;
};

/// What a bundle search may be given to begin with.
struct BundleStart {
  std::vector<double> multipliers;  // empty if nothing is known
  /// A proof of infeasibility by other means, if there is one that takes next to no time. Asked once,
  /// when it is known that the first policies do not meet the bounds.
  std::function<std::optional<Infeasibility>()> proof;
};
std::unique_ptr<OuterSearch> make_bundle_search(Lagrangian& lagrangian, const SolveOptions& options,
                                                BundleStart start);
/// `search` is the oracle of the Lagrangian: this one looks into its values.
std::unique_ptr<OuterSearch> make_coordinate_search(Lagrangian& lagrangian,
                                                    oracle::SearchOracle& search,
                                                    const SolveOptions& options);

}  // namespace carl::cssp

#endif
