#include "model_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

#include "carl/error.h"
#include "carl/io.h"

namespace carl::app {
namespace {

/// "fuel=12": a cost may have spaces and parentheses in its name, so the last '=' counts.
std::pair<std::string, double> parse_assignment(const std::string& text, const char* option) {
  const std::size_t equals = text.rfind('=');
  std::optional<double> value;
  if (equals != std::string::npos) value = parse_number(std::string_view(text).substr(equals + 1));
  if (!value)
    throw InputError(fmt::format("{} {}: expected COST=NUMBER", option, text),
                     fmt::format("for example {} fuel=12", option));
  return {text.substr(0, equals), *value};
}

/// "fuel=5:20:1"; without a step there are ten of them. None if there is no ':' in it.
std::optional<SweepRange> parse_range(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || text.find(':', equals) == std::string::npos)
    return std::nullopt;
  std::vector<double> numbers;
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t colon = std::min(text.find(':', begin), text.size());
    const auto value = parse_number(std::string_view(text).substr(begin, colon - begin));
    if (!value || numbers.size() == 3)
      throw InputError(fmt::format("--bound {}: expected COST=FROM:TO:STEP", text),
                       "for example --bound fuel=5:20:1");
    numbers.push_back(*value);
    begin = colon + 1;
  }
  const double tenth = (numbers[1] - numbers[0]) / 10;
  const double default_step = tenth > 0 ? tenth : 1.0;
  SweepRange range{text.substr(0, equals), numbers[0], numbers[1],
                   numbers.size() == 3 ? numbers[2] : default_step};
  range.values();  // complain about it now
  return range;
}

}  // namespace

void ModelOptions::add_to(Command& command) {
  add_to(command, Files::model);
  command.option("--seed", seed_, "Shuffles the order of actions; 0 keeps it as written")
      .check(whole_number())
      .type_name("NUMBER")
      .show_default();
}

void ModelOptions::add_to(Command& command, Files files) {
  files_ = files;
  const std::string model =
      "PPDDL domain and problem (one file or two, in any order), or an explicit model in JSON";
  const std::string standard_input = "; '-' reads standard input";
  if (files == Files::model)
    command.option("MODEL", paths_, model + standard_input)
        .required()
        .expected(1, 2)
        .type_name("FILE");
  else
    command
        .option("MODEL POLICY", paths_,
                model + "; then the policy, as carl solve --policy writes it" + standard_input)
        .required()
        .expected(files == Files::model_and_policy ? 2 : 1, 3)
        .type_name("FILE");
  command
      .option("--problem", problem_,
              "The problem to read, by its name, where PPDDL defines several")
      .type_name("NAME");
  command
      .option("--bound", bounds_,
              "Upper bound on an expected cost; replaces or adds one, 'inf' lifts it")
      .type_name("COST=NUMBER")
      .one_value_each();
  command
      .option("--give-up", give_up_,
              "Penalties for giving up; replaces those of the problem, costs left out are 0")
      .type_name("COST=NUMBER,…");
  command.option("--time-limit", time_limit_, "Seconds, or with unit: 90s, 30m, 2h")
      .type_name("TIME")
      .transform(with_units({{'s', 1}, {'m', 60}, {'h', 3600}}, Zero::allowed,
                            "for example 90s, 30m or 2h; without it there is no limit"));
  command.option("--memory-limit", memory_limit_, "Megabytes, or with unit: 500M, 4G")
      .type_name("SIZE")
      .transform(with_units({{'K', 1e-3}, {'M', 1}, {'G', 1e3}}, Zero::forbidden,
                            "for example 500M or 4G; without it there is no limit"));
}

Monitor ModelOptions::monitor(const std::atomic<bool>& interrupt) const {
  // No limit is 0 for a Monitor; a limit below one byte still is one.
  constexpr double most = 1e18;
  const double bytes = memory_limit_ == 0 ? 0 : std::clamp(memory_limit_ * 1e6, 1.0, most);
  return Monitor(time_limit_, static_cast<std::size_t>(bytes), &interrupt);
}

CsspOptions ModelOptions::cssp_options() const {
  CsspOptions options;
  // A policy is judged by its costs, those of forbidden actions included.
  options.remove_forbidden_actions = files_ == Files::model;
  options.seed = seed_;
  for (const std::string& bound : bounds_)
    options.bounds.push_back(parse_assignment(bound, "--bound"));
  options.bounds.insert(options.bounds.end(), swept_bounds_.begin(), swept_bounds_.end());
  if (!give_up_.empty()) {
    options.give_up.emplace();
    for (std::size_t begin = 0; begin <= give_up_.size();) {
      const std::size_t comma = std::min(give_up_.find(',', begin), give_up_.size());
      options.give_up->push_back(
          parse_assignment(give_up_.substr(begin, comma - begin), "--give-up"));
      begin = comma + 1;
    }
  }
  return options;
}

std::vector<SweepRange> ModelOptions::take_ranges() {
  std::vector<SweepRange> ranges;
  std::erase_if(bounds_, [&](const std::string& text) {
    const std::optional<SweepRange> range = parse_range(text);
    if (range) ranges.push_back(*range);
    return range.has_value();
  });
  swept_bounds_.clear();
  for (const SweepRange& range : ranges)
    swept_bounds_.emplace_back(range.cost, range.to > 0 ? range.to : 1.0);
  return ranges;
}

Cssp ModelOptions::load(Monitor& monitor, LoadTimes* times) const {
  if (std::count(paths_.begin(), paths_.end(), "-") > 1)
    throw InputError("standard input ('-') can be read only once");
  const CsspOptions options = cssp_options();  // complain about these before a long read
  return Cssp(load_model(model_paths(), monitor, times, {.problem = problem_}), options);
}

std::vector<std::string> ModelOptions::model_paths() const {
  return {paths_.begin(), has_policy() ? paths_.end() - 1 : paths_.end()};
}

void ModelOptions::require_policy() {
  if (paths_.size() < 2)
    throw InputError("there is no policy to check",
                     "give it after the problem, or a certificate by --certificate FILE");
  files_ = Files::model_and_policy;
}

bool ModelOptions::has_policy() const {
  if (files_ != Files::model_and_optional_policy) return files_ == Files::model_and_policy;
  if (paths_.size() < 2) return false;
  if (paths_.size() == 3 || paths_.back().ends_with(".json")) return true;
  char first = 0;
  return std::ifstream(paths_.back()) >> first && first == '{';
}

PolicyFile ModelOptions::load_policy(Monitor& monitor) const {
  return read_policy(paths_.back(), monitor);
}

std::string ModelOptions::title() const {
  return fmt::format("{}", fmt::join(paths_, " "));
}

void add_threads(Command& command, std::size_t& threads) {
  command
      .option("--threads", threads,
              "How many to use; the result is the same. 0: one for each processor")
      .check(whole_number(0, 1024))
      .type_name("NUMBER")
      .show_default();
}

}  // namespace carl::app
