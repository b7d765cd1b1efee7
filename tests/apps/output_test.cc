// What a command writes is written whole or not at all, and never silently lost.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/run.h"

namespace carl::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

/// A folder of this test's own, empty.
std::string folder() {
  const std::string path = scratch("folder");
  fs::remove_all(path);
  fs::create_directory(path);
  return path + "/";
}

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

const char* const infeasible_bounds = " --bound effort=1 --bound price=1 ";

/// Every form in which a command writes to standard output.
std::vector<std::string> forms() {
  const std::string model = example("getting-to-work");
  const std::string policy = scratch("policy.json");
  const std::string result = scratch("result.json");
  const std::string certificate = scratch("certificate.json");
  EXPECT_EQ(carl("solve -q " + model + " --policy " + policy + " --json " + result +
                 " --certificate " + certificate)
                .status,
            0);
  return {"--help",
          "--version",
          "help",
          "help solve",
          "solve --help",
          "solve " + model,
          "solve --verbose " + model,
          "solve --json - " + model,
          "solve --policy - " + model,
          "solve --json /dev/stdout " + model,
          "solve" + std::string(infeasible_bounds) + model,
          "check " + model + " " + policy,
          "check --json - " + model + " " + policy,
          "solve --certificate - " + model,
          "check " + model + " --certificate " + certificate,
          "check --json - " + model + " --certificate " + certificate,
          "simulate --runs 10 " + model + " " + policy,
          "simulate --runs 10 --trace " + model + " " + policy,
          "simulate --runs 10 --json - " + model + " " + policy,
          "sweep --bound price=5:20:5 " + model,
          "sweep --bound price=5:20:5 --json - " + model,
          "sweep --bound price=5:20:5 --csv - " + model,
          "sweep --bound price=5:20:5 --plot - " + model,
          "report -o - " + model,
          "report -o - --policy " + policy + " --result " + result + " " + model,
          "info " + model,
          "convert --format json -o - " + model,
          "convert --format lp -o - " + model,
          "generate sar --param n=3 --param d=2",
          "generate sar --param n=3 --param d=2 --domain -  -o " + scratch("problem.pddl")};
}

TEST(StandardOutput, AFullDiskIsAnError) {
  for (const std::string& form : forms()) {
    const Execution run = shell("CARL " + form + " >/dev/full");
    EXPECT_EQ(run.status, 2) << form;
    EXPECT_EQ(run.err, "error: cannot write standard output: No space left on device\n") << form;
  }
}

TEST(StandardOutput, AClosedOneIsAnError) {
  const Execution run = shell("CARL solve " + example("getting-to-work") + " >&-");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "error: cannot write standard output: Bad file descriptor\n");
  // A file that is opened must not take its place.
  const std::string result = scratch("result.json");
  EXPECT_EQ(
      shell("CARL solve -q --json " + result + " " + example("getting-to-work") + " >&-").status,
      0);
  EXPECT_EQ(Json::parse(read_text(result))["status"], "optimal");
}

TEST(StandardOutput, APipeWithoutReaderIsQuietAndKeepsTheStatus) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  for (const std::string& form : forms()) {
    const Execution run = shell("CARL " + form + " >&" + std::to_string(ends[1]));
    EXPECT_EQ(run.status, form.find(infeasible_bounds) == std::string::npos ? 0 : 10) << form;
    EXPECT_EQ(run.err, "") << form;
  }
  // What goes to files is written all the same.
  const std::string policy = scratch("after.json");
  fs::remove(policy);
  EXPECT_EQ(shell("CARL solve --json - --policy " + policy + " " + example("getting-to-work") +
                  " >&" + std::to_string(ends[1]))
                .status,
            0);
  EXPECT_EQ(Json::parse(read_text(policy))["format"], "carl-policy");
  // And nobody simulates for nobody.
  EXPECT_EQ(shell("CARL simulate --trace --runs 1000000 --max-steps 1000 " +
                  example("getting-to-work") + " " + policy + " >&" + std::to_string(ends[1]))
                .status,
            0);
  ::close(ends[1]);
}

TEST(StandardOutput, AFullStandardErrorIsNobodysProblem) {
  EXPECT_EQ(shell("CARL solve no-such-file.json 2>/dev/full").status, 2);
  EXPECT_EQ(
      shell("CARL solve --progress always " + example("getting-to-work") + " 2>/dev/full").status,
      0);
}

