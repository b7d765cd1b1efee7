#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "carl/certificate.h"
#include "carl/cover.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/problem.h"
#include "carl/question.h"
#include "carl/solve.h"
#include "commands.h"
#include "model_options.h"
#include "output.h"
#include "policy_output.h"
#include "progress_line.h"
#include "search_options.h"
#include "summary.h"
#include "table.h"

namespace carl::app {
namespace {

struct SolveCommand {
  ModelOptions model;
  SolveOptions options;
  std::string json;
  std::string policy;
  std::string policy_format;
  bool policy_all = false;
  bool policy_values = false;
  std::string mixture;
  std::string certificate;
  CertificateOptions proof;
  std::string checkpoint;
  std::string resume;
  std::string progress = "auto";
  bool verbose = false;
  bool quiet = false;
  bool no_explain = false;
};

/// PREFIX-1.json, PREFIX-2.json, …: heaviest first, as in the summary and the result.
std::string mixture_file(const std::string& prefix, std::size_t k) {
  return fmt::format("{}-{}.json", prefix, k + 1);
}

void check_policy_options(const SolveCommand& command) {
  for (const auto& [flag, given] : {std::pair("--policy-all", command.policy_all),
                                    std::pair("--policy-values", command.policy_values),
                                    std::pair("--policy-format", !command.policy_format.empty())})
    if (given && command.policy.empty())
      throw InputError(fmt::format("{} says how to write a policy, but not where to", flag),
                       "give --policy FILE, too");
}

std::string policy_format(const SolveCommand& command) {
  return command.policy_format.empty() ? policy_format_of(command.policy) : command.policy_format;
}

/// The policy in the file that was asked for, with all that was asked for.
class PolicyOutput {
 public:
  PolicyOutput(const SolveCommand& command, Cssp& cssp, const Solution& solution, Monitor& monitor)
      : command_(command), cssp_(cssp), solution_(solution), monitor_(monitor) {}

  /// False, with a message, if it is not all that was asked for.
  bool write(Outputs& outputs) {
    if (command_.policy.empty() || !solution_.costs) return true;
    if (cssp_.model().share()) return outputs.take_written(command_.policy);
    coverage_.policy = solution_.policy;
    const bool covered = !command_.policy_all || cover();
    const bool valued = !command_.policy_values || evaluate();
    const std::string format = policy_format(command_);
    outputs.write(command_.policy, [&](std::ostream& out) {
      write_policy_as(format, cssp_, coverage_.policy, details_, out, monitor_);
    });
    return covered && valued;
  }

  /// A line for the summary; none if no states were added.
  std::string summary() const {
    if (!details_.covers_all) return "";
    const std::string others = coverage_.hopeless == 0
                                   ? ""
                                   : fmt::format("; from {} no goal can be reached with certainty",
                                                 count(coverage_.hopeless, "other state"));
    return fmt::format("\nThe policy file covers {}, {} of them met by the policy{}\n",
                       count(coverage_.policy.size(), "state"), grouped(solution_.policy.size()),
                       others);
  }

 private:
  bool cover() {
    try {
      coverage_ = cover_all_states(cssp_, solution_, command_.options.threads, monitor_);
      details_.covers_all = true;
    } catch (const LimitReached& limit) {
      remark(fmt::format("carl: --policy-all: {}; states that the policy meets are written\n",
                         limit.what()));
    } catch (const NoCoverage& none) {
      remark(fmt::format("carl: --policy-all: {}; states that the policy meets are written\n",
                         none.what()));
    }
    return details_.covers_all;
  }

  bool evaluate() {
    try {
      details_.values = policy_values(cssp_, coverage_.policy, monitor_);
      return true;
    } catch (const LimitReached& limit) {
      remark(fmt::format("carl: --policy-values: {}; none are written\n", limit.what()));
    }
    return false;
  }

