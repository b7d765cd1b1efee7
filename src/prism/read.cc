#include "prism/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "prism/composition.h"
#include "prism/expression_parser.h"
#include "prism/model_parser.h"
#include "prism/modules.h"
#include "util/shown.h"

namespace carl::prism {
namespace {

/// Values of constants stand for themselves.
class NoNames final : public Scope {
 public:
  Meaning meaning(std::string_view /*name*/) const override { return {}; }
  std::vector<std::string_view> names() const override { return {}; }
};

void read_labels(const ModelSyntax& syntax, const Scope& scope, Description& out) {
  for (const Definition& label : syntax.labels)
    out.labels.push_back(
        {label.name.text, resolve(label.expression, scope, Type::boolean, "the label")});
}

/// An unnamed structure is called "reward", and a second one "reward_2": costs have names.
std::string name_of_rewards(const RewardsSyntax& rewards, std::set<std::string>& taken) {
  if (rewards.name) {
    if (!taken.insert(rewards.name->text).second)
      throw error_at(rewards.name->position, fmt::format("there are two reward structures named {}",
                                                         quoted(rewards.name->text)));
    return rewards.name->text;
  }
  std::string name = "reward";
  for (std::size_t i = 2; !taken.insert(name).second; ++i)
    name = fmt::format("reward_{}", i);
  return name;
}

void read_rewards(const ModelSyntax& syntax, const Scope& scope, const ActionNames& actions,
                  Description& out) {
  std::set<std::string> taken;
  for (const RewardsSyntax& rewards : syntax.rewards) {
    Rewards& read = out.rewards.emplace_back();
    read.name = name_of_rewards(rewards, taken);
    for (const RewardSyntax& item : rewards.items) {
      RewardItem reward;
      reward.position = item.position;
      reward.of_transitions = item.of_transitions;
      reward.guard = resolve(item.guard, scope, Type::boolean, "the condition of the reward");
      reward.value = resolve(item.value, scope, Type::real, "the reward");
      if (item.action) {
        reward.action = actions.find(item.action->text);
        if (reward.action == no_action) {
          out.notes.push_back(fmt::format("{}: there is no action {}, so nothing has this reward",
                                          place_of(item.position), quoted(item.action->text)));
          continue;
        }
      }
      read.items.push_back(std::move(reward));
    }
  }
}

}  // namespace

Value parse_constant_value(const std::string& name, const std::string& text) {
  const Source source{shown(name), text};
  TokenStream tokens(source);
  const Expression value = parse_expression(tokens);
  if (tokens.peek().is(":"))
    throw error_at(tokens.peek().position, "a range of values for a constant",
                   "a constant has one value; run the planner once for each");
  if (!tokens.at_end()) tokens.fail_expected("nothing more");
  const NoNames scope;
  return constant_value(value, scope, resolve(value, scope).type, "the value");
}

Description read(std::shared_ptr<const Source> source, const ConstantValues& constants,
                 bool others_may_be_meant) {
  Description model;
  model.source = std::move(source);
  model.syntax = std::make_shared<const ModelSyntax>(parse_model(*model.source));
  const ModelSyntax& syntax = *model.syntax;
  model.is_dtmc = syntax.kind == ModelSyntax::Kind::dtmc;
  const auto scope = std::make_shared<ModelScope>(syntax);
  model.scope = scope;
  scope->add_constants(constants, others_may_be_meant);
  scope->add_formulas();
  scope->add_labels();
  if (syntax.modules.empty())
    throw error_at({model.source.get(), 0, 0}, "the model has no modules",
                   "what can be done is said by: module m ... endmodule");
  ActionNames actions(model.actions);
  ModuleReader modules(syntax, *scope, actions, model);
  modules.read_variables();
  modules.read_commands();
  compose(syntax, actions, model);
  const WithoutLabels plain(*scope);
  for (const Definition& formula : syntax.formulas)
    resolve(formula.expression, plain);
  read_labels(syntax, plain, model);
  read_rewards(syntax, plain, actions, model);
  if (syntax.initial)
    model.initial =
        resolve(*syntax.initial, plain, Type::boolean, "the condition on initial states");
  return model;
}

}  // namespace carl::prism
