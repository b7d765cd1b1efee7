#include "model/budget_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carl/error.h"
#include "carl/options.h"
#include "model/budget_unit.h"
#include "model/validity.h"
#include "util/shown.h"

namespace carl {
namespace {

using Units = std::vector<std::pair<std::string, double>>;

const double* given_unit(const std::string& cost, const Units& units) {
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.first == cost; });
  return unit == units.end() ? nullptr : &unit->second;
}

}  // namespace

Rational unit_of(const Cssp& original, std::size_t cost, const Units& units) {
  const std::string& name = original.cost_names()[cost];
  if (const double* given = given_unit(name, units)) return as_written(*given);
  const auto amounts = original.model().amounts(cost);
  if (!amounts)
    throw OptionError(
        fmt::format("the model does not say beforehand which amounts of '{}' there are",
                    shown(name)),
        fmt::format("give the unit to count it in, for example `unit {}=1`", shown(name)));
  std::vector<Rational> written;
  for (const double amount : *amounts)
    written.push_back(as_written(amount));
  if (const auto& penalties = original.give_up_penalty(); penalties && (*penalties)[cost] > 0)
    written.push_back(as_written((*penalties)[cost]));
  return common_unit(written);
}

std::string charge_name(const Guarantee& guarantee) {
  return fmt::format("{}({} > {})", guarantee.kind == Guarantee::Kind::chance ? "P" : "excess",
                     guarantee.cost, guarantee.limit);
}

BudgetModel::BudgetModel(Cssp original, const std::vector<Guarantee>& guarantees,
                         const std::vector<std::pair<std::string, double>>& units)
    : original_(std::move(original)), costs_(original_.cost_model()) {
  costs_.give_up.reset();
  for (const Guarantee& guarantee : guarantees) {
    const auto& names = original_.cost_names();
    const auto cost = static_cast<std::size_t>(
        std::find(names.begin(), names.end(), guarantee.cost) - names.begin());
    add_meter(cost, units);
    add_charge(guarantee);
  }
  if (!costs_.rewards.empty()) costs_.rewards.resize(costs_.costs.size(), false);
}

void BudgetModel::add_meter(std::size_t cost,
                            const std::vector<std::pair<std::string, double>>& units) {
  const auto same = std::find_if(meters_.begin(), meters_.end(),
                                 [&](const Meter& meter) { return meter.cost == cost; });
  if (same != meters_.end()) return;
  meters_.emplace_back();
  meters_.back().cost = cost;
  meters_.back().unit = unit_of(original_, cost, units);
  meters_.back().given = given_unit(original_.cost_names()[cost], units) != nullptr;
}

void BudgetModel::add_charge(const Guarantee& guarantee) {
  const auto meter = std::find_if(meters_.begin(), meters_.end(), [&](const Meter& m) {
    return original_.cost_names()[m.cost] == guarantee.cost;
  });
  Charge charge{guarantee.kind, static_cast<std::size_t>(meter - meters_.begin()),
                as_written(guarantee.limit), 0};
  const std::uint32_t levels =
      budget_levels(guarantee.cost, charge.limit, meter->unit, meter->given);
  const bool is_multiple = levels * meter->unit == charge.limit;
  charge.within = is_multiple ? levels : levels - 1;
  const bool is_chance = guarantee.kind == Guarantee::Kind::chance;
  meter->most = std::max(meter->most, is_chance ? charge.within + 1 : levels);
  charges_.push_back(std::move(charge));
  costs_.costs.push_back(charge_name(guarantee));
  costs_.bounds.push_back({costs_.costs.size() - 1, guarantee.upper});
}

std::uint32_t BudgetModel::units(Meter& meter, double amount) {
  if (amount == 0) return 0;
  const auto [entry, is_new] = meter.units.try_emplace(amount, 0);
  if (!is_new) return entry->second;
  const Rational written = as_written(amount);
  const mpz_class units = units_rounded_up(written, meter.unit);
  if (units * meter.unit != written) meter.has_rounded = true;
  // More than there is room for is more than any limit, whatever has been used before.
  const mpz_class most = std::numeric_limits<std::uint32_t>::max() / 2;
  return entry->second = static_cast<std::uint32_t>(std::min(units, most).get_ui());
}

