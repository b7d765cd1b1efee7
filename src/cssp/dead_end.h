// Why there is no proper policy. If the delete relaxation sees it, the facts that it cannot reach
// are the reason. If not, every policy runs the risk of a dead end, a state without any path to a
// goal; the shortest way into one is the reason. Only actions that may also lead closer to a goal
// are taken: one that is of no use at all would be no reason, because nobody has to use it.
#ifndef CARL_CSSP_DEAD_END_H
#define CARL_CSSP_DEAD_END_H

#include <optional>

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "carl/reason.h"

namespace carl::cssp {

/// For a problem without a proper policy. Nothing if a limit was reached, or if there are too many
/// states to look through.
std::optional<DeadEnd> find_dead_end(const Cssp& cssp, Monitor& monitor);

}  // namespace carl::cssp

#endif
