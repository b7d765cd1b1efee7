#include "cssp/brute_force.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace carl::testing {
namespace {

struct Transition {
  std::vector<double> cost;
  std::map<StateId, double> successors;
};

using Vector = std::vector<double>;

/// Solves A x = b; empty if A is singular.
std::optional<Vector> solve(std::vector<Vector> a, Vector b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < n; ++r)
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    if (std::abs(a[pivot][i]) < 1e-12) return std::nullopt;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c)
        a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    b[i] /= a[i][i];
  return b;
}

class Enumeration {
 public:
  explicit Enumeration(Cssp& cssp) : cssp_(cssp) {
    visit(cssp.initial_state());
    for (std::size_t i = 0; i < states_.size(); ++i)
      expand(states_[i]);
  }

  bool all_policies(std::size_t max_policies) {
    std::size_t count = 1;
    for (const StateId s : states_) {
      count *= std::max<std::size_t>(1, options_[s].size());
      if (count > max_policies) return false;
    }
    choose(0);
    return true;
  }

  const std::set<Vector>& cost_vectors() const { return cost_vectors_; }

 private:
  void visit(StateId s) {
    if (cssp_.is_goal(s) || std::find(states_.begin(), states_.end(), s) != states_.end()) return;
    states_.push_back(s);
  }

  void expand(StateId s) {
    Expansion out;
    cssp_.expand(s, out);
    for (std::size_t i = 0; i < out.num_actions(); ++i) {
      const auto cost = cssp_.cost(out.action(i));
      Transition t{{cost.begin(), cost.end()}, {}};
      for (std::size_t k = 0; k < out.successors(i).size(); ++k)
        t.successors[out.successors(i)[k]] = out.probabilities(i)[k];
      if (out.action(i) == Cssp::give_up_action) t.successors[Cssp::given_up] = 1;
      options_[s].push_back(t);
    }
    for (const Transition& t : options_[s])
      for (const auto& [successor, p] : t.successors)
        visit(successor);
  }

  void choose(std::size_t i) {
    if (i == states_.size()) {
      evaluate();
    } else if (options_[states_[i]].empty()) {
      chosen_[states_[i]] = nullptr;
      choose(i + 1);
    } else {
      for (const Transition& t : options_[states_[i]]) {
        chosen_[states_[i]] = &t;
        choose(i + 1);
      }
    }
  }

  void evaluate() {
    std::vector<StateId> envelope;
    const auto add = [&](StateId s) {
      if (!cssp_.is_goal(s) && std::find(envelope.begin(), envelope.end(), s) == envelope.end())
        envelope.push_back(s);
    };
    add(cssp_.initial_state());
    for (std::size_t i = 0; i < envelope.size(); ++i) {
      if (chosen_[envelope[i]] == nullptr) return;
      for (const auto& [t, p] : chosen_[envelope[i]]->successors)
        add(t);
    }
    if (!proper(envelope)) return;
    Vector costs;
    for (std::size_t c = 0; c < cssp_.num_costs(); ++c) {
      std::vector<Vector> a(envelope.size(), Vector(envelope.size(), 0));
      Vector b(envelope.size());
      for (std::size_t i = 0; i < envelope.size(); ++i) {
        a[i][i] += 1;
        b[i] = chosen_[envelope[i]]->cost[c];
        for (const auto& [t, p] : chosen_[envelope[i]]->successors) {
          const auto j = std::find(envelope.begin(), envelope.end(), t);
          if (j != envelope.end()) a[i][static_cast<std::size_t>(j - envelope.begin())] -= p;
        }
      }
      if (envelope.empty()) {
        costs.push_back(0);
        continue;
      }
      const auto x = solve(a, b);
      if (!x) return;
      costs.push_back((*x)[0]);
    }
    cost_vectors_.insert(costs);
  }

