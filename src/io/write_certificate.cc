// Numbers are written by fmt, whose decimals are the shortest that read back as the same double:
// that decimal, not the double, is what a certificate is about.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "carl/io.h"

namespace carl {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  return Json(text).dump();
}

/// Facts are written in parentheses and joined by spaces.
std::string state_text(const std::string& state, bool factored) {
  if (!factored) return quoted(state);
  std::string text;
  for (std::size_t begin = 0; begin < state.size();) {
    const std::size_t end = std::min(state.find(") (", begin), state.size() - 1) + 1;
    text += (text.empty() ? "" : ",") + quoted(state.substr(begin, end - begin));
    begin = end + 1;
  }
  return "[" + text + "]";
}

class CertificateWriter {
 public:
  CertificateWriter(const Certificate& certificate, std::ostream& out)
      : certificate_(certificate), out_(out) {}

  void write() {
    out_ << fmt::format("{{ \"format\": \"carl-certificate\", \"version\": 1, \"kind\": \"{}\",\n",
                        to_string(certificate_.kind));
    out_ << "  \"costs\": " << Json(certificate_.costs).dump();
    write_numbers("bounds", certificate_.bounds);
    write_number("objective", certificate_.objective);
    write_number("lower_bound", certificate_.lower_bound);
    write_numbers("excess", certificate_.excess);
    const bool infeasible = certificate_.kind == CertificateKind::infeasible;
    write_numbers(infeasible ? "ray" : "multipliers", certificate_.multipliers);
    if (infeasible || certificate_.kind == CertificateKind::optimal) {
      write_number("theta", certificate_.theta);
      write_values("values", certificate_.values);
    }
    if (!certificate_.unexpanded.empty()) {
      out_ << ",\n  \"heuristic\": " << quoted(certificate_.heuristic);
      write_values("unexpanded", certificate_.unexpanded);
    }
    if (certificate_.policy) write_policy(*certificate_.policy);
    out_ << " }\n";
  }

 private:
  void write_number(const char* key, const std::optional<double>& number) {
    if (number) out_ << fmt::format(",\n  \"{}\": {}", key, *number);
  }

  void write_numbers(const char* key, const Certificate::Numbers& numbers) {
    if (numbers.empty()) return;
    std::vector<std::string> members;
    for (const auto& [cost, number] : numbers)
      members.push_back(fmt::format("{}: {}", quoted(cost), number));
    out_ << fmt::format(",\n  \"{}\": {{ {} }}", key, fmt::join(members, ", "));
  }

  void write_values(const char* key, const std::vector<Certificate::Value>& values) {
    out_ << ",\n  \"" << key << "\": [";
    const char* separator = "\n    ";
    for (const Certificate::Value& value : values) {
      out_ << separator
           << fmt::format("{{\"state\":{},\"value\":{}}}", state_text(value.state, value.factored),
                          value.value ? fmt::format("{}", *value.value) : "null");
      separator = ",\n    ";
    }
    out_ << "\n  ]";
  }

  void write_policy(const PolicyFile& policy) {
    out_ << ",\n  \"policy\": { \"format\": \"carl-policy\", \"version\": 1, \"costs\": "
         << Json(policy.costs).dump() << ",\n  \"states\": [";
    const char* separator = "\n    ";
    for (const PolicyFile::Entry& entry : policy.states) {
      std::vector<std::string> choices;
      for (const PolicyFile::Choice& choice : entry.choices)
        choices.push_back(fmt::format("{{\"name\":{},\"probability\":{}}}", quoted(choice.action),
                                      choice.probability));
      out_ << separator
           << fmt::format("{{\"state\":{},\"actions\":[{}]}}",
                          state_text(entry.state, entry.factored), fmt::join(choices, ","));
      separator = ",\n    ";
    }
    out_ << "\n  ] }";
  }

  const Certificate& certificate_;
  std::ostream& out_;
};

const char* to_text(CertificateReport::Verdict verdict) {
  switch (verdict) {
    case CertificateReport::Verdict::proved:
      return "proved";
    case CertificateReport::Verdict::proved_up_to_heuristic:
      return "proved-up-to-heuristic";
    case CertificateReport::Verdict::refuted:
      break;
  }
  return "refuted";
}

Json to_json(const CertificateReport::Violation& violation) {
  Json json{{"what", violation.what}};
  if (!violation.state.empty()) json["state"] = violation.state;
  if (!violation.action.empty()) json["action"] = violation.action;
  if (!violation.expected.empty()) json["expected"] = violation.expected;
  if (!violation.found.empty()) json["found"] = violation.found;
  return json;
}

}  // namespace

void write_certificate(const Certificate& certificate, std::ostream& out) {
  CertificateWriter(certificate, out).write();
}

void write_certificate_check(const CertificateReport& report, std::ostream& out) {
  Json violations = Json::array();
  for (const CertificateReport::Violation& violation : report.violations)
    violations.push_back(to_json(violation));
  Json json{{"format", "carl-certificate-check"},
            {"version", 1},
            {"verdict", to_text(report.verdict)},
            {"kind", to_string(report.kind)},
            {"statement", report.statement},
            {"states", report.states},
            {"pairs", report.pairs},
            {"pairs_in_rationals", report.pairs_in_rationals},
            {"unexpanded", report.unexpanded},
            {"violations", std::move(violations)},
            {"not_checked", report.not_checked}};
  if (report.lower_bound) json["lower_bound"] = *report.lower_bound;
  if (report.objective) json["objective"] = *report.objective;
  if (report.gap) json["gap"] = *report.gap;
  out << json.dump(2) << '\n';
}

}  // namespace carl
