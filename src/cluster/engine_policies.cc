// The policies that the engine has found: mixed, in terms of the problem, written to files and read back.

#include <fmt/format.h>

#include "carl/error.h"
#include "cluster/engine.h"
#include "cluster/policy_files.h"

namespace carl::cluster {

/// Occupation measures add up: in each state pairs are taken in proportion to their flow. Where there
/// is none, what some policy of the mixture does that gets there.
RankPolicy Engine::mixed(std::span<const double> mixture, std::vector<double>& departures,
                         bool& solved) {
  std::vector<double> flow(rows_.num_pairs(), 0.0);
  std::vector<std::uint32_t> otherwise = pairs_;
  departures.assign(rows_.size(), 0.0);
  solved = true;
  for (std::size_t k = 0; k < mixture.size(); ++k) {
    if (mixture[k] <= 0) continue;
    const RankPolicy part(policies_[k].pairs);
    const auto found = visits(part);
    if (!found) {
      solved = false;
      continue;
    }
    const std::vector<double> reached = reached_by(part);
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      flow[policies_[k].pairs[s]] += mixture[k] * (*found)[s];
      departures[s] += mixture[k] * (*found)[s];
      if (reached[s] != 0) otherwise[s] = policies_[k].pairs[s];
    }
  }
  RankPolicy policy;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    if (departures[s] <= 0) policy.add_choice(otherwise[s], 1);
    for (std::size_t p = rows_.first_pair(s); p < rows_.last_pair(s); ++p)
      if (flow[p] > 0) policy.add_choice(static_cast<std::uint32_t>(p), flow[p] / departures[s]);
    policy.end_state();
  }
  return policy;
}

oracle::EvaluatedPolicy Engine::mix(std::span<const double> mixture) {
  bool solved = true;
  mixed_ = mixed(mixture, mixed_departures_, solved);
  if (!solved) return {};
  std::optional<std::vector<double>> costs = costs_by(mixed_departures_, mixed_);
  if (!costs) {
    const auto evaluation = evaluate(mixed_, evaluation_, AtLimit::go_on);
    if (!evaluation || !evaluation->proved) return {};
    costs = evaluation->costs;
  }
  return {true, homes_.gather(entries(mixed_, mixed_departures_)), std::move(*costs)};
}

Policy Engine::policy(oracle::PolicyHandle handle) {
  const RankPolicy policy(policies_[handle].pairs);
  const auto found = visits(policy);
  return homes_.gather(entries(policy, found ? *found : std::vector<double>(rows_.size(), 0.0)));
}

/// With states that it does not meet, for which the next search begins with what it does.
void Engine::save(oracle::PolicyHandle handle, const std::string& path) const {
  Homes::Entries all;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    all.add_state(rows_.name(s), rows_.begin() + s == initial_, std::nullopt, 1);
    all.add_choice(rows_.action(policies_[handle].pairs[s]), 1);
  }
  homes_.write(all, path);
}

/// States that the file does not know go on as they do: what leads to those that it knows is proper
/// because these are.
oracle::PolicyHandle Engine::restore(const std::string& path) {
  std::vector<std::uint32_t> pairs = pairs_;
  read_pairs(path, homes_, rows_, pairs, ranks_, watch_.monitor());
  auto found = evaluate(RankPolicy(pairs), evaluation_, AtLimit::end);
  if (!found || !found->proved) {
    watch_.check_all(watch_.monitor().kind());
    throw InputError(fmt::format("'{}' is no proper policy of this problem", path));
  }
  pairs_ = std::move(pairs);
  evaluation_ = std::move(*found);
  bool is_new = false;
  return remember(is_new);
}

/// In terms of the problem: see ssp/policy_actions.h.
Homes::Entries Engine::entries(const RankPolicy& policy,
                               const std::vector<double>& departures) const {
  const std::vector<double> reached = reached_by(policy);
  Homes::Entries result;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    if (reached[s] == 0) continue;
    double uses = 0;
    for (const auto& [pair, probability] : policy.choices(s))
      uses += probability * rows_.repeats(pair);
    result.add_state(rows_.name(s), rows_.begin() + s == initial_, departures[s] * uses,
                     policy.choices(s).size());
    for (const auto& [pair, probability] : policy.choices(s))
      result.add_choice(rows_.action(pair), probability * rows_.repeats(pair) / uses);
  }
  return result;
}

void Engine::write_mixed(const std::string& path) const {
  homes_.write(entries(mixed_, mixed_departures_), path);
}

/// In all states that it meets.
PolicySize Engine::mixed_size() const {
  const std::vector<double> reached = reached_by(mixed_);
  std::vector<std::uint64_t> counts(2, 0);
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    if (reached[s] == 0) continue;
    ++counts[0];
    if (mixed_.choices(s).size() > 1) ++counts[1];
  }
  ranks_.sum(counts);
  return {counts[0], counts[1]};
}

}  // namespace carl::cluster
