// Reasons in words.

#include "carl/reason.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "carl/cssp.h"

namespace carl {
namespace {

constexpr std::size_t most_achievers_shown = 3;
constexpr std::size_t most_facts_shown = 8;
constexpr std::size_t most_steps_shown = 20;

std::string listed(std::span<const std::string> items, const char* last) {
  if (items.size() < 2) return items.empty() ? "" : items[0];
  return fmt::format("{} {} {}", fmt::join(items.first(items.size() - 1), ", "), last,
                     items.back());
}

std::string achievers(const UnreachableFact& fact) {
  const char* verb = fact.negative ? "deletes" : "adds";
  if (fact.achievers.empty()) return fmt::format("no action {} it", verb);
  std::vector<std::string> parts;
  for (const UnreachableFact::Achiever& achiever : fact.achievers) {
    if (parts.size() == most_achievers_shown) break;
    const auto shown = std::min(achiever.needs.size(), most_achievers_shown);
    std::string needs = "facts that exclude each other";
    if (shown > 0) needs = listed(std::span(achiever.needs).first(shown), "and");
    if (achiever.needs.size() > shown)
      needs = fmt::format("{} and {} more", fmt::join(std::span(achiever.needs).first(shown), ", "),
                          achiever.needs.size() - shown);
    parts.push_back(fmt::format("{} needs {}", achiever.action, needs));
  }
  if (fact.achievers.size() > parts.size())
    parts.push_back(
        fmt::format("{} more actions need such facts, too", fact.achievers.size() - parts.size()));
  return fmt::format("every action that {} it needs what is never true: {}", verb,
                     fmt::join(parts, "; "));
}

std::string state_text(const Cssp& cssp, StateId state) {
  const std::string name = cssp.state_name(state);
  return name.empty() ? "the state without any facts" : name;
}

void add_sentences(const Unreachability& reason, const char* where,
                   std::vector<std::string>& lines) {
  for (const UnreachableFact& fact : reason.facts) {
    if (lines.size() == most_facts_shown) break;
    lines.push_back(fmt::format("{} {} can never become true{}: {}",
                                fact.in_goal ? "goal fact" : "fact", fact.fact, where,
                                achievers(fact)));
  }
  if (reason.facts.size() > most_facts_shown)
    lines.push_back(
        fmt::format("and so on for {} more facts", reason.facts.size() - most_facts_shown));
  if (!reason.exclusive.empty())
    lines.push_back(fmt::format("the goal asks for {}, which are never true together",
                                listed(reason.exclusive, "and")));
  if (reason.contradiction) lines.emplace_back("the goal contradicts itself");
}

}  // namespace

std::vector<std::string> sentences(const Cssp& cssp, const DeadEnd& dead_end) {
  const bool at_once = dead_end.steps.empty();
  std::vector<std::string> why;
  add_sentences(dead_end.reason, at_once ? "" : " from there", why);
  if (why.empty())
    why.push_back(!dead_end.has_actions ? fmt::format("no action leads anywhere from {}",
                                                      at_once ? "the initial state" : "there")
                                        : fmt::format("no sequence of actions leads from {} to a "
                                                      "goal",
                                                      at_once ? "the initial state" : "there"));
  if (at_once) return why;

  std::vector<std::string> lines{
      "every policy may end where no goal can be reached any more; the shortest way there:"};
  for (std::size_t i = 0; i < dead_end.steps.size(); ++i) {
    if (i == most_steps_shown) {
      lines.push_back(fmt::format("  … {} more steps", dead_end.steps.size() - i));
      break;
    }
    const DeadEnd::Step& step = dead_end.steps[i];
    lines.push_back(fmt::format("  in {}", state_text(cssp, step.state)));
    lines.push_back(fmt::format(
        "    {}{}", cssp.action_name(step.action),
        step.probability < 1 ? fmt::format(", with probability {:.6g}", step.probability) : ""));
  }
  lines.push_back(fmt::format("  in {}", state_text(cssp, dead_end.state)));
  lines.insert(lines.end(), why.begin(), why.end());
  return lines;
}

}  // namespace carl
