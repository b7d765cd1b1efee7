// Projection occupation measures (POM): the task projected on one variable v is a small SSP, whose
// occupation measure x_{v,d,a} (uses of a at value d) is a flow from s(v) to values that the goal
// allows. The flows of all variables must agree on how often each action is used. Dominates ROC.
//
// Lean form: x_{v,d,a} exists only for variables that a changes, and only for the value that a's
// precondition fixes, if it does; flow rows are inequalities (out + sink ≤ in + source).
//
// F. Trevizan, S. Thiébaux and P. Haslum, "Occupation measure heuristics for probabilistic
// planning", ICAPS 2017.

#include <algorithm>
#include <map>
#include <optional>

#include "heuristics/conditional_counts.h"
#include "heuristics/operator_counting.h"

namespace carl::heuristics {
namespace {

class PomBuilder {
 public:
  PomBuilder(const task::Task& task, const OperatorCountingRules& rules) : task_(task) {
    first_goal_ = add_common_part(task, rules, lp_);
    for (std::uint32_t v = 0; v < task.variables.size(); ++v)
      add_variable(v);
    for (std::uint32_t j = 0; j < lp_.action_of.size(); ++j)
      add_action(j);
  }

  OperatorCountingLp take() { return std::move(lp_); }

 private:
  std::uint32_t num_values(std::uint32_t v) const {
    return static_cast<std::uint32_t>(task_.variables[v].values.size());
  }

  /// Flow rows -out - sink + in ≥ -[s(v) = d], sinks, and what the goal asks of them.
  void add_variable(std::uint32_t v) {
    first_row_.push_back(static_cast<std::uint32_t>(lp_.rows.size()));
    for (std::uint32_t d = 0; d < num_values(v); ++d)
      lp_.add_row({0, false, v, d, -1});
    // Goal sinks sum to Σ G_k, give-up sinks to G; each alternative needs its own value.
    const std::uint32_t goal_total = lp_.add_row({0, true, 0, 0, 0});
    std::uint32_t give_up_total = 0;
    for (std::uint32_t k = 0; k < task_.goal.size(); ++k)
      lp_.add(first_goal_ + k, goal_total, -1.0);
    if (lp_.give_up_column) {
      give_up_total = lp_.add_row({0, true, 0, 0, 0});
      lp_.add(*lp_.give_up_column, give_up_total, -1.0);
    }
    for (std::uint32_t d = 0; d < num_values(v); ++d) {
      if (lp_.give_up_column) {
        const std::uint32_t give_up_sink = lp_.add_column();
        lp_.add(give_up_sink, first_row_[v] + d, -1.0);
        lp_.add(give_up_sink, give_up_total, 1.0);
      }
      if (!possible_at_goal(v, d)) continue;
      const std::uint32_t sink = lp_.add_column();
      lp_.add(sink, first_row_[v] + d, -1.0);
      lp_.add(sink, goal_total, 1.0);
      const task::Fact fact{task::VariableId(v), d};
      if (!needed_by_some(fact)) continue;
      const std::uint32_t needed = lp_.add_row({0, false, 0, 0, 0});
      lp_.add(sink, needed, 1.0);
      for (std::uint32_t k = 0; k < task_.goal.size(); ++k)
        if (needs(k, fact)) lp_.add(first_goal_ + k, needed, -1.0);
    }
  }

  bool needs(std::uint32_t k, const task::Fact& fact) const {
    return std::binary_search(task_.goal[k].begin(), task_.goal[k].end(), fact);
  }
  bool needed_by_some(const task::Fact& fact) const {
    for (std::uint32_t k = 0; k < task_.goal.size(); ++k)
      if (needs(k, fact)) return true;
    return false;
  }
  bool possible_at_goal(std::uint32_t v, std::uint32_t d) const {
    return std::any_of(task_.goal.begin(), task_.goal.end(), [&](const auto& conjunction) {
      return std::all_of(conjunction.begin(), conjunction.end(), [&](const task::Fact& f) {
        return f.variable.index() != v || f.value == d;
      });
    });
  }

  void add_action(std::uint32_t j) {
    const task::Action& action = task_.actions[lp_.action_of[j]];
    if (!action.conditionals.empty()) {
      const ConditionalCounts counts(action, j, lp_);
      for (const auto& [variable, changes] : counts.changes())
        add_conditional_projection(counts, variable, changes);
      return;
    }
    std::vector<std::uint32_t> changed;
    for (const task::Outcome& outcome : action.outcomes)
      for (const task::Fact& f : outcome.effects)
        changed.push_back(static_cast<std::uint32_t>(f.variable.index()));
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const std::uint32_t v : changed)
      add_projection(j, action, v);
  }

