#include "cluster/cluster_oracle.h"

#include <cstdint>
#include <string>

#include "carl/error.h"
#include "carl/monitor.h"

namespace carl::cluster {
namespace {

enum class Command : std::uint64_t { ask, bound, tighten, mix, policy, save, restore, stop };

/// Tells the other ranks what to do, and with which numbers.
void tell(const Ranks& ranks, Command command, std::span<const double> numbers = {},
          std::uint64_t handle = 0) {
  std::vector<std::uint64_t> words{static_cast<std::uint64_t>(command), handle};
  ranks.broadcast(words);
  std::vector<double> sent(numbers.begin(), numbers.end());
  ranks.broadcast(sent);
}

void tell_path(const Ranks& ranks, Command command, const std::string& path,
               std::uint64_t handle = 0) {
  tell(ranks, command, std::vector<double>(), handle);
  std::vector<std::uint64_t> letters(path.begin(), path.end());
  ranks.broadcast(letters);
}

std::string path_told(const Ranks& ranks) {
  std::vector<std::uint64_t> letters;
  ranks.broadcast(letters);
  std::string path;
  for (const std::uint64_t letter : letters)
    path += static_cast<char>(letter);
  return path;
}

/// Errors are thrown on all ranks; what becomes of them is up to the first.
template <class Function>
void and_go_on(Function function) {
  try {
    function();
  } catch (const InputError&) {
  } catch (const LimitReached&) {
  }
}

}  // namespace

ClusterOracle::~ClusterOracle() {
  tell(engine_.ranks(), Command::stop);
}

oracle::Answer ClusterOracle::ask(std::span<const double> weights) {
  tell(engine_.ranks(), Command::ask, weights);
  return engine_.ask(weights);
}

/// Effort to raise the bound towards a target is left to the outer search, whose next question does
/// as well.
double ClusterOracle::bound_nearby(std::span<const double> weights, double negligible_loss,
                                   double /*target*/) {
  std::vector<double> numbers(weights.begin(), weights.end());
  numbers.push_back(negligible_loss);
  tell(engine_.ranks(), Command::bound, numbers);
  return engine_.bound_nearby(weights, negligible_loss);
}

bool ClusterOracle::tighten() {
  tell(engine_.ranks(), Command::tighten);
  return engine_.tighten();
}

Policy ClusterOracle::policy(oracle::PolicyHandle policy) const {
  tell(engine_.ranks(), Command::policy, {}, policy);
  return engine_.policy(policy);
}

oracle::EvaluatedPolicy ClusterOracle::mix(std::span<const double> mixture) const {
  tell(engine_.ranks(), Command::mix, mixture);
  return engine_.mix(mixture);
}

void ClusterOracle::save(oracle::PolicyHandle policy, const std::string& path) {
  tell_path(engine_.ranks(), Command::save, path, policy);
  engine_.save(policy, path);
}

oracle::PolicyHandle ClusterOracle::restore(const std::string& path) {
  tell_path(engine_.ranks(), Command::restore, path);
  return engine_.restore(path);
}

void serve(Engine& engine) {
  while (true) {
    std::vector<std::uint64_t> words;
    std::vector<double> numbers;
    engine.ranks().broadcast(words);
    engine.ranks().broadcast(numbers);
    switch (static_cast<Command>(words[0])) {
      case Command::ask:
        and_go_on([&] { engine.ask(numbers); });
        break;
      case Command::bound: {
        const double negligible_loss = numbers.back();
        numbers.pop_back();
        and_go_on([&] { engine.bound_nearby(numbers, negligible_loss); });
        break;
      }
      case Command::tighten:
        engine.tighten();
        break;
      case Command::mix:
        and_go_on([&] { engine.mix(numbers); });
        break;
      case Command::policy:
        and_go_on([&] { engine.policy(words[1]); });
        break;
      case Command::save: {
        const std::string path = path_told(engine.ranks());
        and_go_on([&] { engine.save(words[1], path); });
        break;
      }
      case Command::restore: {
        const std::string path = path_told(engine.ranks());
        and_go_on([&] { engine.restore(path); });
        break;
      }
      case Command::stop:
        return;
    }
  }
}

}  // namespace carl::cluster
