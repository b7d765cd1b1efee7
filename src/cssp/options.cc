// What options are called. Each enumeration has one table of names, and lists of names, the names
// of values and the values of names all come from it.

#include "carl/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "carl/suggestion.h"
#include "util/shown.h"

namespace carl {
namespace {

template <class Value>
class NameTable {
 public:
  struct Entry {
    Value value;
    std::string_view name;
  };

  /// `what`: "heuristic", "inner algorithm", … for messages.
  NameTable(const char* what, std::initializer_list<Entry> entries)
      : what_(what), entries_(entries) {
    for (const Entry& entry : entries)
      names_.emplace_back(entry.name);
  }

  const std::vector<std::string>& names() const { return names_; }

  std::string_view name(Value value) const {
    for (const Entry& entry : entries_)
      if (entry.value == value) return entry.name;
    assert(false);
    return "";
  }

  Value value(std::string_view name) const {
    for (const Entry& entry : entries_)
      if (entry.name == name) return entry.value;
    const std::vector<std::string_view> candidates(names_.begin(), names_.end());
    std::string hint = did_you_mean(name, candidates);
    if (!hint.empty()) hint += " ";
    throw OptionError(fmt::format("there is no {} named '{}'", what_, shown(name)),
                      hint + fmt::format("choose one of: {}", fmt::join(names_, ", ")));
  }

 private:
  const char* what_;
  std::vector<Entry> entries_;
  std::vector<std::string> names_;
};

const NameTable<Algorithm>& algorithms() {
  static const NameTable<Algorithm> table("algorithm",
                                          {{Algorithm::carl, "carl"},
                                           {Algorithm::automatic, "auto"},
                                           {Algorithm::i_dual, "i-dual"},
                                           {Algorithm::i_dual_textbook, "i-dual-textbook"},
                                           {Algorithm::i2_dual, "i2-dual"},
                                           {Algorithm::lp, "lp"},
                                           {Algorithm::cg_ilao, "cg-ilao"},
                                           {Algorithm::cg_ilao_paper, "cg-ilao-paper"},
                                           {Algorithm::ilao, "ilao"},
                                           {Algorithm::lrtdp, "lrtdp"},
                                           {Algorithm::vi, "vi"}});
  return table;
}

const NameTable<OuterAlgorithm>& outer_algorithms() {
  static const NameTable<OuterAlgorithm> table(
      "outer algorithm",
      {{OuterAlgorithm::bundle, "bundle"}, {OuterAlgorithm::coordinate, "coordinate"}});
  return table;
}

const NameTable<InnerAlgorithm>& inner_algorithms() {
  static const NameTable<InnerAlgorithm> table("inner algorithm",
                                               {{InnerAlgorithm::cg_ilao, "cg-ilao"},
                                                {InnerAlgorithm::cg_ilao_paper, "cg-ilao-paper"},
                                                {InnerAlgorithm::ilao, "ilao"},
                                                {InnerAlgorithm::lrtdp, "lrtdp"},
                                                {InnerAlgorithm::vi, "vi"}});
  return table;
}

const NameTable<HeuristicKind>& heuristics() {
  static const NameTable<HeuristicKind> table("heuristic", {{HeuristicKind::pdb, "pdb"},
                                                            {HeuristicKind::landmarks, "landmarks"},
                                                            {HeuristicKind::lmcut, "lmcut"},
                                                            {HeuristicKind::roc, "roc"},
                                                            {HeuristicKind::pom, "pom"},
                                                            {HeuristicKind::hmax, "hmax"},
                                                            {HeuristicKind::dijkstra, "dijkstra"},
                                                            {HeuristicKind::zero, "zero"}});
  return table;
}

const NameTable<HeuristicMode>& heuristic_modes() {
  static const NameTable<HeuristicMode> table("heuristic mode",
                                              {{HeuristicMode::lambda, "lambda"},
                                               {HeuristicMode::ideal_point, "ideal-point"},
                                               {HeuristicMode::c_roc, "c-roc"}});
  return table;
}

}  // namespace

const std::vector<std::string>& algorithm_names() {
  return algorithms().names();
}
const std::vector<std::string>& outer_names() {
  return outer_algorithms().names();
}
const std::vector<std::string>& inner_names() {
  return inner_algorithms().names();
}
const std::vector<std::string>& heuristic_names() {
  return heuristics().names();
}
const std::vector<std::string>& heuristic_mode_names() {
  return heuristic_modes().names();
}

std::string_view to_string(Algorithm algorithm) {
  return algorithms().name(algorithm);
}
std::string_view to_string(OuterAlgorithm algorithm) {
  return outer_algorithms().name(algorithm);
}
std::string_view to_string(InnerAlgorithm algorithm) {
  return inner_algorithms().name(algorithm);
}
std::string_view to_string(HeuristicKind heuristic) {
  return heuristics().name(heuristic);
}
std::string_view to_string(HeuristicMode mode) {
  return heuristic_modes().name(mode);
}

Algorithm algorithm_named(std::string_view name) {
  return algorithms().value(name);
}
OuterAlgorithm outer_named(std::string_view name) {
  return outer_algorithms().value(name);
}
InnerAlgorithm inner_named(std::string_view name) {
  return inner_algorithms().value(name);
}
HeuristicKind heuristic_named(std::string_view name) {
  return heuristics().value(name);
}
HeuristicMode heuristic_mode_named(std::string_view name) {
  return heuristic_modes().value(name);
}

std::optional<InnerAlgorithm> inner_algorithm(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::cg_ilao:
      return InnerAlgorithm::cg_ilao;
    case Algorithm::cg_ilao_paper:
      return InnerAlgorithm::cg_ilao_paper;
    case Algorithm::ilao:
      return InnerAlgorithm::ilao;
    case Algorithm::lrtdp:
      return InnerAlgorithm::lrtdp;
    case Algorithm::vi:
      return InnerAlgorithm::vi;
    case Algorithm::carl:
    case Algorithm::automatic:
    case Algorithm::i_dual:
    case Algorithm::i_dual_textbook:
    case Algorithm::i2_dual:
    case Algorithm::lp:
      break;
  }
  return std::nullopt;
}

}  // namespace carl
