#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "carl/error.h"
#include "carl/io.h"
#include "io/read_explicit.h"
#include "model/task_model.h"
#include "pddl/read.h"
#include "task/instantiate.h"
#include "util/timer.h"

namespace carl {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string read_file(const std::string& path, Limits& limits) {
  const bool standard_input = path == "-";
  const File file(standard_input ? stdin : std::fopen(path.c_str(), "rb"),
                  standard_input ? [](std::FILE*) { return 0; } : std::fclose);
  if (!file) throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  std::string text;
  constexpr std::size_t block = std::size_t{1} << 20;
  while (true) {
    limits.check();
    const std::size_t size = text.size();
    text.resize(size + block);
    const std::size_t got = std::fread(text.data() + size, 1, block, file.get());
    text.resize(size + got);
    if (std::ferror(file.get()) != 0)
      throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
    if (got < block) return text;
  }
}

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
      sources.push_back({path == "-" ? "<stdin>" : path, read_file(path, limits)});
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
