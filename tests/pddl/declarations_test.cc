#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pddl/reading.h"

namespace carl::pddl {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const SyntaxTree& tree, const std::vector<TypeId>& types) {
  std::vector<std::string> result;
  result.reserve(types.size());
  for (const TypeId type : types)
    result.push_back(tree.types[type.index()].name);
  return result;
}

SyntaxTree read_declarations(const std::string& domain, const std::string& problem = "") {
  return read_texts({"(define (domain d) " + domain + ")",
                     "(define (problem p) (:domain d) (:init) (:goal (and)) " + problem + ")"});
}

TEST(Declarations, TypesFormAHierarchyWithSeveralParents) {
  const SyntaxTree tree =
      read_declarations("(:types car boat - vehicle amphibian - (either car boat) vehicle bike)");
  ASSERT_EQ(tree.types.size(), 6U);
  EXPECT_EQ(tree.types[1].name, "car");
  EXPECT_THAT(names(tree, tree.types[2].parents), ElementsAre("vehicle"));
  EXPECT_EQ(tree.types[3].name, "amphibian");
  EXPECT_THAT(names(tree, tree.types[3].parents), ElementsAre("car", "boat"));
  EXPECT_THAT(names(tree, tree.types[5].parents), ElementsAre("object"));
}

TEST(Declarations, TypedAndUntypedObjects) {
  const SyntaxTree tree = read_declarations("(:types a b) (:constants c1 c2 - a c3)",
                                            "(:objects o1 - (either a b) o2 - object o3 o4)");
  ASSERT_EQ(tree.objects.size(), 7U);
  EXPECT_EQ(tree.objects[0].name, "c1");
  EXPECT_THAT(names(tree, tree.objects[1].types), ElementsAre("a"));
  EXPECT_THAT(names(tree, tree.objects[2].types), ElementsAre("object"));
  EXPECT_THAT(names(tree, tree.objects[3].types), ElementsAre("a", "b"));
  EXPECT_THAT(names(tree, tree.objects[4].types), ElementsAre("object"));
  EXPECT_THAT(names(tree, tree.objects[6].types), ElementsAre("object"));
}

TEST(Declarations, PredicatesAndFunctions) {
  const SyntaxTree tree = read_declarations(
      "(:types a b) (:predicates (p) (q ?x ?y - a ?z - (either a b) ?w))"
      "(:functions (f) (g ?x - a) - number (h) - number (total-cost))");
  ASSERT_EQ(tree.predicates.size(), 2U);
  ASSERT_EQ(tree.predicates[1].parameters.size(), 4U);
  EXPECT_EQ(tree.predicates[1].parameters[1].name, "?y");
  EXPECT_THAT(names(tree, tree.predicates[1].parameters[0].types), ElementsAre("a"));
  EXPECT_THAT(names(tree, tree.predicates[1].parameters[2].types), ElementsAre("a", "b"));
  EXPECT_THAT(names(tree, tree.predicates[1].parameters[3].types), ElementsAre("object"));
  ASSERT_EQ(tree.functions.size(), 4U);
  EXPECT_EQ(tree.functions[1].parameters.size(), 1U);
  for (const Function& function : tree.functions)
    EXPECT_FALSE(function.is_cost);
}

TEST(Declarations, TheRootMayBeListed) {
  const SyntaxTree tree = read_declarations("(:types object a - object)");
  ASSERT_EQ(tree.types.size(), 2U);
  EXPECT_EQ(tree.types[0].name, "object");
  EXPECT_TRUE(tree.types[0].parents.empty());
  EXPECT_THAT(names(tree, tree.types[1].parents), ElementsAre("object"));
}

TEST(Declarations, EveryRequirementOfTheLanguage) {
  EXPECT_NO_THROW(read_declarations(
      "(:requirements :strips :typing :equality :negative-preconditions "
      ":disjunctive-preconditions :existential-preconditions :universal-preconditions "
      ":quantified-preconditions :conditional-effects :adl :probabilistic-effects :action-costs "
      ":fluents :numeric-fluents :rewards :constraints :mdp)",
      "(:requirements :adl)"));
}

// An object fits a parameter if one of its types does, be it by inheritance or by (either …).
TEST(Declarations, ArgumentsFitByAnyOfTheirTypes) {
  const std::string domain =
      "(define (domain d) (:types car boat - vehicle amphibian - (either car boat) vehicle bike)"
      "(:predicates (drives ?c - car) (floats ?b - boat) (rides ?x - (either car bike)))"
      "(:action a :parameters (?v - vehicle ?a - amphibian) :precondition "
      "(and (drives ?v) (floats ?v) (floats ?a) (rides ?a))))";
  const auto problem = [](const std::string& init) {
    return "(define (problem p) (:domain d) (:objects c - car b - boat a - amphibian k - bike "
           "e - (either boat bike)) (:goal (and)) (:init " +
           init + "))";
  };
  const std::string fine = "(drives c) (drives a) (floats a) (floats e) (rides e) (rides k)";
  EXPECT_EQ(read_texts({domain, problem(fine)}).init.size(), 6U);
  for (const char* wrong : {"(drives b)", "(drives e)", "(floats k)", "(rides b)"})
    EXPECT_THAT(message_of({{"d", domain}, {"p", problem(wrong)}}),
                testing::HasSubstr("must be of type"))
        << wrong;
}

// A variable is refused only if no object could ever be of both types.
TEST(Declarations, VariablesMayBeNarrowedByAPredicate) {
  const auto message = [](const std::string& types, const std::string& objects) {
    return message_of({{"d", "(define (domain d) (:types " + types +
                                 ") (:predicates (p ?x - a))"
                                 "(:action x :parameters (?v - b) :precondition (p ?v)))"},
                       {"p", "(define (problem p) (:domain d) (:init) (:goal (and)) (:objects " +
                                 objects + "))"}});
  };
  EXPECT_THAT(message("a b", ""), testing::HasSubstr("'?v' is of type b, but ?x of 'p'"));
  EXPECT_EQ(message("b - a a", ""), "no error");
  EXPECT_EQ(message("a - b b", ""), "no error");
  EXPECT_EQ(message("c - (either a b) a b", ""), "no error");
  EXPECT_EQ(message("a b", "o - (either a b)"), "no error");
  EXPECT_THAT(message("a b c", "o - (either a c)"), testing::HasSubstr("'?v' is of type b"));
}

TEST(Declarations, InitDropsRepeatsAndNegations) {
  const SyntaxTree tree = read_texts(
      {"(define (domain d) (:predicates (p ?x) (q)) (:functions (f ?x) (g)))"
       "(define (problem p) (:domain d) (:objects a b) (:goal (q))"
       "(:init (p a) (not (q)) (and (p b) (p a)) (= (f a) -1/3) (= (g) 2.50) (= (g) 2.5)))"});
  ASSERT_EQ(tree.init.size(), 2U);
  EXPECT_EQ(tree.init[1].arguments, std::vector{ObjectId(1)});
  ASSERT_EQ(tree.values.size(), 2U);
  EXPECT_EQ(tree.values[0].value, Rational(-1, 3));
  EXPECT_EQ(tree.values[0].arguments, std::vector{ObjectId(0)});
  EXPECT_EQ(tree.values[1].value, Rational(5, 2));
}

}  // namespace
}  // namespace carl::pddl