/// What a step costs of a guarantee.
double BudgetModel::charge(const Charge& charge, std::uint32_t used, double amount,
                           std::uint32_t units) const {
  if (charge.kind == Guarantee::Kind::chance)
    return used <= charge.within && used + units > charge.within ? 1 : 0;
  if (units == 0) return 0;
  const Meter& meter = meters_[charge.meter];
  const Rational rounded = meter.given ? Rational(units * meter.unit) : as_written(amount);
  const Rational before = used * meter.unit - charge.limit;
  const Rational after = before < 0 ? Rational(before + rounded) : rounded;
  return after > 0 ? to_double(after) : 0;
}

StateId BudgetModel::initial_state() {
  successor_.assign(1 + meters_.size(), 0);
  successor_[0] = static_cast<std::uint32_t>(original_.initial_state().index());
  return StateId(states_.intern(successor_));
}

bool BudgetModel::is_goal(StateId state) const {
  return original_.is_goal(original_id(state));
}

void BudgetModel::unfold_step(double probability, StateId successor, std::span<const double> cost) {
  successor_.assign({static_cast<std::uint32_t>(successor.index())});
  const std::size_t first = step_costs_.size();
  step_costs_.insert(step_costs_.end(), cost.begin(), cost.end());
  for (std::size_t m = 0; m < meters_.size(); ++m) {
    const std::uint32_t more = units(meters_[m], cost[meters_[m].cost]);
    successor_.push_back(std::min(used_[m] + more, meters_[m].most));
  }
  for (const Charge& charge : charges_) {
    Meter& meter = meters_[charge.meter];
    const double amount = step_costs_[first + meter.cost];
    step_costs_.push_back(this->charge(charge, used_[charge.meter], amount, units(meter, amount)));
  }
  steps_.push_back({probability, StateId(states_.intern(successor_))});
}

void BudgetModel::unfold(StateId state, ActionId action, std::span<const double> probabilities,
                         std::span<const StateId> successors) {
  const auto key = states_[state.index()];
  const StateId original(key[0]);
  used_.assign(key.begin() + 1, key.end());
  steps_.clear();
  step_costs_.clear();
  if (action == Cssp::give_up_action)
    return unfold_step(1, Cssp::given_up, *original_.give_up_penalty());
  if (model().outcome_costs(original, action, apart_)) {
    for (std::size_t k = 0; k < apart_.size(); ++k)
      unfold_step(apart_.probability(k), apart_.successor(k), apart_.cost(k));
    return;
  }
  key_.assign(model().cost(action).begin(), model().cost(action).end());
  for (std::size_t k = 0; k < successors.size(); ++k)
    unfold_step(probabilities[k], successors[k], key_);
}

/// The costs of the action being unfolded: those of the original and the average of what its steps
/// are charged.
ActionId BudgetModel::intern_action(ActionId original) {
  const std::size_t n = costs_.costs.size();
  key_.assign(1 + n, 0.0);
  key_[0] = static_cast<double>(original.index());
  const std::span<const double> of_original =
      original == Cssp::give_up_action ? std::span<const double>(*original_.give_up_penalty())
                                       : model().cost(original);
  std::copy(of_original.begin(), of_original.end(), key_.begin() + 1);
  for (std::size_t c = num_original_costs(); c < n; ++c) {
    const double of_first = step_costs_[c];
    bool all_alike = true;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const double of_step = step_costs_[k * n + c];
      all_alike &= of_step == of_first;
      key_[1 + c] += steps_[k].probability * of_step;
    }
    if (all_alike) key_[1 + c] = of_first;
  }
  return ActionId(actions_.intern(key_));
}

void BudgetModel::expand(StateId state, Expansion& out) {
  out.clear();
  model().expand(original_id(state), expansion_);
  if (original_.give_up_penalty()) expansion_.begin_action(Cssp::give_up_action);
  for (std::size_t i = 0; i < expansion_.num_actions(); ++i) {
    const ActionId action = expansion_.action(i);
    unfold(state, action, expansion_.probabilities(i), expansion_.successors(i));
    out.begin_action(intern_action(action));
    for (const Step& step : steps_)
      out.add_outcome(step.probability, step.successor);
  }
}

