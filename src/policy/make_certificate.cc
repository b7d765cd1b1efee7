// Puts a certificate together: the values come from cssp/certificate_values.h, the costs of the
// policy from the exact evaluation. What is added here is exactness: the values are lowered where a
// free pair asks for it and θ is chosen so that the inequalities hold for the numbers as written.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "carl/certificate.h"
#include "carl/question.h"
#include "cssp/certificate_values.h"
#include "cssp/validate.h"
#include "graph/zero_cost_loops.h"
#include "policy/bellman_inequality.h"
#include "policy/proved_policy.h"
#include "policy/reachable_space.h"

namespace carl {
namespace {

using namespace policy;

// Rounds in which values are lowered; the values as they come need one, rarely a few.
constexpr int most_rounds = 1000;
// A θ above this loses nothing that matters.
constexpr double negligible_theta = 1 - 1e-11;
// Relative: a lower bound that is closer to the policy's cost than this need not be better.
constexpr double negligible_gap = 1e-9;

/// A certificate names states, so that others can read it. It need not say how often one comes there.
PolicyFile in_names(const Cssp& cssp, const Policy& policy) {
  PolicyFile file;
  file.costs = cssp.cost_names();
  for (const Policy::Entry entry : policy) {
    PolicyFile::Entry& named = file.states.emplace_back();
    named.state = cssp.state_name(entry.state);
    named.factored = cssp.model().factored();
    for (const Policy::Choice choice : entry.choices)
      named.choices.push_back({cssp.action_name(choice.action), choice.probability});
  }
  return file;
}

class CertificateMaker {
 public:
  CertificateMaker(Cssp& cssp, const Solution& solution, const CertificateOptions& options,
                   Monitor& monitor)
      : cssp_(cssp), solution_(solution), options_(options), monitor_(monitor), numbers_(cssp) {}

  Certificate make() {
    if (solution_.branching)
      throw NoCertificate(
          "what is proved of all policies is no proof of the best one that tosses "
          "no coin");
    certificate_.costs = cssp_.cost_names();
    for (const Bound& bound : cssp_.bounds())
      certificate_.bounds.emplace_back(cssp_.cost_names()[bound.cost], bound.upper);
    switch (solution_.status) {
      case Status::optimal:
        prove_optimum();
        break;
      case Status::infeasible:
        prove_infeasibility();
        break;
      case Status::no_proper_policy:
        prove_hopelessness();
        break;
      case Status::limit:
      case Status::interrupted:
        throw NoCertificate("nothing was proved before a limit was reached");
    }
    return std::move(certificate_);
  }

 private:
  /// One number per bound as what it is called in the file, zeros left out.
  Certificate::Numbers by_cost(const std::vector<double>& per_bound) const {
    Certificate::Numbers numbers;
    for (std::size_t b = 0; b < per_bound.size(); ++b)
      if (per_bound[b] > 0)
        numbers.emplace_back(cssp_.cost_names()[cssp_.bounds()[b].cost], per_bound[b]);
    return numbers;
  }

  /// Multipliers of bounds of zero count nothing: what they could price is forbidden.
  std::vector<double> without_zero_bounds(std::vector<double> per_bound) const {
    per_bound.resize(cssp_.bounds().size(), 0.0);
    for (std::size_t b = 0; b < per_bound.size(); ++b)
      if (cssp_.bounds()[b].upper == 0 || !(per_bound[b] > 0)) per_bound[b] = 0;
    return per_bound;
  }

  std::vector<double> weights(const std::vector<double>& per_bound, double primary) const {
    std::vector<double> result(cssp_.num_costs(), 0.0);
    result[0] = primary;
    for (std::size_t b = 0; b < per_bound.size(); ++b)
      result[cssp_.bounds()[b].cost] += per_bound[b];
    return result;
  }

  Rational allowed(const std::vector<double>& per_bound, const std::vector<double>& excess) const {
    Rational sum = 0;
    for (std::size_t b = 0; b < per_bound.size(); ++b)
      if (per_bound[b] > 0)
        sum += decimal(per_bound[b]) * (decimal(cssp_.bounds()[b].upper) + decimal(excess[b]));
    return sum;
  }

