#include "io/model_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "carl/options.h"
#include "io/archive.h"
#include "io/read_drn.h"
#include "io/read_explicit.h"
#include "io/read_ppddl.h"
#include "io/read_prism.h"
#include "io/read_prism_explicit.h"
#include "io/read_umb.h"
#include "util/shown.h"
#include "util/timer.h"

namespace carl::io {
namespace {

constexpr std::string_view json_extensions[] = {".json"};
constexpr std::string_view umb_extensions[] = {".umb"};
constexpr std::string_view drn_extensions[] = {".drn"};
constexpr std::string_view prism_explicit_extensions[] = {".tra", ".sta", ".lab", ".srew", ".trew"};
constexpr std::string_view ppddl_extensions[] = {".ppddl", ".pddl"};
constexpr std::string_view prism_extensions[] = {".prism", ".nm", ".pm", ".mdp", ".dtmc"};

/// The first character that is no blank.
char first_character(std::string_view text) {
  const auto first =
      std::find_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) == 0; });
  return first == text.end() ? '\0' : *first;
}

// In the order in which they are tried. The last one takes what no other one knows.
constexpr ModelFormat formats[] = {
    {"an explicit model", json_extensions,
     [](std::string_view text) { return first_character(text) == '{'; }, false, false, 1,
     "either one .json file, or a PPDDL domain and problem",
     [](std::vector<ModelText> texts, const LoadOptions& options, Monitor& monitor,
        LoadTimes& times) {
       return read_explicit(std::move(texts.front()), options.minimise, monitor, times);
     }},
    {"a UMB model", umb_extensions, looks_like_archive, true, false, 1, "one .umb file",
     [](std::vector<ModelText> texts, const LoadOptions& options, Monitor& monitor,
        LoadTimes& times) {
       const PhaseTimer timer(times.parse);
       return read_umb(texts.front().name, texts.front().text, options, monitor);
     },
     read_umb_file},
    {"a PRISM model", prism_extensions, looks_like_prism, true, false, 1, "that file alone",
     read_prism, nullptr, true},
    {"a DRN model", drn_extensions, looks_like_drn, true, false, 1, "one .drn file",
     [](std::vector<ModelText> texts, const LoadOptions& options, Monitor& monitor,
        LoadTimes& times) {
       const PhaseTimer timer(times.parse);
       return read_drn(texts.front().name, texts.front().text, options, monitor);
     }},
    {"an explicit model of PRISM", prism_explicit_extensions,
     [](std::string_view /*text*/) { return false; }, true, false, most_prism_files,
     "a .tra file and those that belong to it",
     [](std::vector<ModelText> texts, const LoadOptions& options, Monitor& monitor,
        LoadTimes& times) {
       const PhaseTimer timer(times.parse);
       return read_prism_explicit(texts, options, monitor);
     },
     read_prism_explicit_files},
    {"PPDDL", ppddl_extensions, [](std::string_view /*text*/) { return true; }, false, true,
     static_cast<std::size_t>(-1), "a domain and a problem", read_ppddl},
};

}  // namespace

std::size_t number_of_minimised(const std::vector<std::string>& costs, const std::string& name) {
  const auto found = std::find(costs.begin(), costs.end(), name);
  if (found == costs.end())
    throw OptionError(fmt::format("`minimise`: there is no cost named '{}'", shown(name)),
                      fmt::format("the costs are: {}", fmt::join(costs, ", ")));
  return static_cast<std::size_t>(found - costs.begin());
}

void check_options(const ModelFormat& format, const std::string& name, const LoadOptions& options) {
  if (!options.problem.empty() && !format.has_problems)
    throw OptionError(fmt::format("`problem`: {} has no problems to choose from", format.name));
  if (!options.goal.empty() && !format.has_labels)
    throw OptionError(fmt::format("`goal`: '{}' has no labels, its goals are written in it", name));
  // Without goals it is for a property, which may have constants of its own.
  if (!options.constants.empty() && options.has_goal && !format.has_constants)
    throw OptionError(fmt::format("`const`: {} has no constants", format.name));
}

const ModelFormat* format_of_name(std::string_view name) {
  const auto has_extension = [&](const ModelFormat& format) {
    return std::any_of(format.extensions.begin(), format.extensions.end(),
                       [&](std::string_view extension) { return name.ends_with(extension); });
  };
  const auto named = std::find_if(std::begin(formats), std::end(formats), has_extension);
  return named == std::end(formats) ? nullptr : &*named;
}

const ModelFormat& format_of(const ModelText& text) {
  if (const ModelFormat* const named = format_of_name(text.name)) return *named;
  return *std::find_if(std::begin(formats), std::end(formats),
                       [&](const ModelFormat& format) { return format.recognises(text.text); });
}

}  // namespace carl::io
