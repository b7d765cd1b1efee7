// Reads a certificate as the file says it; whether it proves anything is not asked here.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "carl/io.h"
#include "io/read_policy.h"
#include "io/text_file.h"
#include "util/shown.h"

namespace carl {
namespace {

using io::JsonDocument;
using io::JsonKeys;
using Value = JsonDocument::Value;

enum class RootKey {
  format,
  version,
  kind,
  costs,
  bounds,
  objective,
  lower_bound,
  excess,
  multipliers,
  ray,
  theta,
  values,
  heuristic,
  unexpanded,
  policy
};
constexpr std::array<std::string_view, 15> root_keys{
    "format",      "version", "kind",  "costs",  "bounds",    "objective",  "lower_bound", "excess",
    "multipliers", "ray",     "theta", "values", "heuristic", "unexpanded", "policy"};

enum class ValueKey { state, value };
constexpr std::array<std::string_view, 2> value_keys{"state", "value"};

constexpr std::array kinds{CertificateKind::optimal, CertificateKind::infeasible,
                           CertificateKind::infeasible_zero_bounds,
                           CertificateKind::no_proper_policy};

class CertificateReader {
 public:
  CertificateReader(JsonDocument& document, Monitor& monitor)
      : document_(document), monitor_(monitor) {}

  Certificate read() {
    JsonKeys keys(document_, root_keys);
    document_.each_root_field([&](std::string_view key, Value& value) {
      read_root_value(static_cast<RootKey>(keys.take(key)), value);
      return true;
    });
    keys.check_complete({"bounds", "objective", "lower_bound", "excess", "multipliers", "ray",
                         "theta", "values", "heuristic", "unexpanded", "policy"});
    if (certificate_.kind == CertificateKind::infeasible ? has_multipliers_ : has_ray_)
      document_.fail(fmt::format("a certificate of the kind \"{}\" has no \"{}\"",
                                 to_string(certificate_.kind),
                                 has_multipliers_ ? "multipliers" : "ray"));
    if (!certificate_.unexpanded.empty() && certificate_.heuristic.empty())
      document_.fail("the key \"heuristic\" is missing",
                     "it says where the values of unexpanded states come from");
    return std::move(certificate_);
  }

 private:
  void read_root_value(RootKey key, Value& value) {
    std::string scratch;
    switch (key) {
      case RootKey::format:
        return document_.expect_format(value, "carl-certificate");
      case RootKey::version:
        return document_.expect_version(value);
      case RootKey::kind:
        return read_kind(document_.string(value, scratch));
      case RootKey::costs:
        return document_.each_element(value, [&](Value& element) {
          certificate_.costs.emplace_back(document_.string(element, scratch));
        });
      case RootKey::bounds:
        certificate_.bounds = read_numbers(value);
        return;
      case RootKey::objective:
        certificate_.objective = document_.exact_number(value);
        return;
      case RootKey::lower_bound:
        certificate_.lower_bound = document_.exact_number(value);
        return;
      case RootKey::excess:
        certificate_.excess = read_numbers(value);
        return;
      case RootKey::multipliers:
      case RootKey::ray:
        (key == RootKey::ray ? has_ray_ : has_multipliers_) = true;
        certificate_.multipliers = read_numbers(value);
        return;
      case RootKey::theta:
        certificate_.theta = document_.exact_number(value);
        return;
      case RootKey::values:
        return read_values(value, certificate_.values, false);
      case RootKey::heuristic:
        certificate_.heuristic = document_.string(value, scratch);
        return;
      case RootKey::unexpanded:
        return read_values(value, certificate_.unexpanded, true);
      case RootKey::policy:
        certificate_.policy = io::read_policy_value(document_, value, monitor_);
        return;
    }
  }

  void read_kind(std::string_view name) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](CertificateKind k) { return to_string(k) == name; });
    if (kind == kinds.end())
      document_.fail(fmt::format("there is no kind \"{}\"", shown(name)),
                     "it is optimal, infeasible, infeasible-zero-bounds or no-proper-policy");
    certificate_.kind = *kind;
  }

  Certificate::Numbers read_numbers(Value& value) {
    Certificate::Numbers numbers;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (std::any_of(numbers.begin(), numbers.end(),
                      [&](const auto& entry) { return entry.first == key; }))
        document_.fail_at_key("this key is repeated");
      numbers.emplace_back(key, document_.exact_number(member));
    });
    return numbers;
  }

  void read_values(Value& value, std::vector<Certificate::Value>& out, bool may_be_null) {
    document_.each_element(value, [&](Value& element) {
      monitor_.check();
      JsonKeys keys(document_, value_keys);
      Certificate::Value& entry = out.emplace_back();
      document_.each_field(element, [&](std::string_view key, Value& member) {
        switch (static_cast<ValueKey>(keys.take(key))) {
          case ValueKey::state:
            entry.state = io::read_state(document_, member, entry.factored);
            return;
          case ValueKey::value:
            if (!may_be_null || !member.is_null()) entry.value = document_.exact_number(member);
            return;
        }
      });
      keys.check_complete();
    });
  }

  JsonDocument& document_;
  Monitor& monitor_;
  Certificate certificate_;
  bool has_multipliers_ = false;
  bool has_ray_ = false;
};

}  // namespace

Certificate read_certificate_text(const std::string& name, std::string text, Monitor& monitor) {
  JsonDocument document(name, std::move(text));
  Certificate certificate;
  document.run([&] { certificate = CertificateReader(document, monitor).read(); });
  return certificate;
}

Certificate read_certificate(const std::string& path, Monitor& monitor) {
  return read_certificate_text(io::shown_path(path), read_text(path, monitor), monitor);
}

}  // namespace carl
