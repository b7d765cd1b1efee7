#include "io/model_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "carl/options.h"
#include "io/read_explicit.h"
#include "io/read_ppddl.h"
#include "io/read_prism.h"
#include "util/shown.h"

namespace carl::io {
namespace {

constexpr std::string_view json_extensions[] = {".json"};
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
    {"explicit model", json_extensions,
     [](std::string_view text) { return first_character(text) == '{'; }, 1,
     "either one .json file, or a PPDDL domain and problem",
     [](std::vector<ModelText> texts, const LoadOptions& options, Monitor& monitor,
        LoadTimes& times) {
       if (!options.problem.empty())
         throw OptionError("`problem`: an explicit model has no problems to choose from");
       return read_explicit(std::move(texts.front()), options.minimise, monitor, times);
     }},
    {"PRISM model", prism_extensions, looks_like_prism, 1,
     "that file alone", read_prism},
    {"PPDDL", ppddl_extensions, [](std::string_view /*text*/) { return true; },
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

const ModelFormat& format_of(const ModelText& text) {
  const auto has_extension = [&](const ModelFormat& format) {
    return std::any_of(format.extensions.begin(), format.extensions.end(),
                       [&](std::string_view extension) { return text.name.ends_with(extension); });
  };
  const auto named = std::find_if(std::begin(formats), std::end(formats), has_extension);
  if (named != std::end(formats)) return *named;
  return *std::find_if(std::begin(formats), std::end(formats),
                       [&](const ModelFormat& format) { return format.recognises(text.text); });
}

}  // namespace carl::io