TEST(OutputFiles, AFailureLeavesWhatWasThere) {
  const std::string place = folder();
  for (const char* name : {"result.json", "policy.json", "part-1.json"})
    std::ofstream(place + name) << "old\n";
  // No file may have more than 512 bytes (1024 in some shells).
  const Execution run =
      shell("ulimit -f 1; CARL solve " + example("drone-delivery") + " --json " + place +
            "result.json --policy " + place + "policy.json --mixture " + place + "part >/dev/null");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err,
              HasSubstr("error: cannot write '" + place + "result.json': File too large\n"));
  EXPECT_EQ(read_text(place + "result.json"), "old\n");
  EXPECT_EQ(read_text(place + "policy.json"), "old\n");
  EXPECT_THAT(run.err,
              HasSubstr("note: " + place +
                        "result.json was not written; it still holds what was there before\n"));
  EXPECT_EQ(names_in(place),
            (std::vector<std::string>{"part-1.json", "policy.json", "result.json"}));
  // A file that was not there is not there afterwards.
  EXPECT_EQ(
      shell("ulimit -f 1; CARL convert " + example("drone-delivery") + " -o " + place + "new.json")
          .status,
      2);
  EXPECT_EQ(names_in(place).size(), 3U);
}

TEST(OutputFiles, ALimitLeavesWhatWasThere) {
  const std::string place = folder();
  std::ofstream(place + "model.json") << "old\n";
  const Execution run =
      carl("convert --time-limit 0 " + example("drone-delivery") + " -o " + place + "model.json");
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.err, "note: " + place +
                         "model.json was not written; it still holds what was there before\n"
                         "carl: the time limit was reached before there was anything to report\n");
  EXPECT_EQ(read_text(place + "model.json"), "old\n");
  EXPECT_EQ(names_in(place).size(), 1U);
}

TEST(OutputFiles, KeepTheirModeAndLinks) {
  const std::string place = folder();
  std::ofstream(place + "result.json") << "old\n";
  fs::permissions(place + "result.json", fs::perms(0640));
  fs::create_symlink("result.json", place + "link.json");
  ASSERT_EQ(carl("solve -q --json " + place + "link.json " + example("getting-to-work")).status, 0);
  EXPECT_TRUE(fs::is_symlink(place + "link.json"));
  EXPECT_EQ(Json::parse(read_text(place + "result.json"))["status"], "optimal");
  EXPECT_EQ(fs::status(place + "result.json").permissions(), fs::perms(0640));
  ASSERT_EQ(shell("umask 027; CARL generate sar -o " + place + "new.pddl").status, 0);
  EXPECT_EQ(fs::status(place + "new.pddl").permissions(), fs::perms(0640));
}

