// A model and what is asked of a Solver about it, call after call, as data: so that sequences can be
// drawn at random, carried out, shortened and printed. After Biere's mobical, which does this for
// the interface of the SAT solver CaDiCaL.
#ifndef CARL_TESTS_SOLVER_CALL_SEQUENCE_H
#define CARL_TESTS_SOLVER_CALL_SEQUENCE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "carl/solve.h"
#include "carl/sweep.h"
#include "solver/model_draft.h"

namespace carl::testing {

/// When a solve, sweep or front is ended from outside: after so many reports to the listener, or when the
/// clock is looked at for the n-th time.
struct Interruption {
  enum class By { nothing, reports, clock };
  By by = By::nothing;
  std::size_t after = 0;
};

struct SetBound {
  std::size_t cost = 0;
  double upper = 0;
};
/// One penalty per cost, or no giving up.
struct SetGiveUp {
  std::optional<std::vector<double>> penalties;
};
struct SolveIt {
  SolveOptions options;
  Interruption interruption;
};
struct SweepIt {
  SweepRange range;
  std::optional<SweepRange> second;
  SolveOptions options;
  Interruption interruption;
};
/// A front of these costs.
struct FrontIt {
  std::vector<std::size_t> costs;
  std::optional<double> gap;
  SolveOptions options;
  Interruption interruption;
};
/// Runs of the policy that was found last.
struct SimulateIt {};
struct Forget {};
/// To another place, and back by assignment.
struct MoveIt {};
/// A new solver on the same model: with the terms of now, or with those of the model.
struct Renew {
  bool keep_terms = false;
};
/// Calls that must be refused and change nothing.
struct WrongCall {
  enum class Kind { unknown_cost, negative_bound, unknown_penalty, negative_gap, no_such_sweep };
  Kind kind = Kind::unknown_cost;
};

using Call = std::variant<SetBound, SetGiveUp, SolveIt, SweepIt, FrontIt, SimulateIt, Forget,
                          MoveIt, Renew, WrongCall>;

struct CallSequence {
  ModelDraft model;
  std::vector<Call> calls;
};

/// The same seed gives the same sequence on every machine.
CallSequence random_sequence(std::uint64_t seed);

}  // namespace carl::testing

#endif
