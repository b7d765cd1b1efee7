// Many ranks agree with one process, on models of all kinds. Every rank runs every test; the first
// one knows the answer of carl::solve() and compares.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "carl/check.h"
#include "carl/cluster.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/policy_parts.h"
#include "cluster/agreement.h"
#include "cluster/ranks.h"
#include "ill_conditioned.h"
#include "support/random_model.h"
#include "support/random_prism.h"
#include "support/random_task.h"
#include "support/scale.h"

namespace carl {
namespace {

using testing::random_model;
using testing::random_options;
using testing::RandomModelOptions;

cluster::Session* session = nullptr;

double gap = 1e-6;

/// What both solves have in common, or what they were refused for.
struct Outcome {
  Solution solution;
  bool refused = false;
};

template <class Solve>
Outcome outcome_of(Cssp& cssp, Solve solve) {
  SolveOptions options;
  options.gap = gap;
  options.explain = false;
  Monitor monitor;
  Outcome outcome;
  try {
    outcome.solution = solve(cssp, options, monitor);
  } catch (const InputError&) {
    outcome.refused = true;
  }
  return outcome;
}

/// The policy costs what the solution says, and meets the bounds, by other means.
void expect_checked(Cssp cssp, const Solution& solution, const std::string& text) {
  cssp.remove_forbidden_actions(false);
  Monitor monitor;
  const CheckReport checked = check_policy(cssp, solution.policy, nullptr, {}, monitor);
  ASSERT_TRUE(checked.holds() && checked.costs) << text;
  for (std::size_t i = 0; i < solution.costs->size(); ++i) {
    const double expected = (*checked.costs)[i];
    EXPECT_NEAR((*solution.costs)[i], expected, 1e-8 * (1e-3 + expected)) << text;
  }
}

/// How often each status was seen: a suite without infeasible problems proves little.
std::map<std::string, std::size_t> seen;

void expect_agreement(Cssp& cssp, const std::string& text) {
  const Outcome many =
      outcome_of(cssp, [](Cssp& problem, const SolveOptions& options, Monitor& monitor) {
        return cluster::solve(problem, options, monitor);
      });
  if (!session->is_first()) return;
  const Outcome one =
      outcome_of(cssp, static_cast<Solution (*)(Cssp&, const SolveOptions&, Monitor&)>(solve));
  EXPECT_EQ(many.refused, one.refused) << text;
  if (one.refused || many.refused) return;
  ASSERT_EQ(to_string(many.solution.status), to_string(one.solution.status)) << text << "\n"
                                                                             << many.solution.note;
  ASSERT_EQ(many.solution.costs.has_value(), one.solution.costs.has_value()) << text;
  if (many.solution.infeasibility) {
    EXPECT_EQ(many.solution.infeasibility->zero_bounds, one.solution.infeasibility->zero_bounds);
  }
  ++seen[std::string(to_string(one.solution.status))];
  if (!one.solution.costs) return;
  const double expected = one.solution.costs->front();
  EXPECT_NEAR(many.solution.costs->front(), expected, 2 * gap * expected + 1e-12) << text;
  EXPECT_LE(*many.solution.lower_bound, expected * (1 + 1e-9)) << text;
  if (many.solution.status == Status::optimal) expect_checked(cssp, many.solution, text);
}

TEST(Cluster, AgreesOnRandomModels) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(300); ++seed) {
    const RandomModelOptions options = random_options(seed, 4 + seed % 60);
    Cssp cssp(random_model(seed, options));
    expect_agreement(cssp, options.text() + " seed " + std::to_string(seed));
  }
}

/// With room for it improvements are left out that do not matter.
TEST(Cluster, AgreesWithinALargeGap) {
  const double usual = std::exchange(gap, 1e-3);
  for (std::uint64_t seed = 1; seed <= testing::scaled(100); ++seed) {
    const RandomModelOptions options = random_options(seed, 4 + seed % 60);
    Cssp cssp(random_model(seed, options));
    expect_agreement(cssp, options.text() + " gap 1e-3, seed " + std::to_string(seed));
  }
  gap = usual;
}

TEST(Cluster, HasSeenAllKindsOfAnswers) {
  if (!session->is_first()) return;
  for (const char* status : {"optimal", "infeasible", "no-proper-policy"})
    EXPECT_GE(seen[status], testing::at_full_scale(10)) << status;
}

TEST(Cluster, AgreesOnIllConditionedModels) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(150); ++seed) {
    const RandomModelOptions options = testing::ill_conditioned(seed);
    Cssp cssp(random_model(seed, options));
    expect_agreement(cssp, options.text() + " seed " + std::to_string(seed));
  }
}

TEST(Cluster, EveryRankHearsOfALimit) {
  Cssp cssp(random_model(1));
  Monitor monitor(0, 0);
  const Solution solution = cluster::solve(cssp, {}, monitor);
  if (!session->is_first()) return;
  EXPECT_EQ(solution.status, Status::limit);
  EXPECT_EQ(solution.note, "the time limit was reached");
}

