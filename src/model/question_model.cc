#include "model/question_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "carl/error.h"
#include "util/shown.h"

namespace carl {
namespace {

constexpr std::string_view stop_name = "(stop)";
constexpr std::uint64_t is_known = std::uint64_t{1} << 63U;

std::string unused_name(std::string name, const std::vector<std::string>& names) {
  while (std::find(names.begin(), names.end(), name) != names.end())
    name += "'";
  return name;
}

}  // namespace

bool allows_free_loops(const Model& model) {
  return model.failure_cost() || model.question() != nullptr;
}

QuestionModel::QuestionModel(std::shared_ptr<Model> model, ResolvedQuestion question)
    : model_(std::move(model)), question_(std::move(question)) {
  assert(question_.trackers.size() <= most_trackers);
  assert(question_.predicates.size() < most_predicates);
  costs_.costs = question_.names;
  if (question_.combined)
    costs_.costs.insert(costs_.costs.begin(), unused_name("combined", question_.names));
  for (const Bound& bound : question_.bounds)
    costs_.bounds.push_back({bound.cost + first_charge(), bound.upper});
  for (const Tracker& tracker : question_.trackers)
    if (tracker.limit) add_meter(*tracker.limit);
  for (const Charge& charge : question_.charges)
    if (charge.kind == Charge::Kind::first_steps) add_meter({std::nullopt, charge.steps});
}

/// What is beyond every limit on a reward is all the same; steps end with the last one that counts.
void QuestionModel::add_meter(const PathLimit& limit) {
  const std::uint32_t most = limit.reward ? limit.most + 1 : limit.most;
  const std::size_t meter = meter_of(limit.reward);
  if (meter == meters_.size()) meters_.push_back({limit.reward, 0});
  assert(meters_.size() <= most_meters);
  meters_[meter].most = std::max(meters_[meter].most, most);
}

std::size_t QuestionModel::meter_of(const std::optional<std::size_t>& reward) const {
  const auto found = std::find_if(meters_.begin(), meters_.end(),
                                  [&](const Meter& meter) { return meter.reward == reward; });
  return static_cast<std::size_t>(found - meters_.begin());
}

bool QuestionModel::needs_end_components() const {
  return std::any_of(question_.charges.begin(), question_.charges.end(), [&](const Charge& charge) {
    if (charge.kind == Charge::Kind::total_reward) return true;
    return charge.kind == Charge::Kind::probability && charge.if_won &&
           !question_.trackers[charge.tracker].is_decided_in_time();
  });
}

std::vector<double> QuestionModel::for_ever() const {
  std::vector<double> weights(costs_.costs.size(), 0.0);
  for (std::size_t c = 0; c < question_.charges.size(); ++c)
    if (question_.charges[c].kind == Charge::Kind::total_reward) weights[first_charge() + c] = 1;
  return weights;
}

// --- states ---------------------------------------------------------------------------------------

QuestionModel::Parts QuestionModel::parts(StateId state) const {
  const auto key = states_[state.index()];
  Parts parts{key[0], key[1], {}};
  std::copy(key.begin() + 2, key.end(), parts.used.begin());
  return parts;
}

StateId QuestionModel::intern(const Parts& parts) {
  std::array<std::uint32_t, 2 + most_meters> key{parts.of, parts.verdicts};
  std::copy(parts.used.begin(), parts.used.end(), key.begin() + 2);
  return StateId(states_.intern(std::span(key).first(2 + meters_.size())));
}

StateId QuestionModel::initial_state() {
  if (!initial_.valid()) initial_ = find_initial_state();
  return initial_;
}

StateId QuestionModel::find_initial_state() {
  const StateId of = model_->initial_state();
  if (!model_->is_goal(of)) {
    model_->expand(of, expansion_);
    // What comes before the draw is no state that formulas speak of.
    if (expansion_.num_actions() > 0 && model_->draws_initial_state(expansion_.action(0)))
      return intern({static_cast<std::uint32_t>(of.index()), 0, {}});
  }
  return arrive(of, {});
}

std::uint64_t QuestionModel::predicates_in(StateId of) {
  if (of.index() >= known_.size()) known_.resize(of.index() + 1, 0);
  std::uint64_t& known = known_[of.index()];
  if (known == 0) {
    known = is_known;
    for (std::size_t p = 0; p < question_.predicates.size(); ++p)
      if (question_.predicates[p](of)) known |= std::uint64_t{1} << p;
  }
  return known;
}

std::uint32_t QuestionModel::judged(const Parts& before, StateId of) {
  std::uint32_t verdicts = before.verdicts;
  if (question_.trackers.empty()) return verdicts;
  const std::uint64_t holds = predicates_in(of);
  for (std::size_t i = 0; i < question_.trackers.size(); ++i) {
    if (verdict(verdicts, i) != Verdict::open) continue;
    const Tracker& tracker = question_.trackers[i];
    const std::uint32_t used = tracker.limit ? before.used[meter_of(tracker.limit->reward)] : 0;
    const bool is_last = tracker.is_decided_in_time() && used == tracker.limit->most;
    Verdict now = Verdict::open;
    if (tracker.limit && used > tracker.limit->most)
      now = Verdict::lost;
    else if ((holds >> tracker.reach & 1U) != 0)
      now = Verdict::won;
    else if ((holds >> tracker.hold & 1U) == 0 || is_last)
      now = Verdict::lost;
    verdicts |= static_cast<std::uint32_t>(now) << (2 * i);
  }
  return verdicts;
}

bool QuestionModel::counts_steps(const Charge& charge, const Parts& parts) const {
  return charge.kind == Charge::Kind::first_steps &&
         parts.used[meter_of(std::nullopt)] < charge.steps;
}

/// Something depends on what the meter says.
bool QuestionModel::is_waited_for(std::size_t meter, const Parts& parts) const {
  for (std::size_t i = 0; i < question_.trackers.size(); ++i) {
    const std::optional<PathLimit>& limit = question_.trackers[i].limit;
    if (limit && limit->reward == meters_[meter].reward &&
        verdict(parts.verdicts, i) == Verdict::open)
      return true;
  }
  return !meters_[meter].reward &&
         std::any_of(question_.charges.begin(), question_.charges.end(),
                     [&](const Charge& charge) { return counts_steps(charge, parts); });
}

bool QuestionModel::targets_reached(std::uint32_t verdicts) const {
  return std::all_of(question_.charges.begin(), question_.charges.end(), [&](const Charge& charge) {
    return charge.kind != Charge::Kind::to_target ||
           verdict(verdicts, charge.tracker) == Verdict::won;
  });
}

/// Whatever follows neither decides nor costs anything.
bool QuestionModel::nothing_left(const Parts& parts) const {
  for (std::size_t i = 0; i < question_.trackers.size(); ++i)
    if (verdict(parts.verdicts, i) == Verdict::open) return false;
  return std::none_of(
      question_.charges.begin(), question_.charges.end(), [&](const Charge& charge) {
        return charge.kind == Charge::Kind::total_reward || counts_steps(charge, parts);
      });
}

StateId QuestionModel::arrive(StateId of, Parts before) {
  Parts now = before;
  now.of = static_cast<std::uint32_t>(of.index());
  now.verdicts = judged(before, of);
  if (nothing_left(now)) now.of = decided;
  for (std::size_t m = 0; m < meters_.size(); ++m)
    if (!is_waited_for(m, now)) now.used[m] = meters_[m].most;
  return intern(now);
}

StateId QuestionModel::successor(const Parts& from, StateId of, const Amounts& more) {
  Parts before = from;
  for (std::size_t m = 0; m < meters_.size(); ++m)
    before.used[m] = std::min(before.used[m] + more[m], meters_[m].most);
  return arrive(of, before);
}

QuestionModel::Amounts QuestionModel::amounts(std::span<const double> cost, StateId of,
                                              ActionId action) const {
  Amounts amounts{};
  if (model_->draws_initial_state(action)) return amounts;
  for (std::size_t m = 0; m < meters_.size(); ++m) {
    const double amount = meters_[m].reward ? cost[*meters_[m].reward] : 1;
    if (amount != std::floor(amount))
      throw InputError(
          fmt::format("limits on rewards count in whole numbers, but '{}' has {} of \"{}\" in {}",
                      shown(model_->action_name(action)), amount,
                      shown(model_->cost_model().costs[*meters_[m].reward]),
                      shown(fmt::format("{}", fmt::join(model_->state_facts(of), " ")))),
          "multiply the reward and the limit by the same number");
    amounts[m] = static_cast<std::uint32_t>(std::min<double>(amount, meters_[m].most));
  }
  return amounts;
}

bool QuestionModel::is_charged(const Charge& charge, std::uint32_t verdicts) const {
  return charge.kind == Charge::Kind::probability &&
         (verdict(verdicts, charge.tracker) == Verdict::won) == charge.if_won;
}

bool QuestionModel::is_goal(StateId state) const {
  const Parts here = parts(state);
  if (here.of == stopped) return true;
  return here.of == decided &&
         std::none_of(question_.charges.begin(), question_.charges.end(),
                      [&](const Charge& charge) { return is_charged(charge, here.verdicts); });
}

// --- actions --------------------------------------------------------------------------------------

/// Stopping cannot be better than going on: no reward is counted any more, and what is undecided is
/// charged as if it had come to the worst.
bool QuestionModel::undecided_is_worst(const Parts& parts) const {
  return std::all_of(question_.charges.begin(), question_.charges.end(), [&](const Charge& charge) {
    if (charge.kind == Charge::Kind::probability)
      return verdict(parts.verdicts, charge.tracker) != Verdict::open || !charge.if_won;
    return !counts(charge, parts);
  });
}

bool QuestionModel::counts(const Charge& charge, const Parts& parts) const {
  switch (charge.kind) {
    case Charge::Kind::probability:
      return false;
    case Charge::Kind::total_reward:
      return true;
    case Charge::Kind::to_target:
      return verdict(parts.verdicts, charge.tracker) != Verdict::won;
    case Charge::Kind::first_steps:
      break;
  }
  return counts_steps(charge, parts);
}

/// The rewards that are counted in a state, one bit for each charge.
std::uint32_t QuestionModel::counted(const Parts& parts) const {
  std::uint32_t bits = 0;
  for (std::size_t c = 0; c < question_.charges.size(); ++c)
    if (counts(question_.charges[c], parts)) bits |= std::uint32_t{1} << c;
  return bits;
}

bool QuestionModel::is_free_for_ever(ActionId action) const {
  const std::span<const double> cost = model_->cost(action);
  return std::none_of(question_.charges.begin(), question_.charges.end(),
                      [&](const Charge& charge) {
                        return charge.kind == Charge::Kind::total_reward && cost[charge.reward] > 0;
                      });
}

/// Of the i-th action of the model. `stays` becomes false if one of them leaves the state.
void QuestionModel::add_outcomes(const Parts& here, std::size_t i, StateId state, Expansion& out,
                                 bool& stays) {
  const ActionId action = expansion_.action(i);
  const StateId of(here.of);
  const auto add = [&](double probability, StateId next) {
    stays &= next == state;
    out.add_outcome(probability, next);
  };
  // Limits are about what single runs get.
  if (!meters_.empty() && model_->outcome_costs(of, action, apart_)) {
    for (std::size_t k = 0; k < apart_.size(); ++k)
      add(apart_.probability(k),
          successor(here, apart_.successor(k), amounts(apart_.cost(k), of, action)));
    return;
  }
  const Amounts more = amounts(model_->cost(action), of, action);
  for (std::size_t k = 0; k < expansion_.successors(i).size(); ++k)
    add(expansion_.probabilities(i)[k], successor(here, expansion_.successors(i)[k], more));
}

void QuestionModel::expand(StateId state, Expansion& out) {
  out.clear();
  const Parts here = parts(state);
  expansion_.clear();
  const StateId of(here.of);
  if (here.of != decided && !model_->is_goal(of)) model_->expand(of, expansion_);
  const std::uint32_t bits = counted(here);
  bool can_stay = expansion_.num_actions() == 0;
  for (std::size_t i = 0; i < expansion_.num_actions(); ++i) {
    const ActionId action = expansion_.action(i);
    const std::array<std::uint32_t, 2> key{static_cast<std::uint32_t>(action.index()), bits};
    out.begin_action(ActionId(actions_.intern(key)));
    bool stays = true;
    add_outcomes(here, i, state, out, stays);
    can_stay |= stays && is_free_for_ever(action);
  }
  can_stay |= state.index() < in_end_component_.size() && in_end_component_[state.index()];
  if (!targets_reached(here.verdicts) || !(can_stay || undecided_is_worst(here))) return;
  const std::array<std::uint32_t, 2> key{stop, here.verdicts};
  out.begin_action(ActionId(actions_.intern(key)));
  out.add_outcome(1, intern({stopped, 0, {}}));
}

void QuestionModel::combine() const {
  if (!question_.combined) return;
  cost_[0] = 0;
  for (std::size_t c = 0; c < question_.charges.size(); ++c)
    cost_[0] += question_.charges[c].combined * cost_[1 + c];
}

void QuestionModel::set_costs(std::span<const double> of_model, std::uint32_t counted) const {
  cost_.assign(costs_.costs.size(), 0.0);
  for (std::size_t c = 0; c < question_.charges.size(); ++c)
    if ((counted >> c & 1U) != 0) cost_[first_charge() + c] = of_model[question_.charges[c].reward];
  combine();
}

std::span<const double> QuestionModel::cost(ActionId action) const {
  const auto key = actions_[action.index()];
  if (key[0] != stop) {
    set_costs(model_->cost(ActionId(key[0])), key[1]);
    return cost_;
  }
  cost_.assign(costs_.costs.size(), 0.0);
  for (std::size_t c = 0; c < question_.charges.size(); ++c)
    if (is_charged(question_.charges[c], key[1])) cost_[first_charge() + c] = 1;
  combine();
  return cost_;
}

bool QuestionModel::outcome_costs(StateId state, ActionId action, OutcomeCosts& out) {
  out.clear();
  const auto key = actions_[action.index()];
  if (key[0] == stop) return false;
  const Parts here = parts(state);
  const ActionId of(key[0]);
  const std::uint32_t bits = key[1];
  if (!model_->outcome_costs(StateId(here.of), of, apart_)) return false;
  for (std::size_t k = 0; k < apart_.size(); ++k) {
    const StateId next =
        successor(here, apart_.successor(k), amounts(apart_.cost(k), StateId(here.of), of));
    set_costs(apart_.cost(k), bits);
    out.add(apart_.probability(k), next, cost_);
  }
  return true;
}

std::vector<double> QuestionModel::positive_costs(std::size_t cost) const {
  if (cost < first_charge()) return {};
  const Charge& charge = question_.charges[cost - first_charge()];
  if (charge.kind == Charge::Kind::probability) return {1};
  return model_->positive_costs(charge.reward);
}

std::optional<std::vector<double>> QuestionModel::amounts(std::size_t cost) const {
  if (cost < first_charge()) return std::nullopt;
  const Charge& charge = question_.charges[cost - first_charge()];
  if (charge.kind == Charge::Kind::probability) return std::vector<double>{1};
  return model_->amounts(charge.reward);
}

bool QuestionModel::has_cost(std::size_t cost) const {
  if (cost < first_charge()) return true;
  const Charge& charge = question_.charges[cost - first_charge()];
  return charge.kind == Charge::Kind::probability || model_->has_cost(charge.reward);
}

bool QuestionModel::draws_initial_state(ActionId action) const {
  const auto key = actions_[action.index()];
  return key[0] != stop && model_->draws_initial_state(ActionId(key[0]));
}

// --- names ----------------------------------------------------------------------------------------

std::vector<std::string> QuestionModel::state_facts(StateId state) const {
  const Parts here = parts(state);
  if (here.of == stopped) return {"(stopped)"};
  std::vector<std::string> facts;
  if (here.of == decided)
    facts.emplace_back("(decided)");
  else
    facts = model_->state_facts(StateId(here.of));
  for (std::size_t i = 0; i < question_.trackers.size(); ++i) {
    const Verdict verdict = this->verdict(here.verdicts, i);
    if (verdict != Verdict::open)
      facts.push_back(
          fmt::format("({}{})", verdict == Verdict::won ? "" : "not ", question_.trackers[i].text));
  }
  for (std::size_t m = 0; m < meters_.size() && here.of != decided; ++m) {
    if (here.used[m] == meters_[m].most) continue;
    facts.push_back(meters_[m].reward
                        ? fmt::format("(used {} {})",
                                      model_->cost_model().costs[*meters_[m].reward], here.used[m])
                        : fmt::format("(step {})", here.used[m]));
  }
  if (!factored()) return {fmt::format("{}", fmt::join(facts, " "))};
  std::sort(facts.begin(), facts.end());
  return facts;
}

std::string QuestionModel::action_name(ActionId action) const {
  const auto key = actions_[action.index()];
  return key[0] == stop ? std::string(stop_name) : model_->action_name(ActionId(key[0]));
}

std::vector<std::pair<std::string, std::string>> QuestionModel::figures() const {
  auto figures = model_->figures();
  figures.emplace_back("property", question_.question.text);
  return figures;
}

std::vector<std::string> QuestionModel::warnings() const {
  std::vector<std::string> warnings = model_->warnings();
  warnings.insert(warnings.end(), question_.question.notes.begin(), question_.question.notes.end());
  return warnings;
}

}  // namespace carl
