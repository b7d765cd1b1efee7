#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "carl/certificate.h"
#include "carl/check.h"
#include "carl/error.h"
#include "carl/io.h"
#include "certificate_summary.h"
#include "commands.h"
#include "flags.h"
#include "model_options.h"
#include "output.h"
#include "summary.h"
#include "table.h"

namespace carl::app {
namespace {

struct CheckCommand {
  ModelOptions model;
  CheckOptions options;
  std::string result;
  std::string certificate;
  std::string json;
  bool no_bounds = false;
  bool quiet = false;
};

std::string headline(const Cssp& cssp, const CheckReport& report) {
  if (report.holds())
    return fmt::format("The policy holds: {} = {}\n", cssp.cost_names()[0],
                       number(shown_value(cssp, 0, (*report.costs)[0])));
  const auto wrong = static_cast<std::size_t>(
      std::count_if(report.findings.begin(), report.findings.end(),
                    [](const Finding& finding) { return !finding.warning; }));
  return fmt::format("The policy does not hold: {}\n", count(wrong, "finding"));
}

std::string checks(const CheckReport& report) {
  std::string text;
  for (const CheckReport::Line& line : report.lines) {
    const char* outcome = line.outcome == CheckReport::Outcome::passed   ? "ok"
                          : line.outcome == CheckReport::Outcome::failed ? "WRONG"
                                                                         : "-";
    // What a passed check found is no comfort where it failed; the findings say more.
    const bool failed = line.outcome == CheckReport::Outcome::failed;
    text += fmt::format("  {:<13}  {:<5}  {}", to_string(line.kind), outcome,
                        failed ? "" : line.detail);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

std::string exact_text(const CheckReport& report, ExactCost cost, bool is_reward) {
  if (is_reward) {
    cost = {0.0 - cost.upper, 0.0 - cost.lower, cost.fraction};
    if (!cost.fraction.empty() && cost.fraction != "0") cost.fraction.insert(0, "-");
  }
  if (!cost.fraction.empty()) return cost.fraction;
  return fmt::format("{} {} … {}", report.exactly ? "a fraction in" : "in", cost.lower, cost.upper);
}

std::string costs(const Cssp& cssp, const CheckReport& report) {
  std::vector<std::string> header{"cost", "expected", "bound", "slack"};
  if (!report.exact.empty()) header.emplace_back("exactly");
  Table table(std::move(header));
  for (std::size_t c = 0; c < cssp.num_costs(); ++c) {
    std::vector<std::string> row = cost_row(cssp, c, (*report.costs)[c]);
    if (!report.exact.empty()) {
      row.resize(4);
      row.push_back(exact_text(report, report.exact[c], cssp.is_reward(c)));
    }
    table.add(std::move(row));
  }
  return table.str();
}

std::string findings(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    const bool expects = !finding.expected.empty();
    text += fmt::format("\n{}: {}", finding.warning ? "warning" : to_string(finding.kind),
                        with_flag(finding.what, expects ? "" : finding.option));
    if (!finding.state.empty()) text += fmt::format("\n  state     {}", finding.state);
    if (expects)
      text += fmt::format("\n  expected  {}", with_flag(finding.expected, finding.option));
    if (!finding.found.empty()) text += fmt::format("\n  found     {}", finding.found);
    text += "\n";
  }
  return text;
}

int exit_status(CertificateReport::Verdict verdict) {
  switch (verdict) {
    case CertificateReport::Verdict::proved:
      return exit_ok;
    case CertificateReport::Verdict::proved_up_to_heuristic:
      return exit_limit;
    case CertificateReport::Verdict::refuted:
      break;
  }
  return exit_policy_wanting;
}

int run_certificate(CheckCommand& command, Monitor& monitor, Outputs& outputs) {
  if (!command.result.empty())
    throw InputError("--result is for the check of a policy, not of a certificate");
  const std::shared_ptr<Model> model = command.model.read(monitor);
  const Certificate certificate = read_certificate(command.certificate, monitor);
  Cssp cssp = command.model.problem_of(model, certificate.costs, monitor);
  std::optional<PolicyFile> policy;
  if (command.model.has_policy()) policy = command.model.load_policy(monitor);
  const CertificateReport report =
      check_certificate(cssp, certificate, policy ? &*policy : nullptr, command.options, monitor);
  outputs.write(command.json, [&](std::ostream& out) { write_certificate_check(report, out); });
  if (!command.quiet && !outputs.standard_output_taken())
    show("{}", summary(cssp, certificate, report));
  return outputs.finish(exit_status(report.verdict));
}

std::string painted(const std::string& headline, bool holds) {
  const Style style = Style::of(STDOUT_FILENO);
  return holds ? style.good(headline) : style.bad(headline);
}

int run(CheckCommand& command, const std::atomic<bool>& interrupt) {
  std::vector<std::string> inputs = command.model.paths();
  inputs.insert(inputs.end(), {command.result, command.certificate});
  Outputs outputs(inputs);
  outputs.announce("--json", command.json);
  Monitor monitor = command.model.monitor(interrupt);
  if (!command.certificate.empty()) return run_certificate(command, monitor, outputs);
  command.model.require_policy();
  const std::shared_ptr<Model> model = command.model.read(monitor);
  const PolicyFile policy = command.model.load_policy(monitor);
  Cssp cssp = command.model.problem_of(model, policy.costs, monitor);
  std::optional<ResultFile> result;
  if (!command.result.empty()) result = read_result(command.result, monitor);
  command.options.bounds = !command.no_bounds;
  const CheckReport report =
      check_policy(cssp, policy, result ? &*result : nullptr, command.options, monitor);
  outputs.write(command.json, [&](std::ostream& out) { write_check(cssp, report, out); });
  if (!command.quiet && !outputs.standard_output_taken())
    show("{}\n{}{}{}", painted(headline(cssp, report), report.holds()), checks(report),
         report.costs ? "\n" + costs(cssp, report) : "", findings(report));
  return outputs.finish(report.holds() ? exit_ok : exit_policy_wanting);
}

}  // namespace

void add_check(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<CheckCommand>();
  Command sub = line.add_command("check", "Check a policy against its problem");
  command->model.add_to(sub, ModelOptions::Files::model_and_optional_policy);
  sub.option("--result", command->result, "Check what this result (solve --json) claims, too")
      .type_name("FILE");
  sub.option("--certificate", command->certificate,
             "Verify this certificate (solve --certificate) instead, with its policy or, if one "
             "is given, that one")
      .type_name("FILE");
  sub.flag("--exact", command->options.exact,
           "Costs in rational arithmetic as well, with the numbers as they are written");
  sub.flag("--no-bounds", command->no_bounds,
           "The policy may exceed the bounds, as the parts of a mixture do");
  sub.option("--gap", command->options.gap, "Relative gap within which a result is optimal")
      .type_name("NUMBER")
      .check(non_negative_number())
      .show_default();
  sub.option("--max-states", command->options.max_states,
             "Look for listed states that the policy does not reach among so many")
      .check(whole_number())
      .type_name("NUMBER")
      .show_default();
  sub.option("--json", command->json, "Write the report as JSON ('-': standard output)")
      .type_name("FILE");
  sub.flag("--quiet,-q", command->quiet, "No report; the exit status says it");
  sub.footer(
      "The policy must be closed (say what to do in every state it can get to), proper (reach a\n"
      "goal with probability 1) and within the bounds. Give --bound and --give-up as for solve.\n\n"
      "Examples:\n"
      "  carl solve domain.pddl problem.pddl --policy policy.json --json result.json\n"
      "  carl check domain.pddl problem.pddl policy.json --result result.json\n"
      "  carl check --exact model.json policy.json\n"
      "  carl check model.json --certificate proof.json\n\n"
      "Exit status: 0 all holds, 12 the policy is wanting or the certificate refuted, 3 a limit "
      "was\n"
      "reached or the certificate is proved up to states that rest on a heuristic, 2 bad input.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
