#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "carl/error.h"
#include "carl/io.h"
#include "io/read_explicit.h"
#include "io/text_file.h"
#include "model/task_model.h"
#include "pddl/read.h"
#include "task/instantiate.h"
#include "util/timer.h"

namespace carl {
namespace {

/// Explicit models are JSON objects; PPDDL begins with '(' or a comment.
bool is_json(const std::string& path, const std::string& text) {
  if (path.ends_with(".json")) return true;
  const auto first =
      std::find_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) == 0; });
  return first != text.end() && *first == '{';
}

}  // namespace

std::shared_ptr<Model> load_model(const std::vector<std::string>& paths, Limits& limits,
                                  Seconds& seconds) {
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    throw InputError("standard input ('-') can be read only once");
  std::vector<pddl::SourceText> sources;
  pddl::SyntaxTree tree;
  {
    const PhaseTimer timer(seconds.parse);
    for (const std::string& path : paths)
      sources.push_back({io::shown_path(path), read_text(path, limits)});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (!is_json(paths[i], sources[i].text)) continue;
      if (sources.size() > 1)
        throw InputError(fmt::format("'{}' is an explicit model, which is one file", paths[i]),
                         "give either one .json file, or a PPDDL domain and problem");
      return io::read_explicit(sources[i].name, std::move(sources[i].text), limits);
    }
    tree = pddl::read(sources, limits);
  }
  const PhaseTimer timer(seconds.ground);
  return make_task_model(task::instantiate(tree, sources, limits));
}

}  // namespace carl
