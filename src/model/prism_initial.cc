// Variables get their values one after the other, and a part of the condition is looked at as soon
// as all its variables have one: a condition that fixes each variable takes no search at all.
#include "model/prism_initial.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/prism_code.h"
#include "prism/operations.h"

namespace carl {
namespace {

constexpr std::size_t most_steps = 5'000'000;

class InitialSearch {
 public:
  InitialSearch(const prism::TypedExpression& condition, const PrismLayout& layout)
      : condition_(condition),
        layout_(layout),
        parts_(layout.num_variables() + 1),
        low_(layout.num_variables()),
        high_(layout.num_variables()),
        values_(layout.num_variables(), 0) {
    for (std::size_t v = 0; v < low_.size(); ++v) {
      low_[v] = layout.variable(v).low;
      high_[v] = layout.variable(v).high;
    }
    add(condition);
  }

  std::vector<std::int64_t> find() {
    if (holds(0)) assign(0);
    if (found_.empty())
      throw prism::error_at(condition_.position,
                            "no state satisfies the condition on initial states");
    return found_.front();
  }

 private:
  static std::size_t variables_of(const prism::TypedExpression& expression) {
    std::size_t last =
        expression.operation == prism::Operation::variable ? expression.index + 1 : 0;
    for (const prism::TypedExpression& operand : expression.operands)
      last = std::max(last, variables_of(operand));
    return last;
  }

  void add(const prism::TypedExpression& condition) {
    if (condition.operation == prism::Operation::conjunction) {
      for (const prism::TypedExpression& operand : condition.operands)
        add(operand);
      return;
    }
    const PrismCondition part(condition, layout_.num_variables());
    for (const PrismCondition::Range& range : part.ranges()) {
      low_[range.variable] = std::max(low_[range.variable], range.low);
      high_[range.variable] =
          std::min(high_[range.variable], range.low + static_cast<std::int64_t>(range.width));
    }
    parts_[variables_of(condition)].push_back(part);
  }

  /// The parts that are about the first so many variables, the last of them included.
  bool holds(std::size_t variables) {
    if (++steps_ > most_steps)
      throw prism::error_at(condition_.position,
                            "there are too many states to look for initial ones",
                            "fix every variable: init x=0 & y=0 endinit");
    try {
      return std::all_of(parts_[variables].begin(), parts_[variables].end(),
                         [&](const PrismCondition& part) { return part.holds(values_.data()); });
    } catch (const prism::EvaluationError& error) {
      throw prism::error_at(condition_.position, fmt::format("{} ({})", error.what(),
                                                             in_state(layout_, values_.data())));
    }
  }

  void assign(std::size_t variable) {
    // Without recursion: there may be thousands of variables.
    std::size_t v = variable;
    if (values_.empty()) return keep();
    values_[v] = low_[v];
    while (true) {
      if (values_[v] > high_[v]) {
        if (v == 0) return;
        ++values_[--v];
      } else if (!holds(v + 1)) {
        ++values_[v];
      } else if (v + 1 == values_.size()) {
        keep();
        ++values_[v];
      } else {
        ++v;
        values_[v] = low_[v];
      }
    }
  }

  void keep() {
    found_.push_back(values_);
    if (found_.size() == 1) return;
    throw prism::error_at(
        condition_.position,
        fmt::format("there are several initial states: {} and {}",
                    layout_.state_text(found_[0].data()), layout_.state_text(found_[1].data())),
        "runs begin in one state; let a first command choose");
  }

  const prism::TypedExpression& condition_;
  const PrismLayout& layout_;
  std::vector<std::vector<PrismCondition>> parts_;  // by the number of variables that they need
  std::vector<std::int64_t> low_;
  std::vector<std::int64_t> high_;
  std::vector<std::int64_t> values_;
  std::vector<std::vector<std::int64_t>> found_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<std::int64_t> initial_values(const prism::Description& model,
                                         const PrismLayout& layout) {
  if (model.initial) return InitialSearch(*model.initial, layout).find();
  std::vector<std::int64_t> values;
  for (const prism::Variable& variable : model.variables)
    values.push_back(variable.initial);
  return values;
}

}  // namespace carl
