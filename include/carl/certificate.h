// Certificates: what proves the answer of a solve, in terms of the problem alone. Whoever has the
// problem and the certificate can verify the answer without any search, in rational arithmetic;
// docs/certificates.md defines what a certificate says and why that is a proof.
#ifndef CARL_CERTIFICATE_H
#define CARL_CERTIFICATE_H

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/options.h"
#include "carl/policy_file.h"
#include "carl/solution.h"

namespace carl {

enum class CertificateKind {
  optimal,                 // a policy, and a lower bound on what any policy costs
  infeasible,              // weights of the bounds that no policy can meet
  infeasible_zero_bounds,  // bounds of zero forbid what every proper policy needs
  no_proper_policy,        // no policy reaches a goal with certainty
};

/// "optimal", "infeasible", "infeasible-zero-bounds", "no-proper-policy".
std::string_view to_string(CertificateKind kind);

/// As its file says it, in names: nothing here has been compared with a model. The exact value of a
/// number is the shortest decimal that reads back as this double.
struct Certificate {
  /// A state is named as in a PolicyFile.
  struct Value {
    std::string state;
    bool factored = false;
    /// Of unexpanded states none if no goal can be reached from there.
    std::optional<double> value;
  };
  using Numbers = std::vector<std::pair<std::string, double>>;  // by cost

  CertificateKind kind = CertificateKind::optimal;
  std::vector<std::string> costs;
  Numbers bounds;
  /// λ, the shadow prices of the bounds, of an optimum; the ray r of an infeasible problem.
  Numbers multipliers;
  /// The lower bound on the weighted cost to go from a state is θ·value.
  double theta = 1;
  std::vector<Value> values;
  /// States that were not expanded. Their values rest on the word of a heuristic.
  std::vector<Value> unexpanded;
  std::string heuristic;
  /// Claims about an optimum: the policy costs at most `objective` and exceeds the bounds by at
  /// most `excess` (τ), and no policy that exceeds them by no more costs less than `lower_bound`.
  std::optional<double> objective;
  std::optional<double> lower_bound;
  Numbers excess;
  std::optional<PolicyFile> policy;
};

struct CertificateOptions {
  /// Problems with more reachable states than this are expanded where a search needs it; the rest
  /// is left to a heuristic.
  std::size_t max_states = 2'000'000;
  /// That heuristic. Not given: the default for such a problem.
  std::optional<HeuristicKind> heuristic;
  /// For expanding everything; the certificate does not depend on it. 0: one for each processor.
  std::size_t threads = 1;
};

/// There is no certificate for an answer, and why.
class NoCertificate : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The proof of what `solution` says of the problem: optimal, infeasible or no proper policy.
/// `cssp` removes forbidden actions, as for solve(). Throws LimitReached, NoCertificate.
Certificate make_certificate(Cssp& cssp, const Solution& solution,
                             const CertificateOptions& options, Monitor& monitor);

struct CertificateReport {
  enum class Verdict {
    proved,
    proved_up_to_heuristic,  // if the values of unexpanded states are right
    refuted,
  };
  /// What does not hold.
  struct Violation {
    std::string what;
    std::string state;  // empty if it is about the certificate as a whole, like the next
    std::string action;
    std::string expected;
    std::string found;
    std::string option = {};  // "bounds": the option that may be to blame; mostly empty
  };

  Verdict verdict = Verdict::refuted;
  CertificateKind kind = CertificateKind::optimal;
  /// What has been proved, as a sentence; empty if nothing.
  std::string statement;
  std::vector<Violation> violations;     // the first of them
  std::size_t num_violations = 0;        // all that were found
  std::size_t states = 0;                // whose values were verified
  std::size_t pairs = 0;                 // of these states: inequalities verified
  std::size_t pairs_in_rationals = 0;    // of them
  std::size_t unexpanded = 0;            // states on whose values the proof rests
  std::optional<double> lower_bound;     // proved, rounded down
  std::optional<double> objective;       // of the policy, exactly, rounded up
  std::optional<double> gap;             // (objective - lower bound) / |objective|
  std::vector<std::string> not_checked;  // claims that nothing was said about, and why
};

/// Verifies a certificate. Shares nothing with the solvers: everything is expanded afresh. `cssp`
/// must not remove forbidden actions (CsspOptions). `policy` replaces the one of the certificate if
/// it is not null. Throws LimitReached.
CertificateReport check_certificate(Cssp& cssp, const Certificate& certificate,
                                    const PolicyFile* policy, const CheckOptions& options,
                                    Monitor& monitor);

}  // namespace carl

#endif
