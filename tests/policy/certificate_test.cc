// Certificates: what is proved, what is refuted and why. tests/certificates compares thousands with
// another checker.

#include "carl/certificate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "carl/io.h"
#include "carl/solve.h"
#include "io/read_explicit.h"
#include "support/load.h"

namespace carl {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Verdict = CertificateReport::Verdict;

std::shared_ptr<Model> model_of(const std::string& members) {
  Monitor monitor;
  return io::read_explicit(
      "model.json",
      R"({ "format": "cssp", "version": 1, "initial": "s", "goals": ["g"], )" + members + "}",
      monitor);
}

Certificate certificate_of(const std::shared_ptr<Model>& model, const CsspOptions& changes = {},
                           const CertificateOptions& options = {}) {
  Cssp cssp(model, changes);
  Monitor monitor;
  const Solution solution = solve(cssp, {}, monitor);
  return make_certificate(cssp, solution, options, monitor);
}

CertificateReport check(const std::shared_ptr<Model>& model, const Certificate& certificate,
                        CsspOptions changes = {}) {
  changes.remove_forbidden_actions = false;
  Cssp cssp(model, changes);
  Monitor monitor;
  return check_certificate(cssp, certificate, nullptr, {}, monitor);
}

double& value_of(Certificate& certificate, const std::string& state) {
  for (Certificate::Value& value : certificate.values)
    if (value.state == state) return *value.value;
  throw std::runtime_error("no value of " + state);
}

/// Slow and safe, or fast and risky.
const char* const two_ways = R"("costs": ["time", "risk"], "bounds": { "risk": 0.5 }, "actions": [
  { "state": "s", "name": "walk", "cost": [10, 0], "outcomes": { "g": 1 } },
  { "state": "s", "name": "climb", "cost": [1, 1], "outcomes": { "t": 1 } },
  { "state": "t", "name": "on", "cost": [1, 0], "outcomes": { "g": 0.5, "t": 0.5 } } ])";

TEST(Certificate, ProvesAnOptimum) {
  const auto model = model_of(two_ways);
  const Certificate certificate = certificate_of(model);
  const CertificateReport report = check(model, certificate);
  EXPECT_EQ(report.verdict, Verdict::proved);
  EXPECT_THAT(report.violations, IsEmpty());
  EXPECT_THAT(report.statement, HasSubstr("has an expected time of at least 6.5"));
  EXPECT_EQ(report.states, 2);
  EXPECT_EQ(report.pairs, 3);
  EXPECT_NEAR(*report.lower_bound, 6.5, 1e-9);
  EXPECT_NEAR(*report.objective, 6.5, 1e-9);
  EXPECT_LT(*report.gap, 1e-9);
  EXPECT_LE(*report.lower_bound, 6.5);
}

TEST(Certificate, NamesThePairOfAViolatedInequality) {
  const auto model = model_of(two_ways);
  Certificate certificate = certificate_of(model);
  value_of(certificate, "t") = 3;
  certificate.theta = 1;
  const CertificateReport report = check(model, certificate);
  EXPECT_EQ(report.verdict, Verdict::refuted);
  ASSERT_EQ(report.num_violations, 1);
  const CertificateReport::Violation& violation = report.violations.front();
  EXPECT_EQ(violation.state, "t");
  EXPECT_EQ(violation.action, "on");
  EXPECT_EQ(violation.expected, "at most 2.5");
  EXPECT_EQ(violation.found, "3, too much by 0.5");
  EXPECT_EQ(report.statement, "");
}

/// In floating point 0.1 + 0.2 is above 0.3; as written it is not.
TEST(Certificate, NumbersAreThoseWritten) {
  const auto model = model_of(R"("costs": ["time"], "actions": [
    { "state": "s", "name": "a", "cost": [0.1], "outcomes": { "t": 1 } },
    { "state": "t", "name": "a", "cost": [0.2], "outcomes": { "g": 1 } } ])");
  Certificate certificate;
  certificate.costs = {"time"};
  certificate.values = {{"s", false, 0.3}, {"t", false, 0.2}};
  certificate.lower_bound = 0.3;
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved);
  EXPECT_EQ(check(model, certificate).pairs_in_rationals, 2);
  value_of(certificate, "s") = 0.1 + 0.2;
  EXPECT_EQ(check(model, certificate).verdict, Verdict::refuted);
  value_of(certificate, "s") = 0.3;
  certificate.lower_bound = 0.1 + 0.2;
  EXPECT_EQ(check(model, certificate).verdict, Verdict::refuted);
}

