#include "io/read_ppddl.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/model_formats.h"
#include "model/task_model.h"
#include "pddl/read.h"
#include "task/instantiate.h"
#include "util/timer.h"

namespace carl::io {
namespace {

void minimise(pddl::SyntaxTree& tree, const std::string& name) {
  std::vector<std::string> names;
  for (const pddl::CostExpression& cost : tree.costs)
    names.push_back(cost.name);
  const std::size_t chosen = number_of_minimised(names, name);
  const auto to_the_front = [&](auto& entries) {
    const auto begin = entries.begin();
    const auto place = static_cast<std::ptrdiff_t>(chosen);
    std::rotate(begin, begin + place, begin + place + 1);
  };
  to_the_front(tree.costs);
  if (tree.give_up) to_the_front(*tree.give_up);
  const auto renumber = [&](std::size_t& cost) {
    if (cost <= chosen) cost = cost == chosen ? 0 : cost + 1;
  };
  for (pddl::CostBound& bound : tree.bounds)
    renumber(bound.cost);
  for (pddl::RunGuarantee& guarantee : tree.guarantees)
    renumber(guarantee.cost);
}

}  // namespace

std::shared_ptr<Model> read_ppddl(std::vector<ModelText> texts, const LoadOptions& options,
                                  Monitor& monitor, LoadTimes& times) {
  std::vector<pddl::SourceText> sources;
  for (ModelText& text : texts)
    sources.push_back({std::move(text.name), std::move(text.text)});
  pddl::SyntaxTree tree;
  {
    const PhaseTimer timer(times.parse);
    tree = pddl::read(sources, monitor, options.problem);
    if (!options.minimise.empty()) minimise(tree, options.minimise);
  }
  times.title = fmt::format("{} ({})", tree.problem_name, tree.domain_name);
  const PhaseTimer timer(times.ground);
  return make_task_model(task::instantiate(tree, sources, monitor));
}

}  // namespace carl::io
