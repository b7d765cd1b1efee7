#include "io/report_policy.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace carl::io {

using Json = nlohmann::ordered_json;

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

namespace {

using policy::PolicyChain;
using policy::PolicyGraph;

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
    double given_up = 0;
    for (std::size_t node = 0; node < graph_.size(); ++node) {
      if (graph_.is_goal(node) && cssp_.is_given_up(graph_.state(node)))
        given_up += graph_.visits(node);
      if (graph_.is_goal(node)) continue;
      stochastic += chain.first_choice(node + 1) - chain.first_choice(node) > 1;
    }
    return {{"total_states", chain.size()},
            {"total_goals", graph_.size() - chain.size()},
            {"stochastic_states", stochastic},
            {"expected_steps", graph_.expected_steps()},
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

}  // namespace

void write_policy_graph(const Cssp& cssp, const PolicyGraph& graph, std::size_t most,
                        std::ostream& out) {
  PolicyWriter(cssp, graph, most).write(out);
}

}  // namespace carl::io