/// A clock that is asked so many times and then says that time is up, on the first rank.
class ClockThatStops {
 public:
  explicit ClockThatStops(std::size_t looks) : looks_(looks) {}
  Monitor::Clock::time_point now() {
    const bool late = ++asked_ > looks_ && session->is_first();
    return Monitor::Clock::time_point(std::chrono::seconds(late ? 2'000'000 : 0));
  }
  std::size_t asked() const { return asked_; }

 private:
  std::size_t looks_;
  std::size_t asked_ = 0;
};

/// Time may be up in the middle of anything. What is looked at is counted: an iteration of a linear
/// solver or a sweep more, but not all of them.
TEST(Cluster, EndsSoonAfterALimitInTheMiddleOfTheWork) {
  RandomModelOptions model_options;
  model_options.states = 3000;
  model_options.bounds = testing::BoundsKind::tight;
  Cssp cssp(random_model(5, model_options));
  const auto looks_of_a_solve = [&](std::size_t looks, Status expected) {
    ClockThatStops clock(looks);
    Monitor monitor(1e6, 0, nullptr, [&] { return clock.now(); });
    const Solution solution = cluster::solve(cssp, {}, monitor);
    if (session->is_first()) {
      EXPECT_EQ(to_string(solution.status), to_string(expected)) << looks;
    }
    return clock.asked();
  };
  // Ranks look at their clocks a little more or less often; that of the first counts.
  std::vector<std::uint64_t> looks_of_all{looks_of_a_solve(1'000'000'000, Status::optimal)};
  cluster::Ranks(MPI_COMM_WORLD).broadcast(looks_of_all);
  const std::size_t all = looks_of_all.front();
  EXPECT_GE(all, 40U);
  // At the last one there may be an answer already.
  for (std::size_t looks = 1; looks + 1 < all; looks += 1 + all / 23) {
    const std::size_t asked = looks_of_a_solve(looks, Status::limit);
    if (session->is_first()) {
      EXPECT_LE(asked, looks + 3);
    }
  }
}

TEST(Cluster, AnInterruptMayReachAnyRank) {
  RandomModelOptions model_options;
  model_options.states = 3000;
  Cssp cssp(random_model(6, model_options));
  std::atomic<bool> interrupt = false;
  std::size_t asked = 0;
  Monitor monitor(1e6, 0, &interrupt, [&] {
    if (++asked == 5 && session->rank() == session->size() - 1) interrupt = true;
    return Monitor::Clock::time_point();
  });
  const Solution solution = cluster::solve(cssp, {}, monitor);
  if (session->is_first()) {
    EXPECT_EQ(to_string(solution.status), "interrupted");
  }
}

/// Messages too long for MPI go in pieces. Here that is very soon.
TEST(Cluster, LongMessagesArriveInPieces) {
  const cluster::Ranks at_once(MPI_COMM_WORLD);
  for (const std::size_t most_words : {1U, 2U, 5U, 16U, 100U}) {
    const cluster::Ranks in_pieces(MPI_COMM_WORLD, most_words);
    std::vector<std::vector<std::uint64_t>> outbox(at_once.count());
    for (std::size_t r = 0; r < outbox.size(); ++r)
      for (std::size_t k = 0; k < (7 * at_once.index() + 3 * r + most_words) % 23; ++k)
        outbox[r].push_back(1000 * at_once.index() + 100 * r + k);
    auto other = outbox;
    const std::vector<std::uint64_t> own = outbox.back();
    std::vector<std::size_t> from;
    std::vector<std::size_t> other_from;
    EXPECT_EQ(in_pieces.exchange(outbox, from), at_once.exchange(other, other_from));
    EXPECT_EQ(from, other_from);
    EXPECT_EQ(in_pieces.gather(own), at_once.gather(own));
    std::vector<double> numbers(21, 1.0 + at_once.rank());
    in_pieces.sum(numbers);
    EXPECT_EQ(numbers, std::vector<double>(21, at_once.size() * (at_once.size() + 1) / 2.0));
    std::vector<std::uint64_t> words(at_once.is_first() ? 17 : 0, 5);
    in_pieces.broadcast(words);
    EXPECT_EQ(words, std::vector<std::uint64_t>(17, 5));
    EXPECT_EQ(in_pieces.sum_before(std::vector<std::uint64_t>(9, 1)),
              std::vector<std::uint64_t>(9, at_once.index()));
  }
}

/// What fails on one rank, whichever, fails on all with the same words.
TEST(Cluster, RanksFailTogether) {
  const cluster::Ranks ranks(MPI_COMM_WORLD);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const auto message_of = [&](auto fail) -> std::string {
      try {
        cluster::together(ranks, [&] {
          if (ranks.rank() == rank) fail();
        });
      } catch (const std::exception& error) {
        return error.what();
      }
      return "none";
    };
    EXPECT_EQ(message_of([] { throw InputError("a word", "or two"); }),
              InputError("a word", "or two").what());
    EXPECT_EQ(message_of([] { throw cluster::TooLarge("too many"); }), "too many");
    EXPECT_EQ(message_of([] { throw LimitReached(LimitKind::time); }),
              "the time limit was reached");
    EXPECT_EQ(message_of([] {}), "none");
  }
}

TEST(Cluster, RefusesLoopsAtNoCostOnAllRanks) {
  RandomModelOptions options;
  options.zero_cost_loop = true;
  Cssp cssp(random_model(3, options));
  Monitor monitor;
  EXPECT_THROW(cluster::solve(cssp, {}, monitor), InputError);
}

/// Each rank reads its own part of a UMB file, and writes its own part of the policy.
TEST(Cluster, AgreesOnModelsReadInShares) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("carl-cluster-" + std::to_string(session->size()));
  if (session->is_first()) std::filesystem::create_directories(folder);
  const std::string file = folder / "model.umb";
  const std::string policy = folder / "policy.json";
  for (std::uint64_t seed = 1; seed <= testing::scaled(40); ++seed) {
    RandomModelOptions options = random_options(seed, 5 + seed % 40);
    options.give_up = false;  // is not written to UMB
    Cssp whole(random_model(seed, options));
    Monitor monitor;
    if (session->is_first()) {
      std::ofstream out(file, std::ios::binary);
      write_umb(whole, out, monitor);
    }
    session->meet(0);
    LoadOptions load{};
    load.minimise = whole.cost_names().front();
    load.share = {static_cast<std::size_t>(session->rank()),
                  static_cast<std::size_t>(session->size()), 0};
    Cssp shared(load_model({file}, monitor, nullptr, load));
    SolveOptions solve_options;
    solve_options.gap = gap;
    const Solution many = cluster::solve(shared, solve_options, monitor, policy);
    if (session->is_first()) {
      load.share = {};
      Cssp judged(load_model({file}, monitor, nullptr, load));
      const Solution one = solve(judged, solve_options, monitor);
      EXPECT_EQ(to_string(many.status), to_string(one.status)) << seed;
      if (one.costs && many.costs) {
        EXPECT_NEAR(many.costs->front(), one.costs->front(), 2 * gap * one.costs->front()) << seed;
        judged.remove_forbidden_actions(false);
        // One rank has all of it.
        const CheckReport checked =
            session->size() == 1
                ? check_policy(judged, many.policy, nullptr, {}, monitor)
                : check_policy(judged, read_policy(policy, monitor), nullptr, {}, monitor);
        EXPECT_TRUE(checked.holds()) << seed;
      }
    }
    session->meet(0);
  }
  if (session->is_first()) std::filesystem::remove_all(folder);
}

