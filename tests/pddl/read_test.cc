#include "pddl/read.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pddl/reading.h"

namespace carl::pddl {
namespace {

using testing::ElementsAre;

constexpr const char* domain = R"(
(define (domain getting-to-work)
  (:requirements :probabilistic-effects :fluents :constraints)
  (:predicates (at-home) (at-station-with-train) (at-station-no-train) (at-work))
  (:functions (time) (price) (effort))
  (:action taxi :parameters () :precondition (at-home)
   :effect (and (not (at-home)) (at-work) (increase (time) 1) (increase (price) 30)))
  (:action walk :precondition (at-home)
   :effect (and (not (at-home)) (increase (time) 1) (increase (effort) 1)
                (probabilistic 0.5 (at-station-with-train) 1/2 (at-station-no-train)))))
)";
constexpr const char* problem = R"(
(define (problem today)
  (:domain getting-to-work)
  (:init (at-home))
  (:goal (at-work))
  (:metric minimize (time))
  (:constraints (and (<= (expected (price)) 15) (<= (expected (effort)) 10)))
  (:give-up (increase (time) 500) (increase (price) 100) (increase (effort) 100)))
)";

void expect_getting_to_work(const SyntaxTree& tree) {
  EXPECT_EQ(tree.domain_name, "getting-to-work");
  EXPECT_EQ(tree.problem_name, "today");
  const Writer writer(tree);
  ASSERT_EQ(tree.actions.size(), 2U);
  EXPECT_EQ(tree.actions[1].name, "walk");
  EXPECT_EQ(writer.write(tree.actions[1].precondition), "(at-home)");
  EXPECT_EQ(writer.write(tree.actions[1].effect),
            "(and (not (at-home)) (increase (time) 1) (increase (effort) 1) "
            "(probabilistic 1/2 (at-station-with-train) 1/2 (at-station-no-train)))");
  ASSERT_EQ(tree.init.size(), 1U);
  EXPECT_EQ(tree.predicates[tree.init[0].predicate.index()].name, "at-home");
  EXPECT_EQ(writer.write(tree.goal), "(at-work)");
  EXPECT_THAT(writer.write_costs(),
              ElementsAre("time = 1(time), give up 500", "price = 1(price) <= 15, give up 100",
                          "effort = 1(effort) <= 10, give up 100"));
  EXPECT_TRUE(tree.notes.empty());
}

TEST(Read, TwoTexts) {
  expect_getting_to_work(read_texts({domain, problem}));
}

TEST(Read, TwoTextsProblemFirst) {
  expect_getting_to_work(read_texts({problem, domain}));
}

TEST(Read, OneText) {
  expect_getting_to_work(read_texts({std::string(domain) + problem}));
  expect_getting_to_work(read_texts({std::string(problem) + domain}));
}

TEST(Read, UpperCaseIsLowerCase) {
  std::string text = std::string(domain) + problem;
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  expect_getting_to_work(read_texts({text}));
}

TEST(Read, CarriageReturnsTabsAndAByteOrderMark) {
  std::string text = "\xef\xbb\xbf";
  for (const char c : std::string(domain) + problem)
    text += c == '\n' ? std::string("\r\n") : c == ' ' ? std::string("\t") : std::string(1, c);
  expect_getting_to_work(read_texts({text}));
}

TEST(Read, CommentsMayContainAnything) {
  std::string text = std::string(domain) + "; caf\xc3\xa9 ((( \x01 " + problem + ";";
  text += '\0';
  expect_getting_to_work(read_texts({text}));
}

TEST(Read, SectionsInAnyOrder) {
  const SyntaxTree tree = read_texts({R"(
    (define (problem p) (:goal (on a)) (:metric minimize (f)) (:init (on a)) (:objects a - t)
      (:domain d))
    (define (domain d)
      (:action x :effect (and (on c) (increase (f) 1)) :precondition (on ?y) :parameters (?y - t))
      (:functions (f)) (:predicates (on ?x - t)) (:constants c - t) (:types t)))"});
  EXPECT_EQ(tree.actions.size(), 1U);
  EXPECT_EQ(tree.costs[0].name, "f");
}

TEST(Read, PartsMayBeMissingOrEmpty) {
  const SyntaxTree tree = read_texts({R"(
    (define (domain d) (:action a) (:action b :parameters () :precondition () :effect ())
      (:action c :precondition (and) :effect (and)))
    (define (problem p) (:domain d) (:init) (:goal (and))))"});
  ASSERT_EQ(tree.actions.size(), 3U);
  for (const ActionSchema& action : tree.actions) {
    EXPECT_EQ(Writer(tree).write(action.precondition), "(and)");
    EXPECT_EQ(Writer(tree).write(action.effect), "(and)");
    EXPECT_EQ(action.num_slots, 0U);
  }
  EXPECT_THAT(Writer(tree).write_costs(), ElementsAre("steps = 1"));
}

TEST(Read, PositionsPointIntoTheTexts) {
  const SyntaxTree tree = read_texts({domain, problem});
  const Position walk = tree.actions[1].position;
  EXPECT_EQ(walk.file, 0U);
  EXPECT_EQ(walk.line, 8U);
  EXPECT_EQ(walk.column, 3U);
  EXPECT_EQ(tree.goal.position.file, 1U);
  EXPECT_EQ(tree.bounds[1].position.line, 7U);
  const InputError error =
      error_at({{"d", domain}, {"p", problem}}, tree.goal.position, "out of reach", "none");
  EXPECT_STREQ(error.what(),
               "p:5:10: error: out of reach\n"
               "    (:goal (at-work))\n"
               "           ^\n"
               "  hint: none");
}

TEST(Read, AWholeTextHasNoLine) {
  EXPECT_STREQ(error_at({{"d", domain}}, {0, 0, 0}, "m").what(), "d: error: m");
}

}  // namespace
}  // namespace carl::pddl
