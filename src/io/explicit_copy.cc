#include "io/explicit_copy.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "carl/error.h"
#include "carl/explicit_builder.h"
#include "io/labelled_model.h"
#include "model/state_labels.h"
#include "policy/findings.h"
#include "policy/policy_chain.h"

namespace carl::io {
namespace {

constexpr const char* given_up_label = "given-up";

/// States of a problem and the numbers that they get, in the order in which they are met.
class Numbering {
 public:
  Numbering(Cssp& cssp, ExplicitBuilder& builder) : cssp_(cssp), builder_(builder) {}

  StateId operator()(StateId state) {
    if (state == Cssp::given_up) {
      if (!given_up_.valid()) given_up_ = add(state);
      return given_up_;
    }
    if (number_.size() <= state.index())
      number_.resize(std::max(cssp_.num_states(), state.index() + 1));
    StateId& number = number_[state.index()];
    if (!number.valid()) number = add(state);
    return number;
  }
  std::size_t size() const { return states_.size(); }
  StateId original(std::size_t number) const { return states_[number]; }

  /// The labels of the model, and one for what has been given up. All states are known by now.
  void add_labels() {
    const StateLabels* const labels = cssp_.model().labels();
    const std::vector<std::string> names =
        labels != nullptr ? labels->names() : std::vector<std::string>();
    std::vector<bool> given_up(size());
    for (std::size_t i = 0; i < size(); ++i)
      given_up[i] = cssp_.is_given_up(states_[i]);
    for (std::size_t l = 0; l < names.size(); ++l) {
      std::vector<bool> set(size());
      for (std::size_t i = 0; i < size(); ++i)
        set[i] = states_[i] != Cssp::given_up && labels->holds(l, states_[i]);
      if (names[l] != given_up_label) builder_.add_label(names[l], std::move(set));
    }
    if (std::find(given_up.begin(), given_up.end(), true) != given_up.end())
      builder_.add_label(given_up_label, std::move(given_up));
  }

 private:
  StateId add(StateId state) {
    builder_.add_states(1);
    states_.push_back(state);
    return StateId(states_.size() - 1);
  }

  Cssp& cssp_;
  ExplicitBuilder& builder_;
  std::vector<StateId> states_;  // by number
  std::vector<StateId> number_;  // by state
  StateId given_up_;
};

class Copy {
 public:
  Copy(Cssp& cssp, Monitor& monitor)
      : cssp_(cssp),
        monitor_(monitor),
        builder_(CostModel{cssp.cost_names(), {}, {}}),
        names_(builder_),
        number_(cssp, builder_) {}

  std::shared_ptr<Model> make() {
    number_(cssp_.initial_state());
    for (std::size_t i = 0; i < number_.size(); ++i) {
      monitor_.check();
      const StateId state = number_.original(i);
      if (cssp_.is_goal(state))
        builder_.add_goal(StateId(i));
      else
        add_actions(state, StateId(i));
    }
    number_.add_labels();
    return builder_.build(StateId(0));
  }

 private:
  void add_actions(StateId state, StateId number) {
    Model& model = cssp_.model();
    model.expand(state, expansion_);
    names_.begin_state();
    for (std::size_t a = 0; a < expansion_.num_actions(); ++a) {
      const ActionId action = expansion_.action(a);
      const std::string name = model.gives_up(action) ? "give-up" : model.action_name(action);
      const std::vector<double> cost(model.cost(action).begin(), model.cost(action).end());
      if (model.outcome_costs(state, action, apart_))
        for (std::size_t k = 0; k < apart_.size(); ++k)
          builder_.add_outcome(apart_.probability(k), number_(apart_.successor(k)), apart_.cost(k));
      else
        for (std::size_t k = 0; k < expansion_.successors(a).size(); ++k)
          builder_.add_outcome(expansion_.probabilities(a)[k],
                               number_(expansion_.successors(a)[k]));
      add_action(number, name, cost);
    }
    if (!cssp_.give_up_penalty()) return;
    builder_.add_outcome(1, number_(Cssp::given_up));
    add_action(number, "give-up", *cssp_.give_up_penalty());
  }

  void add_action(StateId number, const std::string& name, const std::vector<double>& cost) {
    const ActionName distinct = names_.next(builder_.action_name(name));
    builder_.add_action(number, std::string(builder_.text_of(distinct)), cost);
  }

  Cssp& cssp_;
  Monitor& monitor_;
  ExplicitBuilder builder_;
  DistinctNames names_;
  Numbering number_;
  Expansion expansion_;
  OutcomeCosts apart_;
};

}  // namespace

std::shared_ptr<Model> explicit_copy(Cssp& cssp, Monitor& monitor) {
  return Copy(cssp, monitor).make();
}

std::shared_ptr<Model> induced_chain(Cssp& cssp, const Policy& policy, Monitor& monitor) {
  using policy::PolicyChain;
  const policy::WalkedPolicy walked = policy::walk(cssp, policy, {}, monitor);
  policy::require_sound(walked.findings);
  const PolicyChain& chain = walked.chain;
  ExplicitBuilder builder(CostModel{cssp.cost_names(), {}, {}});
  Numbering number(cssp, builder);
  number(cssp.initial_state());
  for (std::size_t node = 0; node < chain.size(); ++node)
    number(chain.state(node));  // in its order
  std::map<StateId, double> next;
  std::vector<double> cost(chain.num_costs());
  for (std::size_t node = 0; node < chain.size(); ++node) {
    monitor.check();
    next.clear();
    std::fill(cost.begin(), cost.end(), 0.0);
    for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c) {
      for (std::size_t i = 0; i < cost.size(); ++i)
        cost[i] += chain.probability(c) * chain.cost(c)[i];
      for (const PolicyChain::Transition& t : chain.transitions(c))
        next[number(t.state)] += chain.probability(c) * t.probability;
    }
    for (const auto& [state, probability] : next)
      builder.add_outcome(probability, state);
    builder.add_action(number(chain.state(node)), cost);
  }
  for (std::size_t i = 0; i < number.size(); ++i)
    if (cssp.is_goal(number.original(i)) && !cssp.is_given_up(number.original(i)))
      builder.add_goal(StateId(i));
  number.add_labels();
  return builder.build(StateId(0));
}

}  // namespace carl::io
