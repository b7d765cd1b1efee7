#include "io/read_prism_explicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "carl/error.h"
#include "io/text_lines.h"
#include "io/text_model.h"
#include "util/shown.h"
#include "util/timer.h"

namespace carl::io {
namespace {

constexpr std::uint64_t most_ids = 4294967294;
constexpr std::uint64_t most_rows = std::uint64_t{1} << 48;
constexpr std::string_view comment = "#";

/// A line of a .tra or .trew file.
struct Row {
  std::uint32_t state = 0;
  std::uint32_t choice = 0;
  std::uint32_t target = 0;
  std::uint32_t line = 0;  // of .tra
  double value = 0;
  std::string_view action = {};  // of .tra

  friend bool operator<(const Row& a, const Row& b) {
    return std::tie(a.state, a.choice) < std::tie(b.state, b.choice);
  }
  bool same_place(const Row& other) const {
    return state == other.state && choice == other.choice && target == other.target;
  }
};

/// The files of one reward structure.
struct RewardFiles {
  std::string name;
  const ModelText* states = nullptr;
  const ModelText* transitions = nullptr;
};

/// "dir/x12.srew" is of the reward "dir/x12".
std::string_view without_ending(std::string_view name) {
  return name.substr(0, name.rfind('.'));
}

class PrismReader {
 public:
  PrismReader(const std::vector<ModelText>& texts, const LoadOptions& options, Monitor& monitor)
      : options_(options), monitor_(monitor) {
    for (const ModelText& text : texts) {
      sort_in(text);
      TextLines(text.name, text.text).require_utf8();
    }
    if (transitions_ == nullptr)
      throw InputError("there is no .tra file, which has the transitions",
                       fmt::format("it belongs to '{}'", texts.front().name));
  }

  std::shared_ptr<Model> read() {
    read_transitions();
    std::vector<std::string> names;
    for (auto& [file, reward] : rewards_) {
      read_rewards(reward);
      if (std::find(names.begin(), names.end(), reward.name) != names.end())
        throw InputError(fmt::format("there are two rewards named '{}'", shown(reward.name)));
      names.push_back(reward.name);
    }
    model_.emplace(num_states_, names, options_);
    add_choices();
    if (states_ != nullptr) read_states();
    if (labels_ != nullptr) read_labels();
    return model_->build(initial_state());
  }

 private:
  void sort_in(const ModelText& text) {
    const auto only = [&](const ModelText*& place) {
      if (place != nullptr)
        throw InputError(fmt::format("'{}' and '{}' cannot both be meant", place->name, text.name));
      place = &text;
    };
    if (text.name.ends_with(".tra")) {
      only(transitions_);
    } else if (text.name.ends_with(".sta")) {
      only(states_);
    } else if (text.name.ends_with(".lab")) {
      only(labels_);
    } else if (text.name.ends_with(".srew") || text.name.ends_with(".trew")) {
      RewardFiles& reward = reward_of(without_ending(text.name));
      only(text.name.ends_with(".srew") ? reward.states : reward.transitions);
    } else {
      throw InputError(
          fmt::format("'{}' is none of the files of an explicit model of PRISM", text.name),
          "these are .tra, .sta, .lab, .srew and .trew");
    }
  }

  RewardFiles& reward_of(std::string_view file) {
    for (auto& [known, reward] : rewards_)
      if (known == file) return reward;
    return rewards_.emplace_back(file, RewardFiles()).second;
  }

