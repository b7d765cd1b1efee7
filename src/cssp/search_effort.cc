#include "cssp/search_effort.h"

#include <algorithm>
#include <set>

namespace carl::cssp {
namespace {

// A multiplier that is worth less than this share of the optimum is zero but for rounding.
constexpr double negligible_share = 1e-9;

}  // namespace

MultiplierSearch effort(const oracle::SearchOracle& oracle, const Timer& timer) {
  Statistics statistics;
  oracle.record(statistics);
  MultiplierSearch effort;
  effort.seconds = timer.seconds();
  effort.scalarised_ssps = statistics.scalarised_ssps;
  effort.expanded = oracle.graph().num_expanded();
  effort.evaluated = statistics.evaluated;
  effort.backups = statistics.backups;
  effort.q_values = statistics.q_values;
  return effort;
}

MultiplierSearch difference(const MultiplierSearch& later, const MultiplierSearch& earlier) {
  MultiplierSearch result = later;
  result.seconds = std::max(0.0, later.seconds - earlier.seconds);
  result.scalarised_ssps -= earlier.scalarised_ssps;
  result.expanded -= earlier.expanded;
  result.evaluated -= earlier.evaluated;
  result.backups -= earlier.backups;
  result.q_values -= earlier.q_values;
  return result;
}

void add(const MultiplierSearch& part, MultiplierSearch& sum) {
  sum.seconds += part.seconds;
  sum.scalarised_ssps += part.scalarised_ssps;
  sum.expanded += part.expanded;
  sum.evaluated += part.evaluated;
  sum.backups += part.backups;
  sum.q_values += part.q_values;
}

void count_multipliers(const Cssp& cssp, const Solution& solution, MultiplierSearch& search) {
  std::set<std::vector<double>> tried;
  for (const TracePoint& point : solution.trace)
    tried.insert(point.multipliers);
  search.distinct = tried.size();
  search.nonzero = 0;
  const double least = negligible_share * solution.lower_bound.value_or(0.0);
  for (std::size_t b = 0; b < solution.multipliers.size(); ++b)
    if (solution.multipliers[b] * cssp.bounds()[b].upper > least) ++search.nonzero;
}

}  // namespace carl::cssp
