// What would make an infeasible problem feasible: how far a bound has to be raised, alone or in
// proportion with all the others.
#ifndef CARL_REPAIR_H
#define CARL_REPAIR_H

#include <string>
#include <vector>

namespace carl {

/// A least value, enclosed from both sides.
struct LeastValue {
  enum class Verdict {
    found,       // `sufficient` and `necessary` agree but for rounding
    enclosed,    // they do not; a limit was reached, or rounding errors are in the way
    impossible,  // proved: no value is enough
    unknown      // no value is known to be enough
  };
  Verdict verdict = Verdict::unknown;
  double sufficient = 0;  // found, enclosed: with this value there is a policy
  double necessary = 0;   // with less there is none; not if it is impossible
};

struct Repair {
  /// One per entry of Cssp::bounds(): the bound itself, while the others stay as they are.
  std::vector<LeastValue> alone;
  /// The factor for all bounds at once.
  LeastValue all;
};

class Cssp;

/// One line after the other. Numbers are rounded so that what they say stays true.
std::vector<std::string> sentences(const Cssp& cssp, const Repair& repair);

}  // namespace carl

#endif
