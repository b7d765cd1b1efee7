#include "lp/integer_program.h"

#include <coin/Cbc_C_Interface.h>

#include <memory>

namespace carl::lp {

std::size_t IntegerProgram::add_row(double lower, double upper) {
  row_lower_.push_back(lower);
  row_upper_.push_back(upper);
  return row_lower_.size() - 1;
}

std::size_t IntegerProgram::add_column(double objective, double lower, double upper,
                                       std::span<const int> rows,
                                       std::span<const double> coefficients) {
  columns_.push_back({objective, lower, upper, false});
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
  starts_.push_back(static_cast<int>(rows_.size()));
  return columns_.size() - 1;
}

std::size_t IntegerProgram::add_binary_column(std::span<const int> rows,
                                              std::span<const double> coefficients) {
  const std::size_t column = add_column(0, 0, 1, rows, coefficients);
  columns_[column].is_integer = true;
  return column;
}

IntegerProgram::Answer IntegerProgram::solve(double seconds) const {
  const std::unique_ptr<Cbc_Model, void (*)(Cbc_Model*)> model(Cbc_newModel(), Cbc_deleteModel);
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<double> objective;
  for (const Column& column : columns_) {
    lower.push_back(column.lower);
    upper.push_back(column.upper);
    objective.push_back(column.objective);
  }
  Cbc_loadProblem(model.get(), static_cast<int>(columns_.size()),
                  static_cast<int>(row_lower_.size()), starts_.data(), rows_.data(),
                  coefficients_.data(), lower.data(), upper.data(), objective.data(),
                  row_lower_.data(), row_upper_.data());
  for (std::size_t j = 0; j < columns_.size(); ++j)
    if (columns_[j].is_integer) Cbc_setInteger(model.get(), static_cast<int>(j));
  Cbc_setLogLevel(model.get(), 0);
  Cbc_setMaximumSeconds(model.get(), seconds);
  Cbc_setAllowableGap(model.get(), 0);
  Cbc_setAllowableFractionGap(model.get(), 0);
  // Tolerances are absolute: an indicator of 1e-9 would let through a flow of 1e-9·M.
  Cbc_setParameter(model.get(), "integerTolerance", "1e-9");
  Cbc_setParameter(model.get(), "primalTolerance", "1e-9");
  // Cbc 2.10.8 with all that it does by default has been seen to cut off the optimum of such programs.
  Cbc_setParameter(model.get(), "preprocess", "off");
  Cbc_setParameter(model.get(), "cuts", "off");
  Cbc_solve(model.get());

  Answer answer;
  answer.nodes = static_cast<std::size_t>(Cbc_getNodeCount(model.get()));
  answer.lower_bound = Cbc_getBestPossibleObjValue(model.get());
  if (Cbc_isProvenInfeasible(model.get())) {
    answer.status = Answer::Status::infeasible;
    return answer;
  }
  if (const double* best = Cbc_bestSolution(model.get())) {
    answer.objective = Cbc_getObjValue(model.get());
    answer.values.assign(best, best + columns_.size());
  }
  if (Cbc_isProvenOptimal(model.get())) answer.status = Answer::Status::optimal;
  return answer;
}

}  // namespace carl::lp