  const SolveCommand& command_;
  Cssp& cssp_;
  const Solution& solution_;
  Monitor& monitor_;
  Coverage coverage_;
  PolicyDetails details_;
};

void write_all(const SolveCommand& command, const Cssp& cssp, const Solution& solution,
               Outputs& outputs) {
  outputs.write(command.json, [&](std::ostream& out) { write_result(cssp, solution, out); });
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
  if (cssp.model().budget_model() != nullptr)
    remark(
        "carl: the certificate is about the problem whose states say what has been used; "
        "check it with the same guarantees\n");
  return true;
}

/// The problem, or one of those that CVaR asks for: they have as many constraints.
Cssp first_problem(const std::shared_ptr<Model>& model, const CsspOptions& asked,
                   Monitor& monitor) {
  std::vector<double> thresholds;
  for (const Guarantee& guarantee : guarantees_of(*model, asked))
    if (guarantee.kind == Guarantee::Kind::cvar) thresholds.push_back(0);
  return make_problem(model, asked, monitor, thresholds);
}

void require_one_answer(const Cssp& cssp) {
  const Question* question = cssp.model().question();
  if (question != nullptr && question->kind == Question::Kind::front)
    throw InputError("the property asks for a trade-off, not for one policy",
                     "'carl pareto' finds all of it; or put bounds on all but one of its parts");
}

/// What takes all of the model in one place.
void check_for_shares(const SolveCommand& command) {
  const std::string format = policy_format(command);
  for (const auto& [flag, given] : {std::pair("--policy-all", command.policy_all),
                                    std::pair("--policy-values", command.policy_values),
                                    std::pair("--mixture", !command.mixture.empty()),
                                    std::pair("--certificate", !command.certificate.empty())})
    if (given)
      throw InputError(fmt::format("{}: no process has all of this model", flag),
                       "'carl solve', in one process, can do that");
  if (command.policy == "-" || (format != "json" && !format.empty()))
    throw InputError("--policy: the policy of a model in shares is written in parts",
                     "name a file ending in .json");
}

/// All that is written is written elsewhere.
void show_nothing(SolveCommand& command) {
  command.json.clear();
  command.policy.clear();
  command.certificate.clear();
  command.mixture.clear();
  command.progress = "never";
}

int run(SolveCommand& command, const SolveEngine& engine, const std::atomic<bool>& interrupt) {
  check_policy_options(command);
  if (command.options.deterministic && !command.certificate.empty())
    throw InputError("there are no certificates for policies that toss no coin",
                     "leave out --certificate, or --deterministic: what is proved of all policies "
                     "says little of the best one without coins");
  const std::string policy_path = command.policy;
  if (!engine.shows) show_nothing(command);
  Outputs outputs(command.model.paths());
  outputs.announce("--json", command.json);
  outputs.announce("--policy", command.policy);
  outputs.announce("--certificate", command.certificate);
  Monitor monitor = command.model.monitor(interrupt);
  ProgressLine line(command.progress, monitor);
  LoadTimes times;
  const std::shared_ptr<Model> model = command.model.read_share(engine.share, monitor, &times);
  if (model->share()) check_for_shares(command);
  const CsspOptions asked = command.model.cssp_options();
  Cssp cssp = first_problem(model, asked, monitor);
  require_one_answer(cssp);
  if (!command.mixture.empty())  // of at most one policy more than there are constraints
    for (std::size_t k = 0; k <= cssp.constraints().size(); ++k)
      outputs.announce("--mixture", mixture_file(command.mixture, k));
  command.options.seed = command.model.seed();
  command.options.explain = !command.no_explain;
  command.options.mixture_policies = !command.mixture.empty();
  command.options.checkpoint.directory =
      command.resume.empty() ? command.checkpoint : command.resume;
  command.options.checkpoint.resume = !command.resume.empty();
  if (command.options.checkpoint.enabled() && engine.shows)  // the others have no use for it
    command.options.checkpoint.problem = command.model.fingerprint(monitor);
  Solution solution;
  if (has_cvar(*model, asked)) {
    solution = engine.leave_to_library([&] {
      SolvedProblem solved = solve_problem(model, asked, command.options, monitor);
      cssp = std::move(solved.problem);
      return std::move(solved.solution);
    });
  } else {
    solution = engine.solve(cssp, command.options, monitor, policy_path);
  }
  line.end();
  if (!engine.shows) return exit_ok;
  solution.statistics.seconds.parse = times.parse;
  solution.statistics.seconds.ground = times.ground;
  solution.statistics.seconds.total += times.parse + times.ground;
  write_all(command, cssp, solution, outputs);
  PolicyOutput policy(command, cssp, solution, monitor);
  bool complete = policy.write(outputs);
  if (!command.certificate.empty() && !write_proof(command, cssp, solution, monitor, outputs))
    complete = false;
  if (!command.quiet && !outputs.standard_output_taken())
    show("{}{}", summary(cssp, solution, command.verbose, Style::of(STDOUT_FILENO)),
         policy.summary());
  return outputs.finish(complete ? exit_status(solution.status) : exit_limit);
}

}  // namespace

void add_solve(CommandLine& line, const std::atomic<bool>& interrupt) {
  const SolveEngine library{
      [](Cssp& cssp, const SolveOptions& options, Monitor& monitor, const std::string& /*policy*/) {
        return solve(cssp, options, monitor);
      },
      [](const std::function<Solution()>& solve) { return solve(); }};
  add_solve_by(library, line, interrupt);
}

void add_solve_by(const SolveEngine& engine, CommandLine& line,
                  const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<SolveCommand>();
  Command sub = line.add_command("solve", "Find an optimal policy");
  command->model.add_to(sub);
  add_search_options(sub, command->options);
  sub.group("Checkpoints");
  const Option checkpoint =
      sub.option("--checkpoint", command->checkpoint,
                 "Keep what is learnt in a folder after every λ, to resume from")
          .type_name("DIR");
  sub.option("--resume", command->resume,
             "Go on with what the folder holds, or begin if it holds nothing, and keep what is "
             "learnt there")
      .type_name("DIR")
      .excludes(checkpoint);
  sub.group("Output");
  sub.option("--json", command->json, "Write the result as JSON ('-': standard output)")
      .type_name("FILE");
  sub.option("--policy", command->policy,
             "Write the policy ('-': standard output); as JSON, or as a table or a graph if the "
             "file is named .csv, .dot or .gv")
      .type_name("FILE");
  sub.option("--policy-format", command->policy_format, "If the file's name does not tell")
      .type_name("FORMAT")
      .check(one_of(policy_formats()));
  sub.flag("--policy-all", command->policy_all,
           "Say in the policy what to do in every state that can be reached, not only in those "
           "that it meets");
  sub.flag("--policy-values", command->policy_values,
           "Add what the policy costs in expectation from each of its states on, for each cost");
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
  add_progress(sub, command->progress);
  const Option verbose =
      sub.flag("--verbose,-v", command->verbose, "Statistics and the whole policy");
  sub.flag("--quiet,-q", command->quiet, "No summary").excludes(verbose);
  sub.footer(
      "Examples:\n"
      "  carl solve domain.pddl problem.pddl\n"
      "  carl solve model.json --bound fuel=12 --json result.json --policy policy.json\n"
      "  carl solve model.json --policy policy.json --policy-all --policy-values\n"
      "  carl solve model.json --policy - --policy-format dot | dot -Tsvg > policy.svg\n"
      "  carl solve model.json --mixture part\n"
      "  carl solve model.json --certificate proof.json\n"
      "  carl solve model.json --time-limit 3600 --resume folder\n\n"
      "Exit status: 0 optimal, 10 infeasible, 11 no proper policy, 3 a limit was reached or it "
      "was\n"
      "interrupted, or a certificate or a part of the policy file is missing, 2 bad input, 1 "
      "internal error.");
  sub.on_run([command, engine, &interrupt] { return run(*command, engine, interrupt); });
}

}  // namespace carl::app
