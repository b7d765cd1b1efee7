#include "pddl/read.h"

#include <gtest/gtest.h>

namespace carl::pddl {
namespace {

constexpr const char* getting_to_work = R"(
(define (domain getting-to-work)
  (:requirements :probabilistic-effects :fluents :constraints)
  (:predicates (at-home) (at-station-with-train) (at-station-no-train) (at-work))
  (:functions (time) (price) (effort))
  (:action taxi :parameters () :precondition (at-home)
   :effect (and (not (at-home)) (at-work) (increase (time) 1) (increase (price) 30)))
  (:action walk :precondition (at-home)
   :effect (and (not (at-home)) (increase (time) 1) (increase (effort) 1)
                (probabilistic 0.5 (at-station-with-train) 1/2 (at-station-no-train)))))
(define (problem today)
  (:domain getting-to-work)
  (:init (at-home))
  (:goal (at-work))
  (:metric minimize (time))
  (:constraints (and (<= (expected (price)) 15) (<= (expected (effort)) 10)))
  (:give-up (increase (time) 500) (increase (price) 100) (increase (effort) 100)))
)";

TEST(Read, GettingToWork) {
  Limits limits;
  const SyntaxTree tree = read({{"work.pddl", getting_to_work}}, limits);
  EXPECT_EQ(tree.domain_name, "getting-to-work");
  ASSERT_EQ(tree.actions.size(), 2U);
  ASSERT_EQ(tree.costs.size(), 3U);
  EXPECT_EQ(tree.costs[0].name, "time");
  EXPECT_EQ(tree.costs[1].name, "price");
  ASSERT_EQ(tree.bounds.size(), 2U);
  EXPECT_EQ(tree.bounds[0].upper, 15);
  EXPECT_EQ(*tree.give_up, (std::vector<Rational>{500, 100, 100}));
}

}  // namespace
}  // namespace carl::pddl
