#include "model/state_formulas.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/state_labels.h"
#include "prism/operations.h"

namespace carl {
namespace {

using prism::Meaning;
using prism::Operation;
using prism::TypedExpression;
using prism::Value;

using Predicate = std::function<bool(StateId)>;

class LabelScope final : public prism::Scope {
 public:
  explicit LabelScope(std::vector<std::string> labels) : labels_(std::move(labels)) {}

  Meaning meaning(std::string_view /*name*/) const override { return {}; }
  Meaning label(std::string_view name) const override {
    const auto found = std::find(labels_.begin(), labels_.end(), name);
    if (found == labels_.end()) return {};
    Meaning meaning;
    meaning.kind = Meaning::Kind::atom;
    meaning.index = static_cast<std::uint32_t>(found - labels_.begin());
    return meaning;
  }
  std::vector<std::string_view> names() const override { return {}; }
  std::vector<std::string_view> labels() const override { return {labels_.begin(), labels_.end()}; }

 private:
  std::vector<std::string> labels_;
};

Value value_in(const TypedExpression& formula, const std::vector<Predicate>& labels,
               StateId state) {
  if (formula.operation == Operation::literal) return formula.value;
  if (formula.operation == Operation::label) return Value::of(labels[formula.index](state));
  std::vector<Value> operands;
  for (const TypedExpression& operand : formula.operands)
    operands.push_back(value_in(operand, labels, state));
  return prism::value_of(formula.operation, operands);
}

std::vector<StateId> initial_states(Model& model) {
  const StateId initial = model.initial_state();
  if (model.is_goal(initial)) return {initial};
  Expansion expansion;
  model.expand(initial, expansion);
  if (expansion.num_actions() == 0 || !model.draws_initial_state(expansion.action(0)))
    return {initial};
  return {expansion.successors(0).begin(), expansion.successors(0).end()};
}

class LabelFormulas final : public StateFormulas {
 public:
  LabelFormulas(std::vector<std::string> names, std::vector<Predicate> labels)
      : scope_(std::move(names)), labels_(std::move(labels)) {}

  const prism::Scope& scope() const override { return scope_; }
  Predicate predicate(const TypedExpression& formula) override {
    return [this, formula](StateId state) { return value_in(formula, labels_, state).truth(); };
  }

 private:
  LabelScope scope_;
  std::vector<Predicate> labels_;
};

}  // namespace

std::shared_ptr<StateFormulas> make_label_formulas(std::shared_ptr<Model> model) {
  std::vector<std::string> names;
  std::vector<Predicate> labels;
  if (const StateLabels* own = model->labels()) names = own->names();
  for (std::size_t i = 0; i < names.size(); ++i)
    labels.emplace_back([model, i](StateId state) { return model->labels()->holds(i, state); });
  const auto add = [&](const char* name, Predicate holds) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    names.emplace_back(name);
    labels.push_back(std::move(holds));
  };
  if (model->labels() == nullptr)
    add("goal", [model](StateId state) { return model->is_goal(state); });
  add("init", [initial = initial_states(*model)](StateId state) {
    return std::find(initial.begin(), initial.end(), state) != initial.end();
  });
  add("deadlock", [model](StateId state) {
    Expansion expansion;
    if (!model->is_goal(state)) model->expand(state, expansion);
    return expansion.num_actions() == 0;
  });
  return std::make_shared<LabelFormulas>(std::move(names), std::move(labels));
}

std::shared_ptr<StateFormulas> state_formulas_of(const std::shared_ptr<Model>& model) {
  if (auto own = std::dynamic_pointer_cast<StateFormulas>(model)) return own;
  return make_label_formulas(model);
}

}  // namespace carl
