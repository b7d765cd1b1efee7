// Every system call that can lose data fails in turn, memory runs out and signals arrive at every
// point: a command ends with a message and an exit status of its own, and its files hold the old
// text or the new one, whole. faults.c makes the faults.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/run.h"

namespace carl::testing {
namespace {

namespace fs = std::filesystem;

const char* const old_text = "old\n";

/// A command that stops where it begins and runs a copy of itself for every fault it is given.
class FaultyCommand {
 public:
  struct Answer {
    int status = 0;  // of wait()
    int reached = 0;
  };

  /// `arguments` are separated by spaces; FOLDER in them is a folder of this test's own, in which
  /// the files `outputs` hold an old text whenever a run begins.
  FaultyCommand(std::string arguments, std::vector<std::string> outputs)
      : folder_(scratch("folder") + "/"),
        messages_(scratch("messages")),
        arguments_(std::move(arguments)),
        outputs_(std::move(outputs)) {
    for (std::size_t at = 0; (at = arguments_.find("FOLDER/", at)) != std::string::npos;)
      arguments_.replace(at, 7, folder_);
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~FaultyCommand() { stop(); }
  FaultyCommand(const FaultyCommand&) = delete;
  FaultyCommand& operator=(const FaultyCommand&) = delete;

  /// `error`: an errno, or a signal if below zero.
  void inject(const std::string& call, int error) {
    stop();
    call_ = call;
    error_ = error;
    int requests[2];
    int answers[2];
    ASSERT_EQ(::pipe2(requests, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(answers, O_CLOEXEC), 0);
    server_ = ::fork();
    if (server_ == 0) become_server(requests[0], answers[1]);
    ::close(requests[0]);
    ::close(answers[1]);
    requests_ = requests[1];
    answers_ = answers[0];
  }

  Answer run(int number) {
    for (const std::string& name : outputs_)
      std::ofstream(folder_ + name) << old_text;
    std::ofstream(messages_) << "";  // empties it
    Answer answer;
    EXPECT_EQ(::write(requests_, &number, sizeof number), sizeof number);
    EXPECT_EQ(::read(answers_, &answer, sizeof answer), sizeof answer);
    return answer;
  }

  std::string messages() const { return read_text(messages_); }
  bool has_new(const std::string& name) const { return read_text(folder_ + name) != old_text; }
  bool all_new() const {
    return std::all_of(outputs_.begin(), outputs_.end(),
                       [&](const std::string& name) { return has_new(name); });
  }

  /// The files are whole and there is nothing else.
  void expect_whole_files(int number) const {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename();
      EXPECT_THAT(outputs_, ::testing::Contains(name)) << where(number);
    }
    for (const std::string& name : outputs_)
      EXPECT_TRUE(!has_new(name) || is_whole(name)) << where(number) << ": " << name;
  }

  std::string where(int number) const {
    return arguments_ + ": call " + std::to_string(number) + " of " + call_ + ", error " +
           std::to_string(error_) + ":\n" + messages();
  }

 private:
  bool is_whole(const std::string& name) const {
    const std::string text = read_text(folder_ + name);
    if (name.ends_with(".json")) return nlohmann::json::accept(text);
    if (name.ends_with(".svg")) return text.ends_with("</svg>\n");
    if (name.ends_with(".html")) return text.find("</html>") != std::string::npos;
    if (name.ends_with(".lp")) return text.ends_with("End\n");
    return !text.empty() && text.back() == '\n';
  }

  [[noreturn]] void become_server(int requests, int answers) const {
    constexpr int server_requests = 198;  // as in faults.c
    constexpr int server_answers = 199;
    ::dup2(requests, server_requests);
    ::dup2(answers, server_answers);
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::dup2(::open(messages_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666), STDERR_FILENO);
    ::setenv("LD_PRELOAD", CARL_FAULTS, 1);
    ::setenv("CARL_FAULT_CALL", call_.c_str(), 1);
    ::setenv("CARL_FAULT_ERRNO", std::to_string(error_).c_str(), 1);
    std::vector<std::string> words{CARL_BINARY};
    std::istringstream in(arguments_);
    for (std::string word; in >> word;)
      words.push_back(word);
    std::vector<char*> pointers;
    for (std::string& word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(CARL_BINARY, pointers.data());
    ::_exit(127);
  }

  void stop() {
    if (server_ < 0) return;
    ::close(requests_);
    ::close(answers_);
    ::waitpid(server_, nullptr, 0);
    server_ = -1;
  }

  std::string folder_;
  std::string messages_;
  std::string arguments_;
  std::vector<std::string> outputs_;
  std::string call_;
  int error_ = 0;
  pid_t server_ = -1;
  int requests_ = -1;
  int answers_ = -1;
};

struct Command {
  std::string arguments;
  std::vector<std::string> outputs;
};

/// Every command that writes files, in a form that takes no time.
std::vector<Command> commands() {
  const std::string model = example("getting-to-work");
  const std::string policy = scratch("policy.json");
  EXPECT_EQ(carl("solve -q " + model + " --policy " + policy).status, 0);
  return {{"solve " + model + " --json FOLDER/r.json --policy FOLDER/p.json --mixture FOLDER/m",
           {"r.json", "p.json", "m-1.json", "m-2.json"}},
          {"sweep " + model +
               " --bound price=5:20:5 --json FOLDER/s.json --csv FOLDER/s.csv --plot FOLDER/s.svg",
           {"s.json", "s.csv", "s.svg"}},
          {"check " + model + " " + policy + " --json FOLDER/c.json", {"c.json"}},
          {"solve -q " + model + " --certificate FOLDER/c.json", {"c.json"}},
          {"simulate --runs 20 " + model + " " + policy + " --json FOLDER/s.json", {"s.json"}},
          {"report " + model + " -o FOLDER/page.html", {"page.html"}},
          {"convert " + model + " -o FOLDER/model.json", {"model.json"}},
          {"convert " + model + " -o FOLDER/model.lp", {"model.lp"}},
          {"generate sar --param n=3 --param d=2 -o FOLDER/p.pddl --domain FOLDER/d.pddl",
           {"p.pddl", "d.pddl"}}};
}

bool exited(const FaultyCommand::Answer& answer) {
  return WIFEXITED(answer.status);
}

/// More calls than any command makes: a loop that never ends is a failure, too.
constexpr int most_calls = 1000;

#ifdef CARL_SANITIZED
#define SKIP_WHERE_ALLOCATORS_ARE_REPLACED() \
  GTEST_SKIP() << "the sanitizers' own allocator does not go with a library that is preloaded"
#else
#define SKIP_WHERE_ALLOCATORS_ARE_REPLACED() static_cast<void>(0)
#endif

TEST(Faults, EverySystemCallFailsInTurn) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  for (const Command& command : commands()) {
    FaultyCommand faulty(command.arguments, command.outputs);
    for (const char* call :
         {"open", "read", "write", "fsync", "close", "linkat", "rename", "fchmod"}) {
      faulty.inject(call, EIO);
      int number = 1;
      for (; number < most_calls; ++number) {
        const FaultyCommand::Answer answer = faulty.run(number);
        ASSERT_TRUE(exited(answer)) << faulty.where(number);
        faulty.expect_whole_files(number);
        if (answer.reached == 0) {
          EXPECT_EQ(WEXITSTATUS(answer.status), 0) << faulty.where(number);
          EXPECT_EQ(faulty.messages(), "");
          EXPECT_TRUE(faulty.all_new());
          break;
        }
        // Closing what was only read or probed may fail without harm.
        if (std::string(call) == "close" && WEXITSTATUS(answer.status) == 0) {
          EXPECT_TRUE(faulty.all_new()) << faulty.where(number);
          continue;
        }
        EXPECT_EQ(WEXITSTATUS(answer.status), 2) << faulty.where(number);
        EXPECT_THAT(faulty.messages(), ::testing::ContainsRegex("error: cannot (read|write) .*: "
                                                                "Input/output error\n"))
            << faulty.where(number);
      }
      EXPECT_LT(number, most_calls);
      // Every output is made durable and put in its place.
      if (std::string(call) == "fsync" || std::string(call) == "rename") {
        EXPECT_GT(number, static_cast<int>(command.outputs.size())) << command.arguments << call;
      }
    }
  }
}

TEST(Faults, AFullDiskKeepsWhatWasThere) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  for (const Command& command : commands()) {
    FaultyCommand faulty(command.arguments, command.outputs);
    faulty.inject("write", ENOSPC);
    const FaultyCommand::Answer answer = faulty.run(-1);  // all of them
    ASSERT_TRUE(exited(answer));
    EXPECT_EQ(WEXITSTATUS(answer.status), 2);
    faulty.expect_whole_files(-1);
    for (const std::string& name : command.outputs)
      EXPECT_FALSE(faulty.has_new(name));
    EXPECT_THAT(faulty.messages(), ::testing::HasSubstr("No space left on device\n"));
  }
}

TEST(Faults, AFolderThatCannotBeWrittenTo) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  const Command command = commands()[6];
  FaultyCommand faulty(command.arguments, command.outputs);
  faulty.inject("linkat", EACCES);  // never called where the file is overwritten
  EXPECT_EQ(WEXITSTATUS(faulty.run(1).status), 2);
  faulty.inject("open", EACCES);
  std::vector<int> statuses;
  int in_place = 0;
  for (int number = 1; number < most_calls; ++number) {
    const FaultyCommand::Answer answer = faulty.run(number);
    ASSERT_TRUE(exited(answer)) << faulty.where(number);
    faulty.expect_whole_files(number);
    if (answer.reached == 0) break;
    if (WEXITSTATUS(answer.status) != 0) continue;
    EXPECT_TRUE(faulty.all_new());
    if (faulty.messages().empty()) continue;  // the probe
    EXPECT_THAT(faulty.messages(),
                ::testing::MatchesRegex(
                    "note: .*model.json was written in place: its folder cannot be written to\n"));
    ++in_place;
  }
  EXPECT_EQ(in_place, 1);
}

TEST(Faults, FileSystemsWithoutNamelessFiles) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  for (const Command& command : commands()) {
    FaultyCommand faulty(command.arguments, command.outputs);
    faulty.inject("open", EOPNOTSUPP);
    for (int number = 1; number < most_calls; ++number) {
      const FaultyCommand::Answer answer = faulty.run(number);
      ASSERT_TRUE(exited(answer)) << faulty.where(number);
      faulty.expect_whole_files(number);
      if (answer.reached == 0) break;
      if (WEXITSTATUS(answer.status) == 0)
        EXPECT_TRUE(faulty.all_new()) << faulty.where(number);
      else
        EXPECT_THAT(faulty.messages(), ::testing::HasSubstr("error: cannot read "));
    }
  }
}

