// A linear program some variables of which are 0 or 1, over Cbc. Not part of the library: what it
// solves is an oracle for tests and a baseline for benchmarks, so that only these need Cbc.
#ifndef CARL_LP_INTEGER_PROGRAM_H
#define CARL_LP_INTEGER_PROGRAM_H

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace carl::lp {

class IntegerProgram {
 public:
  std::size_t add_row(double lower, double upper);
  /// `rows` are distinct.
  std::size_t add_column(double objective, double lower, double upper, std::span<const int> rows,
                         std::span<const double> coefficients);
  std::size_t add_binary_column(std::span<const int> rows, std::span<const double> coefficients);

  struct Answer {
    enum class Status { optimal, infeasible, limit };
    Status status = Status::limit;
    std::optional<double> objective;  // of the best solution found
    double lower_bound = 0;
    std::size_t nodes = 0;
    std::vector<double> values;
  };
  /// Minimises, until nothing is left to look at or so many seconds have passed.
  Answer solve(double seconds) const;

 private:
  struct Column {
    double objective;
    double lower;
    double upper;
    bool is_integer;
  };
  std::vector<double> row_lower_;
  std::vector<double> row_upper_;
  std::vector<Column> columns_;
  std::vector<int> starts_{0};
  std::vector<int> rows_;
  std::vector<double> coefficients_;
};

}  // namespace carl::lp

#endif
