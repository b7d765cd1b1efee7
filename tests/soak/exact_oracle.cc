#include "soak/exact_oracle.h"

#include <algorithm>
#include <map>

#include "soak/exact_lp.h"

namespace carl::soak {

ExactOracle::ExactOracle(Cssp& cssp, const Size& most) : num_costs_(cssp.num_costs()) {
  enumerate(cssp, most);
}

void ExactOracle::enumerate(Cssp& cssp, const Size& most) {
  std::map<StateId, std::size_t> number;
  std::vector<StateId> states;
  const auto find = [&](StateId state) {
    if (cssp.is_goal(state)) return goal;
    const auto [found, is_new] = number.emplace(state, states.size());
    if (is_new) states.push_back(state);
    return found->second;
  };
  const std::size_t first = find(cssp.initial_state());
  if (first != goal) initial_ = first;
  Expansion expansion;
  for (std::size_t s = 0; s < states.size(); ++s) {
    if (states.size() > most.states || pairs_.size() > most.pairs) return;
    pairs_of_.resize(s + 1);
    cssp.expand(states[s], expansion);
    for (std::size_t a = 0; a < expansion.num_actions(); ++a) {
      std::vector<Rational> cost;
      for (const double c : cssp.cost(expansion.action(a)))
        cost.push_back(decimal(c));
      std::vector<Outcome> outcomes;
      for (std::size_t k = 0; k < expansion.successors(a).size(); ++k)
        outcomes.push_back(
            {find(expansion.successors(a)[k]), decimal(expansion.probabilities(a)[k])});
      if (expansion.action(a) == Cssp::give_up_action) outcomes.push_back({goal, 1});
      add_pair(s, std::move(cost), std::move(outcomes));
    }
  }
  complete_ = true;
}

void ExactOracle::add_pair(std::size_t state, std::vector<Rational> cost,
                           std::vector<Outcome> outcomes) {
  Rational sum = 0;
  for (const Outcome& outcome : outcomes)
    sum += outcome.probability;
  for (Outcome& outcome : outcomes)
    outcome.probability /= sum;
  pairs_of_[state].push_back(pairs_.size());
  pairs_.push_back({state, std::move(cost), std::move(outcomes)});
}

bool ExactOracle::allows(const Pair& pair, const Bounds& bounds) const {
  for (std::size_t i = 0; i < num_costs_; ++i)
    if (bounds[i] && *bounds[i] == 0 && pair.cost[i] > 0) return false;
  return true;
}

/// The greatest set of states that can reach a goal without ever leaving it; a pair that comes
/// closer by at least one of its outcomes is a proper choice.
ExactOracle::Policy ExactOracle::proper_policy(const Bounds& bounds) const {
  std::vector<bool> in(num_states(), true);
  for (;;) {
    Policy policy(num_states());
    const auto stays = [&](const Pair& pair) {
      return std::all_of(pair.outcomes.begin(), pair.outcomes.end(),
                         [&](const Outcome& o) { return o.to == goal || in[o.to]; });
    };
    const auto progresses = [&](const Pair& pair) {
      return std::any_of(pair.outcomes.begin(), pair.outcomes.end(),
                         [&](const Outcome& o) { return o.to == goal || policy[o.to]; });
    };
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const Pair& pair = pairs_[p];
        if (!in[pair.state] || policy[pair.state] || !allows(pair, bounds)) continue;
        if (!stays(pair) || !progresses(pair)) continue;
        policy[pair.state] = p;
        grown = true;
      }
    }
    bool stable = true;
    for (std::size_t s = 0; s < num_states(); ++s) {
      if (!in[s] || policy[s]) continue;
      in[s] = false;
      stable = false;
    }
    if (stable) return policy;
  }
}

bool ExactOracle::has_proper_policy() const {
  return has_allowed_policy(Bounds(num_costs_));
}