  void prove_optimum() {
    certificate_.kind = CertificateKind::optimal;
    certificate_.policy = in_names(cssp_, solution_.policy);
    const ProvedPolicy proved =
        prove_policy(cssp_, solution_.policy, {}, CheckOptions{}.max_exact_work, monitor_);
    if (!proved.costs) throw NoCertificate("the costs of the policy cannot be computed exactly");
    certificate_.objective = decimal_above((*proved.costs)[0].upper);
    std::vector<double> excess;
    for (const Bound& bound : cssp_.bounds()) {
      const Rational above = (*proved.costs)[bound.cost].upper - decimal(bound.upper);
      excess.push_back(above > 0 ? decimal_above(above) : 0.0);
    }
    certificate_.excess = by_cost(excess);
    const std::vector<double> multipliers = without_zero_bounds(solution_.multipliers);
    certificate_.multipliers = by_cost(multipliers);
    const Rational sum = allowed(multipliers, excess);
    const double target =
        *certificate_.objective * (1 - negligible_gap) + to_double(sum) * (1 - 1e-15);
    const Rational least = prove_values(multipliers, 1, target);
    certificate_.lower_bound = least > sum ? decimal_below(least - sum) : 0.0;
  }

  void prove_infeasibility() {
    if (!solution_.infeasibility || solution_.infeasibility->weights.empty())
      return prove_hopelessness();
    certificate_.kind = CertificateKind::infeasible;
    const std::vector<double> ray = without_zero_bounds(solution_.infeasibility->weights);
    certificate_.multipliers = by_cost(ray);
    const Rational sum = allowed(ray, std::vector<double>(ray.size(), 0.0));
    const Rational least =
        prove_values(ray, 0, std::nextafter(to_double(sum) * (1 + negligible_gap), HUGE_VAL));
    if (least <= sum)
      throw NoCertificate("the problem is too close to a feasible one for values of all states");
  }

  /// With the remaining pairs there is no proper policy; with all of them there may be one.
  void prove_hopelessness() {
    const bool some_are_zero = std::any_of(cssp_.bounds().begin(), cssp_.bounds().end(),
                                           [](const Bound& bound) { return bound.upper == 0; });
    certificate_.kind = some_are_zero && has_proper_policy_without_bounds()
                            ? CertificateKind::infeasible_zero_bounds
                            : CertificateKind::no_proper_policy;
    const cssp::CertificateValues found =
        cssp::certificate_values(cssp_, weights({}, 1), 0, options_, monitor_);
    list_unexpanded(explore(found), found);
  }

  bool has_proper_policy_without_bounds() {
    CsspOptions options;
    for (const Bound& bound : cssp_.bounds())
      options.bounds.emplace_back(cssp_.cost_names()[bound.cost],
                                  std::numeric_limits<double>::infinity());
    if (const auto& penalty = cssp_.give_up_penalty()) {
      options.give_up.emplace();
      for (std::size_t i = 0; i < penalty->size(); ++i)
        options.give_up->emplace_back(cssp_.cost_names()[i], (*penalty)[i]);
    }
    Cssp all(std::shared_ptr<Model>(std::shared_ptr<Model>(), &cssp_.model()), options);
    ReachableSpace::Rules rules;
    rules.treatment = [](StateId) { return ReachableSpace::Treatment::expand; };
    rules.forbidden = [](ActionId) { return false; };
    return ReachableSpace(all, rules, monitor_).is_proper(all.initial_state());
  }

  /// As the checker will, given what is listed as unexpanded.
  ReachableSpace explore(const cssp::CertificateValues& found) {
    using Treatment = ReachableSpace::Treatment;
    ReachableSpace::Rules rules;
    rules.treatment = [&](StateId s) {
      if (!found.is_unexpanded(s)) return Treatment::expand;
      return std::isfinite(found.value[s.index()]) ? Treatment::target : Treatment::hopeless;
    };
    rules.forbidden = [&](ActionId action) { return numbers_.forbidden(action); };
    return ReachableSpace(cssp_, rules, monitor_);
  }

