#include "main_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "table.h"

namespace carl::app {
namespace {

constexpr std::size_t shown_steps = 10;
constexpr std::size_t most_steps = 10'000;

/// The likeliest successor that was not seen, with its probability.
std::optional<std::pair<StateId, double>> next_state(const Expansion& expansion, ActionId action,
                                                     const std::unordered_set<StateId>& seen) {
  std::optional<std::pair<StateId, double>> best;
  for (std::size_t i = 0; i < expansion.num_actions(); ++i) {
    if (expansion.action(i) != action) continue;
    const auto probabilities = expansion.probabilities(i);
    const auto successors = expansion.successors(i);
    for (std::size_t k = 0; k < successors.size(); ++k)
      if (!seen.contains(successors[k]) && (!best || probabilities[k] > best->second))
        best = {successors[k], probabilities[k]};
  }
  return best;
}

std::string chance(double probability) {
  return probability < 1 ? fmt::format("  ({})", number(probability)) : "";
}

}  // namespace

MainLine main_line(Cssp& cssp, const Policy& policy, std::size_t most) {
  MainLine line;
  std::unordered_set<StateId> seen;
  Expansion expansion;
  StateId state = cssp.initial_state();
  while (line.steps.size() < most && !cssp.is_goal(state)) {
    const auto place = policy.find(state);
    if (!place) return line;
    Policy::Choice best = policy[*place].choices[0];
    for (const Policy::Choice choice : policy[*place].choices)
      if (choice.probability > best.probability) best = choice;
    seen.insert(state);
    MainLineStep step{state, best.action, best.probability, 1};
    if (cssp.gives_up(best.action)) {
      line.steps.push_back(step);
      return line;
    }
    cssp.expand(state, expansion);
    const auto next = next_state(expansion, best.action, seen);
    if (!next) return line;
    step.outcome_probability = next->second;
    line.steps.push_back(step);
    state = next->first;
  }
  line.reaches_goal = cssp.is_goal(state);
  return line;
}

std::string main_line_text(Cssp& cssp, const Policy& policy) {
  const MainLine line = main_line(cssp, policy, most_steps);
  std::string text = "Its main line, what is likeliest at each step:\n";
  const std::size_t shown = std::min(line.steps.size(), shown_steps);
  for (std::size_t i = 0; i < shown; ++i) {
    const MainLineStep& step = line.steps[i];
    text += fmt::format("  {:>4}  {}{}\n", i + 1, cssp.action_name(step.action),
                        chance(step.action_probability * step.outcome_probability));
  }
  if (line.steps.size() > shown)
    text += fmt::format("     …{} more{}\n", grouped(line.steps.size() - shown),
                        line.reaches_goal ? " to the goal" : "");
  else if (line.reaches_goal)
    text += "        goal\n";
  return text;
}

}  // namespace carl::app
