// Makes certificates for the answers of all algorithms to random problems, corrupts copies of them,
// checks them all, and prints one JSON object per problem: the model, and each certificate with
// what `check_certificate` said of it. compare.py reads that and lets the other checker judge.
//
//   certificate_batch FIRST_SEED NUMBER_OF_PROBLEMS

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "carl/certificate.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/solve.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "util/random.h"

namespace carl {
namespace {

std::string text_of(const Certificate& certificate) {
  std::ostringstream out;
  write_certificate(certificate, out);
  return out.str();
}

std::string verdict(const std::shared_ptr<Model>& model, CsspOptions options,
                    const std::string& certificate) {
  Monitor monitor;
  options.remove_forbidden_actions = false;
  Cssp cssp(model, options);
  const CertificateReport report = check_certificate(
      cssp, read_certificate_text("certificate.json", certificate, monitor), nullptr, {}, monitor);
  switch (report.verdict) {
    case CertificateReport::Verdict::proved:
      return "proved";
    case CertificateReport::Verdict::proved_up_to_heuristic:
      return fmt::format("up-to {}", report.unexpanded);
    case CertificateReport::Verdict::refuted:
      break;
  }
  return "refuted";
}

/// A factor near one: now and then so near that only exact arithmetic can tell.
double factor(SplitMix64& random) {
  constexpr double sizes[] = {0.5, 1e-3, 1e-9, 1e-13, 4e-16};
  const double change = sizes[random.below(5)] * random.unit();
  return random.below(2) == 0 ? 1 + change : 1 - change;
}

template <class List>
auto& any_of(List& list, SplitMix64& random) {
  return list[random.below(list.size())];
}

/// False if there is nothing of the kind to change.
bool corrupt(Certificate& certificate, std::uint64_t what, SplitMix64& random) {
  switch (what) {
    case 0:
      if (certificate.values.empty()) return false;
      *any_of(certificate.values, random).value *= factor(random);
      return true;
    case 1:
      if (certificate.values.empty()) return false;
      *any_of(certificate.values, random).value += random.unit() - 0.5;
      return true;
    case 2:
      if (certificate.multipliers.empty()) return false;
      any_of(certificate.multipliers, random).second *= factor(random);
      return true;
    case 3:
      certificate.theta = random.below(2) == 0 ? 1.0 : certificate.theta * factor(random);
      return true;
    case 4:
      if (!certificate.lower_bound) return false;
      *certificate.lower_bound *= factor(random);
      return true;
    case 5:
      if (!certificate.objective) return false;
      *certificate.objective *= factor(random);
      return true;
    case 6: {
      if (!certificate.policy || certificate.policy->states.empty()) return false;
      auto& choices = any_of(certificate.policy->states, random).choices;
      auto& other = any_of(any_of(certificate.policy->states, random).choices, random);
      any_of(choices, random).action = other.action;
      return choices.size() == 1;  // or it might be there twice
    }
    case 7: {
      if (!certificate.policy || certificate.policy->states.empty()) return false;
      auto& choices = any_of(certificate.policy->states, random).choices;
      if (choices.size() != 2) return false;
      const double moved = std::min(choices[1].probability, 0.1 * random.unit());
      choices[0].probability += moved;
      choices[1].probability -= moved;
      return true;
    }
    case 8:
      if (certificate.values.empty()) return false;
      std::swap(certificate.values.back(), any_of(certificate.values, random));
      certificate.values.pop_back();
      return true;
    case 9:
      certificate.kind = static_cast<CertificateKind>(random.below(4));
      return true;
    case 10:
      if (certificate.excess.empty()) return false;
      any_of(certificate.excess, random).second *= factor(random);
      return true;
    default:
      if (certificate.values.empty()) return false;
      std::swap(certificate.values.back(), any_of(certificate.values, random));
      certificate.unexpanded.push_back(certificate.values.back());
      certificate.values.pop_back();
      certificate.heuristic = "zero";
      return true;
  }
}

class Batch {
 public:
  explicit Batch(std::uint64_t seed) : random_(seed), seed_(seed) {
    if (seed % 4 == 3) {
      model_ = seed % 8 == 3 ? testing::random_conditional_task(seed)
                             : testing::random_task_or_draw(seed);
      draw_bounds();
      return;
    }
    testing::RandomModelOptions options = testing::random_options(seed, 8);
    if (seed % 16 == 0) options.dead_ends = testing::DeadEnds::unavoidable;
    model_ = testing::random_model(seed, options);
  }