bool ExactOracle::has_allowed_policy(const Bounds& bounds) const {
  return !initial_ || proper_policy(bounds)[*initial_].has_value();
}

bool ExactOracle::has_free_loop(const Bounds& bounds) const {
  std::vector<bool> in(num_states(), true);
  const auto loops = [&](const Pair& pair) {
    if (pair.cost[0] > 0 || !allows(pair, bounds)) return false;
    bool leaves_state = false;
    for (const Outcome& outcome : pair.outcomes) {
      if (outcome.to == pair.state) continue;
      if (outcome.to == goal || !in[outcome.to]) return false;
      leaves_state = true;
    }
    return leaves_state;
  };
  for (bool stable = false; !stable;) {
    stable = true;
    for (std::size_t s = 0; s < num_states(); ++s) {
      if (!in[s] || std::any_of(pairs_of_[s].begin(), pairs_of_[s].end(),
                                [&](std::size_t p) { return loops(pairs_[p]); }))
        continue;
      in[s] = false;
      stable = false;
    }
  }
  return std::find(in.begin(), in.end(), true) != in.end();
}

/// The LP of one question. A row per state that has a proper policy and per positive bound; a
/// column per pair that such policies can use and per bound. Columns and rows are scaled to
/// integers.
class ExactOracle::Program {
 public:
  Program(const ExactOracle& oracle, const Policy& policy, const std::vector<Rational>& weights,
          const Bounds& bounds)
      : oracle_(oracle), policy_(policy), weights_(weights), bounds_(bounds) {
    for (std::size_t s = 0; s < oracle.num_states(); ++s)
      if (policy[s]) row_of_[s] = row_of_.size();
    for (std::size_t p = 0; p < oracle.pairs_.size(); ++p)
      if (usable(oracle.pairs_[p])) columns_.push_back({p, {}, {}});
    for (std::size_t i = 0; i < bounds.size(); ++i)
      if (bounds[i] && *bounds[i] > 0) bounded_.push_back(i);
    for (Column& column : columns_)
      scale(column);
    for (const std::size_t i : bounded_)
      row_scales_.push_back(row_scale([&](const Pair& pair) { return pair.cost[i]; }, *bounds[i]));
    objective_scale_ = row_scale([&](const Pair& pair) { return weighted(pair); }, 0);
  }

  std::optional<Optimum> solve() {
    ExactLp lp = build();
    const std::size_t flow_rows = row_of_.size();
    for (std::size_t j = 0; j < columns_.size(); ++j)
      if (const Pair& pair = pair_of(columns_[j]); policy_[pair.state] == columns_[j].pair)
        lp.pivot(row_of_.at(pair.state), j);
    lp.minimise(flow_rows);
    if (!lp.make_feasible()) return std::nullopt;
    return read(lp);
  }

 private:
  struct Column {
    std::size_t pair;
    Rational factor;                        // of its entries; its variable is divided by it
    std::map<std::size_t, mpz_class> flow;  // by row
  };

  const Pair& pair_of(const Column& column) const { return oracle_.pairs_[column.pair]; }
  bool usable(const Pair& pair) const {
    return policy_[pair.state] && oracle_.allows(pair, bounds_) &&
           std::all_of(pair.outcomes.begin(), pair.outcomes.end(),
                       [&](const Outcome& o) { return o.to == goal || policy_[o.to]; });
  }
  Rational weighted(const Pair& pair) const {
    Rational sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      sum += weights_[i] * pair.cost[i];
    return sum;
  }

  /// What an action takes out of its state, and puts into others.
  void scale(Column& column) const {
    const Pair& pair = pair_of(column);
    std::map<std::size_t, Rational> flow{{row_of_.at(pair.state), 1}};
    for (const Outcome& outcome : pair.outcomes)
      if (outcome.to != goal) flow[row_of_.at(outcome.to)] -= outcome.probability;
    mpz_class common = 1;
    for (const auto& [row, entry] : flow)
      common = lcm(common, entry.get_den());
    column.factor = common;
    for (const auto& [row, entry] : flow)
      column.flow[row] = mpz_class(entry * column.factor);
  }