  /// Every state of the envelope can reach a goal.
  bool proper(const std::vector<StateId>& envelope) {
    std::set<StateId> good;
    for (bool grown = true; grown;) {
      grown = false;
      for (const StateId s : envelope)
        for (const auto& [t, p] : chosen_[s]->successors)
          if (!good.contains(s) && (cssp_.is_goal(t) || good.contains(t)))
            grown = good.insert(s).second;
    }
    return good.size() == envelope.size();
  }

  Cssp& cssp_;
  std::vector<StateId> states_;
  std::map<StateId, std::vector<Transition>> options_;
  std::map<StateId, const Transition*> chosen_;
  std::set<Vector> cost_vectors_;
};

/// The best vertex: k policies mixed so that k-1 of the bounds hold with equality.
class Mixtures {
 public:
  Mixtures(const std::set<Vector>& policies, const std::vector<Bound>& bounds) : bounds_(bounds) {
    // A policy that another one beats or equals in every cost is never needed in a mixture.
    for (const Vector& p : policies)
      if (std::none_of(policies.begin(), policies.end(), [&](const Vector& q) {
            return q != p && std::equal(q.begin(), q.end(), p.begin(), std::less_equal<>());
          }))
        policies_.push_back(p);
    choose_policies(0);
  }
  std::optional<double> optimum() const { return optimum_; }

 private:
  void choose_policies(std::size_t from) {
    if (!mixed_.empty()) choose_bounds(0);
    if (mixed_.size() == bounds_.size() + 1) return;
    for (std::size_t i = from; i < policies_.size(); ++i) {
      mixed_.push_back(i);
      choose_policies(i + 1);
      mixed_.pop_back();
    }
  }

  void choose_bounds(std::size_t from) {
    if (tight_.size() + 1 == mixed_.size()) return try_vertex();
    for (std::size_t i = from; i < bounds_.size(); ++i) {
      tight_.push_back(i);
      choose_bounds(i + 1);
      tight_.pop_back();
    }
  }

  void try_vertex() {
    const std::size_t k = mixed_.size();
    std::vector<Vector> a(k, Vector(k));
    Vector b(k);
    for (std::size_t j = 0; j < k; ++j)
      a[0][j] = 1;
    b[0] = 1;
    for (std::size_t i = 0; i + 1 < k; ++i) {
      for (std::size_t j = 0; j < k; ++j)
        a[i + 1][j] = policies_[mixed_[j]][bounds_[tight_[i]].cost];
      b[i + 1] = bounds_[tight_[i]].upper;
    }
    const auto weights = solve(a, b);
    if (!weights || *std::min_element(weights->begin(), weights->end()) < -1e-9) return;
    Vector costs(policies_[0].size(), 0);
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t c = 0; c < costs.size(); ++c)
        costs[c] += (*weights)[j] * policies_[mixed_[j]][c];
    for (const Bound& bound : bounds_)
      if (costs[bound.cost] > bound.upper + 1e-7) return;
    optimum_ = std::min(optimum_.value_or(costs[0]), costs[0]);
  }

  std::vector<Vector> policies_;
  const std::vector<Bound>& bounds_;
  std::vector<std::size_t> mixed_;
  std::vector<std::size_t> tight_;
  std::optional<double> optimum_;
};

}  // namespace

std::optional<std::set<std::vector<double>>> policy_costs(Cssp& cssp, std::size_t max_policies) {
  Enumeration enumeration(cssp);
  if (!enumeration.all_policies(max_policies)) return std::nullopt;
  return enumeration.cost_vectors();
}

std::optional<double> best_mixture(const std::set<std::vector<double>>& policies,
                                   const std::vector<Bound>& bounds) {
  return Mixtures(policies, bounds).optimum();
}

std::optional<BruteForceAnswer> brute_force(Cssp& cssp, std::size_t max_policies) {
  Enumeration enumeration(cssp);
  if (!enumeration.all_policies(max_policies)) return std::nullopt;
  BruteForceAnswer answer;
  answer.proper_policy = !enumeration.cost_vectors().empty();
  answer.optimum = Mixtures(enumeration.cost_vectors(), cssp.bounds()).optimum();
  return answer;
}

}  // namespace carl::testing
