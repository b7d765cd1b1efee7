#include "io/read_prism.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "carl/options.h"
#include "io/model_formats.h"
#include "model/prism_model.h"
#include "prism/read.h"
#include "util/shown.h"
#include "util/timer.h"

namespace carl::io {
namespace {

constexpr std::string_view first_words[] = {"mdp",           "dtmc",    "nondeterministic",
                                            "probabilistic", "ctmc",    "stochastic",
                                            "pta",           "pomdp",   "popta",
                                            "smg",           "csg",     "tsg",
                                            "const",         "formula", "module",
                                            "global",        "label",   "rewards"};

prism::ConstantValues constants_of(const LoadOptions& options) {
  prism::ConstantValues values;
  for (const auto& [name, text] : options.constants)
    if (!values.emplace(name, prism::parse_constant_value(name, text)).second)
      throw OptionError(fmt::format("`const`: '{}' is given twice", shown(name)));
  return values;
}

void minimise(prism::Description& model, const std::string& name) {
  std::vector<std::string> names;
  for (const prism::Rewards& rewards : model.rewards)
    names.push_back(rewards.name);
  if (names.empty()) names.emplace_back("steps");
  const auto place = static_cast<std::ptrdiff_t>(number_of_minimised(names, name));
  if (place == 0) return;
  const auto begin = model.rewards.begin();
  std::rotate(begin, begin + place, begin + place + 1);
}

}  // namespace

bool looks_like_prism(std::string_view text) {
  // Comments may come first.
  std::size_t at = 0;
  while (at < text.size()) {
    at = text.find_first_not_of(" \t\r\n\f\v", at);
    if (at == std::string_view::npos) return false;
    if (!text.substr(at).starts_with("//")) break;
    at = std::min(text.find('\n', at), text.size());
  }
  return std::any_of(std::begin(first_words), std::end(first_words), [&](std::string_view word) {
    if (!text.substr(at).starts_with(word)) return false;
    const std::size_t end = at + word.size();
    return end == text.size() ||
           std::string_view(" \t\r\n\f\v/;\"").find(text[end]) != std::string_view::npos;
  });
}

std::shared_ptr<Model> read_prism(std::vector<ModelText> texts, const LoadOptions& options,
                                  Monitor& /*monitor*/, LoadTimes& times) {
  prism::Description description;
  {
    const PhaseTimer timer(times.parse);
    const auto source = std::make_shared<const prism::Source>(
        prism::Source{std::move(texts.front().name), std::move(texts.front().text)});
    // Without goals of its own it is for a property, which may have constants as well.
    description = prism::read(source, constants_of(options), !options.has_goal);
    if (!options.minimise.empty()) minimise(description, options.minimise);
  }
  const PhaseTimer timer(times.ground);
  return make_prism_model(std::move(description), options.goal, options.has_goal);
}

}  // namespace carl::io
