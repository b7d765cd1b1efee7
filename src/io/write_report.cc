// The report: a page that is ready but for its data, and the data as JSON between its two halves.
// The names in it come from the model and may be anything. Inside a script element only '<' could
// end the data early, so it is written as an escape; the page itself shows names as text only.

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <deque>
#include <nlohmann/json.hpp>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/options.h"
#include "io/report_page.h"
#include "io/report_policy.h"
#include "io/report_runs.h"
#include "policy/policy_graph.h"

namespace carl {
namespace {

using Json = nlohmann::ordered_json;
using io::page_safe;
using policy::PolicyGraph;

/// The text of a file of ours that goes into the page as it is.
Json document(const std::string& text, const std::string& name, const std::string& format) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw InputError(fmt::format("'{}' is not a JSON text", name));
  if (!json.is_object() || json.value("format", Json()) != format)
    throw InputError(fmt::format("'{}' is not a {} file", name, format),
                     fmt::format("it must have \"format\": \"{}\"", format));
  if (json.value("version", Json()) != 1)
    throw InputError(fmt::format("'{}' has a version that is not known here", name));
  return json;
}

Json result_of(const Cssp& cssp, const Report::Document& source) {
  Json result = document(source.text, source.name, "carl-result");
  Json bounded = Json::array();
  Json expected = Json::array();
  for (const Bound& bound : cssp.bounds())
    expected.push_back(cssp.cost_names()[bound.cost]);
  for (const Json& constraint : result.value("constraints", Json()))
    if (constraint.is_object() && constraint.value("bound", Json()).is_number())
      bounded.push_back(constraint.value("cost", Json()));
  if (bounded != expected)
    throw OptionError(fmt::format("'{}' is the result of a problem with other bounds", source.name),
                      "give the same `bounds` as when it was solved");
  return result;
}

/// The optimal cost as one bound varies.
void check_curve(const Json& curve, const std::string& name) {
  for (const char* list : {"points", "breakpoints"})
    for (const Json& point : curve.value(list, Json::array()))
      if (!point.is_object() || !point.value("bound", Json()).is_number())
        throw InputError(fmt::format("'{}' has {} without a number as \"bound\"", name, list));
  if (!curve.contains("points")) throw InputError(fmt::format("'{}' has no \"points\"", name));
}

Json sweep_of(const Cssp& cssp, const Report::Document& source) {
  Json sweep = document(source.text, source.name, "carl-sweep");
  const Json cost = sweep.value("cost", Json());
  const auto& names = cssp.cost_names();
  if (!cost.is_string() || std::find(names.begin(), names.end(), cost) == names.end())
    throw InputError(
        fmt::format("'{}' varies a cost that this problem does not have", source.name));
  if (!sweep.contains("curves")) {
    check_curve(sweep, source.name);
    return sweep;
  }
  for (const Json& curve : sweep["curves"]) {
    const Json second = curve.is_object() ? curve.value("second", Json()) : Json();
    if (!second.is_object() || !second.value("value", Json()).is_number())
      throw InputError(fmt::format("'{}' has a curve without a number as \"second\"", source.name));
    check_curve(curve, source.name);
  }
  return sweep;
}

/// What the page needs of a front: costs by their number.
class FrontReader {
 public:
  FrontReader(const Cssp& cssp, const Report::Document& source)
      : cssp_(cssp), name_(source.name), json_(document(source.text, name_, "carl-front")) {}

  Json read() const {
    Json costs = Json::array();
    for (const Json& cost : list(json_, "costs"))
      costs.push_back(number_of(cost));
    Json vertices = Json::array();
    for (const Json& vertex : list(json_, "vertices"))
      vertices.push_back(read_vertex(vertex));
    Json result{{"costs", costs}, {"vertices", vertices}};
    for (const char* key : {"edges", "faces"}) {
      result[key] = Json::array();
      for (const Json& joined : list(json_, key))
        result[key].push_back(checked(joined, vertices.size()));
    }
    for (const char* key : {"distance", "status"})
      result[key] = json_.value(key, Json());
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("'{}' {}", name_, what));
  }

  const Json& list(const Json& json, const char* key) const {
    if (!json.contains(key) || !json[key].is_array()) fail(fmt::format("has no list \"{}\"", key));
    return json[key];
  }

  std::size_t number_of(const Json& cost) const {
    const auto& names = cssp_.cost_names();
    const auto found = std::find(names.begin(), names.end(), cost);
    if (!cost.is_string() || found == names.end())
      fail("is about a cost that this problem does not have");
    return static_cast<std::size_t>(found - names.begin());
  }

  Json read_vertex(const Json& vertex) const {
    Json costs = Json::array();
    for (const std::string& cost : cssp_.cost_names()) {
      const Json values = vertex.is_object() ? vertex.value("costs", Json()) : Json();
      if (!values.is_object() || !values.value(cost, Json()).is_number())
        fail(fmt::format("has a vertex without a number for the cost '{}'", cost));
      costs.push_back(values[cost]);
    }
    Json result{{"costs", costs}, {"deterministic", vertex.value("deterministic", Json(true))}};
    if (vertex.contains("states")) result["states"] = vertex["states"];
    return result;
  }

  Json checked(const Json& joined, std::size_t vertices) const {
    for (const Json& vertex : joined)
      if (!vertex.is_number_unsigned() || vertex.get<std::size_t>() >= vertices)
        fail("joins vertices that it does not have");
    return joined;
  }

