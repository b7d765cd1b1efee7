#include "pddl/costs.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "pddl/combinations.h"
#include "pddl/cost_functions.h"
#include "pddl/cost_table.h"
#include "pddl/diagnostics.h"
#include "pddl/linear.h"
#include "pddl/notes.h"
#include "pddl/ssipp.h"

namespace carl::pddl {
namespace {

/// The metric as it is written.
struct Metric {
  std::optional<Form> expression;
  std::optional<FunctionId> maximised;
  bool goal_probability = false;  // is what is to be maximised
};

/// The name in (reward) or a bare reward; other forms are returned as they are.
Form function_name(Form expression) {
  return expression.is_list() && expression.size() == 1 ? *expression.begin() : expression;
}

Metric read_metric(const Definition& problem, Vocabulary& vocabulary) {
  const auto section = problem.section(":metric");
  if (!section) return {};
  constexpr const char* shape = "write (:metric minimize (cost))";
  if (section->size() != 3) vocabulary.fail(*section, "expected a direction and a cost", shape);
  const Form direction = (*section)[1];
  const Form expression = (*section)[2];
  if (direction.is_word("minimize")) return {expression, {}};
  if (!direction.is_word("maximize"))
    vocabulary.fail(direction, "expected 'minimize' or 'maximize'", shape);
  const Form name = function_name(expression);
  if (name.is_word("goal-achieved") || name.is_word("goal-probability")) return {{}, {}, true};
  if (name.is_list() || name.number())
    vocabulary.fail(expression, "only a single function without parameters can be maximised",
                    "write (:metric maximize (reward)), or minimise a cost");
  const FunctionId function = vocabulary.function(name);
  if (!vocabulary.tree().functions[function.index()].parameters.empty())
    vocabulary.fail(expression, "only a single function without parameters can be maximised");
  return {expression, function};
}

/// (probability …), (expected-excess …), (cvar …).
bool is_about_runs(Form form) {
  const std::string_view head = form.head();
  return head == "probability" || head == "expected-excess" || head == "cvar";
}

/// The strictest counts.
void set_goal_probability(Form place, const Rational& least, const Vocabulary& vocabulary,
                          SyntaxTree& tree) {
  if (least < 0 || least > 1) vocabulary.fail(place, "a probability is a number between 0 and 1");
  if (!tree.goal_probability) tree.goal_probability = GoalProbability{.least = 0};
  tree.goal_probability->least = std::max(tree.goal_probability->least, to_double(least));
}

class CostReader {
 public:
  CostReader(CostFunctions& functions, const InitialValues& values, Vocabulary& vocabulary,
             SyntaxTree& tree)
      : functions_(functions),
        vocabulary_(vocabulary),
        tree_(tree),
        linear_(functions, values, vocabulary),
        table_(tree, vocabulary) {}

  void read_primary(const Metric& metric, bool has_constraint_lines);
  void read_constraint(Form form);
  void add_bounds(const std::vector<ConstraintLine>& lines);
  void read_penalty(Form form);
  void add_instances() { table_.add_instances(); }
  /// With the penalties that were read.
  void give_up(Position position) { table_.give_up(penalties_, position); }
  void give_up(const std::vector<ConstraintLine>& lines);

 private:
  void read_bound(Form form);
  void read_guarantee(Form form);
  void read_goal_probability(Form form);
  Rational read_upper(Form form);
  std::size_t add_cost(Form expression, Form place);
  Linear read_combination(Form form);
  /// Calls `body` for every binding of the variables of (forall VARIABLES body).
  void for_all(Form form, const std::function<void(Form)>& body);
  [[noreturn]] void fail_constraint(Form form) const;
  [[noreturn]] void fail_reward(Form form, FunctionId function) const;

