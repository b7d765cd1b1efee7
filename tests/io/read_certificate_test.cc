#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carl/error.h"
#include "carl/io.h"

namespace carl {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::string& members) {
  Monitor monitor;
  try {
    read_certificate_text(
        "c.json",
        R"({"format": "carl-certificate", "version": 1, "costs": ["t"], )" + members + "}",
        monitor);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadCertificate, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(
      error_of(R"json("kind": "optimal", "values": [{"state": ["(b)", "(a)"], "value": 1}])json"),
      "");
  EXPECT_THAT(error_of(R"("kind": "best")"), HasSubstr(R"(there is no kind "best")"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "ray": {"t": 1})"),
              HasSubstr(R"(a certificate of the kind "optimal" has no "ray")"));
  EXPECT_THAT(error_of(R"("kind": "infeasible", "multipliers": {"t": 1})"),
              HasSubstr(R"(a certificate of the kind "infeasible" has no "multipliers")"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "unexpanded": [{"state": "s", "value": 1}])"),
              HasSubstr(R"(the key "heuristic" is missing)"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "values": [{"state": "s", "value": null}])"),
              HasSubstr("at values[0].value: "));
  EXPECT_THAT(error_of(R"("kind": "optimal", "values": [{"state": "s"}])"),
              HasSubstr(R"(the key "value" is missing)"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "bounds": {"t": 1, "t": 2})"),
              HasSubstr("this key is repeated"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "theta": "x")"), HasSubstr("at theta: "));
  EXPECT_THAT(error_of(R"("theta": 1)"), HasSubstr(R"(the key "kind" is missing)"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "policy": {"costs": ["t"]})"), HasSubstr("at policy"));
}

/// Two readers must not be able to understand a number in two ways.
TEST(ReadCertificate, NumbersMustBeKeptExactly) {
  EXPECT_EQ(error_of(R"("kind": "optimal", "objective": 0.30000000000000004)"), "");
  EXPECT_EQ(error_of(R"("kind": "optimal", "objective": 1e+20)"), "");
  EXPECT_EQ(error_of(R"("kind": "optimal", "objective": 5e-324)"), "");
  EXPECT_THAT(error_of(R"("kind": "optimal", "objective": 0.300000000000000041)"),
              HasSubstr("at objective: this number cannot be kept exactly"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "objective": 0.300000000000000041)"),
              HasSubstr("as few as tell it from others: 0.30000000000000004"));
  EXPECT_THAT(error_of(R"("kind": "optimal", "objective": 1e-400)"),
              HasSubstr("this number cannot be kept exactly"));
}

}  // namespace
}  // namespace carl
