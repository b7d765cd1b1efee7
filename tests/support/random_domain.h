// Small random PPDDL problems that use the whole language between them. Many of their actions move
// something from one place to another, so that there are invariants to be found, and to be found
// wanting.
#ifndef CARL_TESTS_SUPPORT_RANDOM_DOMAIN_H
#define CARL_TESTS_SUPPORT_RANDOM_DOMAIN_H

#include <cstdint>
#include <string>

namespace carl::testing {

/// Domain and problem in one text.
std::string random_problem(std::uint64_t seed);

/// The same with more conditional effects: over all objects, nested, with chances in them, about
/// places that things are taken away from wherever they are.
std::string random_conditional_problem(std::uint64_t seed);

/// The same with probabilities that are static numbers and arithmetic over them, also in the initial
/// distribution.
std::string random_problem_with_static_chances(std::uint64_t seed);

}  // namespace carl::testing

#endif
