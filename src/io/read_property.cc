// A property becomes a question about a model: its names are looked up, its bounds computed, and what
// has to be followed along runs is collected (see model/question_model.h).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carl/options.h"
#include "carl/question.h"
#include "cssp/stopping.h"
#include "model/budget_unit.h"
#include "model/question_model.h"
#include "model/state_formulas.h"
#include "prism/expression_parser.h"
#include "prism/lexer.h"
#include "prism/property.h"
#include "util/rational.h"
#include "util/shown.h"

namespace carl::io {
namespace {

using prism::error_at;
using prism::Expression;
using prism::Meaning;
using prism::PathFormula;
using prism::Property;
using prism::PropertyFile;
using prism::PropertyPart;
using prism::Type;
using prism::Value;

/// The constants and labels of a file of properties, and behind them those of the model.
class PropertyScope final : public prism::Scope {
 public:
  PropertyScope(const prism::Scope& model, const PropertyFile& file,
                const std::vector<std::pair<std::string, std::string>>& given)
      : model_(model), file_(file) {
    for (const prism::ConstantDefinition& constant : file.constants)
      define(constant, given);
    for (const auto& [name, value] : given)
      if (meaning(name).kind != Meaning::Kind::constant)
        throw OptionError(fmt::format("`const`: there is no constant named '{}'", shown(name)));
    for (const prism::LabelDefinition& label : file.labels) {
      if (model_.label(label.name).kind != Meaning::Kind::nothing ||
          std::any_of(file.labels.data(), &label,
                      [&](const auto& other) { return other.name == label.name; }))
        throw error_at(label.position,
                       fmt::format("there is a label named \"{}\" already", shown(label.name)));
    }
  }

  Meaning meaning(std::string_view name) const override {
    const auto found = values_.find(name);
    if (found == values_.end()) return model_.meaning(name);
    Meaning meaning;
    meaning.kind = Meaning::Kind::constant;
    meaning.value = found->second;
    return meaning;
  }
  Meaning label(std::string_view name) const override {
    for (const prism::LabelDefinition& label : file_.labels)
      if (label.name == name) {
        Meaning meaning;
        meaning.kind = Meaning::Kind::formula;
        meaning.formula = &label.expression;
        meaning.scope = this;
        return meaning;
      }
    return model_.label(name);
  }
  std::vector<std::string_view> names() const override {
    std::vector<std::string_view> names = model_.names();
    for (const auto& [name, value] : values_)
      names.push_back(name);
    return names;
  }
  std::vector<std::string_view> labels() const override {
    std::vector<std::string_view> labels = model_.labels();
    for (const prism::LabelDefinition& label : file_.labels)
      labels.push_back(label.name);
    return labels;
  }

 private:
  void define(const prism::ConstantDefinition& constant,
              const std::vector<std::pair<std::string, std::string>>& given) {
    if (meaning(constant.name).kind != Meaning::Kind::nothing)
      throw error_at(constant.position,
                     fmt::format("the name '{}' is taken already", shown(constant.name)));
    const std::string what = fmt::format("the constant '{}'", constant.name);
    const auto same = std::find_if(given.begin(), given.end(),
                                   [&](const auto& g) { return g.first == constant.name; });
    if (same != given.end() && constant.value)
      throw error_at(constant.position,
                     fmt::format("{} has a value here and is given another one", what));
    if (same == given.end() && !constant.value)
      throw error_at(constant.position, fmt::format("{} has no value", what),
                     fmt::format("give it one beside the property: {}=…", constant.name));
    if (constant.value) {
      values_[constant.name] = prism::constant_value(*constant.value, *this, constant.type, what);
      return;
    }
    prism::Source& source = given_.emplace_back(prism::Source{constant.name, same->second});
    prism::TokenStream tokens(source);
    const Expression value = prism::parse_expression(tokens);
    if (!tokens.at_end()) tokens.fail_expected("the end of the value");
    values_[constant.name] = prism::constant_value(value, *this, constant.type, what);
  }

  const prism::Scope& model_;
  const PropertyFile& file_;
  std::map<std::string, Value, std::less<>> values_;
  std::deque<prism::Source> given_;
};

/// What is asked, once it is known which property of a file is meant.
class QuestionReader {
 public:
  QuestionReader(Model& model, StateFormulas& formulas, const PropertyScope& scope)
      : model_(model), formulas_(formulas), scope_(scope) {}

