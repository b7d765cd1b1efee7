// What is wrong with a policy, in the same words whether a file or a program says it, and whether
// it is to be checked, executed, shown or certified.
#ifndef CARL_POLICY_FINDINGS_H
#define CARL_POLICY_FINDINGS_H

#include <string>
#include <string_view>
#include <vector>

#include "carl/check.h"
#include "policy/tolerances.h"

namespace carl::policy {

/// Nothing is wrong; there may be warnings.
bool sound(const std::vector<Finding>& findings);
/// In the order of the questions that a check asks; findings of one kind stay in theirs.
void sort_by_kind(std::vector<Finding>& findings);
/// Throws an InputError with the first thing that is wrong.
void require_sound(const std::vector<Finding>& findings);

Finding wrong(CheckKind kind, std::string state, std::string what, std::string expected = {},
              std::string found = {});
/// The name of a state, or its number: the ids of a policy in memory may be those of no state.
std::string state_text(const Cssp& cssp, StateId state);
/// An action that cannot be done in a state, where `applicable` can be.
Finding inapplicable(std::string state, std::string_view action,
                     const std::vector<std::string>& applicable);
Finding action_listed_twice(std::string state, std::string_view action);
/// What sums or probabilities are is told by judge_distribution().
Finding wrong_probability(std::string state, std::string_view action, double probability);
Finding wrong_sum(std::string state, double sum);

/// Of a policy that is proper, but for so little that visits are beyond all numbers.
Finding goal_too_rare();

/// A sum of probabilities that does not depend on the order of a few numbers.
template <class Choices>
double sum_of(const Choices& choices) {
  long double sum = 0;
  for (const auto& choice : choices)
    sum += choice.probability;
  return static_cast<double>(sum);
}

/// Adds what is wrong with the choices of a state. Names are asked for where they are needed.
template <class Choices, class StateName, class ActionName>
void judge_distribution(const Choices& choices, const StateName& state_name,
                        const ActionName& action_name, std::vector<Finding>& findings) {
  if (choices.empty()) {
    findings.push_back(wrong(CheckKind::distributions, state_name(), "has no actions"));
    return;
  }
  for (const auto& choice : choices)
    if (!(choice.probability >= 0))
      findings.push_back(
          wrong_probability(state_name(), action_name(choice.action), choice.probability));
  const double sum = sum_of(choices);
  if (!sums_to_one(sum)) findings.push_back(wrong_sum(state_name(), sum));
}

}  // namespace carl::policy

#endif
