#include "model_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "carl/checkpoint.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/problem.h"
#include "carl/question.h"

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

/// "fuel=12:0.05".
void add_guarantees(Guarantee::Kind kind, const std::vector<std::string>& texts,
                    const char* example, CsspOptions& options) {
  const std::string_view option =
      std::string_view(example).substr(0, std::string_view(example).find(' '));
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    const std::size_t colon = equals == std::string::npos ? equals : text.find(':', equals);
    std::optional<double> limit;
    std::optional<double> upper;
    if (colon != std::string::npos) {
      limit = parse_number(std::string_view(text).substr(equals + 1, colon - equals - 1));
      upper = parse_number(std::string_view(text).substr(colon + 1));
    }
    if (!limit || !upper)
      throw InputError(fmt::format("{} {}: expected COST=NUMBER:NUMBER", option, text),
                       fmt::format("for example {}", example));
    options.guarantees.push_back({kind, text.substr(0, equals), *limit, *upper});
  }
}

}  // namespace

void ModelOptions::add_to(Command& command) {
  add_to(command, Files::model);
  add_seed(command);
}

void ModelOptions::add_seed(Command& command) {
  command.group("Method");
  command.option("--seed", seed_, "Shuffles the order of actions; 0 keeps it as written")
      .check(whole_number())
      .type_name("NUMBER")
      .show_default();
}

void ModelOptions::add_to(Command& command, Files files) {
  files_ = files;
  const std::string model =
      "PPDDL domain and problem (one file or two, in any order), a PRISM model, or an explicit "
      "model in JSON";
  const std::string standard_input = "; '-' reads standard input";
  if (files == Files::model)
    command.option("MODEL", paths_, model + standard_input)
        .required()
        .expected(1, 2)
        .type_name("FILE");
  else if (files == Files::optional_model)
    command.option("MODEL", paths_, model + standard_input).expected(0, 2).type_name("FILE");
  else if (files == Files::model_result_and_state)
    command
        .option("MODEL RESULT STATE", paths_,
                model +
                    "; then the result, as carl solve --json writes it; then, if not the "
                    "initial one, a state as policy files name it")
        .required()
        .expected(2, 4)
        .type_name("FILE");
  else
    command
        .option("MODEL POLICY", paths_,
                model + "; then the policy, as carl solve --policy writes it" + standard_input)
        .required()
        .expected(files == Files::model_and_policy ? 2 : 1, 3)
        .type_name("FILE");
  command.group("Problem");
  command
      .option("--problem", problem_,
              "The problem to read, by its name, where PPDDL defines several")
      .type_name("NAME");
  command
      .option("--minimise", minimise_,
              "The cost to minimise, if not the one that the problem names")
      .type_name("COST");
  command
      .option("--goal", goal_,
              "The label of the goals, where states have labels; without it 'goal' or 'target'")
      .type_name("LABEL");
  command
      .option("--property", property_,
              "What to ask, in PRISM's language: multi(R{\"time\"}min=? [F \"done\"], "
              "P>=0.95 [F \"safe\"]). Goals and bounds of the problem do not count then")
      .type_name("TEXT");
  command.option("--properties", properties_, "A file of properties instead").type_name("FILE");
  command.option("--property-name", property_name_, "Which of them, if there are several")
      .type_name("NAME");
  command
      .option("--const", constants_,
              "Values of constants that the model or the property leaves open")
      .type_name("NAME=VALUE,…");
  command
      .option("--bound", bounds_,
              "Upper bound on an expected cost; replaces or adds one, 'inf' lifts it")
      .type_name("COST=NUMBER")
      .one_value_each();
  command
      .option("--chance", chances_,
              "Use more than LIMIT of a cost in no more than this share of all runs")
      .type_name("COST=LIMIT:PROBABILITY")
      .one_value_each();
  command
      .option("--excess", excesses_,
              "Upper bound on what runs use of a cost above LIMIT, on average over all of them")
      .type_name("COST=LIMIT:NUMBER")
      .one_value_each();
  command
      .option("--cvar", cvars_,
              "Upper bound on what runs use of a cost on average over the worst of them, "
              "5% for a LEVEL of 0.95")
      .type_name("COST=LEVEL:NUMBER")
      .one_value_each();
  command
      .option("--unit", units_,
              "Count a cost in these units for such guarantees; amounts are rounded up")
      .type_name("COST=NUMBER")
      .one_value_each();
  command
      .option("--give-up", give_up_,
              "Penalties for giving up; replaces those of the problem, costs left out are 0")
      .type_name("COST=NUMBER,…");
  command
      .option("--goal-probability", goal_probability_,
              "Reach the goal with this probability at least, at the least cost; or with the "
              "largest there is. Giving up is free then")
      .type_name("NUMBER|max");
  command.flag("--give-up-only-when-lost", only_when_lost_,
               "With --goal-probability: give up only where no goal can be reached any more");
  command.group("Limits");
  command.option("--time-limit", time_limit_, "Seconds, or with unit: 90s, 30m, 2h")
      .type_name("TIME")
      .transform(with_units({{'s', 1}, {'m', 60}, {'h', 3600}}, Zero::allowed,
                            "for example 90s, 30m or 2h; without it there is no limit"));
  command.option("--memory-limit", memory_limit_, "Megabytes, or with unit: 500M, 4G")
      .type_name("SIZE")
      .transform(with_units({{'K', 1e-3}, {'M', 1}, {'G', 1e3}}, Zero::forbidden,
                            "for example 500M or 4G; without it there is no limit"));
  command.group("Options");
}