/// Runs with a fault at each of the first calls, then at growing strides, to the last.
template <class Check>
void at_growing_strides(FaultyCommand& faulty, int each, int part, const Check& check) {
  for (int number = 1;; number += number < each ? 1 : std::max(1, number / part)) {
    const FaultyCommand::Answer answer = faulty.run(number);
    faulty.expect_whole_files(number);
    if (answer.reached == 0) return;
    check(number, answer);
    if (::testing::Test::HasFailure()) return;  // one is enough to look into
  }
}

void expect_designed_end(const FaultyCommand& faulty, int number,
                         const FaultyCommand::Answer& answer) {
  ASSERT_TRUE(exited(answer)) << faulty.where(number) << "signal " << WTERMSIG(answer.status);
  const int status = WEXITSTATUS(answer.status);
  if (status == 0) {  // it could do without
    EXPECT_TRUE(faulty.all_new()) << faulty.where(number);
    return;
  }
  EXPECT_EQ(status, 3) << faulty.where(number);
  EXPECT_THAT(faulty.messages(), ::testing::HasSubstr("error: out of memory\n  hint: "))
      << faulty.where(number);
}

TEST(Faults, MemoryRunsOutAtEveryPoint) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  const Command command = commands()[0];
  FaultyCommand faulty(command.arguments, command.outputs);
  faulty.inject("new", ENOMEM);
  at_growing_strides(faulty, 2000, 40, [&](int number, const FaultyCommand::Answer& answer) {
    expect_designed_end(faulty, number, answer);
  });
  // There is no more memory from then on.
  for (int number = 1; number < 100000; number += std::max(1, number / 4)) {
    const FaultyCommand::Answer answer = faulty.run(-number);
    if (answer.reached == 0) break;
    expect_designed_end(faulty, -number, answer);
  }
}