std::span<const double> BudgetModel::cost(ActionId action) const {
  return actions_[action.index()].subspan(1);
}

bool BudgetModel::outcome_costs(StateId state, ActionId action, OutcomeCosts& out) {
  out.clear();
  const ActionId original = original_action(action);
  if (original == Cssp::give_up_action) return false;
  model().expand(original_id(state), expansion_);
  std::size_t i = 0;
  while (i < expansion_.num_actions() && expansion_.action(i) != original)
    ++i;
  unfold(state, original, expansion_.probabilities(i), expansion_.successors(i));
  const std::size_t n = costs_.costs.size();
  bool all_alike = true;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const auto cost = std::span(step_costs_).subspan(k * n, n);
    all_alike &= std::equal(cost.begin(), cost.end(), step_costs_.begin());
    out.add(steps_[k].probability, steps_[k].successor, cost);
  }
  if (all_alike) out.clear();
  return !all_alike;
}

std::vector<double> BudgetModel::positive_costs(std::size_t cost) const {
  if (cost < num_original_costs()) return model().positive_costs(cost);
  return {};
}

std::string BudgetModel::used_text(std::size_t meter, std::uint32_t used) const {
  const Meter& m = meters_[meter];
  return fmt::format("(used {} {:.10g}{})", original_.cost_names()[m.cost],
                     to_double(used * m.unit), used == m.most ? "+" : "");
}

std::vector<std::string> BudgetModel::state_facts(StateId state) const {
  const auto key = states_[state.index()];
  std::vector<std::string> facts = original_.state_facts(StateId(key[0]));
  for (std::size_t m = 0; m < meters_.size(); ++m)
    facts.push_back(used_text(m, key[1 + m]));
  if (!factored()) return {fmt::format("{}", fmt::join(facts, " "))};
  std::sort(facts.begin(), facts.end());
  return facts;
}

std::string BudgetModel::action_name(ActionId action) const {
  return original_.action_name(original_action(action));
}

std::vector<std::pair<std::string, std::string>> BudgetModel::figures() const {
  auto figures = model().figures();
  for (const Meter& meter : meters_)
    figures.emplace_back("budget", fmt::format("{} in units of {:.10g}, {} levels",
                                               original_.cost_names()[meter.cost],
                                               to_double(meter.unit), meter.most + 1));
  return figures;
}

std::vector<std::string> BudgetModel::warnings() const {
  std::vector<std::string> warnings = model().warnings();
  for (const Meter& meter : meters_)
    if (meter.has_rounded)
      warnings.push_back(fmt::format(
          "for guarantees amounts of '{}' are rounded up to multiples of {:.10g}: what runs really "
          "use is less, so the guarantees hold, but a better policy may be missed",
          shown(original_.cost_names()[meter.cost]), to_double(meter.unit)));
  return warnings;
}

bool BudgetModel::draws_initial_state(ActionId action) const {
  const ActionId original = original_action(action);
  return original != Cssp::give_up_action && model().draws_initial_state(original);
}

bool BudgetModel::gives_up(ActionId action) const {
  return original_.gives_up(original_action(action));
}

bool BudgetModel::is_given_up(StateId state) const {
  return original_.is_given_up(original_id(state));
}

bool BudgetModel::has_cost(std::size_t cost) const {
  if (cost >= num_original_costs())
    cost = meters_[charges_[cost - num_original_costs()].meter].cost;
  return model().has_cost(cost) ||
         (original_.give_up_penalty() && (*original_.give_up_penalty())[cost] > 0);
}

std::optional<Unreachability> BudgetModel::unreachable_goal(StateId state) const {
  return is_given_up(state) ? std::nullopt : model().unreachable_goal(original_id(state));
}

std::size_t BudgetModel::state_bytes() const {
  return states_.bytes() + model().state_bytes();
}

}  // namespace carl
