// Estimates by several threads against those of one heuristic, asked in another order: bit for bit.

#include "heuristics/shared_heuristic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "graph/search_graph.h"
#include "heuristics/drawn_start.h"
#include "heuristics/task_heuristics.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl::heuristics {
namespace {

constexpr SharedHeuristic::LeastWork always{.of_one = 0, .of_all = 0};

struct Estimates {
  std::vector<double> vectors;
  std::vector<std::uint8_t> is_hopeful;
  bool operator==(const Estimates&) const = default;
};

Estimates at_once(Heuristic& heuristic, const std::vector<StateId>& states, std::size_t stride) {
  Estimates result{std::vector<double>(states.size() * stride),
                   std::vector<std::uint8_t>(states.size())};
  heuristic.evaluate_all(states, result.vectors, result.is_hopeful);
  return result;
}

Estimates one_by_one_backwards(Heuristic& heuristic, const std::vector<StateId>& states,
                               std::size_t stride) {
  Estimates result{std::vector<double>(states.size() * stride),
                   std::vector<std::uint8_t>(states.size())};
  for (std::size_t i = states.size(); i-- > 0;)
    result.is_hopeful[i] =
        heuristic.evaluate(states[i], std::span(result.vectors).subspan(i * stride, stride));
  return result;
}

using Make = std::function<std::unique_ptr<Heuristic>()>;

std::unique_ptr<Heuristic> with_start(Cssp& cssp, std::unique_ptr<Heuristic> heuristic) {
  if (!has_drawn_start(cssp)) return heuristic;
  return std::make_unique<DrawnStart>(cssp, std::move(heuristic));
}

/// For two scalarisations, with the initial state, which may be drawn from, and without. Returns how
/// many states there were.
std::size_t compare(Cssp& cssp, const Make& make) {
  graph::SearchGraph graph(cssp);
  Monitor monitor;
  graph.expand_all(monitor, 500);
  const std::vector<StateId> all(graph.expanded_states().begin(), graph.expanded_states().end());
  std::vector<StateId> others = all;
  others.erase(std::remove(others.begin(), others.end(), cssp.initial_state()), others.end());
  const std::size_t stride = cssp.num_costs();
  const std::unique_ptr<Heuristic> single = with_start(cssp, make());
  for (const std::size_t count : {1U, 2U, 3U, 8U}) {
    const Threads threads(count);
    const std::unique_ptr<Heuristic> shared =
        with_start(cssp, std::make_unique<SharedHeuristic>(make, threads, always));
    for (const double weight : {0.3, 7.0}) {
      std::vector<double> weights(stride, weight);
      weights[0] = 1;
      single->set_weights(weights);
      shared->set_weights(weights);
      for (const std::vector<StateId>& states : {all, others}) {
        if (states.empty()) continue;
        const std::size_t before = single->evaluations() - shared->evaluations();
        EXPECT_EQ(at_once(*shared, states, stride), one_by_one_backwards(*single, states, stride));
        EXPECT_EQ(single->evaluations() - shared->evaluations(), before);
      }
    }
  }
  return all.size();
}

TEST(SharedHeuristic, SaysWhatASingleOneSays) {
  std::size_t states = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(150); ++seed) {
    SCOPED_TRACE(seed);
    Cssp cssp(testing::random_task_or_draw(seed));
    const TaskContext context(cssp);
    for (const EstimatorKind kind : {EstimatorKind::hmax, EstimatorKind::lmcut}) {
      states += compare(cssp, [&] { return std::make_unique<LambdaHeuristic>(context, kind); });
      states += compare(cssp, [&] { return std::make_unique<IdealPoint>(context, kind); });
    }
  }
  EXPECT_GE(states, testing::at_full_scale(10'000));
}

/// Says which copy it is, when other copies have been asked, too, or nobody has asked them for long.
class WhoAsks final : public Heuristic {
 public:
  struct Copies {
    std::atomic<std::size_t> made = 0;
    std::atomic<std::size_t> asked = 0;
    std::chrono::milliseconds patience;
  };

  explicit WhoAsks(Copies& copies) : copies_(copies), number_(copies.made++) {}

  void set_weights(std::span<const double> /*weights*/) override {}
  bool depends_on_weights() const override { return false; }
  bool evaluate(StateId /*state*/, std::span<double> out) override {
    out[0] = static_cast<double>(number_);
    if (was_asked_) return true;
    was_asked_ = true;
    ++copies_.asked;
    const auto end = std::chrono::steady_clock::now() + copies_.patience;
    while (copies_.asked < copies_.made && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    return true;
  }
  std::size_t work_per_evaluation() const override { return 1'000; }

 private:
  Copies& copies_;
  std::size_t number_;
  bool was_asked_ = false;
};

std::size_t number_of_askers(SharedHeuristic::LeastWork least_work,
                             std::chrono::milliseconds patience) {
  WhoAsks::Copies copies{.patience = patience};
  const Threads threads(2);
  SharedHeuristic heuristic([&] { return std::make_unique<WhoAsks>(copies); }, threads, least_work);
  const Estimates estimates = at_once(heuristic, std::vector<StateId>(20, StateId(0)), 1);
  EXPECT_EQ(heuristic.evaluations(), 20U);
  return std::set<double>(estimates.vectors.begin(), estimates.vectors.end()).size();
}

/// Few states, or estimates that are quickly made, are left to the thread that asks.
TEST(SharedHeuristic, LeavesLittleWorkToOneThread) {
  using std::chrono::milliseconds;
  EXPECT_EQ(number_of_askers({.of_one = 1'001, .of_all = 0}, milliseconds(20)), 1U);
  EXPECT_EQ(number_of_askers({.of_one = 0, .of_all = 20'001}, milliseconds(20)), 1U);
  EXPECT_EQ(number_of_askers({.of_one = 1'000, .of_all = 20'000}, milliseconds(20'000)), 2U);
}

}  // namespace
}  // namespace carl::heuristics
