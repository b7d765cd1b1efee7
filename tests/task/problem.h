// A problem in PPDDL text, read and grounded, with all that it was made from.
#ifndef CARL_TESTS_TASK_PROBLEM_H
#define CARL_TESTS_TASK_PROBLEM_H

#include <memory>
#include <string>
#include <vector>

#include "carl/monitor.h"
#include "model/task_model.h"
#include "pddl/read.h"
#include "task/instantiate.h"

namespace carl::testing {

struct Problem {
  explicit Problem(std::vector<pddl::SourceText> texts)
      : sources(std::move(texts)),
        tree(pddl::read(sources, monitor)),
        model(make_task_model(task::instantiate(tree, sources, monitor))) {}
  explicit Problem(const std::string& text)
      : Problem(std::vector<pddl::SourceText>{{"test.pddl", text}}) {}

  const task::Task& task() const { return model->task(); }

  Monitor monitor;
  std::vector<pddl::SourceText> sources;
  pddl::SyntaxTree tree;
  std::shared_ptr<TaskModel> model;
};

}  // namespace carl::testing

#endif
