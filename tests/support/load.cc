#include "support/load.h"

#include "pddl/read.h"
#include "task/instantiate.h"

namespace carl::testing {

std::shared_ptr<TaskModel> load_text(const std::string& text) {
  Limits limits;
  const std::vector<pddl::SourceText> sources{{"test.pddl", text}};
  return make_task_model(task::instantiate(pddl::read(sources, limits), sources, limits));
}

}  // namespace carl::testing
