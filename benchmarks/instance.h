// A generated benchmark instance as a model, without a detour over files.
#ifndef CARL_BENCHMARKS_INSTANCE_H
#define CARL_BENCHMARKS_INSTANCE_H

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carl/generate.h"
#include "carl/monitor.h"
#include "model/task_model.h"
#include "pddl/read.h"
#include "task/instantiate.h"

namespace carl::benchmarks {

using Parameters = std::vector<std::pair<std::string, std::string>>;

inline std::shared_ptr<Model> load(const std::string& domain, const Parameters& parameters) {
  const GeneratedInstance text = generate_instance(domain, parameters, 1);
  const std::vector<pddl::SourceText> sources{{"domain", text.domain_text},
                                              {"problem", text.problem_text}};
  Monitor monitor;
  return make_task_model(task::instantiate(pddl::read(sources, monitor), sources, monitor));
}

}  // namespace carl::benchmarks

#endif
