#include "ssp/postcondition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

namespace carl::ssp {
namespace {

/// Of the envelope, all states that can reach a goal along its choices are counted.
std::size_t states_that_reach_a_goal(const SearchGraph& graph, const Policy& policy) {
  constexpr std::uint32_t outside = ~std::uint32_t{0};
  std::vector<std::uint32_t> position(graph.num_states(), outside);
  for (std::size_t i = 0; i < policy.size(); ++i)
    position[policy.state(i).index()] = static_cast<std::uint32_t>(i);
  const auto for_edges = [&](auto visit) {
    for (std::uint32_t i = 0; i < policy.size(); ++i)
      for (const StateId t : graph.successors(policy.choices(i)[0].pair))
        visit(i, position[t.index()]);
  };
  std::vector<std::uint32_t> first(policy.size() + 1, 0);
  std::vector<bool> reaches(policy.size(), false);
  for (std::size_t i = 0; i < policy.size(); ++i)
    reaches[i] = graph.ends(policy.choices(i)[0].pair);
  for_edges([&](std::uint32_t from, std::uint32_t to) {
    if (to == outside)
      reaches[from] = true;
    else
      ++first[to + 1];
  });
  for (std::size_t i = 0; i < policy.size(); ++i)
    first[i + 1] += first[i];
  std::vector<std::uint32_t> source(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for_edges([&](std::uint32_t from, std::uint32_t to) {
    if (to != outside) source[next[to]++] = from;
  });
  std::vector<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < policy.size(); ++i)
    if (reaches[i]) queue.push_back(i);
  for (std::size_t q = 0; q < queue.size(); ++q)
    for (std::uint32_t e = first[queue[q]]; e < first[queue[q] + 1]; ++e)
      if (!reaches[source[e]]) {
        reaches[source[e]] = true;
        queue.push_back(source[e]);
      }
  return queue.size();
}

/// Whether values go down with every step, in the mean and by a share of what it costs: then no choices
/// lead on for ever. Mostly that is so where all states are solved, and takes one look at each of them.
bool values_go_down(const ScalarisedSsp& ssp) {
  constexpr double share = 0.5;
  constexpr double rounding = 1e-12;
  const SearchGraph& graph = ssp.graph();
  const auto goes_down = [&](StateId s) {
    if (graph.is_goal(s)) return true;
    const PairId p = ssp.choice(s);
    if (!p.valid()) return false;
    const double value = ssp.value(s);
    const double least = std::max(share * ssp.cost(p), rounding * value);
    const double next = q_value(graph, p, 0, [&](StateId t) { return ssp.value(t); });
    return least > 0 && next <= value - least;
  };
  return graph.threads().reduce(
      graph.num_states(), true,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s)
          if (!goes_down(StateId(s))) return false;
        return true;
      },
      std::logical_and<>());
}

}  // namespace

bool greedy_policy_is_proper(const ScalarisedSsp& ssp) {
  if (!ssp.greedy_policy_is_closed()) return false;
  if (values_go_down(ssp)) return true;
  const Policy policy = ssp.greedy_policy();
  return states_that_reach_a_goal(ssp.graph(), policy) == policy.size();
}

std::string broken_promise(const ScalarisedSsp& ssp, double epsilon) {
  const SearchGraph& graph = ssp.graph();
  if (ssp.value(ssp.initial_state()) == infinity) return {};
  if (!ssp.greedy_policy_is_closed()) return "the greedy policy is not closed";
  if (!greedy_policy_is_proper(ssp)) return "the greedy policy is improper";
  const Policy policy = ssp.greedy_policy();
  const auto q = [&](PairId p) {  // without being counted as work of the search
    return q_value(graph, p, ssp.cost(p), [&](StateId t) { return ssp.value(t); });
  };
  for (std::size_t i = 0; i < policy.size(); ++i) {
    const StateId s = policy.state(i);
    const double value = ssp.value(s);
    const double allowed =
        epsilon * (1 + residual_allowance_of_epsilon) + residual_allowance_of_value * value;
    double best = infinity;
    for (const PairId p : graph.pairs(s))
      best = std::min(best, q(p));
    const double chosen = q(ssp.choice(s));
    if (std::abs(best - value) > allowed)
      return fmt::format("state {} has the value {} and a residual of {}", s.index(), value,
                         best - value);
    if (chosen - best > allowed)
      return fmt::format("state {} has a choice that is worse than the best by {}", s.index(),
                         chosen - best);
  }
  return {};
}

}  // namespace carl::ssp
