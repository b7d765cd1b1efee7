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

CostCalculator::CostCalculator(const pddl::SyntaxTree& tree, const StaticNumbers& numbers,
                               const std::vector<pddl::SourceText>& sources)
    : sources_(sources), numbers_(numbers) {
  for (std::uint32_t cost = 0; cost < tree.costs.size(); ++cost) {
    for (const pddl::CostExpression::Summand& summand : tree.costs[cost].summands) {
      const std::uint32_t term = cost_terms_.intern(term_key(summand.function, summand.arguments));
      if (term == shares_.size()) shares_.emplace_back();
      shares_[term].push_back({cost, summand.coefficient});
    }
  }
}

Rational CostCalculator::checked_amount(const pddl::Effect& effect, const Bindings& bindings,
                                        StaticNumbers::User user) const {
  Rational amount = numbers_.value(effect.amount, bindings, user);
  if (amount < 0)
    throw pddl::error_at(
        sources_, effect.amount.position,
        fmt::format("the amount is negative ({}) in {}", shown(amount.get_str()), user()),
        "costs can only ever increase");
  if (amount > largest_cost)
    throw pddl::error_at(sources_, effect.amount.position,
                         above_largest_cost(fmt::format("amount in {}", user()), to_double(amount)),
                         largest_cost_hint);
  return amount;
}

const std::vector<CostCalculator::Share>& CostCalculator::shares_of(
    const pddl::Effect& effect, const Bindings& bindings) const {
  const auto term = cost_terms_.find(term_key(effect.function, effect.terms, bindings));
  return term ? shares_[*term] : no_share_;
}

}  // namespace carl::task