  CostFunctions& functions_;
  Vocabulary& vocabulary_;
  SyntaxTree& tree_;
  LinearReader linear_;
  CostTable table_;
  Binding binding_;
  std::size_t instances_ = 0;  // of forms under a forall
  std::map<GroundCost, Rational> penalties_;
};

void CostReader::read_primary(const Metric& metric, bool has_constraint_lines) {
  if (metric.expression && !metric.maximised) {
    table_.add(read_combination(*metric.expression), to_string(*metric.expression, binding_, tree_),
               metric.expression->position());
    return;
  }
  std::optional<FunctionId> reward = metric.maximised;
  // Files of the SSiPP family need not say that their reward is to be maximised.
  if (!reward && has_constraint_lines) reward = vocabulary_.find_function("reward");
  GroundCost primary;  // the number of actions
  // A reward that nothing decreases is the same for all policies, as in problems that only reward
  // the goal.
  if (reward && functions_.is_decreased(*reward))
    primary.function = *reward;
  else if (metric.maximised && functions_.is_static_number(*metric.maximised))
    vocabulary_.fail(*metric.expression, "this is a static number, not a reward");
  table_.add({0, {{primary, 1}}}, {}, {});
}

Linear CostReader::read_combination(Form form) {
  Linear linear = linear_.read(form, binding_);
  if (linear.coefficients.empty())
    vocabulary_.fail(form, "there is no cost in this expression",
                     "costs are functions that effects increase");
  if (linear.constant != 0)
    vocabulary_.fail(form, "a constant is added to the costs", "leave it out");
  for (const auto& [cost, coefficient] : linear.coefficients) {
    if (coefficient < 0)
      vocabulary_.fail(form, "a cost has a negative weight",
                       "only non-negative combinations of costs can be planned for");
    if (cost.function.valid() && functions_.is_decreased(cost.function))
      fail_reward(form, cost.function);
    if (!cost.function.valid() && (linear.coefficients.size() > 1 || coefficient != 1))
      vocabulary_.fail(form, "'steps' cannot be part of a combination",
                       "count the actions by a cost of your own that each of them increases by 1");
  }
  return linear;
}

void CostReader::fail_reward(Form form, FunctionId function) const {
  const std::string& name = tree_.functions[function.index()].name;
  vocabulary_.fail(form,
                   fmt::format("'{}' is decreased by actions, so it cannot be minimised or bounded "
                               "from above",
                               name),
                   fmt::format("(:metric maximize ({})) loses as little as possible; to bound it "
                               "use a cost that actions increase",
                               name));
}

void CostReader::for_all(Form form, const std::function<void(Form)>& body) {
  const Quantifier quantifier = read_quantifier(form, binding_.scope, vocabulary_);
  const auto first = static_cast<std::ptrdiff_t>(quantifier.first_slot);
  for_each_combination(
      quantifier.variables, vocabulary_, [&](const std::vector<ObjectId>& objects) {
        if (++instances_ > max_costs)
          vocabulary_.fail(form, fmt::format("this stands for more than {} forms", max_costs));
        binding_.objects.resize(quantifier.first_slot + objects.size());
        std::copy(objects.begin(), objects.end(), binding_.objects.begin() + first);
        body(form[2]);
      });
  binding_.scope.release(quantifier.variables.size());
}

void CostReader::read_constraint(Form form) {
  const std::string_view head = form.head();
  if (head == "and") {
    for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
      read_constraint(*i);
  } else if (head == "forall") {
    for_all(form, [&](Form body) { read_constraint(body); });
  } else if (head == "<=" && form.size() == 3 && is_about_runs(form[1])) {
    read_guarantee(form);
  } else if (head == "<=") {
    read_bound(form);
  } else if (head == ">=" && form.size() == 3 && form[1].head() == "probability") {
    read_goal_probability(form);
  } else {
    fail_constraint(form);
  }
}

void CostReader::read_bound(Form form) {
  if (form.size() == 3 && form[1].head() != "expected" && form[2].head() == "expected")
    vocabulary_.fail(form, "a lower bound on an expected cost is not supported",
                     "in a constrained stochastic shortest path problem expected costs are bounded "
                     "from above only");
  if (form.size() != 3 || form[1].head() != "expected" || form[1].size() != 2)
    vocabulary_.fail(form, "expected a bound on an expected cost",
                     "write (<= (expected (cost)) number)");
  const std::size_t cost = add_cost(form[1][1], form);
  table_.bound(cost, read_upper(form[2]), form.position());
}

std::size_t CostReader::add_cost(Form expression, Form place) {
  return table_.add(read_combination(expression), to_string(expression, binding_, tree_),
                    place.position());
}

Rational CostReader::read_upper(Form form) {
  Rational upper = linear_.read_constant(form, binding_);
  if (upper < 0)
    vocabulary_.fail(form, "the bound is negative",
                     "costs are 0 or more, so no policy could meet it");
  check_largest_cost("bound", upper, form.position(), vocabulary_);
  return upper;
}

void CostReader::read_guarantee(Form form) {
  const Form what = form[1];
  RunGuarantee guarantee;
  guarantee.upper = read_upper(form[2]);
  if (what.head() == "probability") {
    if (what.size() != 2 || what[1].head() != ">" || what[1].size() != 3)
      vocabulary_.fail(what, "expected the probability that a run uses more than a limit",
                       "write (<= (probability (> (cost) limit)) number)");
    guarantee.cost = add_cost(what[1][1], form);
    guarantee.limit = read_upper(what[1][2]);
    if (guarantee.upper > 1) vocabulary_.fail(form[2], "a probability is at most 1");
  } else if (what.head() == "expected-excess") {
    if (what.size() != 3)
      vocabulary_.fail(what, "expected a cost and a limit",
                       "write (<= (expected-excess (cost) limit) number)");
    guarantee.kind = Guarantee::Kind::excess;
    guarantee.cost = add_cost(what[1], form);
    guarantee.limit = read_upper(what[2]);
  } else {
    if (what.size() != 3)
      vocabulary_.fail(what, "expected a level and a cost", "write (<= (cvar 0.95 (cost)) number)");
    guarantee.kind = Guarantee::Kind::cvar;
    guarantee.limit = read_upper(what[1]);
    if (guarantee.limit >= 1)
      vocabulary_.fail(what[1], "the level must be below 1",
                       "(cvar 0.95 (cost)) is about the worst 5% of all runs");
    guarantee.cost = add_cost(what[2], form);
  }
  tree_.guarantees.push_back(std::move(guarantee));
}

void CostReader::read_goal_probability(Form form) {
  if (form[1].size() != 2 || !form[1][1].is_word("goal"))
    vocabulary_.fail(form[1], "only the probability of the goal can be bounded from below",
                     "write (>= (probability goal) number)");
  set_goal_probability(form[2], linear_.read_constant(form[2], binding_), vocabulary_, tree_);
}

void CostReader::fail_constraint(Form form) const {
  const std::string_view head = form.head();
  if (head == "<")
    vocabulary_.fail(form, "'<' is not supported in constraints",
                     "write (<= (expected (cost)) number)");
  if (head == ">=" || head == ">" || head == "=")
    vocabulary_.fail(form, fmt::format("'{}' is not supported in constraints", head),
                     "in a constrained stochastic shortest path problem expected costs are bounded "
                     "from above only: (<= (expected (cost)) number)");
  vocabulary_.fail(form, "expected a bound on an expected cost",
                   "write (<= (expected (cost)) number)");
}

void CostReader::add_bounds(const std::vector<ConstraintLine>& lines) {
  absl::flat_hash_set<std::size_t> seen;
  for (const ConstraintLine& line : lines) {
    if (!seen.insert(line.function.index()).second)
      vocabulary_.fail(line.position, "a second CONSTR line for the same function");
    if (!functions_.mention(line.function))
      vocabulary_.fail(line.position, "this is a static number, not a cost",
                       "costs are functions that effects increase");
    const std::size_t cost =
        table_.add({0, {{GroundCost{line.function, {}}, 1}}}, {}, line.position);
    table_.bound(cost, line.bound, line.position);
  }
}

void CostReader::read_penalty(Form form) {
  const std::string_view head = form.head();
  if (head == "and") {
    for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
      read_penalty(*i);
    return;
  }
  if (head == "forall") return for_all(form, [&](Form body) { read_penalty(body); });
  if ((head != "increase" && head != "decrease") || form.size() != 3)
    vocabulary_.fail(form, "expected what giving up costs", "write (increase (cost) number)");
  GroundCost cost = linear_.read_cost(form[1], binding_);
  const bool reward = cost.function.valid() && functions_.is_decreased(cost.function);
  if (reward != (head == "decrease"))
    vocabulary_.fail(form, fmt::format("giving up cannot {} this", head),
                     reward ? "actions decrease it: write 'decrease' here, too"
                            : "costs only ever grow: write 'increase'");
  Rational penalty = linear_.read_constant(form[2], binding_);
  if (penalty < 0) vocabulary_.fail(form[2], "the penalty is negative");
  check_largest_cost("penalty", penalty, form[2].position(), vocabulary_);
  if (!penalties_.emplace(std::move(cost), std::move(penalty)).second)
    vocabulary_.fail(form, "a second penalty for the same cost");
}

void CostReader::give_up(const std::vector<ConstraintLine>& lines) {
  for (const ConstraintLine& line : lines)
    penalties_.emplace(GroundCost{line.function, {}}, line.penalty);
  give_up(lines.front().position);
  tree_.give_up->front() = ssipp_primary_penalty;
}

/// (:goal-probability p), and a metric that maximises it.
void read_goal_probability(const Definition& problem, const Metric& metric,
                           const Vocabulary& vocabulary, SyntaxTree& tree) {
  if (const auto section = problem.section(":goal-probability")) {
    if (section->size() != 2 || !(*section)[1].number())
      vocabulary.fail(*section, "expected a number", "write (:goal-probability 0.95)");
    set_goal_probability((*section)[1], *(*section)[1].number(), vocabulary, tree);
  }
  if (metric.goal_probability) {
    if (!tree.goal_probability) tree.goal_probability.emplace();
    tree.goal_probability->largest = true;
  }
  const auto give_up = problem.section(":give-up");
  if (give_up && tree.goal_probability)
    vocabulary.fail(*give_up, "a probability of the goal is asked for, so giving up has no price",
                    "leave out one of them");
}

void read_goal_reward(const Definition& problem, const Vocabulary& vocabulary) {
  const auto section = problem.section(":goal-reward");
  if (section && (section->size() != 2 || !(*section)[1].number()))
    vocabulary.fail(*section, "expected a number", "write (:goal-reward 100)");
}

}  // namespace

void read_costs(const Definition& problem, const FunctionUses& uses, const InitialValues& values,
                Vocabulary& vocabulary, SyntaxTree& tree) {
  const Metric metric = read_metric(problem, vocabulary);
  CostFunctions functions(uses, values, metric.maximised, vocabulary);
  const std::vector<ConstraintLine> lines = read_constraint_lines(problem, vocabulary);
  CostReader reader(functions, values, vocabulary, tree);
  reader.read_primary(metric, !lines.empty());
  if (const auto section = problem.section(":constraints"))
    for (Form::Iterator i = ++section->begin(); i != section->end(); ++i)
      reader.read_constraint(*i);
  reader.add_bounds(lines);
  read_goal_probability(problem, metric, vocabulary, tree);
  const auto give_up = problem.section(":give-up");
  if (give_up)
    for (Form::Iterator i = ++give_up->begin(); i != give_up->end(); ++i)
      reader.read_penalty(*i);
  reader.add_instances();
  if (give_up)
    reader.give_up(give_up->position());
  else if (!lines.empty() && !tree.goal_probability)
    reader.give_up(lines);
  read_goal_reward(problem, vocabulary);
  for (const InitialValues::Entry& entry : values.entries())
    if (!tree.functions[entry.value.function.index()].is_cost) tree.values.push_back(entry.value);
  tree.warnings = make_warnings(tree);
  tree.notes = make_notes(tree, problem, functions, lines.size(), vocabulary);
}

}  // namespace carl::pddl
