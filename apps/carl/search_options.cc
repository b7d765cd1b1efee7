#include "search_options.h"

#include "model_options.h"

namespace carl::app {
namespace {

void add_inner(Command& command, SolveOptions& options, const char* text) {
  command.choice("--inner", options.carl.inner, text, inner_names(), inner_named)
      .show_default("vi for explicit models and small state spaces, else cg-ilao");
}

void add_algorithms(Command& command, SolveOptions& options) {
  command
      .choice("--algorithm", options.algorithm, "How to solve it", algorithm_names(),
              algorithm_named)
      .show_default(to_string(options.algorithm));
  command
      .choice("--outer", options.carl.outer, "How carl looks for multipliers", outer_names(),
              outer_named)
      .show_default(to_string(options.carl.outer));
  add_inner(command, options, "What carl solves scalarised problems with");
  command
      .choice("--heuristic", options.search.heuristic, "What guides a search", heuristic_names(),
              heuristic_named)
      .show_default(
          "hmax, then pdb or landmarks if they say much more; dijkstra for explicit models; zero "
          "for vi; lmcut for i-dual, pom for i2-dual");
  command
      .choice("--heuristic-mode", options.search.heuristic_mode,
              "For the scalarised costs, or one bound per cost; c-roc: one bound per cost by ROC "
              "under the problem's bounds, for carl and i-dual only, may lose optimality",
              heuristic_mode_names(), heuristic_mode_named)
      .show_default("lambda; ideal-point for i-dual");
}

void add_tolerances(Command& command, SolveOptions& options) {
  command
      .option("--epsilon", options.search.epsilon,
              "Bellman residual at which a search stops at first; tightened if the gap asks "
              "for it")
      .type_name("NUMBER")
      .check(positive_number())
      .show_default("1e-4 of what an action typically costs");
  command
      .option("--eta", options.carl.eta,
              "Coordinate search ends when no coordinate improves by more than this")
      .type_name("NUMBER")
      .check(positive_number())
      .show_default("1e-4 of what an action typically costs");
  command.flag("--deterministic", options.deterministic,
               "The best policy that tosses no coin: one action in each state. May take long; what "
               "is known when a limit ends it is returned");
  command.option("--gap", options.gap, "Relative gap within which a policy is optimal")
      .type_name("NUMBER")
      .check(non_negative_number())
      .show_default();
}

}  // namespace

void add_scalarised_options(Command& command, SolveOptions& options) {
  add_inner(command, options, "What scalarised problems are solved with");
  command
      .choice("--heuristic", options.search.heuristic, "What guides a search", heuristic_names(),
              heuristic_named)
      .show_default("hmax, pdb or landmarks for searches, zero for vi");
  add_threads(command, options.threads);
}

std::vector<Option> add_search_options(Command& command, SolveOptions& options) {
  command.group("Method");
  add_algorithms(command, options);
  add_tolerances(command, options);
  add_threads(command, options.threads);
  std::vector<Option> all;
  for (const char* name : {"--algorithm", "--outer", "--inner", "--heuristic", "--heuristic-mode",
                           "--epsilon", "--eta", "--deterministic", "--gap", "--threads"})
    all.push_back(command.existing(name));
  return all;
}

}  // namespace carl::app
