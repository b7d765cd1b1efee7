// What a large policy does first of all: the steps from the start on that are likeliest.
#ifndef CARL_APPS_MAIN_LINE_H
#define CARL_APPS_MAIN_LINE_H

#include <string>
#include <vector>

#include "carl/cssp.h"
#include "carl/policy.h"

namespace carl::app {

struct MainLineStep {
  StateId state;
  ActionId action;
  double action_probability = 1;
  double outcome_probability = 1;  // of what comes next here
};

struct MainLine {
  std::vector<MainLineStep> steps;
  bool reaches_goal = false;
};

/// In each state the likeliest action, and the likeliest of its outcomes that leads to a state not
/// seen before: a step that may fail is taken to succeed in the end. Ends at a goal, where nothing
/// new comes, or after `most` steps.
MainLine main_line(Cssp& cssp, const Policy& policy, std::size_t most);

/// The same for people, the first steps of it.
std::string main_line_text(Cssp& cssp, const Policy& policy);

}  // namespace carl::app

#endif
