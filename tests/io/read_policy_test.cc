#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string scratch_file(const std::string& text) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  std::string path = ::testing::TempDir() + "carl-read-policy-" + test->name() + ".json";
  std::ofstream(path) << text;
  return path;
}

Policy reread(Cssp& cssp, const std::string& text) {
  Monitor monitor;
  return resolve_policy(cssp, read_policy(scratch_file(text), monitor), monitor);
}

/// Written and read back, a policy is the same, in terms of a fresh problem.
void expect_round_trip(const std::function<std::shared_ptr<Model>()>& make, std::size_t& read) {
  Cssp cssp(make());
  Monitor monitor;
  const Solution solution = solve(cssp, {}, monitor);
  if (!solution.costs) return;
  std::ostringstream text;
  write_policy(cssp, solution.policy, text);
  Cssp fresh(make());
  const Policy again = reread(fresh, text.str());
  ASSERT_EQ(again.size(), solution.policy.size());
  // Both are in breadth-first order, so the text is the same if everything is.
  std::ostringstream second;
  write_policy(fresh, again, second);
  EXPECT_EQ(second.str(), text.str());
  ++read;
}

TEST(ReadPolicy, RandomPoliciesReadBackExactly) {
  std::size_t read = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(500); ++seed) {
    SCOPED_TRACE(seed);
    expect_round_trip(
        [&] { return testing::random_model(seed, testing::random_options(seed, 12)); }, read);
    expect_round_trip([&] { return testing::random_task(seed); }, read);
    if (HasFailure()) break;
  }
  EXPECT_GT(read, testing::scaled(500));
}

class ReadPolicyError : public ::testing::Test {
 protected:
  ReadPolicyError() {
    ExplicitBuilder builder({{"time"}, {}, {}});
    builder.add_action("a", "go", {1}, {{0.5, "g"}, {0.5, "b"}});
    builder.add_action("b", "go", {1}, {{1, "g"}});
    builder.add_goal(builder.state("g"));
    cssp_ = std::make_unique<Cssp>(builder.build(builder.state("a")));
  }

  /// Of a file with these states.
  std::string complaint(const std::string& states, const std::string& head = default_head) {
    try {
      reread(*cssp_, head + ", \"states\": [" + states + "] }");
    } catch (const InputError& error) {
      return error.message();
    }
    return "fine";
  }

  static constexpr const char* default_head =
      R"({ "format": "carl-policy", "version": 1, "costs": ["time"])";
  static constexpr const char* a =
      R"({ "state": "a", "visits": 1, "actions": [{ "name": "go", "probability": 1 }] })";
  static constexpr const char* b =
      R"({ "state": "b", "visits": 0.5, "actions": [{ "name": "go", "probability": 1 }] })";
  std::unique_ptr<Cssp> cssp_;
};

TEST_F(ReadPolicyError, EachInItsWords) {
  const std::string both = std::string(a) + ", " + b;
  EXPECT_EQ(complaint(both), "fine");
  EXPECT_EQ(complaint(both + ", " + a),
            "this is no policy of the problem: states: a: is listed twice");
  EXPECT_EQ(
      complaint(R"({ "state": "a", "visits": 1, "actions": [{ "name": "x", "probability": 1 }] })"),
      "this is no policy of the problem: actions: a: x cannot be done here; expected: one of go; "
      "found: x");
  EXPECT_EQ(complaint(R"({ "state": "a", "visits": 1 })"),
            "at states[0]: the key \"actions\" is missing");
  EXPECT_EQ(complaint(both, R"({ "format": "cssp", "version": 1, "costs": ["time"])"),
            "at format: the format is \"cssp\", not \"carl-policy\"");
  EXPECT_EQ(complaint(both, R"({ "format": "carl-policy", "version": 2, "costs": ["time"])"),
            "at version: version 2 is unknown, only 1 is");
  EXPECT_EQ(complaint(both, R"({ "format": "carl-policy", "version": 1, "costs": ["fuel"])"),
            "this is no policy of the problem: costs: the policy is about other costs than the "
            "model; expected: time; found: fuel");
  EXPECT_THAT(complaint(both, R"({ "format": "carl-policy", "oops": 1)"), HasSubstr("unknown key"));
}

TEST(ReadPolicy, FactsAreInParentheses) {
  const auto complaint = [](const std::string& fact) {
    Monitor monitor;
    try {
      read_policy_text("p.json",
                       R"({ "format": "carl-policy", "version": 1, "costs": ["time"], "states": [
          { "state": [")" + fact +
                           R"("], "actions": [{ "name": "a", "probability": 1 }] } ] })",
                       monitor);
    } catch (const InputError& error) {
      return error.message() + " | " + error.hint();
    }
    return std::string("fine");
  };
  EXPECT_EQ(complaint("(at home)"), "fine");
  EXPECT_EQ(complaint("x=3"), "fine");  // of a PRISM model
  for (const std::string fact :
       {"at home", "(a) (b)", "(a)b", "((a)", ")", "", "=3", "x=", "(x=3", "a b=3"})
    EXPECT_THAT(complaint(fact),
                EndsWith("'" + fact + "' is not a fact | write it as in the problem: (at home)"));
}

}  // namespace
}  // namespace carl
