// An explicit model as plain data, which can be taken apart and written as JSON or PPDDL.
#ifndef CARL_TESTS_SOAK_PLAIN_MODEL_H
#define CARL_TESTS_SOAK_PLAIN_MODEL_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/cssp.h"

namespace carl::soak {

struct PlainModel {
  struct Action {
    std::string state;
    std::string name;
    std::vector<double> cost;
    std::vector<std::pair<std::string, double>> outcomes;
  };

  std::vector<std::string> costs;
  std::vector<std::pair<std::string, double>> bounds;
  std::optional<std::vector<double>> give_up;
  std::string initial;
  std::vector<std::string> goals;
  std::vector<Action> actions;

  /// In the format of read_explicit(); numbers read back exactly.
  std::string json() const;
  /// One fact per state. Without the bounds.
  std::string ppddl() const;
};

/// All that can be reached, bounds included; `cssp` must not remove forbidden actions.
PlainModel plain(Cssp& cssp);

}  // namespace carl::soak

#endif
