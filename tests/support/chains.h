// Long chains of states, on which what looks at all states for each of them takes minutes.
#ifndef CARL_TESTS_SUPPORT_CHAINS_H
#define CARL_TESTS_SUPPORT_CHAINS_H

#include <memory>

#include "carl/model.h"

namespace carl::testing {

/// From each of n states one goes on or arrives; the last one is a dead end.
std::shared_ptr<Model> chain_that_ends_badly(int n);

}  // namespace carl::testing

#endif