  /// "states transitions" of a chain, "states choices transitions" where one chooses.
  void read_transitions() {
    TextLines lines(transitions_->name, transitions_->text);
    if (!lines.next_but(comment)) lines.fail("the line with the number of states is missing");
    num_states_ = lines.index("number of states", most_ids);
    if (num_states_ == 0) lines.fail("there are no states");
    const std::uint64_t second = lines.index("number of transitions", most_rows);
    is_chain_ = lines.rest().empty();
    const std::uint64_t expected =
        is_chain_ ? second : lines.index("number of transitions", most_rows);
    lines.expect_end();
    while (lines.next_but(comment)) {
      monitor_.check();
      Row row = read_row(lines, "probability");
      row.line = static_cast<std::uint32_t>(std::min<std::size_t>(lines.number(), most_ids));
      row.action = lines.rest();
      rows_.push_back(row);
    }
    if (rows_.size() != expected)
      lines.fail(fmt::format("there are {} transitions, but the first line says {}", rows_.size(),
                             expected));
    // A state that no transition knows of would be of no use; that is how a size is found to lie.
    if (num_states_ > 2 * rows_.size() + 1)
      lines.fail(
          fmt::format("{} transitions cannot be all of {} states", rows_.size(), num_states_));
    std::stable_sort(rows_.begin(), rows_.end());
    if (is_chain_) return;
    std::uint64_t choices = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (i == 0 || rows_[i - 1] < rows_[i]) ++choices;
    if (choices != second)
      lines.fail(fmt::format("there are {} choices, but the first line says {}", choices, second));
  }

  Row read_row(TextLines& lines, const char* what) const {
    Row row;
    row.state = static_cast<std::uint32_t>(lines.index("state", num_states_));
    if (!is_chain_) row.choice = static_cast<std::uint32_t>(lines.index("choice", most_ids));
    row.target = static_cast<std::uint32_t>(lines.index("target", num_states_));
    const std::string_view word = lines.rest().starts_with("[") ? lines.rest() : lines.word();
    if (word.empty()) lines.fail(fmt::format("the {} is missing", what));
    row.value = lines.value_of(word, what);
    return row;
  }

  // ---- rewards

  /// `# Reward structure "time"`, in a comment at the top of either file.
  static std::string name_in(const ModelText* text) {
    if (text == nullptr) return {};
    TextLines lines(text->name, text->text);
    while (lines.next() && (lines.line().empty() || lines.line().starts_with(comment))) {
      const std::string_view line = lines.line();
      const std::size_t begin = line.find('"');
      const std::size_t end = line.rfind('"');
      if (line.find("eward structure") != std::string_view::npos && begin < end)
        return std::string(line.substr(begin + 1, end - begin - 1));
    }
    return {};
  }

  /// That in the files, or "reward" with what follows the name of the .tra file in theirs.
  std::string name_of(const RewardFiles& reward) const {
    for (const ModelText* const text : {reward.states, reward.transitions})
      if (std::string name = name_in(text); !name.empty()) return name;
    const ModelText& text = reward.states != nullptr ? *reward.states : *reward.transitions;
    const std::string_view stem = without_ending(transitions_->name);
    const std::string_view own = without_ending(text.name);
    return fmt::format("reward{}", own.starts_with(stem) ? own.substr(stem.size()) : "");
  }

  void read_rewards(RewardFiles& reward) {
    reward.name = name_of(reward);
    state_rewards_.emplace_back(num_states_, 0.0);
    if (reward.states != nullptr) read_state_rewards(*reward.states, state_rewards_.back());
    transition_rewards_.emplace_back();
    if (reward.transitions != nullptr)
      read_transition_rewards(*reward.transitions, transition_rewards_.back());
  }

  /// The number of lines that the first one says; the states must be those of the model.
  std::uint64_t read_sizes(TextLines& lines, bool with_choices) const {
    if (!lines.next_but(comment)) lines.fail("the line with the number of states is missing");
    if (lines.index("number of states", most_ids) != num_states_)
      lines.fail(fmt::format("the model has {} states", num_states_));
    if (with_choices) lines.index("number of choices", most_ids);
    const std::uint64_t rows = lines.index("number of rewards", most_rows);
    lines.expect_end();
    return rows;
  }

  static void require_rows(const TextLines& lines, std::uint64_t rows, std::uint64_t expected) {
    if (rows != expected)
      lines.fail(fmt::format("there are {} rewards, but the first line says {}", rows, expected));
  }

  void read_state_rewards(const ModelText& text, std::vector<double>& rewards) const {
    TextLines lines(text.name, text.text);
    const std::uint64_t expected = read_sizes(lines, false);
    std::uint64_t rows = 0;
    for (; lines.next_but(comment); ++rows) {
      monitor_.check();
      const std::uint64_t state = lines.index("state", num_states_);
      rewards[state] += lines.value("reward");
      lines.expect_end();
    }
    require_rows(lines, rows, expected);
  }

