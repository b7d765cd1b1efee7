// A problem in units in which its costs are neither huge nor tiny. While one of these objects
// lives, the Cssp counts every cost in the largest power of two below its scale
// (model/cost_scale.h). The algorithms then see the same numbers whatever units the model is
// written in, but for a factor below two in each cost; what they neglect follows that factor (see
// epsilon and eta). Nothing is rounded on the way in or out.
#ifndef CARL_CSSP_COST_UNITS_H
#define CARL_CSSP_COST_UNITS_H

#include <vector>

#include "carl/pareto.h"
#include "carl/solve.h"
#include "carl/sweep.h"
#include "model/cost_scale.h"

namespace carl::cssp {

class CostUnits {
 public:
  /// If `known` is empty it becomes what suits the problem; otherwise these are the units, as they
  /// were for another solve of the same problem.
  CostUnits(Cssp& cssp, std::vector<double>& known) : CostUnits(cssp, known, cost_scale(cssp)) {}
  /// With the scale of its costs.
  CostUnits(Cssp& cssp, std::vector<double>& known, const std::vector<double>& scale);
  ~CostUnits();
  CostUnits(const CostUnits&) = delete;
  CostUnits& operator=(const CostUnits&) = delete;

  /// The options in these units: residuals that are not given become a share of the scale.
  SolveOptions options(const SolveOptions& given) const;
  SweepRange range(const SweepRange& given) const;
  /// What was found in these units, in those of the model.
  void to_model(Solution& solution) const;
  void to_model(Sweep& sweep) const;
  void to_model(ParetoFront& front) const;

 private:
  double of_multiplier(std::size_t bound) const;
  void to_model(Infeasibility& reason) const;
  void to_model(Branching& branching) const;
  void costs_to_model(std::vector<double>& costs) const;

  Cssp& cssp_;
  std::vector<double> given_;
  std::vector<double> units_;
  double primary_scale_;  // in these units: at least 1 and below 2
};

}  // namespace carl::cssp

#endif