TEST(Faults, MemoryRunsOutInOtherAlgorithmsAndCommands) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  std::vector<Command> all = commands();
  for (const char* options : {"--algorithm lp", "--algorithm i-dual", "--algorithm i2-dual",
                              "--outer coordinate", "--threads 4 --algorithm lp"})
    all.push_back({"solve " + std::string(options) + " " + example("getting-to-work") +
                       " --policy FOLDER/p.json",
                   {"p.json"}});
  for (std::size_t i = 1; i < all.size(); ++i) {
    FaultyCommand faulty(all[i].arguments, all[i].outputs);
    faulty.inject("new", ENOMEM);
    at_growing_strides(faulty, 1, 12, [&](int number, const FaultyCommand::Answer& answer) {
      expect_designed_end(faulty, number, answer);
    });
  }
}

TEST(Interrupts, AtEveryPointLeaveWholeFiles) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  for (const Command& command : commands()) {
    FaultyCommand faulty(command.arguments, command.outputs);
    for (const int signal : {SIGINT, SIGTERM})
      for (const char* call :
           {"open", "read", "write", "fsync", "close", "linkat", "rename", "new"}) {
        faulty.inject(call, -signal);
        const bool many = std::string(call) == "new";
        at_growing_strides(faulty, many ? 1 : most_calls, 3,
                           [&](int number, const FaultyCommand::Answer& answer) {
                             ASSERT_TRUE(exited(answer)) << faulty.where(number);
                             const int status = WEXITSTATUS(answer.status);
                             EXPECT_TRUE(status == 0 || status == 3) << faulty.where(number);
                             EXPECT_TRUE(status != 0 || faulty.all_new()) << faulty.where(number);
                           });
      }
  }
}

TEST(Interrupts, ASecondOneEndsAtOnceAndLeavesNothingPartial) {
  SKIP_WHERE_ALLOCATORS_ARE_REPLACED();
  const Command command = commands()[0];
  FaultyCommand faulty(command.arguments, command.outputs);
  for (const char* call : {"open", "write", "fsync", "linkat", "rename"}) {
    faulty.inject(call, -SIGINT);
    for (int number = 1; number < most_calls; ++number) {
      const FaultyCommand::Answer answer = faulty.run(-number);  // and at every call after it
      if (std::string(call) != "rename") faulty.expect_whole_files(-number);
      if (answer.reached == 0) break;
    }
  }
}

TEST(Interrupts, EndTheWaitForInput) {
  // Waits until the program sleeps, which it does only when it waits for its input.
  const Execution run =
      shell("mkfifo " + scratch("pipe") + " 2>/dev/null; CARL solve - <>" + scratch("pipe") +
            " & pid=$!; until grep -q ') S ' /proc/$pid/stat; do sleep 0.01; done; "
            "kill -INT $pid; wait $pid");
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.err, "carl: interrupted before there was anything to report\n");
}

}  // namespace
}  // namespace carl::testing