TEST(OutputFiles, DevicesAndPipesAreWrittenThrough) {
  const std::string model = example("getting-to-work");
  EXPECT_EQ(carl("solve -q --json /dev/null --policy /dev/null " + model).status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const Execution full = carl("solve -q --json /dev/full " + model);
  EXPECT_EQ(full.status, 2);
  EXPECT_EQ(full.err, "error: cannot write '/dev/full': No space left on device\n");
  EXPECT_EQ(Json::parse(carl("solve --json /dev/stdout " + model).out)["status"], "optimal");
  EXPECT_EQ(Json::parse(shell("CARL solve -q --json /dev/fd/3 " + model + " 3>&1").out)["status"],
            "optimal");
  // Appended to what standard output holds, not in its place.
  const std::string log = write_scratch("log", "first\n");
  ASSERT_EQ(shell("CARL solve --json /dev/stdout " + model + " >>" + log).status, 0);
  EXPECT_THAT(read_text(log), StartsWith("first\n{"));
  const std::string fifo = scratch("fifo");
  fs::remove(fifo);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const Execution piped =
      shell("cat " + fifo + " & CARL solve -q --json " + fifo + " " + model + "; wait");
  EXPECT_EQ(Json::parse(piped.out)["status"], "optimal");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST(OutputFiles, EachHasANameOfItsOwn) {
  const std::string place = folder();
  const std::string model = example("pathological");
  const std::string x = place + "x.json";
  const auto refused = [&](const std::string& outputs, const std::string& message) {
    const Execution run = carl("solve " + model + " " + outputs);
    EXPECT_EQ(run.status, 2) << outputs;
    EXPECT_EQ(run.err, "error: " + message + "\n  hint: give each output a name of its own\n");
    EXPECT_EQ(run.out, "");
  };
  const std::string dotted = place + "./x.json";
  refused("--json " + x + " --policy " + x, "--policy " + x + ": the same file as --json " + x);
  refused("--json " + x + " --policy " + dotted,
          "--policy " + dotted + ": the same file as --json " + x);
  fs::create_symlink("x.json", place + "symbolic");  // to a file that is not there
  refused("--json " + x + " --policy " + place + "symbolic",
          "--policy " + place + "symbolic: the same file as --json " + x);
  EXPECT_EQ(names_in(place), (std::vector<std::string>{"symbolic"}));
  std::ofstream(x) << "old\n";
  fs::create_hard_link(x, place + "hard");
  refused("--json " + x + " --policy " + place + "hard",
          "--policy " + place + "hard: the same file as --json " + x);
  refused("--json - --policy /dev/stdout", "--policy /dev/stdout: the same file as --json -");
  fs::create_symlink("x.json", place + "p-1.json");
  refused("--json " + x + " --mixture " + place + "p",
          "--mixture " + place + "p-1.json: the same file as --json " + x);
  EXPECT_EQ(read_text(x), "old\n");
}

TEST(OutputFiles, NoneIsAnInput) {
  const std::string model = write_scratch("model.json", read_text(example("pathological")));
  const std::string policy = scratch("policy.json");
  const std::string result = scratch("result.json");
  ASSERT_EQ(carl("solve -q " + model + " --policy " + policy + " --json " + result).status, 0);
  const std::string before = read_text(model);
  const auto refused = [&](const std::string& command, const std::string& output) {
    const Execution run = shell("CARL " + command);
    EXPECT_EQ(run.status, 2) << command;
    EXPECT_EQ(run.err, "error: " + output +
                           ": this file is an input\n  hint: give the output a name of its own\n");
  };
  refused("solve " + model + " --json " + model, "--json " + model);
  refused("solve " + model + " --policy " + model, "--policy " + model);
  refused("solve - --policy " + model + " <" + model, "--policy " + model);
  refused("convert " + model + " -o " + model, "--output " + model);
  refused("check " + model + " " + policy + " --json " + policy, "--json " + policy);
  refused("check " + model + " " + policy + " --result " + result + " --json " + result,
          "--json " + result);
  refused("simulate " + model + " " + policy + " --json " + policy, "--json " + policy);
  refused("report " + model + " -o " + model, "--output " + model);
  EXPECT_EQ(read_text(model), before);
  const Execution own = shell("CARL solve " + model + " --json " + result + " >" + result);
  EXPECT_EQ(own.status, 2);
  EXPECT_EQ(own.err, "error: --json " + result +
                         ": standard output goes to this file\n"
                         "  hint: give the output a name of its own\n");
}

TEST(OutputFiles, APolicyOfAnEarlierRunIsMentioned) {
  const std::string place = folder();
  const std::string policy = place + "policy.json";
  const std::string model = example("getting-to-work");
  const std::string command = "solve -q --policy " + policy + " --mixture " + place + "part ";
  const Execution none = carl(command + infeasible_bounds + model);
  EXPECT_EQ(none.status, 10);
  EXPECT_EQ(none.err, "");  // there is nothing that could be mistaken for its policy
  ASSERT_EQ(carl(command + model).status, 0);
  const std::string before = read_text(policy);
  const Execution stale = carl(command + infeasible_bounds + model);
  EXPECT_EQ(stale.status, 10);
  const std::string rest = " was not written; it still holds what was there before\n";
  EXPECT_EQ(stale.err, "note: " + policy + rest + "note: " + place + "part-1.json" + rest +
                           "note: " + place + "part-2.json" + rest);
  EXPECT_EQ(read_text(policy), before);
}

TEST(OutputFiles, WrongNamesAreFoundBeforeTheWork) {
  // The model does not exist: had it been read first, that would be the message.
  EXPECT_EQ(carl("solve no-such-model.json --json /no/such/folder/x").err,
            "error: cannot write '/no/such/folder/x': No such file or directory\n");
  EXPECT_EQ(carl("sweep --bound a=1:2 no-such-model.json --csv /").err,
            "error: cannot write '/': Is a directory\n");
}

}  // namespace
}  // namespace carl::testing