std::size_t ModelOptions::memory_limit() const {
  // No limit is 0 for a Monitor; a limit below one byte still is one.
  constexpr double most = 1e18;
  const double bytes = memory_limit_ == 0 ? 0 : std::clamp(memory_limit_ * 1e6, 1.0, most);
  return static_cast<std::size_t>(bytes);
}

LoadOptions ModelOptions::load_options() const {
  LoadOptions options{problem_, minimise_, goal_};
  options.constants = constants();
  return options;
}

Monitor ModelOptions::monitor(const std::atomic<bool>& interrupt) const {
  return Monitor(time_limit_, memory_limit(), &interrupt);
}

CsspOptions ModelOptions::cssp_options() const {
  CsspOptions options;
  // A policy is judged by its costs, those of forbidden actions included.
  options.remove_forbidden_actions = files_ == Files::model || files_ == Files::optional_model ||
                                     files_ == Files::model_result_and_state;
  options.seed = seed_;
  for (const std::string& bound : bounds_)
    options.bounds.push_back(parse_assignment(bound, "--bound"));
  options.bounds.insert(options.bounds.end(), swept_bounds_.begin(), swept_bounds_.end());
  using Kind = Guarantee::Kind;
  add_guarantees(Kind::chance, chances_, "--chance fuel=12:0.05", options);
  add_guarantees(Kind::excess, excesses_, "--excess fuel=12:0.5", options);
  add_guarantees(Kind::cvar, cvars_, "--cvar fuel=0.95:20", options);
  if (!goal_probability_.empty()) options.goal_probability = goal_probability();
  if (only_when_lost_ && !options.goal_probability)
    throw InputError("--give-up-only-when-lost goes with --goal-probability");
  for (const std::string& unit : units_)
    options.units.push_back(parse_assignment(unit, "--unit"));
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

GoalProbability ModelOptions::goal_probability() const {
  GoalProbability goal;
  goal.only_when_lost = only_when_lost_;
  goal.largest = goal_probability_ == "max";
  if (goal.largest) return goal;
  const std::optional<double> least = parse_number(goal_probability_);
  if (!least)
    throw InputError(
        fmt::format("--goal-probability {}: expected a number or 'max'", goal_probability_),
        "for example --goal-probability 0.95");
  goal.least = *least;
  return goal;
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

std::shared_ptr<Model> ModelOptions::read(Monitor& monitor, LoadTimes* times) const {
  return read_share({}, monitor, times);
}

std::shared_ptr<Model> ModelOptions::read_share(const LoadShare& share, Monitor& monitor,
                                                LoadTimes* times) const {
  if (std::count(paths_.begin(), paths_.end(), "-") > 1)
    throw InputError("standard input ('-') can be read only once");
  cssp_options();  // complain about these before a long read
  LoadOptions options = load_options();
  const std::optional<PropertyText> asked = property(monitor);
  options.has_goal = !asked.has_value();
  if (!asked) options.share = share;  // a question is about all states
  std::shared_ptr<Model> model = load_model(model_paths(), monitor, times, options);
  return asked ? ask_property(std::move(model), *asked, monitor) : model;
}

std::optional<PropertyText> ModelOptions::property(Monitor& monitor) const {
  if (!property_.empty() && !properties_.empty())
    throw InputError("--property is one property, --properties a file of them: give one of both");
  if (!property_name_.empty() && properties_.empty())
    throw InputError("--property-name goes with --properties FILE");
  if (property_.empty() && properties_.empty()) return std::nullopt;
  if (!give_up_.empty() || !goal_probability_.empty() || !goal_.empty())
    throw InputError(
        "a property says itself what is asked: --goal, --give-up and --goal-probability do not go "
        "with it");
  if (!property_.empty()) return PropertyText{"--property", property_, {}, constants()};
  return PropertyText{properties_, read_text(properties_, monitor), property_name_, constants()};
}

/// "N=4,p=0.1".
std::vector<std::pair<std::string, std::string>> ModelOptions::constants() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (std::size_t begin = 0; begin < constants_.size();) {
    const std::size_t comma = std::min(constants_.find(',', begin), constants_.size());
    const std::string text = constants_.substr(begin, comma - begin);
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError(fmt::format("--const {}: expected NAME=VALUE", text),
                       "for example --const N=4,p=0.1");
    result.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    begin = comma + 1;
  }
  return result;
}

Cssp ModelOptions::load(Monitor& monitor, LoadTimes* times) const {
  return make_problem(read(monitor, times), cssp_options(), monitor);
}

Cssp ModelOptions::problem_of(const std::shared_ptr<Model>& model,
                              const std::vector<std::string>& costs, Monitor& monitor) const {
  const CsspOptions options = cssp_options();
  return make_problem(model, options, monitor, thresholds_of(*model, options, costs));
}

std::vector<std::string> ModelOptions::model_paths() const {
  if (files_ == Files::model_result_and_state)
    return {paths_.begin(), paths_.end() - (state() ? 2 : 1)};
  return {paths_.begin(), has_policy() ? paths_.end() - 1 : paths_.end()};
}

const std::string& ModelOptions::result() const {
  return paths_[paths_.size() - (state() ? 2 : 1)];
}

/// A state is no file. With two arguments there is none: they are model and result.
std::optional<std::string> ModelOptions::state() const {
  const std::string& last = paths_.back();
  if (paths_.size() < 3 || last == "-" || last.ends_with(".json") || std::filesystem::exists(last))
    return std::nullopt;
  return last;
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
  const std::string& last = paths_.back();
  if (paths_.size() == 3 || last.ends_with(".json")) return true;
  // What can be read only once is left to those who need all of it.
  if (last.ends_with(".pddl") || !std::filesystem::is_regular_file(last)) return false;
  Monitor monitor;
  const std::string text = read_text(last, monitor);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

PolicyFile ModelOptions::load_policy(Monitor& monitor) const {
  return read_policy(paths_.back(), monitor);
}

std::string ModelOptions::fingerprint(Monitor& monitor) const {
  std::vector<std::string> parts;
  const auto add_file = [&](const std::string& path) {
    if (path == "-" || !std::filesystem::is_regular_file(path))
      throw InputError(fmt::format("'{}' is no file that can be read again when a solve is resumed",
                                   path == "-" ? "standard input" : path),
                       "write it to a file, or leave out --checkpoint and --resume");
    parts.push_back(fmt::format("{:016x}", file_checksum(path, monitor)));
  };
  for (const std::string& path : model_paths())
    add_file(path);
  if (!properties_.empty()) add_file(properties_);
  for (const std::vector<std::string>* texts : {&chances_, &excesses_, &cvars_, &units_})
    parts.push_back(fmt::format("{}", fmt::join(*texts, "\n")));
  for (const std::string* text : {&goal_probability_, &problem_, &minimise_, &goal_, &property_,
                                  &property_name_, &constants_})
    parts.push_back(*text);
  parts.emplace_back(only_when_lost_ ? "only when lost" : "");
  return fmt::format("{}", fmt::join(parts, "\n--\n"));
}

std::string ModelOptions::title() const {
  return fmt::format("{}", fmt::join(paths_, " "));
}

std::string ModelOptions::short_title() const {
  const std::string last = model_paths().back();
  if (last == "-") return "standard input";
  const std::filesystem::path path(last);
  // Files that are all named the same are told apart by their folder.
  const std::string stem = path.stem().string();
  const std::string folder = path.parent_path().filename().string();
  return (stem == "model" || stem == "problem") && !folder.empty() && folder != "." ? folder : stem;
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
