#include <nlohmann/json.hpp>

#include "carl/io.h"

namespace carl {
namespace {

using Json = nlohmann::ordered_json;

const char* to_text(CheckReport::Outcome outcome) {
  switch (outcome) {
    case CheckReport::Outcome::passed:
      return "passed";
    case CheckReport::Outcome::failed:
      return "failed";
    case CheckReport::Outcome::skipped:
      break;
  }
  return "skipped";
}

Json to_json(const Finding& finding) {
  Json json{{"check", to_string(finding.kind)}, {"warning", finding.warning}};
  if (!finding.state.empty()) json["state"] = finding.state;
  json["what"] = finding.what;
  if (!finding.expected.empty()) json["expected"] = finding.expected;
  if (!finding.found.empty()) json["found"] = finding.found;
  return json;
}

Json costs_of(const Cssp& cssp, const CheckReport& report) {
  Json list = Json::array();
  for (std::size_t i = 0; i < cssp.num_costs(); ++i) {
    Json cost{{"cost", cssp.cost_names()[i]}, {"value", (*report.costs)[i]}};
    if (cssp.is_reward(i)) cost["reward"] = true;
    for (const Bound& bound : cssp.bounds())
      if (bound.cost == i) cost["bound"] = bound.upper;
    if (!report.exact.empty()) {
      const ExactCost& exact = report.exact[i];
      cost["exact"] = {{"lower", exact.lower}, {"upper", exact.upper}};
      if (!exact.fraction.empty()) cost["exact"]["fraction"] = exact.fraction;
    }
    list.push_back(std::move(cost));
  }
  return list;
}

}  // namespace

void write_check(const Cssp& cssp, const CheckReport& report, std::ostream& out) {
  Json checks = Json::array();
  for (const CheckReport::Line& line : report.lines)
    checks.push_back({{"check", to_string(line.kind)},
                      {"outcome", to_text(line.outcome)},
                      {"detail", line.detail}});
  Json findings = Json::array();
  for (const Finding& finding : report.findings)
    findings.push_back(to_json(finding));
  Json json{{"format", "carl-check"},
            {"version", 1},
            {"holds", report.holds()},
            {"states", report.states},
            {"stochastic_states", report.stochastic_states},
            {"checks", std::move(checks)},
            {"findings", std::move(findings)}};
  if (report.costs) {
    json["steps"] = report.steps;
    json["costs"] = costs_of(cssp, report);
  }
  out << json.dump(2) << '\n';
}

}  // namespace carl
