// Names for sets of states, as model checkers have them: questions about a model speak of its
// states by these. A model that has some offers them (Model::labels()); which of them is the goal
// was said when it was read.
#ifndef CARL_MODEL_STATE_LABELS_H
#define CARL_MODEL_STATE_LABELS_H

#include <cstddef>
#include <string>
#include <vector>

#include "carl/ids.h"

namespace carl {

class StateLabels {
 public:
  virtual ~StateLabels() = default;
  /// In the order of the text.
  virtual std::vector<std::string> names() const = 0;
  /// Whether the label of this place among the names holds in a state.
  virtual bool holds(std::size_t label, StateId state) const = 0;
};

}  // namespace carl

#endif
