#include "model/prism_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "carl/error.h"
#include "prism/operations.h"
#include "util/shown.h"

namespace carl {
namespace {

// As much as PRISM allows by default: probabilities are written with few digits. They are scaled to
// sum to one.
constexpr double sum_tolerance = 1e-5;

std::vector<unsigned> bits_of(const std::vector<prism::Variable>& variables) {
  std::vector<unsigned> bits;
  for (const prism::Variable& variable : variables)
    bits.push_back(static_cast<unsigned>(
        std::bit_width(static_cast<std::uint64_t>(variable.high - variable.low))));
  return bits;
}

bool is_probability(double value) {
  return value >= 0 && value <= 1 + sum_tolerance;
}

}  // namespace

PrismLayout::PrismLayout(const std::vector<prism::Variable>& variables)
    : variables_(variables), layout_(bits_of(variables)) {
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    fields_.push_back(layout_.field(task::VariableId(v)));
    low_.push_back(variables_[v].low);
  }
}

std::string PrismLayout::fact(std::size_t v, std::int64_t value) const {
  const prism::Variable& variable = variables_[v];
  if (variable.type == prism::Type::boolean)
    return fmt::format("{}={}", variable.name, value != 0 ? "true" : "false");
  return fmt::format("{}={}", variable.name, value);
}

std::string PrismLayout::state_text(const std::int64_t* values) const {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t v = 0; v < variables_.size() && v < most; ++v)
    text += (v > 0 ? ", " : "") + shown(fact(v, values[v]));
  if (variables_.size() > most) text += fmt::format(", ... ({} more)", variables_.size() - most);
  return text;
}

std::string number_text(double value) {
  return std::isnan(value) ? "no number" : fmt::format("{}", value);
}

std::string in_state(const PrismLayout& layout, const std::int64_t* values) {
  return fmt::format("in state {}", layout.state_text(values));
}

PrismCommand::PrismCommand(const prism::Command& command, const prism::Description& model,
                           const PrismLayout& layout)
    : position_(command.position),
      name_(fmt::format("command {} of module {}", command.number,
                        prism::quoted(model.modules[command.module]))),
      guard_(command.guard, layout.num_variables()) {
  for (const prism::Update& update : command.updates)
    compile_update(update, layout);
  settle_probabilities();
}

void PrismCommand::compile_update(const prism::Update& syntax, const PrismLayout& layout) {
  Update& update = updates_.emplace_back();
  update.position = syntax.probability.position;
  update.probability = PrismCode(syntax.probability, layout.num_variables());
  if (!update.probability.is_constant()) has_constant_probabilities_ = false;
  for (const prism::Assignment& assignment : syntax.assignments) {
    PrismCode value(assignment.value, layout.num_variables());
    // A value out of range is an error once the command is used, not before.
    if (value.is_constant() && layout.in_range(assignment.variable, value.integer(nullptr)))
      compile_constant(update, assignment.variable, value.integer(nullptr), layout);
    else
      update.assignments.push_back({assignment.variable, std::move(value)});
  }
}

void PrismCommand::compile_constant(Update& update, std::uint32_t variable, std::int64_t value,
                                    const PrismLayout& layout) const {
  std::vector<std::uint64_t> zeros(layout.num_words(), 0);
  std::vector<std::uint64_t> bits = zeros;
  std::vector<std::uint64_t> ones(layout.num_words(), ~std::uint64_t{0});
  layout.set(bits.data(), variable, value);
  layout.set(ones.data(), variable, layout.variable(variable).low);
  for (std::uint32_t w = 0; w < layout.num_words(); ++w) {
    const std::uint64_t mask = ~ones[w];
    if (mask == 0) continue;
    const auto same = std::find_if(update.constants.begin(), update.constants.end(),
                                   [&](const task::PackedFacts& facts) { return facts.word == w; });
    task::PackedFacts& facts =
        same == update.constants.end() ? update.constants.emplace_back() : *same;
    facts.word = w;
    facts.mask |= mask;
    facts.bits |= bits[w];
  }
}

