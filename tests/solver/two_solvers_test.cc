// Two solvers in two threads, each with a model of its own: nothing may be shared between them.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

#include "solver/execute.h"
#include "solver/print_program.h"
#include "support/scale.h"

namespace carl::testing {
namespace {

TEST(Solver, TwoSolversInTwoThreads) {
  std::array<std::string, 2> errors;
  const auto work = [&](std::uint64_t thread) {
    for (std::uint64_t i = 0; i < scaled(150) && errors[thread].empty(); ++i) {
      // Sequences that another test carries out one after the other.
      const CallSequence sequence = random_sequence(2 * i + thread);
      if (const auto found = execute(sequence))
        errors[thread] = found->what + "\n\n" + program_text(sequence);
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  EXPECT_EQ(errors[0], "");
  EXPECT_EQ(errors[1], "");
}

}  // namespace
}  // namespace carl::testing
