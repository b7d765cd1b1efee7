// carl act: a policy that answers. A line of standard input is a state, a line of standard output
// what to do there, at once, so that a program at the other end can go on.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "carl/act.h"
#include "carl/error.h"
#include "carl/io.h"
#include "commands.h"
#include "flags.h"
#include "output.h"

namespace carl::app {
namespace {

struct ActCommand {
  std::string policy;
  ActOptions options;
  bool json = false;
};

// No state is longer than this; what is longer is no text.
constexpr std::size_t longest_line = 16'000'000;

/// Lines of standard input, as they come.
class Lines {
 public:
  explicit Lines(const std::atomic<bool>& interrupt) : interrupt_(interrupt) {}

  /// The next line without its end; nothing at the end of the input.
  std::optional<std::string_view> next() {
    line_.clear();
    too_long_ = false;
    bool some = false;
    while (true) {
      if (at_ == size_ && !fill()) {
        if (!some) return std::nullopt;
        break;
      }
      some = true;
      const std::string_view rest(buffer_ + at_, size_ - at_);
      const std::size_t end = rest.find('\n');
      append(rest.substr(0, end));
      at_ += end == std::string_view::npos ? rest.size() : end + 1;
      if (end != std::string_view::npos) break;
    }
    return line_;
  }
  /// Of the line read last: it was cut off.
  bool too_long() const { return too_long_; }

 private:
  void append(std::string_view part) {
    if (line_.size() + part.size() > longest_line) too_long_ = true;
    if (!too_long_) line_ += part;
  }

  bool fill() {
    while (!interrupt_.load(std::memory_order_relaxed)) {
      const ssize_t count = read(STDIN_FILENO, buffer_, sizeof buffer_);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw InputError("cannot read from standard input");
      at_ = 0;
      size_ = static_cast<std::size_t>(count);
      return count > 0;
    }
    return false;
  }

  const std::atomic<bool>& interrupt_;
  char buffer_[1 << 16];
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  std::string line_;
  bool too_long_ = false;
};

int run(const ActCommand& command, const std::atomic<bool>& interrupt) {
  if (command.policy == "-")
    throw InputError("standard input ('-') has the states, so that it cannot be the policy");
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &interrupt);
  Actor actor(read_policy(command.policy, monitor), command.options);
  Lines lines(interrupt);
  std::size_t number = 0;
  bool all_well = true;
  while (const auto line = lines.next()) {
    ++number;
    ActAnswer answer = actor.answer(lines.too_long() ? std::string_view() : *line);
    if (lines.too_long())
      answer = {ActAnswer::Kind::error, fmt::format("longer than {} bytes", longest_line)};
    answer.hint = with_flags(answer.hint);
    if (answer.kind == ActAnswer::Kind::error) {
      all_well = false;
      answer.text.insert(0, fmt::format("line {}: ", number));
      if (!command.json && !answer.hint.empty())
        remark(fmt::format("line {}: hint: {}\n", number, answer.hint));
    }
    show("{}\n", command.json ? to_json_line(answer) : to_line(answer));
    if (!standard_output_has_reader()) break;
  }
  if (interrupt.load(std::memory_order_relaxed)) return exit_limit;
  return all_well ? exit_ok : exit_bad_input;
}

}  // namespace

void add_act(CommandLine& line, const std::atomic<bool>& interrupt) {
  auto command = std::make_shared<ActCommand>();
  Command sub = line.add_command(
      "act", "Follow a policy: read a state per line, answer with an action per line");
  sub.option("POLICY", command->policy, "The policy, as carl solve --policy writes it")
      .required()
      .type_name("FILE");
  sub.option("--seed", command->options.seed, "Of random choices")
      .check(whole_number())
      .type_name("NUMBER")
      .show_default();
  sub.flag("--ignore-unknown-facts", command->options.ignore_unknown_facts,
           "Leave out facts that the policy does not know, instead of an error");
  sub.flag("--json", command->json, "Answers as JSON, one object per line");
  sub.footer(
      "A state is the facts that hold, as in (at depot) (wet), or a JSON list of them; of an "
      "explicit\n"
      "model its name. An answer is the name of an action, 'goal' where nothing is left to do, or\n"
      "'error: …' for a line that is no state that the policy knows; lines after it are answered "
      "all\n"
      "the same.\n\n"
      "Example:\n"
      "  carl solve domain.pddl problem.pddl --policy policy.json --policy-all\n"
      "  echo '(at depot) (wet)' | carl act policy.json\n\n"
      "Exit status: 0, or 2 if a line was an error, 3 if it was interrupted.");
  sub.on_run([command, &interrupt] { return run(*command, interrupt); });
}

}  // namespace carl::app
