#include "pddl/cost_table.h"

#include <fmt/format.h>

#include "pddl/combinations.h"

namespace carl::pddl {

std::size_t CostTable::add(const Linear& linear, std::string text, Position position) {
  const auto [place, is_new] = index_.try_emplace(
      {linear.coefficients.begin(), linear.coefficients.end()}, tree_.costs.size());
  if (!is_new) return place->second;
  if (tree_.costs.size() == max_costs)
    vocabulary_.fail(position, fmt::format("there are more than {} costs", max_costs),
                     "each ground instance of a cost function is one: give costs fewer parameters");
  CostExpression cost;
  const auto& [first, coefficient] = *linear.coefficients.begin();
  const bool single = linear.coefficients.size() == 1 && coefficient == 1;
  cost.name = single ? name(first) : std::move(text);
  if (first.function.valid() || !single) {
    for (const auto& [ground, factor] : linear.coefficients)
      cost.summands.push_back({factor, ground.function, ground.arguments});
  } else {
    cost.unit_cost = true;
  }
  tree_.costs.push_back(std::move(cost));
  return place->second;
}

std::string CostTable::name(const GroundCost& cost) const {
  if (!cost.function.valid()) return unit_cost_name();
  const std::string& function = tree_.functions[cost.function.index()].name;
  if (cost.arguments.empty()) return function;
  std::string arguments;
  for (const ObjectId object : cost.arguments)
    arguments.append(" ").append(tree_.objects[object.index()].name);
  return fmt::format("({}{})", function, arguments);
}

std::string CostTable::unit_cost_name() const {
  std::string text = "steps";
  while (vocabulary_.find_function(text))
    text.insert(0, "unit-");
  return text;
}

void CostTable::bound(std::size_t cost, Rational upper, Position position) {
  const auto [place, is_new] = bound_of_.try_emplace(cost, tree_.bounds.size());
  if (is_new)
    tree_.bounds.push_back({cost, std::move(upper), position});
  else if (upper < tree_.bounds[place->second].upper)
    tree_.bounds[place->second] = {cost, std::move(upper), position};
}

void CostTable::add_instances() {
  for (std::size_t f = 0; f < tree_.functions.size(); ++f)
    if (tree_.functions[f].is_cost) add_instances_of(FunctionId(f));
}

void CostTable::add_instances_of(FunctionId function) {
  for_each_combination(
      tree_.functions[function.index()].parameters, vocabulary_,
      [&](const std::vector<ObjectId>& objects) {
        add({0, {{GroundCost{function, objects}, 1}}}, {}, vocabulary_.position(function));
      });
}

void CostTable::give_up(const std::map<GroundCost, Rational>& penalties, Position position) {
  const auto penalty = [&](const GroundCost& cost) {
    const auto found = penalties.find(cost);
    return found == penalties.end() ? Rational(0) : found->second;
  };
  tree_.give_up.emplace();
  for (const CostExpression& cost : tree_.costs) {
    Rational sum = cost.unit_cost ? penalty({}) : Rational(0);
    for (const CostExpression::Summand& summand : cost.summands)
      sum += summand.coefficient * penalty({summand.function, summand.arguments});
    check_range(sum, position, vocabulary_);
    tree_.give_up->push_back(std::move(sum));
  }
}

}  // namespace carl::pddl