  template <class Entry>
  mpz_class row_scale(const Entry& entry, const Rational& right_side) const {
    mpz_class common = right_side.get_den();
    for (const Column& column : columns_)
      common = lcm(common, Rational(entry(pair_of(column)) * column.factor).get_den());
    return common;
  }

  ExactLp build() const {
    const std::size_t flow_rows = row_of_.size();
    ExactLp lp(flow_rows + bounded_.size(), columns_.size() + bounded_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Column& column = columns_[j];
      for (const auto& [row, entry] : column.flow)
        lp.at(row, j) = entry;
      for (std::size_t k = 0; k < bounded_.size(); ++k)
        lp.at(flow_rows + k, j) =
            mpz_class(pair_of(column).cost[bounded_[k]] * column.factor * row_scales_[k]);
      lp.objective(j) = mpz_class(weighted(pair_of(column)) * column.factor * objective_scale_);
    }
    for (std::size_t k = 0; k < bounded_.size(); ++k) {
      lp.at(flow_rows + k, columns_.size() + k) = 1;
      lp.right_side(flow_rows + k) = mpz_class(*bounds_[bounded_[k]] * row_scales_[k]);
      lp.set_basic(flow_rows + k, columns_.size() + k);
    }
    lp.right_side(row_of_.at(*oracle_.initial_)) = 1;
    return lp;
  }

  Optimum read(const ExactLp& lp) const {
    Optimum optimum;
    optimum.value = lp.value() / objective_scale_;
    optimum.costs.resize(oracle_.num_costs_);
    optimum.multipliers.resize(oracle_.num_costs_);
    for (std::size_t row = 0; row < row_of_.size() + bounded_.size(); ++row) {
      if (lp.basic(row) >= columns_.size()) continue;
      const Column& column = columns_[lp.basic(row)];
      const Rational uses = lp.basic_value(row) * column.factor;
      optimum.steps += uses;
      for (std::size_t i = 0; i < oracle_.num_costs_; ++i)
        optimum.costs[i] += uses * pair_of(column).cost[i];
    }
    for (std::size_t k = 0; k < bounded_.size(); ++k)
      optimum.multipliers[bounded_[k]] =
          lp.reduced_cost(columns_.size() + k) * row_scales_[k] / objective_scale_;
    return optimum;
  }

  const ExactOracle& oracle_;
  const Policy& policy_;
  const std::vector<Rational>& weights_;
  const Bounds& bounds_;
  std::map<std::size_t, std::size_t> row_of_;  // by state
  std::vector<Column> columns_;
  std::vector<std::size_t> bounded_;  // costs with a positive bound
  std::vector<mpz_class> row_scales_;
  mpz_class objective_scale_;
};

std::optional<ExactOracle::Optimum> ExactOracle::minimum(const std::vector<Rational>& weights,
                                                         const Bounds& bounds) const {
  if (!initial_) {
    const std::vector<Rational> nothing(num_costs_);
    return Optimum{0, nothing, nothing, 0};
  }
  const Policy policy = proper_policy(bounds);
  if (!policy[*initial_]) return std::nullopt;
  return Program(*this, policy, weights, bounds).solve();
}

std::optional<ExactOracle::Optimum> ExactOracle::minimum(std::size_t cost,
                                                         const Bounds& bounds) const {
  std::vector<Rational> weights(num_costs_);
  weights[cost] = 1;
  return minimum(weights, bounds);
}

ExactOracle::Bounds exact_bounds(const Cssp& cssp, const Rational& factor) {
  ExactOracle::Bounds bounds(cssp.num_costs());
  for (const Bound& bound : cssp.bounds())
    bounds[bound.cost] = decimal(bound.upper) * factor;
  return bounds;
}

}  // namespace carl::soak