TEST(Cluster, AgreesOnRandomTasks) {
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    Cssp cssp(testing::random_task_or_draw(seed));
    expect_agreement(cssp, "task of seed " + std::to_string(seed));
  }
}

TEST(Cluster, AgreesOnRandomPrismPrograms) {
  seen.clear();
  for (std::uint64_t seed = 1; seed <= testing::scaled(200); ++seed) {
    Cssp cssp(testing::random_prism_model(seed, seed % 4 == 0));
    expect_agreement(cssp, "program of seed " + std::to_string(seed));
  }
  if (session->is_first()) {
    EXPECT_GE(seen["optimal"], testing::at_full_scale(20));
  }
}

/// Who acts by a policy of a program looks for goals in its list. One process knows those that its search
/// has met.
TEST(Cluster, KnowsTheGoalsOfAProgram) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(30); ++seed) {
    Cssp cssp(testing::random_prism_model(seed));
    outcome_of(cssp, [](Cssp& problem, const SolveOptions& options, Monitor& monitor) {
      return cluster::solve(problem, options, monitor);
    });
    if (!session->is_first()) continue;
    Cssp alone(testing::random_prism_model(seed));
    outcome_of(alone, static_cast<Solution (*)(Cssp&, const SolveOptions&, Monitor&)>(solve));
    std::set<std::vector<std::string>> goals;
    for (const PolicyFile::Goal& goal : policy_header(cssp).goals)
      goals.insert(goal.literals);
    for (const PolicyFile::Goal& goal : policy_header(alone).goals) {
      EXPECT_EQ(goals.count(goal.literals), 1U) << "program of seed " << seed;
      ++found;
    }
  }
  if (session->is_first()) {
    EXPECT_GE(found, testing::at_full_scale(20));
  }
}

}  // namespace
}  // namespace carl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  carl::cluster::Session session;
  carl::session = &session;
  if (!session.is_first()) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  return RUN_ALL_TESTS();
}
