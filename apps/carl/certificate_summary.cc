#include "certificate_summary.h"

#include <fmt/format.h>

#include "flags.h"
#include "table.h"

namespace carl::app {
namespace {

/// As documents write them.
std::string heuristic_title(const std::string& name) {
  if (name == "pdb") return "pattern databases";
  if (name == "hmax") return "h-max";
  if (name == "lmcut") return "LM-cut";
  if (name == "roc") return "ROC";
  if (name == "pom") return "POM";
  return name;
}

std::string headline(const Certificate& certificate, const CertificateReport& report) {
  switch (report.verdict) {
    case CertificateReport::Verdict::proved:
      return fmt::format("Certified: {}\n", report.statement);
    case CertificateReport::Verdict::proved_up_to_heuristic:
      return fmt::format("Certified up to {} valued by {}: {}\n", count(report.unexpanded, "state"),
                         heuristic_title(certificate.heuristic), report.statement);
    case CertificateReport::Verdict::refuted:
      break;
  }
  return fmt::format("The certificate is refuted: {}\n", count(report.num_violations, "violation"));
}

std::string line(const char* name, const std::string& text) {
  return fmt::format("  {:<13}  {}\n", name, text);
}

std::string findings(const CertificateReport& report) {
  std::string text;
  for (const CertificateReport::Violation& violation : report.violations) {
    text += fmt::format("\n{}", violation.what);
    if (!violation.state.empty()) text += fmt::format("\n  state     {}", violation.state);
    if (!violation.action.empty()) text += fmt::format("\n  action    {}", violation.action);
    if (!violation.expected.empty())
      text += fmt::format("\n  expected  {}", with_flag(violation.expected, violation.option));
    if (!violation.found.empty()) text += fmt::format("\n  found     {}", violation.found);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string summary(const Cssp& cssp, const Certificate& certificate,
                    const CertificateReport& report) {
  std::string text = headline(certificate, report) + "\n";
  text += line("kind", std::string(to_string(report.kind)));
  if (report.pairs > 0)
    text +=
        line("inequalities",
             fmt::format("{} of {}, {} in rational arithmetic", count(report.pairs, "pair"),
                         count(report.states, "state"), count(report.pairs_in_rationals, "pair")));
  if (report.lower_bound) text += line("lower bound", fmt::format("{}", *report.lower_bound));
  if (report.objective)
    text += line("policy", fmt::format("{} = {}", cssp.cost_label(0), *report.objective));
  for (const auto& [cost, excess] : certificate.excess)
    text += line("", fmt::format("exceeds the bound on {} by up to {:.2g}", cost, excess));
  if (report.gap) text += line("gap", fmt::format("{:.2g}", *report.gap));
  for (const std::string& claim : report.not_checked)
    text += line("not checked", claim);
  return text + findings(report);
}

}  // namespace carl::app