  /// Fills in the values; returns what they prove of the initial state.
  Rational prove_values(const std::vector<double>& per_bound, double primary, double target) {
    cssp::CertificateValues found =
        cssp::certificate_values(cssp_, weights(per_bound, primary), target, options_, monitor_);
    const ReachableSpace space = explore(found);
    list_unexpanded(space, found);
    found.value.resize(cssp_.num_states(), 0.0);
    for (double& value : found.value)
      if (!std::isfinite(value)) value = 0;  // where no pair leads that counts
    std::vector<Rational> exact_weights(cssp_.num_costs(), Rational(0));
    exact_weights[0] = primary;
    for (std::size_t b = 0; b < per_bound.size(); ++b)
      exact_weights[cssp_.bounds()[b].cost] += decimal(per_bound[b]);
    const Rational theta = make_exact(space, exact_weights, found.value);
    certificate_.theta = decimal_below(theta);
    for (const StateId s : space.proper_states())
      certificate_.values.push_back(
          {cssp_.state_name(s), cssp_.model().factored(), found.value[s.index()]});
    return decimal(certificate_.theta) * decimal(found.value[cssp_.initial_state().index()]);
  }

  /// Lowers values until no free pair is violated, and returns the θ that the others ask for. A
  /// pair that is next to free would ask for much; it counts as free as long as rounds are left.
  Rational make_exact(const ReachableSpace& space, const std::vector<Rational>& weights,
                      std::vector<double>& value) {
    BellmanInequality inequality(cssp_, weights, 1, value);
    Rational theta = 1;
    bool changed = true;
    for (int round = 0; changed && round < most_rounds; ++round) {
      changed = false;
      theta = 1;
      for (std::size_t i = space.proper_states().size(); i-- > 0;) {
        const StateId s = space.proper_states()[i];
        for (std::size_t p = space.first_pair(s); p < space.last_pair(s); ++p) {
          monitor_.check();
          if (!space.stays_proper(p)) continue;
          const auto sides = inequality.violation(space, s, p);
          if (!sides) continue;
          const Rational cost = weighted_cost(weights, space.action(p));
          const Rational wanted = cost / (cost + sides->left - sides->right);
          if (cost > 0 && (wanted >= negligible_theta || round >= most_rounds / 2)) {
            theta = std::min(theta, wanted);
          } else {
            // Where the sides are equal; the value may be on both of them.
            value[s.index()] =
                decimal_below(sides->left - (sides->left - sides->right) / (1 - sides->stays));
            changed = true;
          }
        }
      }
    }
    if (changed) throw NoCertificate("the values of states with free actions cannot be made exact");
    return theta;
  }

  Rational weighted_cost(const std::vector<Rational>& weights, ActionId action) const {
    Rational sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0) sum += weights[i] * numbers_.cost(action, i);
    return sum;
  }

  void list_unexpanded(const ReachableSpace& space, const cssp::CertificateValues& found) {
    for (const StateId s : space.states()) {
      if (!found.is_unexpanded(s)) continue;
      Certificate::Value& entry = certificate_.unexpanded.emplace_back();
      entry.state = cssp_.state_name(s);
      entry.factored = cssp_.model().factored();
      if (std::isfinite(found.value[s.index()])) entry.value = found.value[s.index()];
    }
    if (!certificate_.unexpanded.empty()) certificate_.heuristic = found.heuristic;
  }

  Cssp& cssp_;
  const Solution& solution_;
  const CertificateOptions& options_;
  Monitor& monitor_;
  ExactNumbers numbers_;
  Certificate certificate_;
};

}  // namespace

Certificate make_certificate(Cssp& cssp, const Solution& solution,
                             const CertificateOptions& options, Monitor& monitor) {
  cssp::validate_heuristic(options.heuristic, cssp);
  try {
    return CertificateMaker(cssp, solution, options, monitor).make();
  } catch (const graph::ZeroCostLoopError&) {
    if (!allows_free_loops(cssp.model())) throw;
    throw NoCertificate("the problem has loops at no cost, which count as single states");
  }
}

}  // namespace carl
