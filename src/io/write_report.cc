// The report: a page that is ready but for its data, and the data as JSON between its two halves.
// The names in it come from the model and may be anything. Inside a script element only '<' could
// end the data early, so it is written as an escape; the page itself shows names as text only.

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <numeric>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/options.h"
#include "io/report_page.h"
#include "policy/policy_graph.h"

namespace carl {
namespace {

using Json = nlohmann::ordered_json;
using policy::PolicyChain;
using policy::PolicyGraph;

std::string page_safe(const Json& json) {
  // Bytes that are not UTF-8 must not keep anybody from seeing the rest.
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

/// Texts that occur often, written once and then referred to by number.
class TextTable {
 public:
  std::size_t number(const std::string& text) {
    const auto [entry, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(entry->first);
    return entry->second;
  }
  const Json& texts() const { return texts_; }

 private:
  absl::flat_hash_map<std::string, std::size_t> numbers_;
  Json texts_ = Json::array();
};

/// The nodes to write: all, or the start and the most visited ones; in their order.
std::vector<std::size_t> nodes_to_show(const PolicyGraph& graph, std::size_t most) {
  std::vector<std::size_t> shown(graph.size());
  std::iota(shown.begin(), shown.end(), 0);
  if (shown.size() <= most) return shown;
  std::stable_sort(shown.begin() + 1, shown.end(),
                   [&](std::size_t a, std::size_t b) { return graph.visits(a) > graph.visits(b); });
  shown.resize(std::max<std::size_t>(most, 1));
  std::sort(shown.begin(), shown.end());
  return shown;
}

class PolicyWriter {
 public:
  PolicyWriter(const Cssp& cssp, const PolicyGraph& graph, std::size_t most)
      : cssp_(cssp),
        graph_(graph),
        shown_(nodes_to_show(graph, most)),
        number_(graph.size(), hidden) {
    for (std::size_t i = 0; i < shown_.size(); ++i)
      number_[shown_[i]] = static_cast<std::ptrdiff_t>(i);
  }

  /// One line per state, written as it comes.
  void write(std::ostream& out) {
    out << "{\"states\":[";
    const char* separator = "\n";
    for (const std::size_t node : shown_) {
      out << separator << page_safe(state(node));
      separator = ",\n";
    }
    out << "],\n\"facts\":" << page_safe(facts_.texts())
        << ",\n\"actions\":" << page_safe(actions_);
    const Json sums = totals();
    for (const auto& [key, value] : sums.items())
      out << ",\n\"" << key << "\":" << page_safe(value);
    out << '}';
  }

 private:
  static constexpr std::ptrdiff_t hidden = -1;

  Json state(std::size_t node) {
    Json facts = Json::array();
    for (const std::string& fact : cssp_.state_facts(graph_.state(node)))
      facts.push_back(facts_.number(fact));
    Json json{{"facts", std::move(facts)},
              {"visits", graph_.visits(node)},
              {"depth", graph_.depth(node)}};
    if (graph_.is_goal(node)) {
      json["goal"] = cssp_.is_given_up(graph_.state(node)) ? "given-up" : "goal";
      return json;
    }
    const auto values = graph_.values(node);
    json["values"] = std::vector<double>(values.begin(), values.end());
    json["choices"] = choices(node);
    return json;
  }

  Json choices(std::size_t node) {
    const PolicyChain& chain = graph_.chain();
    Json choices = Json::array();
    for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c) {
      Json outcomes = Json::array();
      for (const PolicyChain::Transition& t : chain.transitions(c))
        outcomes.push_back({number_[graph_.target(t)], t.probability});
      choices.push_back({action(chain.action(c)), chain.probability(c), std::move(outcomes)});
    }
    return choices;
  }

  std::size_t action(ActionId id) {
    const auto [entry, is_new] = action_numbers_.try_emplace(id, action_numbers_.size());
    if (is_new) {
      const auto cost = cssp_.cost(id);
      actions_.push_back({{"name", cssp_.action_name(id)},
                          {"costs", std::vector<double>(cost.begin(), cost.end())}});
    }
    return entry->second;
  }

  Json totals() const {
    const PolicyChain& chain = graph_.chain();
    std::size_t stochastic = 0;
    double visits = 0;
    double given_up = 0;
    for (std::size_t node = 0; node < graph_.size(); ++node) {
      if (graph_.is_goal(node) && cssp_.is_given_up(graph_.state(node)))
        given_up += graph_.visits(node);
      if (graph_.is_goal(node)) continue;
      stochastic += chain.first_choice(node + 1) - chain.first_choice(node) > 1;
      visits += graph_.visits(node);
    }
    return {{"total_states", chain.size()},
            {"total_goals", graph_.size() - chain.size()},
            {"stochastic_states", stochastic},
            {"expected_steps", visits - chain.visits_without_step()},
            {"given_up", given_up}};
  }

  const Cssp& cssp_;
  const PolicyGraph& graph_;
  std::vector<std::size_t> shown_;
  std::vector<std::ptrdiff_t> number_;  // node -> its place in the page
  TextTable facts_;
  absl::flat_hash_map<ActionId, std::size_t> action_numbers_;
  Json actions_ = Json::array();
};

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

Json sweep_of(const Cssp& cssp, const Report::Document& source) {
  Json sweep = document(source.text, source.name, "carl-sweep");
  const Json cost = sweep.value("cost", Json());
  const auto& names = cssp.cost_names();
  if (!cost.is_string() || std::find(names.begin(), names.end(), cost) == names.end())
    throw InputError(
        fmt::format("'{}' varies a cost that this problem does not have", source.name));
  for (const char* list : {"points", "breakpoints"})
    for (const Json& point : sweep.value(list, Json::array()))
      if (!point.is_object() || !point.value("bound", Json()).is_number())
        throw InputError(
            fmt::format("'{}' has {} without a number as \"bound\"", source.name, list));
  if (!sweep.contains("points"))
    throw InputError(fmt::format("'{}' has no \"points\"", source.name));
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
    if (report.policy) graph_.emplace(cssp, *report.policy, monitor);
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
      PolicyWriter(cssp_, *graph_, report_.max_states).write(out);
    }
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