  const Cssp& cssp_;
  std::string name_;
  Json json_;
};

/// What the page needs of an explanation: for each state its name and actions, costs by number.
Json explanation_of(const Cssp& cssp, const Report::Document& source) {
  const Json json = document(source.text, source.name, "carl-explanation");
  Json states = Json::array();
  for (const Json& state : json.value("states", Json::array())) {
    Json own = state;
    if (!own.is_object() || !own.value("actions", Json()).is_array())
      throw InputError(fmt::format("'{}' has a state without \"actions\"", source.name));
    for (Json& action : own["actions"]) {
      if (!action.is_object() || !action.contains("costs")) continue;
      Json costs = Json::array();
      for (const std::string& cost : cssp.cost_names())
        costs.push_back(action["costs"].value(cost, Json()));
      action["costs"] = costs;
    }
    states.push_back(std::move(own));
  }
  return states;
}

std::vector<std::string> cost_labels(const Cssp& cssp) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < cssp.num_costs(); ++i)
    labels.push_back(cssp.cost_label(i));
  return labels;
}

/// The page computes with costs, of a reward with what is lost of it: where a file of ours names a
/// cost, the page has its label.
Json labelled(const Cssp& cssp, const Json& json) {
  const auto label = [&](const std::string& name) {
    const auto& names = cssp.cost_names();
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? name
                                : cssp.cost_label(static_cast<std::size_t>(found - names.begin()));
  };
  Json result = json;
  for (const char* key : {"cost", "second_cost", "objective"})
    if (result.contains(key) && result[key].is_string())
      result[key] = label(result[key].get<std::string>());
  if (result.contains("constraints"))
    for (Json& constraint : result["constraints"])
      if (constraint.is_object() && constraint.value("cost", Json()).is_string())
        constraint["cost"] = label(constraint["cost"].get<std::string>());
  const auto rename_keys = [&](Json& object) {
    if (!object.is_object()) return;
    Json renamed = Json::object();
    for (const auto& [key, value] : object.items())
      renamed[label(key)] = value;
    object = std::move(renamed);
  };
  if (result.contains("costs")) rename_keys(result["costs"]);
  if (result.contains("repair") && result["repair"].contains("alone"))
    rename_keys(result["repair"]["alone"]);
  if (result.contains("infeasibility") && result["infeasibility"].contains("weights"))
    rename_keys(result["infeasibility"]["weights"]);
  return result;
}

/// All that a page shows. Whatever is wrong with it is found out before anything is written.
class ReportData {
 public:
  ReportData(Cssp& cssp, const Report& report, Monitor& monitor)
      : cssp_(cssp), report_(report), result_(labelled(cssp, result_of(cssp, report.result))) {
    if (!report.sweep.text.empty()) sweep_ = labelled(cssp, sweep_of(cssp, report.sweep));
    if (!report.front.text.empty()) front_ = FrontReader(cssp, report.front).read();
    if (!report.explanation.text.empty()) explanation_ = explanation_of(cssp, report.explanation);
    if (!report.policy) return;
    graph_.emplace(cssp, *report.policy, monitor);
    for (const MixtureComponent& part : report.mixture)
      parts_.emplace_back(cssp, part.policy, monitor);
    runs_ = io::runs_json(cssp, *report.policy, graph_->expected_steps(), report, monitor);
  }

  void write(std::ostream& out) {
    out << "{\"format\":\"carl-report\",\"version\":1"
        << ",\n\"title\":" << page_safe(report_.title)
        << ",\n\"generator\":" << page_safe(report_.generator)
        << ",\n\"costs\":" << page_safe(cost_labels(cssp_))
        << ",\n\"factored\":" << page_safe(cssp_.model().factored())
        << ",\n\"result\":" << page_safe(result_);
    if (!sweep_.is_null()) out << ",\n\"sweep\":" << page_safe(sweep_);
    if (!front_.is_null()) out << ",\n\"front\":" << page_safe(front_);
    if (!explanation_.is_null()) out << ",\n\"explanation\":" << page_safe(explanation_);
    if (graph_) {
      out << ",\n\"policy\":";
      io::write_policy_graph(cssp_, *graph_, report_.max_states, out);
    }
    if (!parts_.empty()) {
      out << ",\n\"parts\":[";
      for (const PolicyGraph& part : parts_) {
        if (&part != &parts_.front()) out << ',';
        io::write_policy_graph(cssp_, part, report_.max_states / parts_.size(), out);
      }
      out << ']';
    }
    if (!runs_.empty()) out << ",\n\"runs\":" << runs_;
    out << '}';
  }

 private:
  Cssp& cssp_;
  const Report& report_;
  Json result_;
  Json sweep_;
  Json front_;
  Json explanation_;
  std::optional<PolicyGraph> graph_;
  std::deque<PolicyGraph> parts_;
  std::string runs_;
};

}  // namespace

void write_report_data(Cssp& cssp, const Report& report, std::ostream& out, Monitor& monitor) {
  ReportData(cssp, report, monitor).write(out);
}

void write_report(Cssp& cssp, const Report& report, std::ostream& out, Monitor& monitor) {
  ReportData data(cssp, report, monitor);
  const std::size_t at = io::report_page.find(io::report_placeholder);
  assert(at != std::string_view::npos);
  out << io::report_page.substr(0, at);
  data.write(out);
  out << io::report_page.substr(at + io::report_placeholder.size());
}

}  // namespace carl
