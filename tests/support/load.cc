#include "support/load.h"

#include "pddl/read.h"
#include "task/instantiate.h"

namespace carl::testing {

std::shared_ptr<TaskModel> load_text(const std::string& text) {
  Monitor monitor;
  const std::vector<pddl::SourceText> sources{{"test.pddl", text}};
  return make_task_model(task::instantiate(pddl::read(sources, monitor), sources, monitor));
}

}  // namespace carl::testing