/// As doubles 1/3 and 2/3 are a little less, and a third of 3e15 is then less than 1e15.
TEST(Certificate, FractionsOfFactoredProblemsAreExact) {
  const auto model = testing::load_text(R"(
    (define (domain d) (:requirements :probabilistic-effects :fluents)
      (:predicates (a) (b) (done)) (:functions (cost))
      (:action go :parameters () :precondition (a)
        :effect (and (not (a)) (increase (cost) 1/3) (probabilistic 1/3 (b) 2/3 (done))))
      (:action on :parameters () :precondition (b)
        :effect (and (not (b)) (done) (increase (cost) 1/7))))
    (define (problem p) (:domain d) (:init (a)) (:goal (done)) (:metric minimize (cost))))");
  const Certificate certificate = certificate_of(model);
  const CertificateReport report = check(model, certificate);
  EXPECT_EQ(report.verdict, Verdict::proved);
  EXPECT_NEAR(*report.lower_bound, 1.0 / 3 + 1.0 / 21, 1e-14);
  EXPECT_LE(*report.lower_bound, 1.0 / 3 + 1.0 / 21);
}

TEST(Certificate, DistributionsAreDividedByTheirSum) {
  const auto model = model_of(R"("costs": ["time"], "actions": [
    { "state": "s", "name": "a", "cost": [1],
      "outcomes": { "s": 0.333333333, "t": 0.333333333, "g": 0.333333333 } },
    { "state": "t", "name": "a", "cost": [1], "outcomes": { "g": 1 } } ])");
  Certificate certificate;
  certificate.costs = {"time"};
  certificate.values = {{"s", false, 2.0}, {"t", false, 1.0}};
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved);
  value_of(certificate, "s") = std::nextafter(2.0, 3.0);
  EXPECT_EQ(check(model, certificate).verdict, Verdict::refuted);
}

/// Everything but the last step is free for the ray, and one can go round at no cost of it.
TEST(Certificate, ProvesInfeasibilityWithFreeLoops) {
  const auto model = model_of(R"("costs": ["time", "fuel"], "bounds": { "fuel": 1.5 }, "actions": [
    { "state": "s", "name": "a", "cost": [1, 0], "outcomes": { "t": 0.7, "u": 0.3 } },
    { "state": "t", "name": "a", "cost": [1, 0], "outcomes": { "u": 0.9, "s": 0.1 } },
    { "state": "u", "name": "back", "cost": [1, 0], "outcomes": { "s": 1 } },
    { "state": "u", "name": "on", "cost": [1, 0], "outcomes": { "v": 0.1, "s": 0.9 } },
    { "state": "v", "name": "a", "cost": [1, 2], "outcomes": { "g": 1 } } ])");
  Certificate certificate = certificate_of(model);
  EXPECT_EQ(certificate.kind, CertificateKind::infeasible);
  const CertificateReport report = check(model, certificate);
  EXPECT_EQ(report.verdict, Verdict::proved);
  EXPECT_THAT(report.statement,
              HasSubstr("no proper policy meets the bounds: every one has 1·fuel ≥ "));
  certificate.multipliers.clear();
  EXPECT_EQ(check(model, certificate).verdict, Verdict::refuted);
}

const char* const toll = R"("costs": ["time", "toll"], "bounds": { "toll": 0 }, "actions": [
  { "state": "s", "name": "bridge", "cost": [1, 1], "outcomes": { "g": 1 } },
  { "state": "s", "name": "round", "cost": [1, 0], "outcomes": { "t": 1 } },
  { "state": "t", "name": "back", "cost": [1, 0], "outcomes": { "s": 1 } } ])";

TEST(Certificate, ProvesThatABoundOfZeroCutsOffTheGoal) {
  const auto model = model_of(toll);
  Certificate certificate;
  certificate.kind = CertificateKind::infeasible_zero_bounds;
  certificate.costs = {"time", "toll"};
  certificate.bounds = {{"toll", 0}};
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved);
  certificate.kind = CertificateKind::no_proper_policy;
  EXPECT_EQ(check(model, certificate).verdict, Verdict::refuted);
  // A bound that is no longer zero.
  CsspOptions changes;
  changes.bounds = {{"toll", 1}};
  certificate.kind = CertificateKind::infeasible_zero_bounds;
  certificate.bounds = {{"toll", 1}};
  EXPECT_EQ(check(model, certificate, changes).verdict, Verdict::refuted);
}

TEST(Certificate, ProvesThatThereIsNoProperPolicy) {
  const auto model = model_of(R"("costs": ["time"], "actions": [
    { "state": "s", "name": "a", "cost": [1], "outcomes": { "g": 0.9, "lost": 0.1 } } ])");
  Certificate certificate = certificate_of(model);
  EXPECT_EQ(certificate.kind, CertificateKind::no_proper_policy);
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved);
  certificate.kind = CertificateKind::infeasible_zero_bounds;
  EXPECT_EQ(check(model, certificate).verdict, Verdict::refuted);
}