  /// Y_a = Σ_d x_{v,d,a}, and the flow that each x carries.
  void add_projection(std::uint32_t j, const task::Action& action, std::uint32_t v) {
    const std::uint32_t tie = lp_.add_row({0, true, 0, 0, 0});
    lp_.add(j, tie, -1.0);
    std::uint32_t first = 0;
    std::uint32_t last = num_values(v);
    for (const task::Fact& f : action.precondition)
      if (f.variable.index() == v) {
        first = f.value;
        last = f.value + 1;
      }
    for (std::uint32_t d = first; d < last; ++d) {
      const std::uint32_t x = lp_.add_column();
      lp_.add(x, tie, 1.0);
      for (const task::Outcome& outcome : action.outcomes)
        for (const task::Fact& f : outcome.effects) {
          if (f.variable.index() != v || f.value == d) continue;
          lp_.add(x, first_row_[v] + d, -outcome.probability);
          lp_.add(x, first_row_[v] + f.value, outcome.probability);
        }
    }
  }

  /// How often something happens at each value of a variable: columns, or `no_column`.
  using ByValue = std::vector<std::uint32_t>;

  /// Columns that sum to `total`. Where the value is known that is the one itself.
  ByValue split_by_value(std::uint32_t total, task::VariableId variable, std::uint32_t known) {
    const auto v = static_cast<std::uint32_t>(variable.index());
    ByValue columns(num_values(v), no_column);
    if (known != UINT32_MAX) {
      columns[known] = total;
      return columns;
    }
    const std::uint32_t tie = lp_.add_row({0, true, 0, 0, 0});
    lp_.add(total, tie, -1.0);
    for (std::uint32_t& column : columns) {
      column = lp_.add_column();
      lp_.add(column, tie, 1.0);
    }
    return columns;
  }

  /// The same for an action with conditional effects: uses of it at each value, and of those at
  /// most so many in which the condition of each effect holds.
  void add_conditional_projection(const ConditionalCounts& counts, task::VariableId variable,
                                  const std::vector<VariableChange>& changes) {
    std::map<std::uint32_t, ByValue> columns;  // by conditional effect
    const auto columns_of = [&](std::uint32_t conditional) -> const ByValue& {
      const auto [entry, is_new] = columns.try_emplace(conditional);
      if (is_new)
        entry->second = split_by_value(counts.column(conditional), variable,
                                       counts.value_before(conditional, variable));
      return entry->second;
    };
    const ByValue uses = columns_of(task::ConditionalEffect::none);
    const std::uint32_t first_row = first_row_[variable.index()];
    for (const VariableChange& change : changes) {
      const ByValue& at = columns_of(change.part.conditional);
      for (std::uint32_t d = 0; d < at.size(); ++d) {
        if (at[d] == no_column || change.value == d) continue;
        lp_.add(at[d], first_row + change.value, change.probability);
        if (change.alone) lp_.add(at[d], first_row + d, -change.probability);
      }
    }
    for (const std::vector<std::uint32_t>& exclusive : counts.exclusive())
      for (std::uint32_t d = 0; d < uses.size(); ++d)
        limit_by_uses(uses[d], exclusive, columns, d);
  }

  void limit_by_uses(std::uint32_t uses, const std::vector<std::uint32_t>& exclusive,
                     const std::map<std::uint32_t, ByValue>& columns, std::uint32_t d) {
    std::optional<std::uint32_t> row;
    for (const std::uint32_t k : exclusive) {
      const auto found = columns.find(k);
      if (found == columns.end() || found->second[d] == no_column) continue;
      if (!row) {
        row = lp_.add_row({0, false, 0, 0, 0});
        lp_.add(uses, *row, 1.0);
      }
      lp_.add(found->second[d], *row, -1.0);
    }
  }

  static constexpr std::uint32_t no_column = UINT32_MAX;

  const task::Task& task_;
  OperatorCountingLp lp_;
  std::uint32_t first_goal_ = 0;
  std::vector<std::uint32_t> first_row_;
};

}  // namespace

OperatorCountingLp pom_lp(const task::Task& task, const OperatorCountingRules& rules) {
  return PomBuilder(task, rules).take();
}

}  // namespace carl::heuristics
