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
};

/// PREFIX-1.json, PREFIX-2.json, …: heaviest first, as in the summary and the result.
void write_mixture(const std::string& prefix, const Cssp& cssp, const Solution& solution) {
  for (std::size_t k = 0; k < solution.mixture.size(); ++k)
    write_to(fmt::format("{}-{}.json", prefix, k + 1),
             [&](std::ostream& out) { write_policy(cssp, solution.mixture[k].policy, out); });
}

/// False, with a message, if there is none.
bool write_proof(SolveCommand& command, Cssp& cssp, const Solution& solution, Limits& limits) {
  command.proof.heuristic = command.options.heuristic;
  command.proof.threads = command.options.threads;
  std::optional<Certificate> certificate;
  std::string reason;
  try {
    certificate = make_certificate(cssp, solution, command.proof, limits);
  } catch (const LimitReached& limit) {
    reason = limit.what();
  } catch (const NoCertificate& none) {
    reason = none.what();
  }
  if (!certificate) {
    fmt::print(stderr, "carl: no certificate: {}\n", reason);
    return false;
  }
  write_to(command.certificate, [&](std::ostream& out) { write_certificate(*certificate, out); });
  return true;
}

int run(SolveCommand& command, const std::atomic<bool>& interrupt) {
  Limits limits = command.model.limits(interrupt);
  Seconds seconds;
  Cssp cssp = command.model.load(limits, seconds);
  command.options.seed = command.model.seed();
  command.options.mixture_policies = !command.mixture.empty();
  ProgressLine line(command.progress);
  command.options.progress = [&](const Progress& progress) { line.show(progress); };
  Solution solution = solve(cssp, command.options, limits);
  line.clear();
  solution.statistics.seconds.parse = seconds.parse;
  solution.statistics.seconds.ground = seconds.ground;
  solution.statistics.seconds.total += seconds.parse + seconds.ground;
  if (!command.json.empty())
    write_to(command.json, [&](std::ostream& out) { write_result(cssp, solution, out); });
  if (!command.policy.empty() && solution.costs)
    write_to(command.policy, [&](std::ostream& out) { write_policy(cssp, solution.policy, out); });
  if (!command.mixture.empty()) write_mixture(command.mixture, cssp, solution);
  const bool proved = command.certificate.empty() || write_proof(command, cssp, solution, limits);
  const bool stdout_is_taken =
      command.json == "-" || command.policy == "-" || command.certificate == "-";
  if (!command.quiet && !stdout_is_taken)
    fmt::print("{}", summary(cssp, solution, command.verbose));
  return proved ? exit_status(solution.status) : exit_limit;
}

}  // namespace

Run add_solve(CLI::App& app, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<SolveCommand>();
  CLI::App& sub = *app.add_subcommand("solve", "Find an optimal policy");
  command->model.add_to(sub);
  sub.add_option("--algorithm", command->options.algorithm, "How to solve it")
      ->check(CLI::IsMember(algorithm_names()))
      ->capture_default_str();
  sub.add_option("--outer", command->options.outer, "How carl looks for multipliers")
      ->check(CLI::IsMember(outer_names()))
      ->capture_default_str();
  sub.add_option("--inner", command->options.inner, "What carl solves scalarised problems with")
      ->check(CLI::IsMember(inner_names()))
      ->default_str("vi for explicit models and small state spaces, else cg-ilao");
  sub.add_option("--heuristic", command->options.heuristic, "What guides a search")
      ->check(CLI::IsMember(heuristic_names()))
      ->default_str(
          "hmax, then landmarks if they say much more; dijkstra for explicit models; zero for vi; "
          "lmcut for i-dual, pom for i2-dual");
  sub.add_option(
         "--heuristic-mode", command->options.heuristic_mode,
         "For the scalarised costs, or one bound per cost; c-roc: one bound per cost by ROC "
         "under the problem's bounds, for i-dual only, may lose optimality")
      ->check(CLI::IsMember(heuristic_mode_names()))
      ->default_str("lambda; ideal-point for i-dual");
  sub.add_option("--epsilon", command->options.epsilon,
                 "Bellman residual at which a search stops at first; tightened if the gap asks "
                 "for it")
      ->check(CLI::PositiveNumber)
      ->default_str("1e-4 of what an action typically costs");
  sub.add_option("--eta", command->options.eta,
                 "Coordinate search ends when no coordinate improves by more than this")
      ->check(CLI::PositiveNumber)
      ->default_str("1e-4 of what an action typically costs");
  sub.add_option("--gap", command->options.gap, "Relative gap within which a policy is optimal")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add_threads(sub, command->options.threads);
  sub.add_option("--json", command->json, "Write the result as JSON ('-': standard output)")
      ->type_name("FILE");
  sub.add_option("--policy", command->policy, "Write the policy as JSON ('-': standard output)")
      ->type_name("FILE");
  sub.add_option("--mixture", command->mixture,
                 "Write the deterministic policies that it is a mixture of as PREFIX-1.json, "
                 "PREFIX-2.json, …, in the order of the summary")
      ->type_name("PREFIX");
  sub.add_option("--certificate", command->certificate,
                 "Write what proves the answer as JSON ('-': standard output); carl check verifies "
                 "it")
      ->type_name("FILE");
  sub.add_option("--certificate-states", command->proof.max_states,
                 "Where more states can be reached, a certificate leaves some to a heuristic")
      ->type_name("NUMBER")
      ->capture_default_str();
  sub.add_option("--progress", command->progress, "A live line on the terminal")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  auto* verbose = sub.add_flag("--verbose,-v", command->verbose, "Statistics and the whole policy");
  sub.add_flag("--quiet,-q", command->quiet, "No summary")->excludes(verbose);
  sub.footer(
      "Examples:\n"
      "  carl solve domain.pddl problem.pddl\n"
      "  carl solve model.json --bound fuel=12 --json result.json --policy policy.json\n"
      "  carl solve model.json --mixture part\n"
      "  carl solve model.json --certificate proof.json\n\n"
      "Exit status: 0 optimal, 10 infeasible, 11 no proper policy, 3 a limit was reached or it "
      "was\n"
      "interrupted, or there is no certificate, 2 bad input, 1 internal error.");
  return [command, &interrupt] { return run(*command, interrupt); };
}

}  // namespace carl::app
