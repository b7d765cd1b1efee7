#include "io/labelled_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "carl/options.h"
#include "io/model_formats.h"
#include "util/rational.h"
#include "util/shown.h"

namespace carl::io {
namespace {

constexpr const char* usual_goals[] = {"goal", "target"};

std::string list_of(const std::vector<Label>& labels) {
  constexpr std::size_t most = 20;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(labels.size(), most); ++i)
    names.push_back(shown(labels[i].name));
  if (labels.size() > most) names.emplace_back("…");
  return fmt::format("{}", fmt::join(names, ", "));
}

const Label& goal_among(const std::vector<Label>& labels, const LoadOptions& options) {
  const auto find = [&](std::string_view name) {
    return std::find_if(labels.begin(), labels.end(),
                        [&](const Label& label) { return label.name == name; });
  };
  const std::string hint = labels.empty() ? "the model has no labels"
                                          : fmt::format("the labels are: {}", list_of(labels));
  if (!options.goal.empty()) {
    if (find(options.goal) != labels.end()) return *find(options.goal);
    throw OptionError(fmt::format("`goal`: there is no label named '{}'", shown(options.goal)),
                      hint);
  }
  for (const char* const name : usual_goals)
    if (find(name) != labels.end()) return *find(name);
  throw OptionError("no state is labelled 'goal' or 'target'",
                    fmt::format("`goal LABEL` says which states are goals; {}", hint));
}

}  // namespace

RewardCosts costs_of_rewards(const std::vector<std::string>& rewards, const LoadOptions& options) {
  RewardCosts costs;
  costs.names = rewards;
  if (rewards.empty()) costs.names = {"steps"};
  costs.rewards.resize(rewards.size());
  std::iota(costs.rewards.begin(), costs.rewards.end(), std::size_t{0});
  if (options.minimise.empty()) return costs;
  const auto first =
      static_cast<std::ptrdiff_t>(number_of_minimised(costs.names, options.minimise));
  if (rewards.empty()) return costs;
  std::rotate(costs.names.begin(), costs.names.begin() + first, costs.names.begin() + first + 1);
  std::rotate(costs.rewards.begin(), costs.rewards.begin() + first,
              costs.rewards.begin() + first + 1);
  return costs;
}

void add_labels(ExplicitBuilder& builder, std::vector<Label> labels, const LoadOptions& options) {
  if (options.has_goal) {
    const Label& goal = goal_among(labels, options);
    for (std::size_t s = 0; s < goal.states.size(); ++s)
      if (goal.states[s]) builder.add_goal(StateId(s));
  }
  for (Label& label : labels)
    builder.add_label(std::move(label.name), std::move(label.states));
}

ActionName DistinctNames::other_name(ActionName wanted, std::size_t place) {
  if (!wanted.valid()) {
    while (by_place_.size() <= place)
      by_place_.push_back(builder_.action_name(fmt::format("a{}", by_place_.size())));
    wanted = by_place_[place];
  }
  ActionName name = wanted;
  std::string text;
  while (use_of(name).times > 0) {
    if (text.empty()) text = builder_.text_of(wanted);
    name = builder_.action_name(fmt::format("{}#{}", text, ++use_of(wanted).times));
  }
  use_of(name).times = 1;
  return name;
}

std::optional<double> parse_value(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  // Fractions, and a sign in front.
  const std::optional<Rational> number = parse_rational(text);
  return number ? std::optional(to_double(*number)) : std::nullopt;
}

std::optional<std::uint64_t> parse_index(std::string_view text, std::uint64_t end) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && stop == text.data() + text.size();
  return whole && value < end ? std::optional(value) : std::nullopt;
}

}  // namespace carl::io
