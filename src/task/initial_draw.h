// An initial distribution becomes an ordinary problem: the only thing that can be done in its
// initial state, which stands for "before the start", is an action that draws the first state and
// costs nothing. Everything that follows (grounding, heuristics, search, checks) then needs no word
// about distributions.
//
// Nobody sees the facts of that state, so they can be chosen to make good variables: they are those
// of one of the states that can be drawn. What holds in all of these, such as that a thing is in
// one place, then holds throughout, and is found as an invariant.
#ifndef CARL_TASK_INITIAL_DRAW_H
#define CARL_TASK_INITIAL_DRAW_H

#include "pddl/syntax_tree.h"

namespace carl::task {

/// The predicate that holds until the initial state is drawn. No text can have such a name.
inline constexpr const char* before_the_start = "before the start";

/// `tree` must have an initial distribution.
pddl::SyntaxTree with_draw_as_action(const pddl::SyntaxTree& tree);

}  // namespace carl::task

#endif
