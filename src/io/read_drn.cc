// The header says how many states there are and which rewards; then states come in order, each with
// its actions, each with its outcomes, a line for everything:
//
//   state 0 [0, 1] init "two words"
//     action fly [2, 0]
//       1 : 0.9
//       2 : 0.1
#include "io/read_drn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "io/text_lines.h"
#include "io/text_model.h"
#include "util/shown.h"

namespace carl::io {
namespace {

constexpr std::uint64_t most_ids = 4294967294;
constexpr std::string_view comment = "//";
constexpr std::string_view no_name = "__NOLABEL__";

class DrnReader {
 public:
  DrnReader(const std::string& name, std::string_view text, const LoadOptions& options,
            Monitor& monitor)
      : lines_(name, text), options_(options), monitor_(monitor) {}

  std::shared_ptr<Model> read() {
    lines_.require_utf8();
    read_header();
    model_.emplace(*num_states_, rewards_, options_);
    bool more = lines_.next_but(comment);
    std::uint64_t state = 0;
    for (; more; ++state) {
      monitor_.check();
      more = read_state(state);
    }
    if (state != *num_states_)
      lines_.fail(fmt::format("the text ends after {} states, but the header says {}", state,
                              *num_states_));
    if (num_choices_ && *num_choices_ != choices_)
      lines_.fail(
          fmt::format("there are {} choices, but the header says {}", choices_, *num_choices_));
    return model_->build(initial_state());
  }

 private:
  // ---- the header

  void read_header() {
    while (std::exchange(is_key_, false) || lines_.next_but(comment)) {
      const std::string_view key = lines_.word();
      if (key == "@model") {
        require_header();
        return;
      }
      read_key(key);
    }
    lines_.fail("the line '@model' is missing", "a DRN file has a header and then the model");
  }

  void read_key(std::string_view key) {
    if (key == "@type:") {
      read_type();
    } else if (key == "@value_type:") {
      const std::string_view type = lines_.word();
      if (type != "double" && type != "rational")
        lines_.fail_at(
            type, fmt::format("models with values of the type '{}' are not solved", shown(type)),
            "double and rational are read");
    } else if (key == "@parameters") {
      if (next_line() && !lines_.line().empty())
        lines_.fail("parametric models are not solved", "give every parameter a value first");
    } else if (key == "@placeholders") {
      read_placeholders();
    } else if (key == "@reward_models") {
      if (next_line())
        for (std::string_view name = lines_.word(); !name.empty(); name = lines_.word()) {
          if (std::find(rewards_.begin(), rewards_.end(), name) != rewards_.end())
            lines_.fail_at(name, fmt::format("there are two rewards named '{}'", shown(name)));
          rewards_.emplace_back(name);
        }
    } else if (key == "@nr_states") {
      next_line();
      num_states_ = lines_.index("number of states", most_ids);
    } else if (key == "@nr_choices") {
      next_line();
      num_choices_ = lines_.index("number of choices", most_ids);
    } else {
      lines_.fail_at(key, fmt::format("'{}' is not known here", shown(key)),
                     "expected is @type:, @parameters, @reward_models, @nr_states, @nr_choices or "
                     "@model");
    }
  }

  /// That of the value of a key, which may be blank.
  bool next_line() { return lines_.next(); }

  void read_type() {
    const std::string_view type = lines_.word();
    std::string upper(type);
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (upper != "MDP" && upper != "DTMC")
      lines_.fail_at(type, fmt::format("models of the type '{}' are not solved", shown(type)),
                     "MDP and DTMC are");
    has_type_ = true;
  }

  /// "$name : value", until the next key.
  void read_placeholders() {
    while (lines_.next_but(comment)) {
      is_key_ = lines_.line().starts_with("@");
      if (is_key_) return;
      const std::string_view name = lines_.word();
      if (!name.starts_with("$") || lines_.word() != ":")
        lines_.fail_at(name, "expected is a placeholder, as in '$name : value'");
      placeholders_[std::string(name)] = value(lines_.word(), "value");
    }
  }

  void require_header() const {
    if (!has_type_) lines_.fail("the line '@type: MDP' or '@type: DTMC' is missing before this");
    if (!num_states_) lines_.fail("the line '@nr_states' is missing before this");
    if (*num_states_ == 0) lines_.fail("there are no states");
  }

  // ---- the model

  double value(std::string_view word, const char* what) const {
    if (word.starts_with("$")) {
      const auto found = placeholders_.find(word);
      if (found == placeholders_.end())
        lines_.fail_at(word, fmt::format("there is no placeholder '{}'", shown(word)));
      return found->second;
    }
    if (word.empty()) lines_.fail_at(word, fmt::format("the {} is missing", what));
    return lines_.value_of(word, what);
  }