TEST(Certificate, AnInitialGoalCostsNothing) {
  Monitor monitor;
  const auto model = io::read_explicit("model.json", R"({ "format": "cssp", "version": 1,
    "costs": ["time", "fuel"], "bounds": { "fuel": 1 }, "initial": "g", "goals": ["g"], "actions": [
    { "state": "g", "name": "a", "cost": [1, 1], "outcomes": { "g": 1 } } ] })",
                                       monitor);
  const CertificateReport report = check(model, certificate_of(model));
  EXPECT_EQ(report.verdict, Verdict::proved);
  EXPECT_EQ(*report.objective, 0);
  EXPECT_EQ(*report.gap, 0);
}

/// The bound is met with nothing to spare, so its multiplier makes the values prove a little less
/// than zero; relative to an objective of zero that would be an infinite gap.
TEST(Certificate, NoPolicyCostsLessThanNothing) {
  const auto model = model_of(R"("costs": ["c0", "c4"], "bounds": { "c4": 4.915078180911834 },
    "actions": [
    { "state": "s", "name": "a0", "cost": [0, 2.6609633176648706], "outcomes": { "s2": 1 } },
    { "state": "s", "name": "a1", "cost": [0, 1], "outcomes": { "s1": 1 } },
    { "state": "s2", "name": "a0", "cost": [0, 0.9917891687725378],
      "outcomes": { "g": 0.5827537231561729, "s3": 0.4172462768438271 } },
    { "state": "s1", "name": "a0", "cost": [0, 3], "outcomes": { "s3": 1 } },
    { "state": "s3", "name": "a0", "cost": [0, 3.0253731777381625], "outcomes": { "g": 1 } } ])");
  const Certificate certificate = certificate_of(model);
  EXPECT_EQ(*certificate.lower_bound, 0);
  const CertificateReport report = check(model, certificate);
  EXPECT_EQ(report.verdict, Verdict::proved);
  EXPECT_EQ(*report.gap, 0);
  Certificate costly = certificate;
  costly.lower_bound = 1e-300;
  EXPECT_EQ(check(model, costly).verdict, Verdict::refuted);
}

/// Scalarised, one action costs 3e-17 where values are 0.02: θ would have to make up for a rounding
/// error of its value by one percent.
TEST(Certificate, ActionsThatAreNextToFreeAreNoObstacle) {
  const auto model = model_of(R"("costs": ["c0", "c1"], "bounds": { "c1": 1065375.5507017307 },
    "actions": [
    { "state": "s", "name": "a0", "cost": [0.0001168382216595199, 0.6000000000000001],
      "outcomes": { "s3": 0.9999, "s2": 0.0001 } },
    { "state": "s", "name": "a2", "cost": [0.00012346799295999183, 7349711.170183282],
      "outcomes": { "g": 1 } },
    { "state": "s3", "name": "a1", "cost": [0.0002, 3.4764338328095823], "outcomes": { "g": 1 } },
    { "state": "s2", "name": "a0", "cost": [0, 1.0963523359438905e-06],
      "outcomes": { "s6": 0.9999999, "g": 1e-07 } },
    { "state": "s6", "name": "a1", "cost": [0.00014538978889280191, 762529420.1864712],
      "outcomes": { "g": 1 } } ])");
  const CertificateReport report = check(model, certificate_of(model));
  EXPECT_EQ(report.verdict, Verdict::proved);
  EXPECT_LT(*report.gap, 1e-9);
}

/// In terms of the ray the actions of s3 are free, and the second hardly ever leaves it: lowering its
/// value to what the inequality allows, with that value on its right side, would never end.
TEST(Certificate, FreeActionsThatHardlyEverLeaveTheirState) {
  const auto model = model_of(R"("costs": ["c0", "c1"], "bounds": { "c1": 1.6404912834861557e-05 },
    "give_up": { "c0": 31, "c1": 8 }, "actions": [
    { "state": "s", "name": "a0", "cost": [0, 2], "outcomes": { "s3": 1 } },
    { "state": "s3", "name": "a0", "cost": [1, 0], "outcomes": { "s5": 0.1, "s2": 0.9 } },
    { "state": "s3", "name": "a1", "cost": [1, 0], "outcomes": { "s2": 0.001, "s3": 0.999 } },
    { "state": "s5", "name": "a0", "cost": [3, 2], "outcomes": { "s6": 0.0001, "s5": 0.9999 } },
    { "state": "s2", "name": "a0", "cost": [0, 3], "outcomes": { "s3": 0.5, "g": 0.5 } } ])");
  const Certificate certificate = certificate_of(model);
  EXPECT_EQ(certificate.kind, CertificateKind::infeasible);
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved);
}