  void read_transition_rewards(const ModelText& text, std::vector<double>& rewards) const {
    TextLines lines(text.name, text.text);
    const std::uint64_t expected = read_sizes(lines, !is_chain_);
    rewards.assign(rows_.size(), 0.0);
    std::uint64_t rows = 0;
    for (; lines.next_but(comment); ++rows) {
      monitor_.check();
      const Row row = read_row(lines, "reward");
      lines.expect_end();
      const auto range = std::equal_range(rows_.begin(), rows_.end(), row);
      const auto found = std::find_if(range.first, range.second,
                                      [&](const Row& other) { return other.same_place(row); });
      if (found == range.second) lines.fail("there is no such transition in the .tra file");
      rewards[static_cast<std::size_t>(found - rows_.begin())] += row.value;
    }
    require_rows(lines, rows, expected);
  }

  // ---- the model

  void add_choices() {
    std::vector<double> rewards(rewards_.size());
    std::vector<double> own(rewards_.size());
    const bool by_transition =
        std::any_of(transition_rewards_.begin(), transition_rewards_.end(),
                    [](const std::vector<double>& all) { return !all.empty(); });
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < rows_.size();) {
      monitor_.check();
      const Row& first = rows_[i];
      if (i == 0 || rows_[i - 1].state != first.state) {
        model_->begin_state(first.state);
        place = 0;
      }
      if (first.choice != place++)
        fail_at(first, fmt::format("state {} has no choice {}: choices are counted from 0",
                                   first.state, place - 1));
      for (std::size_t r = 0; r < rewards.size(); ++r)
        rewards[r] = state_rewards_[r][first.state];
      for (; i < rows_.size() && !(first < rows_[i]); ++i) {
        for (std::size_t r = 0; r < own.size(); ++r)
          own[r] = transition_rewards_[r].empty() ? 0.0 : transition_rewards_[r][i];
        model_->add_outcome(
            rows_[i].value, rows_[i].target,
            by_transition ? std::span<const double>(own) : std::span<const double>());
      }
      try {
        model_->add_choice(first.action, rewards);
      } catch (const InputError& error) {
        fail_at(first,
                fmt::format("state {}, choice {}: {}", first.state, first.choice, error.message()),
                error.hint());
      }
    }
  }

  [[noreturn]] void fail_at(const Row& row, const std::string& message,
                            const std::string& hint = {}) const {
    TextLines lines(transitions_->name, transitions_->text);
    while (lines.number() < row.line && lines.next())
      continue;
    lines.fail(message, hint);
  }

  /// "(x,y)", then "0:(3,true)": its name is "x=3,y=true".
  void read_states() {
    TextLines lines(states_->name, states_->text);
    if (!lines.next_but(comment)) lines.fail("the line with the variables is missing");
    const std::vector<std::string_view> variables = values_in(lines, lines.line());
    std::vector<std::string> names;
    while (lines.next_but(comment)) {
      monitor_.check();
      const std::string_view line = lines.line();
      const std::size_t colon = std::min(line.find(':'), line.size());
      if (parse_index(line.substr(0, colon), num_states_) != names.size())
        lines.fail(fmt::format("expected is '{}:(…)': states come in order", names.size()));
      const std::vector<std::string_view> values =
          values_in(lines, line.substr(std::min(colon + 1, line.size())));
      if (values.size() != variables.size())
        lines.fail(
            fmt::format("there are {} values for {} variables", values.size(), variables.size()));
      std::string name;
      for (std::size_t i = 0; i < values.size(); ++i)
        name += fmt::format("{}{}={}", i == 0 ? "" : ",", variables[i], values[i]);
      names.push_back(std::move(name));
    }
    if (names.size() != num_states_)
      lines.fail(
          fmt::format("there are {} states, but the model has {}", names.size(), num_states_));
    lines.here([&] { model_->name_states(names); });
  }

