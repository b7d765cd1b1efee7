// carl solve --certificate, carl check --certificate.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/run.h"

namespace carl::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

struct Proof {
  std::string model;
  std::string certificate;
  int status = -1;  // of carl solve
};

Proof proof(const std::string& model, const std::string& options = "") {
  Proof result{model, scratch("proof.json")};
  std::remove(result.certificate.c_str());
  const Execution run =
      carl("solve -q --certificate " + result.certificate + " " + options + " " + model);
  result.status = run.status;
  EXPECT_EQ(run.err, "");
  return result;
}

std::string altered(const std::string& file, const std::string& key, double number) {
  Json json = Json::parse(read_text(file));
  json[key] = number;
  return write_scratch("altered.json", json.dump());
}

TEST(CertificateCommands, CheckProvesWhatSolveWrites) {
  for (const char* name : {"getting-to-work", "drone-delivery", "tireworld-two-currencies",
                           "coordinate-search", "pathological"}) {
    const Proof files = proof(example(name));
    EXPECT_EQ(files.status, 0);
    const Execution run = carl("check " + files.model + " --certificate " + files.certificate);
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, StartsWith("Certified: every proper policy "));
  }
}

TEST(CertificateCommands, StatusesTellWhatWasProved) {
  const Proof optimal = proof(example("drone-delivery"));
  EXPECT_EQ(carl("check -q " + optimal.model + " --certificate " + optimal.certificate).status, 0);

  const std::string wrong = altered(optimal.certificate, "lower_bound", 41);
  const Execution refuted = carl("check " + optimal.model + " --certificate " + wrong);
  EXPECT_EQ(refuted.status, 12);
  EXPECT_THAT(refuted.out, StartsWith("The certificate is refuted: 1 violation\n"));
  EXPECT_THAT(refuted.out, HasSubstr("the claimed lower bound is not what the values prove\n"
                                     "  expected  at most 40.29"));

  const std::string unreadable = write_scratch("altered.json", "{\"format\": \"carl-policy\"}");
  const Execution bad = carl("check " + optimal.model + " --certificate " + unreadable);
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("this file is a policy, not a certificate"));

  const Proof infeasible = proof(example("drone-delivery"), "--bound battery=20");
  EXPECT_EQ(infeasible.status, 10);
  const std::string certificate = " --certificate " + infeasible.certificate;
  EXPECT_EQ(carl("check -q " + infeasible.model + " --bound battery=20" + certificate).status, 0);
  EXPECT_EQ(carl("check -q " + infeasible.model + certificate).status, 12);
}

TEST(CertificateCommands, LargeProblemsRestOnAHeuristic) {
  const Proof files = proof(example("drone-delivery"), "--certificate-states 30");
  EXPECT_EQ(files.status, 0);
  const Execution run = carl("check " + files.model + " --certificate " + files.certificate);
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_THAT(run.out,
              ::testing::MatchesRegex("Certified up to [0-9]+ states valued by h-max: .*"));
}

TEST(CertificateCommands, AnotherPolicyCanBeGiven) {
  const Proof files = proof(example("drone-delivery"));
  const std::string policy = scratch("policy.json");
  EXPECT_EQ(carl("solve -q --policy " + policy + " " + files.model).status, 0);
  const std::string certificate = " --certificate " + files.certificate;
  EXPECT_EQ(carl("check -q " + files.model + " " + policy + certificate).status, 0);
  EXPECT_EQ(carl("solve -q --bound battery=inf --policy " + policy + " " + files.model).status, 0);
  const Execution run = carl("check " + files.model + " " + policy + certificate);
  EXPECT_EQ(run.status, 12);
  EXPECT_THAT(run.out, HasSubstr("expected battery of the policy\n  expected  at most 30"));
}

TEST(CertificateCommands, TheReportIsAlsoForPrograms) {
  const Proof files = proof(example("getting-to-work"));
  const Execution run =
      carl("check --json - " + files.model + " --certificate " + files.certificate);
  const Json report = Json::parse(run.out);
  EXPECT_EQ(report["format"], "carl-certificate-check");
  EXPECT_EQ(report["verdict"], "proved");
  EXPECT_EQ(report["kind"], "optimal");
  EXPECT_NEAR(report["objective"].get<double>(), 1, 1e-12);
  EXPECT_LT(report["gap"].get<double>(), 1e-9);
}

TEST(CertificateCommands, WithoutAnAnswerThereIsNone) {
  const std::string path = scratch("proof.json");
  std::remove(path.c_str());
  const Execution run =
      carl("solve -q --time-limit 0 --certificate " + path + " " + example("coordinate-search"));
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(read_text(path), "");
}

TEST(CertificateCommands, CheckNeedsAPolicyOrACertificate) {
  const Execution run = carl("check " + example("coordinate-search"));
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("there is no policy to check"));
  EXPECT_THAT(run.err, HasSubstr("or a certificate by --certificate FILE"));
}

}  // namespace
}  // namespace carl::testing