  ResolvedQuestion read(const Property& property) {
    std::vector<const PropertyPart*> parts;
    for (const PropertyPart& part : property.parts)
      parts.push_back(&part);
    const auto optimised = std::count_if(
        parts.begin(), parts.end(), [](const PropertyPart* part) { return !part->is_bound(); });
    result_.question.text = property.text;
    result_.question.kind = optimised == 0   ? Question::Kind::achieve
                            : optimised == 1 ? Question::Kind::optimise
                                             : Question::Kind::front;
    result_.combined = optimised != 1;
    // What is optimised comes first: it is the primary cost.
    if (optimised == 1)
      std::stable_partition(parts.begin(), parts.end(),
                            [](const PropertyPart* part) { return !part->is_bound(); });
    if (parts.size() > most_parts)
      throw error_at(property.position, fmt::format("there are more than {} parts", most_parts));
    for (const PropertyPart* part : parts)
      read_part(*part);
    if (result_.trackers.size() > QuestionModel::most_trackers ||
        result_.predicates.size() >= QuestionModel::most_predicates)
      throw error_at(property.position, fmt::format("there are more than {} different formulas",
                                                    QuestionModel::most_trackers));
    std::set<std::optional<std::size_t>> limited;
    for (const Tracker& tracker : result_.trackers)
      if (tracker.limit) limited.insert(tracker.limit->reward);
    for (const Charge& charge : result_.charges)
      if (charge.kind == Charge::Kind::first_steps) limited.insert(std::nullopt);
    if (limited.size() > QuestionModel::most_meters)
      throw error_at(property.position, fmt::format("there are limits on more than {} things",
                                                    QuestionModel::most_meters));
    return std::move(result_);
  }

 private:
  static constexpr std::size_t most_parts = 31;

  void read_part(const PropertyPart& part) {
    Objective objective;
    objective.text = part.text;
    objective.sense = sense_of(part);
    objective.cost = result_.charges.size() + (result_.combined ? 1 : 0);
    const Charge charge = part.is_reward ? reward(part, objective) : probability(part, objective);
    result_.charges.push_back(charge);
    if (part.is_bound()) {
      note_strictness(part);
      objective.bound = bound_of(part);
      const double upper =
          objective.complement ? to_double(1 - as_written(objective.bound)) : objective.bound;
      result_.bounds.push_back({result_.charges.size() - 1, upper});
      if (part.is_reward && upper > 0) result_.charges.back().combined = 1 / upper;
    }
    std::string name =
        objective.complement ? fmt::format("P[not ({})]", part.path.text) : objective.formula;
    while (std::find(result_.names.begin(), result_.names.end(), name) != result_.names.end())
      name += "'";
    result_.names.push_back(std::move(name));
    result_.question.objectives.push_back(std::move(objective));
  }

  static Objective::Sense sense_of(const PropertyPart& part) {
    using Wanted = PropertyPart::Wanted;
    switch (part.wanted) {
      case Wanted::minimum:
        return Objective::Sense::minimise;
      case Wanted::maximum:
        return Objective::Sense::maximise;
      case Wanted::at_most:
      case Wanted::less:
        return Objective::Sense::at_most;
      case Wanted::at_least:
      case Wanted::more:
        break;
    }
    return Objective::Sense::at_least;
  }

  void note_strictness(const PropertyPart& part) {
    using Wanted = PropertyPart::Wanted;
    if (part.wanted == Wanted::less || part.wanted == Wanted::more)
      result_.question.notes.push_back(
          fmt::format("{}: taken as '{}', which includes the bound itself", part.text,
                      part.wanted == Wanted::less ? "<=" : ">="));
  }

  double bound_of(const PropertyPart& part) const {
    const double bound =
        prism::constant_value(*part.bound, scope_, Type::real, "the bound").number();
    if (!part.is_reward && !(bound >= 0 && bound <= 1))
      throw error_at(part.bound->position, fmt::format("{:.10g} is not a probability", bound));
    if (part.is_reward && !(bound >= 0 && std::isfinite(bound)))
      throw error_at(part.bound->position,
                     fmt::format("the bound is {:.10g}, but rewards are 0 or more", bound));
    return bound;
  }

  Charge probability(const PropertyPart& part, Objective& objective) {
    using Sense = Objective::Sense;
    const bool large = objective.sense == Sense::maximise || objective.sense == Sense::at_least;
    const bool always = part.path.kind == PathFormula::Kind::always;
    objective.formula = fmt::format("P[{}]", part.path.text);
    objective.complement = large;
    Charge charge;
    charge.tracker = tracker(part.path);
    // G φ holds if F !φ is not won.
    charge.if_won = large == always;
    return charge;
  }

  Charge reward(const PropertyPart& part, Objective& objective) {
    Charge charge;
    charge.reward = reward_number(part);
    objective.formula =
        fmt::format("R{{\"{}\"}}[{}]", model_.cost_model().costs[charge.reward], part.path.text);
    if (part.path.kind == PathFormula::Kind::eventually) {
      charge.kind = Charge::Kind::to_target;
      charge.tracker = tracker(part.path);
    } else if (part.path.limit) {
      charge.kind = Charge::Kind::first_steps;
      charge.steps = limit_of(part.path).most;
    } else {
      charge.kind = Charge::Kind::total_reward;
    }
    return charge;
  }

  std::size_t reward_named(const std::string& name, const prism::Position& position) const {
    const std::vector<std::string>& names = model_.cost_model().costs;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw error_at(position, fmt::format("there is no reward named \"{}\"", shown(name)),
                     fmt::format("the rewards are: {}", fmt::join(names, ", ")));
    return static_cast<std::size_t>(found - names.begin());
  }

