// Numbers are written by fmt, whose decimals are the shortest that read back as the same double:
// that decimal, not the double, is what a certificate is about.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carl/io.h"
#include "io/json_writer.h"

namespace carl {
namespace {

using io::json_quoted;
using io::JsonWriter;

/// Facts are written in parentheses and joined by spaces.
std::string state_text(const std::string& state, bool factored) {
  if (!factored) return json_quoted(state);
  std::string text;
  for (std::size_t begin = 0; begin < state.size();) {
    // "(at home)", or "x=3" as the states of PRISM models are written.
    const std::size_t end = state[begin] == '('
                                ? std::min(state.find(')', begin), state.size() - 1) + 1
                                : std::min(state.find(' ', begin), state.size());
    text += (text.empty() ? "" : ",") + json_quoted(state.substr(begin, end - begin));
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
    out_ << "  \"costs\": ";
    write_names(certificate_.costs);
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
      out_ << ",\n  \"heuristic\": " << json_quoted(certificate_.heuristic);
      write_values("unexpanded", certificate_.unexpanded);
    }
    if (certificate_.policy) write_policy(*certificate_.policy);
    out_ << " }\n";
  }

 private:
  void write_names(const std::vector<std::string>& names) {
    JsonWriter(out_, JsonWriter::Layout::one_line).element(names);
  }

  void write_number(const char* key, const std::optional<double>& number) {
    if (number) out_ << fmt::format(",\n  \"{}\": {}", key, *number);
  }

  void write_numbers(const char* key, const Certificate::Numbers& numbers) {
    if (numbers.empty()) return;
    std::vector<std::string> members;
    for (const auto& [cost, number] : numbers)
      members.push_back(fmt::format("{}: {}", json_quoted(cost), number));
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
    out_ << ",\n  \"policy\": { \"format\": \"carl-policy\", \"version\": 1, \"costs\": ";
    write_names(policy.costs);
    out_ << ",\n  \"states\": [";
    const char* separator = "\n    ";
    for (const PolicyFile::Entry& entry : policy.states) {
      std::vector<std::string> choices;
      for (const PolicyFile::Choice& choice : entry.choices)
        choices.push_back(fmt::format("{{\"name\":{},\"probability\":{}}}",
                                      json_quoted(choice.action), choice.probability));
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

void write_violation(JsonWriter& json, const CertificateReport::Violation& violation) {
  json.object([&] {
    json.member("what", violation.what);
    json.member_if_any("state", violation.state);
    json.member_if_any("action", violation.action);
    json.member_if_any("expected", violation.expected);
    json.member_if_any("found", violation.found);
  });
}

}  // namespace

void write_certificate(const Certificate& certificate, std::ostream& out) {
  CertificateWriter(certificate, out).write();
}

void write_certificate_check(const CertificateReport& report, std::ostream& out) {
  JsonWriter json(out, JsonWriter::Layout::indented);
  json.object([&] {
    json.member("format", "carl-certificate-check");
    json.member("version", 1);
    json.member("verdict", to_text(report.verdict));
    json.member("kind", to_string(report.kind));
    json.member("statement", report.statement);
    json.member("states", report.states);
    json.member("pairs", report.pairs);
    json.member("pairs_in_rationals", report.pairs_in_rationals);
    json.member("unexpanded", report.unexpanded);
    json.array("violations", [&] {
      for (const CertificateReport::Violation& violation : report.violations)
        write_violation(json, violation);
    });
    json.member("not_checked", report.not_checked);
    if (report.lower_bound) json.member("lower_bound", *report.lower_bound);
    if (report.objective) json.member("objective", *report.objective);
    if (report.gap) json.member("gap", *report.gap);
  });
  out << '\n';
}

}  // namespace carl