/// Probabilities that do not depend on the state are looked at once. If they are wrong, that is an
/// error where the command is used, and only there.
void PrismCommand::settle_probabilities() {
  if (!has_constant_probabilities_) return;
  double sum = 0;
  for (Update& update : updates_) {
    update.constant_probability = update.probability.real(nullptr);
    sum += update.constant_probability;
    if (!is_probability(update.constant_probability)) has_constant_probabilities_ = false;
  }
  if (!(std::abs(sum - 1) <= sum_tolerance)) has_constant_probabilities_ = false;
  if (!has_constant_probabilities_) return;
  for (Update& update : updates_)
    if (std::abs(sum - 1) > 1e-15) update.constant_probability /= sum;
  std::erase_if(updates_, [](const Update& update) { return update.constant_probability == 0; });
}

void PrismCommand::find_probabilities(const std::int64_t* values, const PrismLayout& layout,
                                      std::span<double> out) const {
  double sum = 0;
  for (std::size_t u = 0; u < updates_.size(); ++u) {
    const Update& update = updates_[u];
    try {
      out[u] = update.probability.real(values);
    } catch (const prism::EvaluationError& error) {
      fail_evaluation(update.position, error.what(), values, layout);
    }
    if (!is_probability(out[u])) fail_probability(update.position, out[u], values, layout);
    sum += out[u];
  }
  if (!(std::abs(sum - 1) <= sum_tolerance)) fail_sum(sum, values, layout);
  if (std::abs(sum - 1) <= 1e-15) return;
  for (double& probability : out)
    probability /= sum;
}

void PrismCommand::apply(const std::int64_t* values, const std::uint64_t* words, double probability,
                         const PrismLayout& layout, PrismOutcomes& out) const {
  if (has_constant_probabilities_) {
    for (const Update& update : updates_)
      add(update, values, words, probability * update.constant_probability, layout, out);
    return;
  }
  constexpr std::size_t few = 32;
  std::array<double, few> small{};
  std::vector<double> large;
  std::span<double> probabilities(small.data(), std::min(few, updates_.size()));
  if (updates_.size() > few) {
    large.resize(updates_.size());
    probabilities = large;
  }
  find_probabilities(values, layout, probabilities);
  for (std::size_t u = 0; u < updates_.size(); ++u)
    if (probabilities[u] > 0)
      add(updates_[u], values, words, probability * probabilities[u], layout, out);
}

void PrismCommand::add(const Update& update, const std::int64_t* values, const std::uint64_t* words,
                       double probability, const PrismLayout& layout, PrismOutcomes& out) const {
  const std::size_t first = out.words.size();
  out.probabilities.push_back(probability);
  out.words.insert(out.words.end(), words, words + layout.num_words());
  std::uint64_t* state = out.words.data() + first;
  for (const task::PackedFacts& facts : update.constants)
    facts.apply(state);
  for (const Assignment& assignment : update.assignments) {
    std::int64_t value = 0;
    try {
      value = assignment.value.integer(values);
    } catch (const prism::EvaluationError& error) {
      fail_evaluation(assignment.value.position(), error.what(), values, layout);
    }
    if (!layout.in_range(assignment.variable, value)) fail_range(assignment, value, values, layout);
    layout.set(state, assignment.variable, value);
  }
}

void PrismCommand::fail_probability(const prism::Position& position, double value,
                                    const std::int64_t* values, const PrismLayout& layout) const {
  throw prism::error_at(position,
                        fmt::format("the probability is {}, but must be between 0 and 1 ({}, {})",
                                    number_text(value), name_, in_state(layout, values)));
}

void PrismCommand::fail_sum(double sum, const std::int64_t* values,
                            const PrismLayout& layout) const {
  throw prism::error_at(position_,
                        fmt::format("the probabilities sum to {:.12g}, not 1 ({}, {})", sum, name_,
                                    in_state(layout, values)),
                        "write the last one as 1 minus the others");
}

void PrismCommand::fail_range(const Assignment& assignment, std::int64_t value,
                              const std::int64_t* values, const PrismLayout& layout) const {
  const prism::Variable& variable = layout.variable(assignment.variable);
  throw prism::error_at(assignment.value.position(),
                        fmt::format("the new value of {} is {}, outside of {}..{} ({}, {})",
                                    prism::quoted(variable.name), value, variable.low,
                                    variable.high, name_, in_state(layout, values)),
                        fmt::format("guard it, or keep it in its range: ({}'=min(..., {}))",
                                    variable.name, variable.high));
}

void PrismCommand::fail_evaluation(const prism::Position& position, const char* what,
                                   const std::int64_t* values, const PrismLayout& layout) const {
  throw prism::error_at(position,
                        fmt::format("{} ({}, {})", what, name_, in_state(layout, values)));
}

}  // namespace carl