  /// Its line is the current one; goes to the line after its last outcome. False at the end.
  bool read_state(std::uint64_t number) {
    const std::string_view word = lines_.word();
    if (word != "state") lines_.fail_at(word, fmt::format("expected is 'state {}'", number));
    if (lines_.index("number of the state", *num_states_) != number)
      lines_.fail(fmt::format("expected is 'state {}': states come in order", number));
    model_->begin_state(number);
    const std::string_view next = lines_.rest();
    if (next.starts_with("!")) lines_.fail_at(next, "models with continuous time are not solved");
    if (next.starts_with("{")) lines_.fail_at(next, "partially observable models are not solved");
    read_rewards(state_rewards_);
    while (!lines_.rest().empty())
      add_label(read_label(), number);
    bool more = lines_.next_but(comment);
    while (more && !is_state())
      more = read_action();
    return more;
  }

  bool is_state() const { return lines_.line().starts_with("state "); }
  bool is_action() const {
    return lines_.line().starts_with("action ") || lines_.line() == "action";
  }

  void add_label(std::string_view name, std::uint64_t state) {
    lines_.here([&] { model_->add_label(name, state); });
  }

  std::string_view read_label() {
    const std::string_view rest = lines_.rest();
    if (!rest.starts_with("\"")) return lines_.word();
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) lines_.fail_at(rest, "the quotation mark is not closed");
    return lines_.take(end + 1).substr(1, end - 1);
  }

  /// "[1, 0.5]"; all zero if it is not there.
  void read_rewards(std::vector<double>& rewards) {
    rewards.assign(rewards_.size(), 0.0);
    const std::string_view rest = lines_.rest();
    if (!rest.starts_with("[")) return;
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) lines_.fail_at(rest, "the bracket is not closed");
    std::string_view list = lines_.take(end + 1).substr(1, end - 1);
    std::size_t count = 0;
    while (!list.empty() || count < rewards.size()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      std::string_view word = list.substr(0, comma);
      while (!word.empty() && std::isspace(static_cast<unsigned char>(word.front())) != 0)
        word.remove_prefix(1);
      while (!word.empty() && std::isspace(static_cast<unsigned char>(word.back())) != 0)
        word.remove_suffix(1);
      if (count == rewards.size())
        lines_.fail_at(
            rest, fmt::format("there are more rewards than the {} of the header", rewards.size()));
      rewards[count++] = value(word, "reward");
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
  }

  /// Goes to the line after its last outcome. The line of the action may be missing.
  bool read_action() {
    std::string_view name;
    action_rewards_.assign(rewards_.size(), 0.0);
    bool more = true;
    const TextLines begin = lines_;
    if (is_action()) {
      lines_.word();
      name = lines_.word();
      read_rewards(action_rewards_);
      lines_.expect_end();
      more = lines_.next_but(comment);
    }
    while (more && !is_state() && !is_action()) {
      monitor_.check();
      const std::uint64_t target = lines_.index("number of the target", *num_states_);
      if (const std::string_view colon = lines_.word(); colon != ":")
        lines_.fail_at(colon, "expected is ':' and a probability");
      const std::string_view word = lines_.rest().starts_with("[") ? lines_.rest() : lines_.word();
      const double probability = value(word, "probability");
      lines_.expect_end();
      model_->add_outcome(probability, target);
      more = lines_.next_but(comment);
    }
    for (std::size_t i = 0; i < action_rewards_.size(); ++i)
      action_rewards_[i] += state_rewards_[i];
    begin.here([&] { model_->add_choice(name == no_name ? "" : name, action_rewards_); });
    ++choices_;
    return more;
  }

  std::uint64_t initial_state() const {
    const std::vector<std::uint32_t>* const initial = model_->find_label("init");
    const std::size_t number = initial != nullptr ? initial->size() : 0;
    if (number != 1)
      lines_.fail(fmt::format("{} states have the label 'init', but one is expected", number));
    return initial->front();
  }

  TextLines lines_;
  const LoadOptions& options_;
  Monitor& monitor_;
  bool is_key_ = false;  // the current line is the next one of the header
  bool has_type_ = false;
  std::vector<std::string> rewards_;
  std::optional<std::uint64_t> num_states_;
  std::optional<std::uint64_t> num_choices_;
  std::map<std::string, double, std::less<>> placeholders_;

  std::optional<TextModel> model_;
  std::uint64_t choices_ = 0;
  std::vector<double> state_rewards_;
  std::vector<double> action_rewards_;
};

}  // namespace

bool looks_like_drn(std::string_view text) {
  const std::string name;
  TextLines lines(name, text.substr(0, 4096));
  return lines.next_but(comment) && lines.line().starts_with("@");
}

std::shared_ptr<Model> read_drn(const std::string& name, std::string_view text,
                                const LoadOptions& options, Monitor& monitor) {
  return DrnReader(name, text, options, monitor).read();
}

}  // namespace carl::io
