// A linear program over Clp: minimise c·x subject to row bounds on A x and bounds on x. The only
// place of the library that knows which solver it uses.
//
// Rows and columns are collected and handed to the solver in batches, because adding them one by
// one costs hundreds of times more. A program may grow after it has been solved: the last basis
// stays, new rows are basic and new columns at their lower bound. The basis can be changed by hand,
// which is what makes large programs cheap here: a policy is a basis of its occupation-measure LP.
#ifndef CARL_LP_LINEAR_PROGRAM_H
#define CARL_LP_LINEAR_PROGRAM_H

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "carl/monitor.h"

namespace carl::lp {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Status { optimal, infeasible, unbounded, limit, failed };
enum class Method { dual_simplex, primal_simplex };

class LinearProgram {
 public:
  LinearProgram();
  ~LinearProgram();
  LinearProgram(LinearProgram&&) noexcept;
  LinearProgram& operator=(LinearProgram&&) noexcept;

  std::size_t add_row(double lower, double upper);
  /// `rows` are distinct.
  std::size_t add_column(double objective, double lower, double upper, std::span<const int> rows,
                         std::span<const double> coefficients);
  std::size_t num_rows() const;
  std::size_t num_columns() const;

  /// Starts a basis by hand: all rows basic, all columns at their lower bound. Then mark columns
  /// basic and as many rows non-basic (at a bound).
  void start_basis();
  /// Changes to the last basis, for columns and rows that the solver has been given.
  void make_column_basic(std::size_t column);
  void make_column_nonbasic(std::size_t column);
  void make_row_nonbasic(std::size_t row);
  bool is_basic(std::size_t column) const;
  /// Hands over what has been collected; solve() does so by itself.
  void flush();

  /// For small programs that are scaled well and whose solution must be a vertex to the last digit:
  /// no scaling, and no shifting of costs and bounds against degeneracy.
  void take_numbers_as_they_are();

  /// For programs that are solved many times with other right-hand sides: keep the factorization
  /// and work arrays from one resolve() to the next, no scaling, no perturbation. Three times fewer
  /// instructions than solve() on small programs.
  void prepare_to_resolve();
  void set_row_bounds(std::size_t row, double lower, double upper);
  void set_column_bounds(std::size_t column, double lower, double upper);
  void set_objective(std::size_t column, double objective);
  /// Dual simplex from the last basis. After prepare_to_resolve().
  Status resolve();

  /// Memory that a program of this size takes at least while it is being solved.
  static std::size_t bytes_needed(std::size_t rows, std::size_t columns, std::size_t entries);

  /// Keeps the limits: does not begin what cannot fit into memory, and ends when one is reached.
  /// `observe`, if given, is called now and then with the number of iterations so far.
  Status solve(Method method, Monitor& monitor,
               const std::function<void(std::size_t)>& observe = {});

  double objective() const;
  std::span<const double> values() const;  // of the columns
  std::span<const double> duals() const;   // of the rows
  std::size_t iterations() const;          // of all calls of solve()

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace carl::lp

#endif
