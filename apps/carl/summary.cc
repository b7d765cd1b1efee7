#include "summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carl/monitor.h"
#include "carl/question.h"
#include "main_line.h"
#include "table.h"

namespace carl::app {
namespace {

// Policies up to this size are shown whole; of larger ones only the random choices.
constexpr std::size_t small_policy = 10;
constexpr std::size_t shown_states = 10;
constexpr std::size_t shown_places = 3;

/// "Pmax", "R{"time"}min": what is optimised, as it was asked.
std::string asked(const Objective& objective) {
  const std::string head = objective.formula.substr(0, objective.formula.find('['));
  return head + (objective.sense == Objective::Sense::maximise ? "max" : "min");
}

/// The answer in the words of the question.
std::string headline(const Question& question, const Solution& solution) {
  const Objective* objective = question.optimised();
  const bool achieve = objective == nullptr;
  const auto value = [&] { return number(objective->value((*solution.costs)[objective->cost])); };
  switch (solution.status) {
    case Status::optimal:
      return achieve ? "Achievable: yes" : fmt::format("{} = {}", asked(*objective), value());
    case Status::infeasible:
      return achieve ? "Achievable: no" : "Infeasible: no policy meets all bounds";
    case Status::no_proper_policy:
      return achieve ? "Achievable: no"
                     : "Infinite: no policy reaches all targets of rewards for certain with finite "
                       "rewards";
    case Status::limit:
    case Status::interrupted:
      break;
  }
  std::string text = solution.status == Status::limit ? "Stopped" : "Interrupted";
  if (!solution.note.empty() && solution.status == Status::limit) text += ": " + solution.note;
  if (!solution.costs) return text + "; no policy known yet";
  return achieve ? text + "; a policy is known: achievable"
                 : fmt::format("{}; best policy so far: {} = {}", text, asked(*objective), value());
}

/// What the policy makes of each part.
std::string objectives(const Cssp& cssp, const Question& question, const Solution& solution) {
  std::vector<std::string> header{"asked", "value", "slack"};
  if (!solution.branching) header.emplace_back("shadow price");
  Table table(std::move(header));
  for (const Objective& objective : question.objectives) {
    const double cost = (*solution.costs)[objective.cost];
    std::vector<std::string> row{objective.text, number(objective.value(cost))};
    for (std::size_t b = 0; b < cssp.bounds().size(); ++b) {
      const Bound& bound = cssp.bounds()[b];
      if (bound.cost != objective.cost) continue;
      const double slack = bound.upper - cost;
      row.push_back(number(std::abs(slack) < bound_tolerance(bound) ? 0 : slack));
      if (b < solution.multipliers.size()) row.push_back(number(solution.multipliers[b]));
    }
    table.add(std::move(row));
  }
  return table.str();
}

std::string headline(const Cssp& cssp, const Solution& solution) {
  const std::string& primary = cssp.cost_names()[0];
  switch (solution.status) {
    case Status::optimal:
      return fmt::format("Optimal{}: {} = {}",
                         solution.branching ? " of the policies that toss no coin" : "", primary,
                         number(shown_value(cssp, 0, (*solution.costs)[0])));
    case Status::infeasible:
      return solution.branching ? "Infeasible: no policy that tosses no coin meets all bounds"
                                : "Infeasible: no policy meets all bounds";
    case Status::no_proper_policy:
      return "No proper policy: from the start no policy reaches the goal with certainty";
    case Status::limit:
    case Status::interrupted:
      break;
  }
  std::string text = solution.status == Status::limit ? "Stopped" : "Interrupted";
  if (!solution.note.empty() && solution.status == Status::limit) text += ": " + solution.note;
  if (solution.costs)
    return fmt::format("{}; best policy so far: {} = {}", text, primary,
                       number(shown_value(cssp, 0, (*solution.costs)[0])));
  return text + "; no feasible policy known yet";
}

std::string certificate(const Cssp& cssp, const Solution& solution) {
  if (!solution.lower_bound) return "";
  if (const Question* question = cssp.model().question()) {
    const Objective* objective = question->optimised();
    if (objective == nullptr) return "";
    std::string text = fmt::format("  {} bound {}", objective->complement ? "upper" : "lower",
                                   number(objective->value(*solution.lower_bound)));
    if (const auto gap = solution.gap())
      text += fmt::format(", gap {}{}", number(*gap),
                          objective->complement ? " of the probability of the contrary" : "");
    return text + "\n";
  }
  std::string text = fmt::format("  {} bound {}", cssp.is_reward(0) ? "upper" : "lower",
                                 number(shown_value(cssp, 0, *solution.lower_bound)));
  if (const auto gap = solution.gap()) text += fmt::format(", gap {}", number(*gap));
  return text + "\n";
}

std::string percentage(double part, double whole) {
  return whole == 0 ? "" : fmt::format(" ({:.3g}%)", 100 * part / whole);
}

/// What coins are worth: they save so much of what the best policy without them costs.
std::string price_of_determinism(const Cssp& cssp, const Solution& solution) {
  if (!solution.branching || !solution.branching->costs_with_coins) return "";
  const std::string& primary = cssp.cost_names()[0];
  const double with_coins = solution.branching->costs_with_coins->front();
  const std::string shown = number(shown_value(cssp, 0, with_coins));
  if (!solution.costs)
    return solution.status == Status::infeasible
               ? fmt::format(
                     "  a policy that tosses coins does: {} = {}, without "
                     "--deterministic\n",
                     primary, shown)
               : "";
  const double saved = std::max(0.0, solution.costs->front() - with_coins);
  if (relative_gap(solution.costs->front(), with_coins) < 1e-9)
    return "  coins would save nothing\n";
  return fmt::format("  coins would {} {}{}: with them {} = {}\n",
                     cssp.is_reward(0) ? "gain" : "save", number(saved),
                     percentage(saved, solution.costs->front()), primary, shown);
}

/// The other way round: the best policy without coins that the search happened to meet.
std::string best_without_coins(const Cssp& cssp, const Solution& solution) {
  if (!solution.deterministic_costs) return "";
  const double without = solution.deterministic_costs->front();
  const double saved = std::max(0.0, without - solution.costs->front());
  const std::string shown =
      fmt::format("  the best policy met that tosses no coin: {} = {}", cssp.cost_names()[0],
                  number(shown_value(cssp, 0, without)));
  if (relative_gap(without, solution.costs->front()) < 1e-9) return shown + ", just as good\n";
  return fmt::format("{}; coins {} up to {}{}\n", shown, cssp.is_reward(0) ? "gain" : "save",
                     number(saved), percentage(saved, without));
}

std::string cost_table(const Cssp& cssp, const Solution& solution, const Style& style) {
  std::vector<std::string> header{"cost", "expected", "bound", "slack"};
  if (!solution.branching) header.emplace_back("shadow price");  // it has none
  Table table(std::move(header));
  for (std::size_t c = 0; c < cssp.num_costs(); ++c) {
    std::vector<std::string> row = cost_row(cssp, c, (*solution.costs)[c]);
    for (std::size_t b = 0; b < solution.multipliers.size(); ++b)
      if (cssp.bounds()[b].cost == c) row.push_back(number(solution.multipliers[b]));
    table.add(std::move(row));
  }
  return table.str(style);
}

std::string prices(const Cssp& cssp, const Solution& solution) {
  std::string text;
  for (std::size_t b = 0; b < solution.multipliers.size(); ++b) {
    if (solution.multipliers[b] < 1e-12) continue;
    text +=
        fmt::format("  one more unit of {} {} up to {} {}\n",
                    cssp.cost_label(cssp.bounds()[b].cost), cssp.is_reward(0) ? "gains" : "saves",
                    number(solution.multipliers[b]), cssp.cost_names()[0]);
  }
  return text;
}

std::string mixture(const Cssp& cssp, const Solution& solution, const Style& style) {
  if (solution.mixture.size() < 2) return "";
  std::vector<std::string> header{"weight"};
  header.insert(header.end(), cssp.cost_names().begin(), cssp.cost_names().end());
  Table table(std::move(header));
  for (const MixtureComponent& component : solution.mixture) {
    std::vector<std::string> row{number(component.weight)};
    for (std::size_t c = 0; c < component.costs.size(); ++c)
      row.push_back(number(shown_value(cssp, c, component.costs[c])));
    table.add(std::move(row));
  }
  return fmt::format("\nA mixture of {} deterministic policies:\n{}", solution.mixture.size(),
                     table.str(style));
}

std::string state_text(const Cssp& cssp, const Policy::Entry& entry) {
  std::string text = fmt::format("  in {}\n", cssp.state_name(entry.state));
  for (const Policy::Choice choice : entry.choices)
    text +=
        fmt::format("    {:>9}  {}\n", number(choice.probability), cssp.action_name(choice.action));
  return text;
}

/// "  …2,038 more, --verbose shows them".
std::string left_out(std::size_t n) {
  return n == 0
             ? ""
             : fmt::format("  …{} more, --verbose shows {}\n", grouped(n), n == 1 ? "it" : "them");
}

std::string policy(Cssp& cssp, const Solution& solution, bool verbose) {
  const Policy& entries = solution.policy;
  const auto [states, random_states] = solution.policy_size();
  std::string text =
      fmt::format("\nPolicy: {}, {} with a random choice{}\n", count(states, "state"),
                  grouped(random_states), solution.spread_policy ? ", spread over all ranks" : "");
  if (solution.spread_policy) return text;
  if (entries.size() <= small_policy || verbose) {
    for (const Policy::Entry entry : entries)
      text += state_text(cssp, entry);
    return text;
  }
  text += main_line_text(cssp, entries);
  if (random_states == 0) return text;
  text += "Random choices:\n";
  std::size_t shown = 0;
  for (const Policy::Entry entry : entries)
    if (entry.choices.size() > 1 && ++shown <= shown_states) text += state_text(cssp, entry);
  return text + left_out(random_states - std::min(random_states, shown_states));
}

/// Where a policy gives up, and how often.
std::string giving_up(const Cssp& cssp, const Solution& solution) {
  std::vector<std::pair<double, StateId>> places;
  double sum = 0;
  for (const Policy::Entry entry : solution.policy)
    for (const Policy::Choice choice : entry.choices) {
      if (!cssp.gives_up(choice.action) || !entry.visits) continue;
      places.emplace_back(*entry.visits * choice.probability, entry.state);
      sum += places.back().first;
    }
  std::string text;
  if (const auto failure = cssp.model().failure_cost())
    text += fmt::format("  the goal is reached with probability {}\n",
                        number(1 - (*solution.costs)[*failure]));
  if (places.empty()) return text;
  std::stable_sort(places.begin(), places.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  text += fmt::format("  it gives up with probability {}\n", number(sum));
  for (std::size_t i = 0; i < places.size() && i < shown_places; ++i)
    text += fmt::format("    {:>9}  in {}\n", number(places[i].first),
                        cssp.state_name(places[i].second));
  if (places.size() > shown_places)
    text +=
        fmt::format("    {:>9}  in {} more\n", "…", count(places.size() - shown_places, "state"));
  return text;
}

/// A bound that is met within the tolerance only.
std::string excesses(const Cssp& cssp, const Solution& solution) {
  std::string text;
  for (const Bound& bound : cssp.bounds())
    if (const double more = excess(bound, (*solution.costs)[bound.cost]); more > 0)
      text += fmt::format(
          "  note: {} exceeds its bound by {}, which is within the tolerance of 1e-9 times the "
          "bound; the lower bound holds for all policies that exceed it by no more\n",
          cssp.cost_label(bound.cost), number(more));
  return text;
}

/// Two numbers that are not the same, with as many digits as it takes to see that.
std::pair<std::string, std::string> apart(double a, double b) {
  std::pair<std::string, std::string> texts{number(a), number(b)};
  for (int digits = 7; texts.first == texts.second && digits <= 17; ++digits)
    texts = {fmt::format("{:.{}g}", a, digits), fmt::format("{:.{}g}", b, digits)};
  return texts;
}

std::string suggestion(const Cssp& cssp, const Solution& solution) {
  if (!solution.repair) return "";
  std::string text;
  for (const std::string& line : sentences(cssp, *solution.repair))
    text += fmt::format("  {}\n", line);
  return text;
}

std::string infeasibility(const Cssp& cssp, const Infeasibility& reason) {
  if (!reason.zero_bounds.empty()) {
    std::vector<std::string> names;
    for (const std::size_t b : reason.zero_bounds)
      names.push_back(cssp.cost_label(cssp.bounds()[b].cost));
    return fmt::format(
        "  without the actions that the {} of 0 on {} {} no policy reaches the goal for certain\n",
        names.size() == 1 ? "bound" : "bounds", fmt::join(names, " and "),
        names.size() == 1 ? "forbids" : "forbid");
  }
  std::vector<std::string> terms;
  for (std::size_t b = 0; b < reason.weights.size(); ++b) {
    if (reason.weights[b] < 1e-12) continue;
    const std::string name = cssp.cost_label(cssp.bounds()[b].cost);
    terms.push_back(reason.weights[b] == 1 ? name
                                           : fmt::format("{}·{}", number(reason.weights[b]), name));
  }
  const auto [least, allowed] = apart(reason.least, reason.allowed);
  return fmt::format("  every policy has {} ≥ {}, the bounds allow {}\n", fmt::join(terms, " + "),
                     least, allowed);
}

std::string no_proper_policy(const Cssp& cssp, const Solution& solution) {
  if (const Question* question = cssp.model().question()) {
    std::string text = "  no policy makes all of these finite:\n";
    for (const Objective& objective : question->objectives)
      if (objective.formula.starts_with('R')) text += fmt::format("    {}\n", objective.formula);
    return text;
  }
  std::string text;
  if (solution.dead_end)
    for (const std::string& line : sentences(cssp, *solution.dead_end))
      text += fmt::format("  {}\n", line);
  return text + fmt::format("  hint: allow giving up at a price, e.g. --give-up {}=1000\n",
                            cssp.cost_names()[0]);
}

std::string effort(const Cssp& cssp, const Solution& solution, bool verbose) {
  const Statistics& s = solution.statistics;
  std::string text = fmt::format("\n{}: ", solution.algorithm);
  if (!solution.outer.empty())
    text += fmt::format("{}, ", count(s.scalarised_ssps, "scalarised problem"));
  if (solution.branching) {
    text += fmt::format("{}, ", count(solution.branching->nodes, "node"));
    if (solution.branching->open > 0)
      text += fmt::format("{} open, ", grouped(solution.branching->open));
  }
  text += fmt::format("{} expanded, {}; peak memory {}\n", count(s.expanded, "state"),
                      duration(s.seconds.total), size(peak_resident_memory()));
  const bool has_answer =
      solution.status != Status::limit && solution.status != Status::interrupted;
  if (!solution.note.empty() && has_answer) text += fmt::format("  note: {}\n", solution.note);
  for (const std::string& warning : cssp.warnings())
    text += fmt::format("  note: {}\n", warning);
  if (!verbose) return text;
  text += fmt::format("  time: parse {}, ground {}, heuristic {}, search {}, extract {}\n",
                      duration(s.seconds.parse), duration(s.seconds.ground),
                      duration(s.seconds.heuristic), duration(s.seconds.search),
                      duration(s.seconds.extract));
  text += fmt::format("  {}, {}, {}\n", count(s.generated, "state"),
                      count(s.state_action_pairs, "state-action pair"),
                      count(s.transitions, "transition"));
  if (s.evaluated > 0)
    text +=
        fmt::format("  heuristic {}: {}\n", solution.heuristic, count(s.evaluated, "evaluation"));
  if (s.backups > 0)
    text += fmt::format("  {}, {} looked at\n", count(s.backups, "backup"),
                        count(s.q_values, "state-action pair"));
  if (s.components > 0)
    text += fmt::format("  {}\n", count(s.components, "strongly connected component"));
  if (s.lp_solves > 0)
    text += fmt::format(
        "  {}{}\n", count(s.lp_solves, "LP solve"),
        s.lp_iterations > 0 ? fmt::format(" ({})", count(s.lp_iterations, "iteration")) : "");
  text += fmt::format("  memory: states {} ({} each), transitions {} ({} each)\n",
                      size(s.state_bytes), bytes_each(s.state_bytes, s.generated),
                      size(s.transition_bytes), bytes_each(s.transition_bytes, s.transitions));
  return text;
}

/// The verdict, which is what comes before the colon, in the colour of good news or bad.
std::string painted(const std::string& line, Status status, const Style& style) {
  const std::size_t end = std::min(line.find_first_of(":;"), line.size());
  const std::string verdict = line.substr(0, end);
  const std::string rest = line.substr(end);
  switch (status) {
    case Status::optimal:
      return style.good(verdict) + style.bold(rest);
    case Status::infeasible:
    case Status::no_proper_policy:
      return style.bad(verdict) + rest;
    case Status::limit:
    case Status::interrupted:
      break;
  }
  return style.middling(verdict) + rest;
}

}  // namespace

double shown_value(const Cssp& cssp, std::size_t cost, double value) {
  return cssp.is_reward(cost) ? 0.0 - value : value;  // no negative zero
}

std::string bound_text(const Cssp& cssp, const Bound& bound) {
  return fmt::format("{} {} {}", cssp.cost_names()[bound.cost],
                     cssp.is_reward(bound.cost) ? "≥" : "≤",
                     number(shown_value(cssp, bound.cost, bound.upper)));
}

std::vector<std::string> cost_row(const Cssp& cssp, std::size_t cost, double value) {
  std::vector<std::string> row{cssp.cost_names()[cost], number(shown_value(cssp, cost, value))};
  for (const Bound& bound : cssp.bounds()) {
    if (bound.cost != cost) continue;
    // Slack that is rounding noise on the scale of the bound is none.
    const double slack = bound.upper - value;
    row.push_back(number(shown_value(cssp, cost, bound.upper)));
    row.push_back(number(std::abs(slack) < bound_tolerance(bound) ? 0 : slack));
  }
  return row;
}

std::string summary(Cssp& cssp, const Solution& solution, bool verbose, const Style& style) {
  const Question* question = cssp.model().question();
  std::string text =
      painted(question != nullptr ? headline(*question, solution) : headline(cssp, solution),
              solution.status, style) +
      "\n" + certificate(cssp, solution) + price_of_determinism(cssp, solution);
  if (solution.infeasibility) text += infeasibility(cssp, *solution.infeasibility);
  if (solution.status == Status::infeasible) text += suggestion(cssp, solution);
  if (solution.status == Status::no_proper_policy) text += no_proper_policy(cssp, solution);
  if (solution.costs) {
    text += "\n" +
            (question != nullptr ? objectives(cssp, *question, solution)
                                 : cost_table(cssp, solution, style)) +
            excesses(cssp, solution) + (question == nullptr ? prices(cssp, solution) : "") +
            giving_up(cssp, solution) + best_without_coins(cssp, solution) +
            mixture(cssp, solution, style) + policy(cssp, solution, verbose);
  }
  return text + effort(cssp, solution, verbose);
}

}  // namespace carl::app