  static std::vector<std::string_view> values_in(const TextLines& lines, std::string_view text) {
    if (!text.starts_with("(") || !text.ends_with(")") || text.size() < 2)
      lines.fail("expected is a list in parentheses");
    text = text.substr(1, text.size() - 2);
    std::vector<std::string_view> values;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      values.push_back(text.substr(begin, comma - begin));
      begin = comma + 1;
    }
    return values;
  }

  /// `0="init" 1="goal"`, then "3: 0 1".
  void read_labels() {
    TextLines lines(labels_->name, labels_->text);
    if (!lines.next_but(comment)) lines.fail("the line with the names of the labels is missing");
    std::vector<std::string> names;
    while (!lines.rest().empty()) {
      const std::string_view rest = lines.rest();
      const std::size_t open = rest.find('"');
      const std::size_t close = rest.find('"', std::min(open, rest.size() - 1) + 1);
      if (close == std::string_view::npos || open == 0 || rest[open - 1] != '=' ||
          parse_index(rest.substr(0, open - 1), most_ids) != names.size())
        lines.fail_at(rest, fmt::format("expected is {}=\"a name\"", names.size()));
      names.emplace_back(rest.substr(open + 1, close - open - 1));
      lines.take(close + 1);
      lines.here([&] { model_->declare_label(names.back()); });
    }
    while (lines.next_but(comment)) {
      monitor_.check();
      std::string_view word = lines.word();
      if (!word.ends_with(":")) lines.fail_at(word, "expected is a state and a colon");
      word.remove_suffix(1);
      const auto state = parse_index(word, num_states_);
      if (!state) lines.fail_at(word, fmt::format("there is no state '{}'", shown(word)));
      while (!lines.rest().empty())
        model_->add_label(names[lines.index("label", names.size())], *state);
    }
  }

  /// Where the labels say nothing of it, PRISM begins in state 0.
  std::uint64_t initial_state() const {
    const std::vector<std::uint32_t>* const initial = model_->find_label("init");
    if (initial == nullptr) return 0;
    if (initial->size() == 1) return initial->front();
    throw InputError(
        SourcePosition{labels_->name, 0, 0}, "",
        fmt::format("{} states have the label 'init', but one is expected", initial->size()));
  }

  const LoadOptions& options_;
  Monitor& monitor_;
  const ModelText* transitions_ = nullptr;
  const ModelText* states_ = nullptr;
  const ModelText* labels_ = nullptr;
  std::vector<std::pair<std::string, RewardFiles>> rewards_;  // with the name of their files

  bool is_chain_ = false;
  std::uint64_t num_states_ = 0;
  std::vector<Row> rows_;                                // of .tra, in order
  std::vector<std::vector<double>> state_rewards_;       // by reward
  std::vector<std::vector<double>> transition_rewards_;  // by reward, like rows_; or empty
  std::optional<TextModel> model_;
};

}  // namespace

std::shared_ptr<Model> read_prism_explicit(const std::vector<ModelText>& texts,
                                           const LoadOptions& options, Monitor& monitor) {
  return PrismReader(texts, options, monitor).read();
}

std::shared_ptr<Model> read_prism_explicit_files(const std::string& path,
                                                 const LoadOptions& options, Monitor& monitor,
                                                 LoadTimes& times) {
  const PhaseTimer timer(times.parse);
  std::vector<ModelText> texts{{path, read_text(path, monitor)}};
  const auto add_if_there = [&](const std::string& name) {
    if (!std::filesystem::is_regular_file(name)) return false;
    texts.push_back({name, read_text(name, monitor)});
    return true;
  };
  if (path.ends_with(".tra")) {
    const std::string stem(without_ending(path));
    for (const char* const ending : {".sta", ".lab", ".srew", ".trew"})
      add_if_there(stem + ending);
    bool more = true;
    for (std::size_t n = 1; more && texts.size() < most_prism_files; ++n) {
      more = add_if_there(fmt::format("{}{}.srew", stem, n));
      more |= add_if_there(fmt::format("{}{}.trew", stem, n));
    }
  }
  return read_prism_explicit(texts, options, monitor);
}

}  // namespace carl::io