  std::size_t reward_number(const PropertyPart& part) const {
    const std::vector<std::string>& names = model_.cost_model().costs;
    if (part.reward_name) return reward_named(*part.reward_name, part.reward_position);
    if (!part.reward_number) return 0;
    const std::int64_t number = prism::constant_value(*part.reward_number, scope_, Type::integer,
                                                      "the number of the reward")
                                    .integer;
    if (number < 1 || static_cast<std::size_t>(number) > names.size())
      throw error_at(part.reward_position,
                     fmt::format("there is no reward {}: they are numbered from 1 to {}", number,
                                 names.size()));
    return static_cast<std::size_t>(number - 1);
  }

  PathLimit limit_of(const PathFormula& path) const {
    constexpr std::int64_t largest = 1'000'000'000;
    std::int64_t most =
        prism::constant_value(*path.limit, scope_, Type::integer, "the limit").integer;
    if (path.fewer) --most;
    if (most < 0 || most > largest)
      throw error_at(path.limit->position,
                     fmt::format("the limit must be 0 or more and at most {}", largest));
    PathLimit limit;
    limit.most = static_cast<std::uint32_t>(most);
    if (path.limited_reward) limit.reward = reward_named(*path.limited_reward, path.limit_position);
    return limit;
  }

  std::size_t tracker(const PathFormula& path) {
    const bool always = path.kind == PathFormula::Kind::always;
    Expression hold;
    hold.value = Value::of(true);
    hold.position = path.position;
    if (path.kind == PathFormula::Kind::until) hold = path.hold;
    Tracker tracker;
    tracker.hold = predicate(hold);
    tracker.reach = predicate(always ? inverted(path.target) : path.target);
    std::string limit;
    if (path.limit) {
      tracker.limit = limit_of(path);
      if (path.limited_reward) limit = fmt::format("{{\"{}\"}}", *path.limited_reward);
      limit += fmt::format("<={}", tracker.limit->most);
    }
    tracker.text =
        path.kind == PathFormula::Kind::until
            ? path.text
            : fmt::format("F{} {}", limit, to_text(always ? inverted(path.target) : path.target));
    const auto same =
        std::find_if(result_.trackers.begin(), result_.trackers.end(), [&](const Tracker& other) {
          return other.hold == tracker.hold && other.reach == tracker.reach &&
                 other.limit == tracker.limit;
        });
    if (same != result_.trackers.end())
      return static_cast<std::size_t>(same - result_.trackers.begin());
    result_.trackers.push_back(std::move(tracker));
    return result_.trackers.size() - 1;
  }

  static Expression inverted(const Expression& expression) {
    if (expression.operation == prism::Operation::invert) return expression.operands.front();
    Expression result;
    result.operation = prism::Operation::invert;
    result.position = expression.position;
    result.operands.push_back(expression);
    return result;
  }

  std::size_t predicate(const Expression& expression) {
    const auto [entry, is_new] =
        numbers_.try_emplace(to_text(expression), result_.predicates.size());
    if (is_new)
      result_.predicates.push_back(formulas_.predicate(
          prism::resolve(expression, scope_, Type::boolean, "a formula about states")));
    return entry->second;
  }

  Model& model_;
  StateFormulas& formulas_;
  const PropertyScope& scope_;
  ResolvedQuestion result_;
  std::map<std::string, std::size_t> numbers_;  // of predicates, by their text
};

const Property& chosen(const PropertyFile& file, const std::string& source,
                       const std::string& name) {
  if (file.properties.empty())
    throw InputError(fmt::format("{}: there is no property in it", source));
  std::vector<std::string> names;
  for (const Property& property : file.properties) {
    if (!property.name.empty()) names.push_back(shown(property.name));
    if (!name.empty() && property.name == name) return property;
  }
  const std::string hint = names.empty()
                               ? R"(a name comes before its property: "name": Pmax=? [F "done"];)"
                               : fmt::format("there are: {}", fmt::join(names, ", "));
  if (!name.empty())
    throw OptionError(fmt::format("there is no property named '{}'", shown(name)), hint);
  if (file.properties.size() > 1)
    throw error_at(file.properties[1].position,
                   "there are several properties, and it is not said which one is asked",
                   "choose one by its name; " + hint);
  return file.properties.front();
}

}  // namespace
}  // namespace carl::io

namespace carl {

std::shared_ptr<Model> ask_property(std::shared_ptr<Model> model, const PropertyText& property,
                                    Monitor& monitor) {
  const auto source = std::make_shared<prism::Source>(prism::Source{property.file, property.text});
  const prism::PropertyFile file = prism::parse_properties(*source);
  const prism::Property& asked = io::chosen(file, source->name, property.name);
  const std::shared_ptr<StateFormulas> formulas = state_formulas_of(model);
  const io::PropertyScope scope(formulas->scope(), file, property.constants);
  ResolvedQuestion question = io::QuestionReader(*model, *formulas, scope).read(asked);
  // What predicates were made of lives as long as they do.
  for (auto& predicate : question.predicates)
    predicate = [source, formulas, holds = std::move(predicate)](StateId s) { return holds(s); };
  const auto product = std::make_shared<QuestionModel>(std::move(model), std::move(question));
  cssp::find_where_to_stop(product, 1, monitor);
  return product;
}

}  // namespace carl
