#include "policy/findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "carl/error.h"
#include "model/validity.h"
#include "util/shown.h"

namespace carl::policy {
namespace {

constexpr std::size_t shown_names = 5;

/// The first few of them.
std::string shown_list(const std::vector<std::string>& names) {
  const std::size_t n = std::min(names.size(), shown_names);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<long>(n), ", "),
                     n < names.size() ? ", …" : "");
}

}  // namespace

bool sound(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.warning; });
}

void sort_by_kind(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
}

void require_sound(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (finding.warning) continue;
    std::string what = finding.what;
    if (!finding.expected.empty()) what += fmt::format("; expected: {}", finding.expected);
    if (!finding.found.empty()) what += fmt::format("; found: {}", finding.found);
    throw InputError(
        fmt::format("this is no policy of the problem: {}: {}{}", to_string(finding.kind),
                    finding.state.empty() ? "" : shown(finding.state) + ": ", what),
        "'carl check' tells all that is wrong with it");
  }
}

Finding wrong(CheckKind kind, std::string state, std::string what, std::string expected,
              std::string found) {
  return {kind, false, std::move(state), std::move(what), std::move(expected), std::move(found)};
}

std::string state_text(const Cssp& cssp, StateId state) {
  return state == Cssp::given_up || state.index() < cssp.num_states()
             ? cssp.state_name(state)
             : fmt::format("state {}", state.index());
}

Finding goal_too_rare() {
  return wrong(CheckKind::proper, {}, "the goal is reached too rarely for costs to be computed");
}

Finding inapplicable(std::string state, std::string_view action,
                     const std::vector<std::string>& applicable) {
  if (action == give_up_name) {
    Finding finding =
        wrong(CheckKind::actions, std::move(state), "gives up, which this problem does not allow",
              "a penalty for giving up", "none");
    finding.option = "give_up";
    return finding;
  }
  return wrong(CheckKind::actions, std::move(state),
               fmt::format("{} cannot be done here", shown(action)),
               applicable.empty() ? "no action: this is a dead end"
                                  : fmt::format("one of {}", shown_list(applicable)),
               shown(action));
}

Finding action_listed_twice(std::string state, std::string_view action) {
  return wrong(CheckKind::actions, std::move(state), fmt::format("{} is listed twice", action));
}

Finding wrong_probability(std::string state, std::string_view action, double probability) {
  return wrong(CheckKind::distributions, std::move(state),
               fmt::format("probability of {}", shown(action)), "at least 0",
               fmt::format("{}", probability));
}

Finding wrong_sum(std::string state, double sum) {
  return wrong(CheckKind::distributions, std::move(state), "sum of the probabilities", "1",
               fmt::format("{:.12g}", sum));
}

}  // namespace carl::policy