TEST(Certificate, AnotherProblemIsRefuted) {
  const auto model = model_of(two_ways);
  const Certificate certificate = certificate_of(model);
  CsspOptions changes;
  changes.bounds = {{"risk", 0.4}};
  EXPECT_THAT(check(model, certificate, changes).violations,
              ElementsAre(Field(&CertificateReport::Violation::what,
                                HasSubstr("about other bounds than the problem"))));
  changes.bounds.clear();
  changes.give_up = {{"time", 2.0}};
  EXPECT_EQ(check(model, certificate, changes).verdict, Verdict::refuted);
}

TEST(Certificate, APolicyMustBeAsGoodAsClaimed) {
  const auto model = model_of(two_ways);
  Certificate certificate = certificate_of(model);
  certificate.objective = 6.4;
  EXPECT_THAT(check(model, certificate).violations.front().what, "expected time of the policy");
  certificate = certificate_of(model);
  certificate.policy->states.front().choices = {{"climb", 1.0}};
  const auto violations = check(model, certificate).violations;
  ASSERT_EQ(violations.size(), 1);
  EXPECT_EQ(violations.front().what, "expected risk of the policy");
  EXPECT_THAT(violations.front().expected, HasSubstr("at most 0.5"));
  EXPECT_EQ(violations.front().found, "1");
  certificate.excess = {{"risk", 0.5}};  // then the lower bound is about such policies, too
  EXPECT_THAT(check(model, certificate).violations.front().what,
              "the claimed lower bound is not what the values prove");
  certificate.lower_bound.reset();
  const CertificateReport report = check(model, certificate);
  EXPECT_EQ(report.verdict, Verdict::proved);
  EXPECT_THAT(report.statement,
              HasSubstr("that exceeds the bounds by no more than the policy (risk 0.5)"));
  EXPECT_NEAR(*report.lower_bound, 3, 1e-9);
  certificate.policy.reset();
  EXPECT_THAT(check(model, certificate).not_checked, ElementsAre(HasSubstr("there is no policy")));
}

/// A chain of `length` steps with a shortcut that a search need not look into.
std::shared_ptr<Model> chain_with_detour(int length) {
  std::string actions;
  for (int i = 0; i < length; ++i)
    actions += R"({ "state": "d)" + std::to_string(i) +
               R"(", "name": "a", "cost": [5], "outcomes": { "d)" + std::to_string(i + 1) +
               R"(": 1 } }, )";
  return model_of(R"("costs": ["time"], "actions": [ )" + actions + R"(
    { "state": "d)" +
                  std::to_string(length) + R"(", "name": "a", "cost": [5], "outcomes": { "g": 1 } },
    { "state": "s", "name": "detour", "cost": [1], "outcomes": { "d0": 1 } },
    { "state": "s", "name": "go", "cost": [3], "outcomes": { "g": 1 } } ])");
}

TEST(Certificate, SaysWhichStatesRestOnAHeuristic) {
  const auto model = chain_with_detour(20);
  CertificateOptions options;
  options.max_states = 4;
  const Certificate certificate = certificate_of(model, {}, options);
  EXPECT_EQ(certificate.heuristic, "dijkstra");
  ASSERT_EQ(certificate.unexpanded.size(), 1);
  EXPECT_EQ(certificate.unexpanded.front().state, "d0");
  const CertificateReport report = check(model, certificate);
  EXPECT_EQ(report.verdict, Verdict::proved_up_to_heuristic);
  EXPECT_EQ(report.unexpanded, 1);
  EXPECT_EQ(report.states, 1);
  // With all states there is nothing to believe.
  EXPECT_EQ(check(model, certificate_of(model)).verdict, Verdict::proved);
}

TEST(Certificate, ValuesOfZeroNeedNobodysWord) {
  const auto model = chain_with_detour(20);
  Certificate certificate;
  certificate.costs = {"time"};
  certificate.values = {{"s", false, 1.0}};
  certificate.unexpanded = {{"d0", false, 0.0}};
  certificate.heuristic = "zero";
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved);
  *certificate.unexpanded.front().value = 0.5;
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved_up_to_heuristic);
  certificate.unexpanded.front().value.reset();  // no goal can be reached from there
  value_of(certificate, "s") = 3;
  EXPECT_EQ(check(model, certificate).verdict, Verdict::proved_up_to_heuristic);
  certificate.unexpanded.clear();
  EXPECT_EQ(check(model, certificate).violations.front().state, "d0");
}

TEST(Certificate, ReadsBackAsWritten) {
  const auto model = model_of(two_ways);
  Monitor monitor;
  Certificate certificate = certificate_of(model);
  certificate.excess = {{"risk", 1e-17}};
  certificate.unexpanded = {{"far", false, 0.1}, {"lost", false, std::nullopt}};
  certificate.heuristic = "hmax";
  std::ostringstream once;
  write_certificate(certificate, once);
  std::ostringstream twice;
  write_certificate(read_certificate_text("c.json", once.str(), monitor), twice);
  EXPECT_EQ(once.str(), twice.str());
}

}  // namespace
}  // namespace carl
