#include "task/costs.h"

#include <fmt/format.h>

#include "task/atom_table.h"
#include "util/cost_limit.h"
#include "util/shown.h"

namespace carl::task {
namespace {

Arguments term_key(pddl::FunctionId function, const std::vector<pddl::ObjectId>& arguments) {
  Arguments key{static_cast<std::uint32_t>(function.index())};
  for (const pddl::ObjectId argument : arguments)
    key.push_back(static_cast<std::uint32_t>(argument.index()));
  return key;
}

Arguments term_key(pddl::FunctionId function, const std::vector<pddl::Term>& terms,
                   const Bindings& bindings) {
  Arguments key = arguments_of(terms, bindings);
  key.insert(key.begin(), static_cast<std::uint32_t>(function.index()));
  return key;
}

}  // namespace

CostCalculator::CostCalculator(const pddl::SyntaxTree& tree,
                               const std::vector<pddl::SourceText>& sources)
    : tree_(tree), sources_(sources) {
  for (const pddl::FunctionValue& value : tree.values) {
    const std::uint32_t term = static_terms_.intern(term_key(value.function, value.arguments));
    if (term == static_values_.size()) static_values_.push_back(value.value);
  }
  for (std::uint32_t cost = 0; cost < tree.costs.size(); ++cost) {
    for (const pddl::CostExpression::Summand& summand : tree.costs[cost].summands) {
      const std::uint32_t term = cost_terms_.intern(term_key(summand.function, summand.arguments));
      if (term == shares_.size()) shares_.emplace_back();
      shares_[term].push_back({cost, summand.coefficient});
    }
  }
}

Rational CostCalculator::checked_amount(const pddl::Effect& effect, const Bindings& bindings,
                                        const std::string& action) const {
  Rational amount = evaluate(effect.amount, bindings, action);
  if (amount < 0)
    throw pddl::error_at(
        sources_, effect.amount.position,
        fmt::format("the amount is negative ({}) in {}", shown(amount.get_str()), shown(action)),
        "costs can only ever increase");
  if (amount > largest_cost)
    throw pddl::error_at(
        sources_, effect.amount.position,
        above_largest_cost(fmt::format("amount in {}", shown(action)), to_double(amount)),
        largest_cost_hint);
  return amount;
}

Rational CostCalculator::evaluate(const pddl::Amount& amount, const Bindings& bindings,
                                  const std::string& action) const {
  using Kind = pddl::Amount::Kind;
  if (amount.kind == Kind::number) return amount.number;
  if (amount.kind == Kind::function) return look_up(amount, bindings, action);
  Rational result = evaluate(amount.operands[0], bindings, action);
  if (amount.kind == Kind::difference && amount.operands.size() == 1) return -result;
  for (std::size_t i = 1; i < amount.operands.size(); ++i) {
    const Rational operand = evaluate(amount.operands[i], bindings, action);
    if (amount.kind == Kind::sum) {
      result += operand;
    } else if (amount.kind == Kind::difference) {
      result -= operand;
    } else if (amount.kind == Kind::product) {
      result *= operand;
    } else if (operand != 0) {
      result /= operand;
    } else {
      throw pddl::error_at(sources_, amount.position,
                           fmt::format("the amount divides by zero in {}", shown(action)));
    }
  }
  return result;
}

Rational CostCalculator::look_up(const pddl::Amount& amount, const Bindings& bindings,
                                 const std::string& action) const {
  const Arguments key = term_key(amount.function, amount.terms, bindings);
  if (const auto term = static_terms_.find(key)) return static_values_[*term];
  const std::string name =
      ground_name(tree_.functions[amount.function.index()].name, Tuple(key).subspan(1), tree_);
  throw pddl::error_at(sources_, amount.position,
                       fmt::format("{} has no value, but {} needs it", shown(name), shown(action)),
                       fmt::format("give it in the problem's :init, as in (= {} 1)", shown(name)));
}

const std::vector<CostCalculator::Share>& CostCalculator::shares_of(
    const pddl::Effect& effect, const Bindings& bindings) const {
  const auto term = cost_terms_.find(term_key(effect.function, effect.terms, bindings));
  return term ? shares_[*term] : no_share_;
}

}  // namespace carl::task
