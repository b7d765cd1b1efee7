// Reads what a result file claims about a policy. Keys that claim nothing of the kind (statistics,
// and what later versions may add) are passed over.

#include "carl/io.h"
#include "io/json_document.h"
#include "io/text_file.h"

namespace carl {
namespace {

using io::JsonDocument;
using Value = JsonDocument::Value;

class ResultReader {
 public:
  ResultReader(const std::string& file, std::string text) : document_(file, std::move(text)) {}

  ResultFile read() {
    document_.run([&] {
      bool has_format = false;
      document_.each_root_field([&](std::string_view key, Value& value) {
        has_format = has_format || key == "format";
        read_root_value(key, value);
        return true;
      });
      if (!has_format) document_.fail("the key \"format\" is missing");
      if (result_.status.empty()) document_.fail("the key \"status\" is missing");
    });
    return std::move(result_);
  }

 private:
  void read_root_value(std::string_view key, Value& value) {
    std::string scratch;
    if (key == "format") document_.expect_format(value, "carl-result");
    if (key == "version") document_.expect_version(value);
    if (key == "status") result_.status = document_.string(value, scratch);
    if (key == "objective") result_.objective = document_.optional_number(value);
    if (key == "lower_bound") result_.lower_bound = document_.optional_number(value);
    if (key == "gap") result_.gap = document_.optional_number(value);
    if (key == "costs")
      document_.each_field(value, [&](std::string_view cost, Value& number) {
        result_.costs.emplace_back(cost, document_.number(number));
      });
    if (key == "constraints")
      document_.each_element(value, [&](Value& constraint) { read_constraint(constraint); });
    if (key == "policy") read_policy_summary(value);
    if (key == "branching") result_.deterministic = true;
  }

  void read_constraint(Value& value) {
    ResultFile::Constraint& constraint = result_.constraints.emplace_back();
    std::string scratch;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (key == "cost") constraint.cost = document_.string(member, scratch);
      if (key == "bound") constraint.bound = document_.number(member);
      if (key == "value") constraint.value = document_.optional_number(member);
      if (key == "multiplier") constraint.multiplier = document_.optional_number(member);
    });
  }

  void read_policy_summary(Value& value) {
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (key == "states") result_.states = document_.number(member);
      if (key == "stochastic_states") result_.stochastic_states = document_.number(member);
      if (key == "mixture")
        document_.each_element(member, [&](Value& part) { read_mixture_part(part); });
    });
  }

  void read_mixture_part(Value& value) {
    MixtureComponent& part = result_.mixture.emplace_back();
    document_.each_field(value, [&](std::string_view key, Value& member) {
      if (key == "weight") part.weight = document_.number(member);
      if (key == "costs")
        document_.each_element(member,
                               [&](Value& cost) { part.costs.push_back(document_.number(cost)); });
    });
  }

  JsonDocument document_;
  ResultFile result_;
};

}  // namespace

ResultFile read_result_text(const std::string& name, std::string text) {
  return ResultReader(name, std::move(text)).read();
}

ResultFile read_result(const std::string& path, Monitor& monitor) {
  return read_result_text(io::shown_path(path), read_text(path, monitor));
}

}  // namespace carl
