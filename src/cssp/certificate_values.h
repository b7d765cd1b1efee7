// The values that a certificate is made of: for given weights of the costs a lower bound on the
// weighted cost to go from every state, as good as can be had. All reachable states are expanded if
// there are not too many; otherwise a search decides which, and a heuristic vouches for the rest.
#ifndef CARL_CSSP_CERTIFICATE_VALUES_H
#define CARL_CSSP_CERTIFICATE_VALUES_H

#include <span>
#include <string>
#include <vector>

#include "carl/certificate.h"
#include "carl/cssp.h"
#include "carl/monitor.h"

namespace carl::cssp {

struct CertificateValues {
  /// By state: zero at goals, infinite where there is no proper policy. A sub-solution of the
  /// Bellman equations, up to a common factor θ and rounding errors.
  std::vector<double> value;
  /// By state: those that were not expanded; empty if all were.
  std::vector<bool> unexpanded;
  std::string heuristic;  // that their values come from

  bool is_unexpanded(StateId s) const {
    return s.index() < unexpanded.size() && unexpanded[s.index()];
  }
};

/// `target` is the lower bound that is hoped for from the initial state; efforts end there. Throws
/// LimitReached, and InputError for a zero-cost loop.
CertificateValues certificate_values(Cssp& cssp, std::span<const double> weights, double target,
                                     const CertificateOptions& options, Monitor& monitor);

}  // namespace carl::cssp

#endif
