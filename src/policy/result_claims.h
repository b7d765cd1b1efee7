// What a result file says about a policy, compared with what the policy turned out to be.
#ifndef CARL_POLICY_RESULT_CLAIMS_H
#define CARL_POLICY_RESULT_CLAIMS_H

#include <vector>

#include "carl/check.h"

namespace carl::policy {

/// `report` has the policy's costs; `dearest_step` is the most of each that it pays in one step. `gap`
/// is what an optimal result must not exceed. Returns what is wrong.
std::vector<Finding> judge_result(const Cssp& cssp, const ResultFile& result,
                                  const CheckReport& report,
                                  const std::vector<double>& dearest_step, double gap);

}  // namespace carl::policy

#endif
