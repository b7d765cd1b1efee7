#include <fmt/format.h>

#include <memory>
#include <optional>

#include "carl/certificate.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "progress_line.h"
#include "summary.h"

namespace carl::app {
namespace {

struct SolveCommand {
  ModelOptions model;
  SolveOptions options;
  std::string json;
  std::string policy;
  std::string mixture;
  std::string certificate;
  CertificateOptions proof;
  std::string progress = "auto";
  bool verbose = false;
  bool quiet = false;
  bool no_explain = false;
};

/// PREFIX-1.json, PREFIX-2.json, …: heaviest first, as in the summary and the result.
std::string mixture_file(const std::string& prefix, std::size_t k) {
  return fmt::format("{}-{}.json", prefix, k + 1);
}

void write_all(const SolveCommand& command, const Cssp& cssp, const Solution& solution,
               Outputs& outputs) {
  outputs.write(command.json, [&](std::ostream& out) { write_result(cssp, solution, out); });
  if (solution.costs)
    outputs.write(command.policy,
                  [&](std::ostream& out) { write_policy(cssp, solution.policy, out); });
  if (command.mixture.empty()) return;
  for (std::size_t k = 0; k < solution.mixture.size(); ++k)
    outputs.write(mixture_file(command.mixture, k),
                  [&](std::ostream& out) { write_policy(cssp, solution.mixture[k].policy, out); });
}

/// False, with a message, if there is none.
bool write_proof(SolveCommand& command, Cssp& cssp, const Solution& solution, Monitor& monitor,
                 Outputs& outputs) {
  command.proof.heuristic = command.options.search.heuristic;
  command.proof.threads = command.options.threads;
  std::optional<Certificate> certificate;
  std::string reason;
  try {
    certificate = make_certificate(cssp, solution, command.proof, monitor);
  } catch (const LimitReached& limit) {
    reason = limit.what();
  } catch (const NoCertificate& none) {
    reason = none.what();
  }
  if (!certificate) {
    remark(fmt::format("carl: no certificate: {}\n", reason));
    return false;
  }
  outputs.write(command.certificate,
                [&](std::ostream& out) { write_certificate(*certificate, out); });
  return true;
}

int run(SolveCommand& command, const std::atomic<bool>& interrupt) {
  Outputs outputs(command.model.paths());
  outputs.announce("--json", command.json);
  outputs.announce("--policy", command.policy);
  outputs.announce("--certificate", command.certificate);
  Monitor monitor = command.model.monitor(interrupt);
  LoadTimes times;
  Cssp cssp = command.model.load(monitor, &times);
  if (!command.mixture.empty())  // of at most one policy more than there are constraints
    for (std::size_t k = 0; k <= cssp.constraints().size(); ++k)
      outputs.announce("--mixture", mixture_file(command.mixture, k));
  command.options.seed = command.model.seed();
  command.options.explain = !command.no_explain;
  command.options.mixture_policies = !command.mixture.empty();
  ProgressLine line(command.progress);
  monitor.set_listener([&](const Progress& progress) { line.show(progress); });
  Solution solution = solve(cssp, command.options, monitor);
  monitor.set_listener({});
  line.clear();
  solution.statistics.seconds.parse = times.parse;
  solution.statistics.seconds.ground = times.ground;
  solution.statistics.seconds.total += times.parse + times.ground;
  write_all(command, cssp, solution, outputs);
  const bool proved =
      command.certificate.empty() || write_proof(command, cssp, solution, monitor, outputs);
  if (!command.quiet && !outputs.standard_output_taken())
    show("{}", summary(cssp, solution, command.verbose));
  return outputs.finish(proved ? exit_status(solution.status) : exit_limit);
}

}  // namespace

void add_solve(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<SolveCommand>();
  Command sub = line.add_command("solve", "Find an optimal policy");
  command->model.add_to(sub);
  SolveOptions& options = command->options;
  sub.choice("--algorithm", options.algorithm, "How to solve it", algorithm_names(),
             algorithm_named)
      .show_default(to_string(options.algorithm));
  sub.choice("--outer", options.carl.outer, "How carl looks for multipliers", outer_names(),
             outer_named)
      .show_default(to_string(options.carl.outer));
  sub.choice("--inner", options.carl.inner, "What carl solves scalarised problems with",
             inner_names(), inner_named)
      .show_default("vi for explicit models and small state spaces, else cg-ilao");
  sub.choice("--heuristic", options.search.heuristic, "What guides a search", heuristic_names(),
             heuristic_named)
      .show_default(
          "hmax, then pdb or landmarks if they say much more; dijkstra for explicit models; zero "
          "for vi; lmcut for i-dual, pom for i2-dual");
  sub.choice("--heuristic-mode", options.search.heuristic_mode,
             "For the scalarised costs, or one bound per cost; c-roc: one bound per cost by ROC "
             "under the problem's bounds, for i-dual only, may lose optimality",
             heuristic_mode_names(), heuristic_mode_named)
      .show_default("lambda; ideal-point for i-dual");
  sub.option("--epsilon", options.search.epsilon,
             "Bellman residual at which a search stops at first; tightened if the gap asks "
             "for it")
      .check(positive_number())
      .show_default("1e-4 of what an action typically costs");
  sub.option("--eta", options.carl.eta,
             "Coordinate search ends when no coordinate improves by more than this")
      .check(positive_number())
      .show_default("1e-4 of what an action typically costs");
  sub.option("--gap", options.gap, "Relative gap within which a policy is optimal")
      .check(non_negative_number())
      .show_default();
  add_threads(sub, options.threads);
  sub.option("--json", command->json, "Write the result as JSON ('-': standard output)")
      .type_name("FILE");
  sub.option("--policy", command->policy, "Write the policy as JSON ('-': standard output)")
      .type_name("FILE");
  sub.option("--mixture", command->mixture,
             "Write the deterministic policies that it is a mixture of as PREFIX-1.json, "
             "PREFIX-2.json, …, in the order of the summary")
      .type_name("PREFIX");
  sub.option("--certificate", command->certificate,
             "Write what proves the answer as JSON ('-': standard output); carl check verifies "
             "it")
      .type_name("FILE");
  sub.option("--certificate-states", command->proof.max_states,
             "Where more states can be reached, a certificate leaves some to a heuristic")
      .check(whole_number())
      .type_name("NUMBER")
      .show_default();
  sub.flag("--no-explain", command->no_explain,
           "If there is no solution, do not work out why and what would suffice");
  sub.option("--progress", command->progress, "A live line on the terminal")
      .check(one_of({"auto", "always", "never"}))
      .show_default();
  const Option verbose =
      sub.flag("--verbose,-v", command->verbose, "Statistics and the whole policy");
  sub.flag("--quiet,-q", command->quiet, "No summary").excludes(verbose);
  sub.footer(
      "Examples:\n"
      "  carl solve domain.pddl problem.pddl\n"
      "  carl solve model.json --bound fuel=12 --json result.json --policy policy.json\n"
      "  carl solve model.json --mixture part\n"
      "  carl solve model.json --certificate proof.json\n\n"
      "Exit status: 0 optimal, 10 infeasible, 11 no proper policy, 3 a limit was reached or it "
      "was\n"
      "interrupted, or there is no certificate, 2 bad input, 1 internal error.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
