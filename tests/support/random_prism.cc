#include "support/random_prism.h"

#include <fmt/format.h>

#include "carl/io.h"
#include "carl/monitor.h"
#include "util/random.h"

namespace carl::testing {
namespace {

/// A module with one variable, from 0 to `high`.
std::string random_module(SplitMix64& random, std::size_t number, std::uint64_t high,
                          bool reckless) {
  const std::string v = fmt::format("x{}", number);
  std::string text = fmt::format("module m{}\n  {} : [0..{}] init 0;\n", number, v, high);
  const std::string end = reckless ? fmt::format("{}<={}", v, high) : fmt::format("{}<{}", v, high);
  text += fmt::format("  [] {} -> 0.7:({}'={}+1) + 0.3:true;\n", end, v, v);
  const std::uint64_t commands = 1 + random.below(3);
  for (std::uint64_t c = 0; c < commands; ++c) {
    const char* const action = random.below(2) == 0 ? "go" : "";
    const std::uint64_t from = random.below(high);
    switch (random.below(3)) {
      case 0:
        text += fmt::format("  [{}] {}>={} -> ({}'=mod({}+{},{}));\n", action, v, from, v, v,
                            1 + random.below(3), high + 1);
        break;
      case 1:  // probabilities of the state
        text +=
            fmt::format("  [{0}] {1}>={2} -> ({1}+1)/({1}+2):({1}'=0) + 1/({1}+2):({1}'={3});\n",
                        action, v, from, random.below(high + 1));
        break;
      default:
        text += fmt::format("  [{}] {}={} -> 0.5:({}'={}) + 0.25:({}'=0) + 0.25:true;\n", action, v,
                            from, v, high, v);
    }
  }
  return text + "  [go] true -> true;\nendmodule\n";
}

}  // namespace

std::string random_prism_text(std::uint64_t seed, bool reckless) {
  SplitMix64 random(seed);
  const std::size_t modules = 2 + random.below(2);
  std::string text = random.below(5) == 0 ? "dtmc\n" : "mdp\n";
  std::string goal;
  for (std::size_t m = 0; m < modules; ++m) {
    const std::uint64_t high = 2 + random.below(modules == 2 ? 14 : 6);
    text += random_module(random, m, high, reckless && m == 0 && random.below(2) == 0);
    goal += fmt::format("{}x{}={}", m == 0 ? "" : " & ", m, high);
  }
  text += fmt::format("label \"goal\" = {};\n", goal);
  text += fmt::format("rewards \"time\"\n  true : 1;\n  [go] true : {};\nendrewards\n",
                      random.below(3));
  text += fmt::format("rewards \"work\"\n  x0>{} : x0/2;\n  x1={} : 1;\nendrewards\n",
                      random.below(3), random.below(3));
  return text;
}

std::shared_ptr<Model> random_prism_model(std::uint64_t seed, bool reckless) {
  Monitor monitor;
  return load_model_texts({{"m.prism", random_prism_text(seed, reckless)}}, monitor);
}

}  // namespace carl::testing
