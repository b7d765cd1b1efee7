#include "io/read_ppddl.h"

#include "model/task_model.h"
#include "pddl/read.h"
#include "task/instantiate.h"
#include "util/timer.h"

namespace carl::io {

std::shared_ptr<Model> read_ppddl(std::vector<ModelText> texts, const LoadOptions& options,
                                  Monitor& monitor, LoadTimes& times) {
  std::vector<pddl::SourceText> sources;
  for (ModelText& text : texts)
    sources.push_back({std::move(text.name), std::move(text.text)});
  pddl::SyntaxTree tree;
  {
    const PhaseTimer timer(times.parse);
    tree = pddl::read(sources, monitor, options.problem);
  }
  const PhaseTimer timer(times.ground);
  return make_task_model(task::instantiate(tree, sources, monitor));
}

}  // namespace carl::io