  /// A factored problem is printed as what it is converted to.
  void run() {
    std::ostringstream text;
    Monitor monitor;
    Cssp cssp(model_, changes_);
    try {
      write_explicit(cssp, text, monitor);
    } catch (const InputError&) {
      return;  // no action is applicable in the initial state of this one
    }
    add_answers();
    std::string line =
        fmt::format("{{\"seed\": {}, \"model\": {}, \"cases\": [{}]}}", seed_, text.str(), cases_);
    std::replace(line.begin(), line.end(), '\n', ' ');  // strings have none
    std::cout << line << '\n';
  }

 private:
  /// Bounds around what is best without them: some can be met, some cannot.
  void draw_bounds() {
    Cssp cssp(model_);
    Monitor monitor;
    const Solution free = solve(cssp, {}, monitor);
    if (!free.costs) return;
    for (std::size_t i = 1; i < cssp.num_costs(); ++i)
      changes_.bounds.emplace_back(
          cssp.cost_names()[i],
          random_.below(6) == 0
              ? 0.0
              : std::round(1000 * (*free.costs)[i] * (0.4 + random_.unit())) / 1000);
  }

  void add_answers() {
    const bool factored = model_->factored();
    std::vector<SolveOptions> ways(5);
    ways[1].carl.outer = OuterAlgorithm::coordinate;
    ways[2].algorithm = Algorithm::lp;
    ways[3].algorithm = Algorithm::i_dual;
    ways[4].algorithm = factored ? Algorithm::i2_dual : Algorithm::automatic;
    if (Cssp(model_, changes_).constraints().empty()) {
      ways.assign(1 + inner_names().size(), {});
      ways[0].algorithm = Algorithm::lp;
      for (std::size_t i = 0; i < inner_names().size(); ++i)
        ways[i + 1].algorithm = algorithm_named(inner_names()[i]);
    }
    // Two of them are enough for a problem; all get their share.
    add_answer(ways[seed_ % ways.size()]);
    add_answer(ways[(seed_ / ways.size() + 1) % ways.size()]);
  }

  void add_answer(const SolveOptions& options) {
    Monitor monitor;
    Cssp cssp(model_, changes_);
    const Solution solution = solve(cssp, options, monitor);
    const std::string way =
        fmt::format("{}/{}", to_string(options.algorithm), to_string(options.carl.outer));
    Certificate certificate;
    try {
      CertificateOptions proof;
      if (random_.below(8) == 0) proof.max_states = 3;  // a search, and unexpanded states
      certificate = make_certificate(cssp, solution, proof, monitor);
    } catch (const NoCertificate& none) {
      add_case(
          way, "none",
          fmt::format("\"{}: {}: {}\"", to_string(solution.status), none.what(), solution.note));
      return;
    }
    const std::string text = text_of(certificate);
    add_case(way, verdict(model_, changes_, text), text);
    for (int i = 0; i < 3; ++i) {
      Certificate wrong = certificate;
      const std::uint64_t what = random_.below(12);
      if (!corrupt(wrong, what, random_)) continue;
      const std::string wrong_text = text_of(wrong);
      add_case(fmt::format("corrupted {}", what), verdict(model_, changes_, wrong_text),
               wrong_text);
    }
  }

  void add_case(const std::string& way, const std::string& verdict, const std::string& text) {
    cases_ += fmt::format("{}{{\"way\": \"{}\", \"verdict\": \"{}\", \"certificate\": {}}}",
                          cases_.empty() ? "" : ", ", way, verdict, text);
  }

  SplitMix64 random_;
  std::uint64_t seed_;
  std::shared_ptr<Model> model_;
  CsspOptions changes_;
  std::string cases_;
};

}  // namespace
}  // namespace carl

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t number = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + number; ++seed)
    carl::Batch(seed).run();
}
