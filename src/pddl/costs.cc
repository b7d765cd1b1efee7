#include "pddl/costs.h"

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "pddl/cost_functions.h"
#include "pddl/cost_table.h"
#include "pddl/diagnostics.h"
#include "pddl/linear.h"
#include "pddl/ssipp.h"

namespace carl::pddl {
namespace {

/// The metric as it is written.
struct Metric {
  bool maximise = false;
  std::optional<Form> expression;
  std::optional<FunctionId> maximised;
};

Metric read_metric(const Definition& problem, Vocabulary& vocabulary) {
  const auto section = problem.section(":metric");
  if (!section) return {};
  constexpr const char* shape = "write (:metric minimize (cost))";
  if (section->size() != 3) vocabulary.fail(*section, "expected a direction and a cost", shape);
  const Form direction = (*section)[1];
  Metric metric{direction.is_word("maximize"), (*section)[2], {}};
  if (!metric.maximise && !direction.is_word("minimize"))
    vocabulary.fail(direction, "expected 'minimize' or 'maximize'", shape);
  if (!metric.maximise) return metric;
  const Form name = metric.expression->is_word()     ? *metric.expression
                    : metric.expression->size() == 1 ? *metric.expression->begin()
                                                     : *metric.expression;
  if (name.is_list() || name.number())
    vocabulary.fail(*metric.expression, "only a single function can be maximised",
                    "write (:metric maximize (reward)), or minimise a cost");
  metric.maximised = vocabulary.function(name);
  return metric;
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
  void add_lines(const std::vector<ConstraintLine>& lines);
  void read_penalty(Form form);
  void set_line_penalties(const std::vector<ConstraintLine>& lines);
  void finish(bool can_give_up);

 private:
  void read_bound(Form form);
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
  Linear primary{0, {{GroundCost{}, 1}}};
  std::string text;
  Position position;
  std::optional<FunctionId> reward = metric.maximised;
  // Files of the SSiPP family need not say that their reward is to be maximised.
  if (!metric.expression && has_constraint_lines) {
    reward = vocabulary_.find_function("reward");
    if (reward && !functions_.is_decreased(*reward)) reward.reset();
  }
  if (reward) {
    if (!functions_.mention(*reward))
      vocabulary_.fail(*metric.expression, "this is a static number, not a reward");
    primary.coefficients = {{GroundCost{*reward, {}}, 1}};
  } else if (metric.expression) {
    primary = read_combination(*metric.expression);
    text = to_string(*metric.expression, binding_, tree_);
    position = metric.expression->position();
  }
  table_.add(primary, std::move(text), position);
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
                   fmt::format("write (:metric maximize ({}))", name));
}

void CostReader::for_all(Form form, const std::function<void(Form)>& body) {
  const Quantifier quantifier = read_quantifier(form, binding_.scope, vocabulary_);
  std::vector<const std::vector<ObjectId>*> choices;
  bool empty = false;
  for (const Parameter& variable : quantifier.variables) {
    choices.push_back(&vocabulary_.objects_of(variable.types));
    empty = empty || choices.back()->empty();
  }
  std::vector<std::size_t> chosen(choices.size());
  binding_.objects.resize(quantifier.first_slot + choices.size());
  while (!empty) {
    vocabulary_.limits().check();
    if (++instances_ > max_costs)
      vocabulary_.fail(form, fmt::format("this stands for more than {} forms", max_costs));
    for (std::size_t i = 0; i < chosen.size(); ++i)
      binding_.objects[quantifier.first_slot + i] = (*choices[i])[chosen[i]];
    body(form[2]);
    std::size_t i = chosen.size();
    while (i > 0 && ++chosen[i - 1] == choices[i - 1]->size())
      chosen[--i] = 0;
    empty = i == 0;
  }
  binding_.objects.resize(quantifier.first_slot);
  binding_.scope.release(choices.size());
}

void CostReader::read_constraint(Form form) {
  const std::string_view head = form.head();
  if (head == "and") {
    for (Form::Iterator i = ++form.begin(); i != form.end(); ++i)
      read_constraint(*i);
  } else if (head == "forall") {
    for_all(form, [&](Form body) { read_constraint(body); });
  } else if (head == "<=") {
    read_bound(form);
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
  const Form expression = form[1][1];
  const Linear linear = read_combination(expression);
  Rational upper = linear_.read_constant(form[2], binding_);
  if (upper < 0)
    vocabulary_.fail(form[2], "the bound is negative",
                     "costs are 0 or more, so no policy could meet it");
  const std::size_t cost =
      table_.add(linear, to_string(expression, binding_, tree_), form.position());
  table_.bound(cost, std::move(upper), form.position());
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

void CostReader::add_lines(const std::vector<ConstraintLine>& lines) {
  for (const ConstraintLine& line : lines) {
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
  if (!penalties_.emplace(std::move(cost), std::move(penalty)).second)
    vocabulary_.fail(form, "a second penalty for the same cost");
}

void CostReader::set_line_penalties(const std::vector<ConstraintLine>& lines) {
  for (const ConstraintLine& line : lines)
    if (!penalties_.emplace(GroundCost{line.function, {}}, line.penalty).second)
      vocabulary_.fail(line.position, "a second CONSTR line for the same function");
}

void CostReader::finish(bool can_give_up) {
  table_.add_instances();
  if (can_give_up) table_.give_up(penalties_);
}

}  // namespace

void read_costs(const Definition& problem, const FunctionUses& uses, const InitialValues& values,
                Vocabulary& vocabulary, SyntaxTree& tree) {
  const Metric metric = read_metric(problem, vocabulary);
  CostFunctions functions(uses, values, metric.maximised, vocabulary);
  CostReader reader(functions, values, vocabulary, tree);
  const std::size_t file = problem.form.position().file;
  const std::vector<ConstraintLine> lines = read_constraint_lines(file, vocabulary);
  reader.read_primary(metric, !lines.empty());
  if (const auto section = problem.section(":constraints"))
    for (Form::Iterator i = ++section->begin(); i != section->end(); ++i)
      reader.read_constraint(*i);
  reader.add_lines(lines);
  const auto give_up = problem.section(":give-up");
  if (give_up)
    for (Form::Iterator i = ++give_up->begin(); i != give_up->end(); ++i)
      reader.read_penalty(*i);
  else
    reader.set_line_penalties(lines);
  reader.finish(give_up.has_value() || !lines.empty());
  if (!lines.empty() && !give_up) tree.give_up->front() = ssipp_primary_penalty;
  for (const InitialValues::Entry& entry : values.entries())
    if (!tree.functions[entry.value.function.index()].is_cost) tree.values.push_back(entry.value);
}

}  // namespace carl::pddl
