// The policy is compiled once: every state has one table of all that can happen next (an action and
// its outcome, at what that outcome costs), from which the alias method draws in constant time. Run
// i has a random stream of its own, made from the seed and i. Runs are executed round by round:
// within a round each writes its costs to a place of its own, then they are added up in order. So
// neither the number of threads nor their luck shows in the result, and only one round is in
// memory.

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "carl/simulate.h"
#include "model/intern_table.h"
#include "policy/chain_evaluation.h"
#include "policy/findings.h"
#include "policy/policy_chain.h"
#include "policy/resolve_policy.h"
#include "policy/running_sample.h"
#include "policy/tolerances.h"
#include "util/parallel.h"
#include "util/random.h"

namespace carl {
namespace {

using namespace policy;

constexpr std::size_t runs_per_block = 64;
constexpr std::size_t runs_per_round = Simulator::remembered_runs;
constexpr std::size_t steps_per_poll = std::size_t{1} << 14;

/// The random stream of a run. The seed is drawn through the generator, and so is the sum: nearby
/// seeds and runs must not share stretches of one sequence.
SplitMix64 stream(std::uint64_t seed, std::size_t run) {
  const std::uint64_t start = SplitMix64(seed).next() + run * 0xD1342543DE82EF95U;
  return SplitMix64(SplitMix64(start).next());
}

/// What can happen next in a state.
struct Event {
  double keep = 1;  // alias method: probability of this event given that its slot was drawn
  std::uint32_t alias = 0;
  std::uint32_t to = PolicyChain::goal;
  std::uint32_t cost = 0;  // vector
};

/// The same for those who want to know more.
struct EventDetails {
  std::uint32_t choice = 0;
  StateId successor;
  double probability = 0;  // given the choice
  bool gives_up = false;
};

/// Walker's alias method, tables built as Vose does it.
void build_alias_table(std::span<Event> events, std::vector<double> probabilities) {
  const auto n = static_cast<double>(events.size());
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t i = 0; i < events.size(); ++i) {
    probabilities[i] *= n;
    events[i].alias = i;
    (probabilities[i] < 1 ? small : large).push_back(i);
  }
  while (!small.empty() && !large.empty()) {
    const std::uint32_t few = small.back();
    const std::uint32_t many = large.back();
    small.pop_back();
    events[few].keep = probabilities[few];
    events[few].alias = many;
    probabilities[many] -= 1 - probabilities[few];
    if (probabilities[many] < 1) {
      large.pop_back();
      small.push_back(many);
    }
  }
  // What is left over is one up to rounding, and keeps its slot.
}

}  // namespace

class Simulator::Executor {
 public:
  Executor(Cssp& cssp, const Policy& policy, std::vector<Finding> when_resolved, Monitor& monitor)
      : bounds_(cssp.bounds()), walked_(walk(cssp, policy, std::move(when_resolved), monitor)) {
    if (!walked_.sound()) return;
    evaluation_ = evaluate(walked_.chain, ComponentOrder(walked_.chain), monitor);
    if (evaluation_.is_finite())
      compile(cssp, monitor);
    else
      walked_.findings.push_back(goal_too_rare());
  }

  const std::vector<Finding>& findings() const { return walked_.findings; }

  Simulation run(const SimulateOptions& options, Monitor& monitor) const {
    Simulation result;
    result.within.assign(bounds_.size(), 0);
    std::vector<RunningSample> samples = empty_samples();
    const Threads threads(options.threads);
    Round round;
    for (std::size_t first = 0; first < options.runs; first += runs_per_round) {
      round.first = first;
      const std::size_t asked = std::min(runs_per_round, options.runs - first);
      const std::size_t done = execute(round, asked, options, threads, monitor);
      take_down(round, done, threads, samples, result);
      if (first == 0)
        result.totals.assign(
            round.totals.begin(),
            round.totals.begin() + static_cast<std::ptrdiff_t>(done * num_costs()));
      if (done < asked) break;
    }
    for (std::size_t i = 0; i < num_costs(); ++i) {
      result.distributions.push_back(samples[i].distribution());
      result.costs.push_back(samples[i].sample(result.distributions.back()));
    }
    result.steps = samples.back().sample(samples.back().distribution());
    return result;
  }

  void trace(std::size_t run, const SimulateOptions& options,
             const std::function<bool(const TraceStep&)>& visit) const {
    const PolicyChain& chain = walked_.chain;
    std::vector<double> totals(num_costs(), 0.0);
    follow(run, options, [&](std::uint32_t node, const Event& event, std::size_t) {
      const EventDetails& details = details_[static_cast<std::size_t>(&event - events_.data())];
      add_cost(event.cost, totals.data());
      return visit({chain.state(node), chain.action(details.choice),
                    chain.probability(details.choice), details.probability, details.successor,
                    totals});
    });
  }

 private:
  enum class End : std::uint8_t { goal, given_up, cut_off, abandoned };

  /// Some runs in a row.
  struct Round {
    std::size_t first = 0;
    std::vector<double> totals;
    std::vector<double> steps;
    std::vector<End> ends;
  };

  std::size_t num_costs() const { return walked_.chain.num_costs(); }

  void compile(Cssp& cssp, Monitor& monitor) {
    const PolicyChain& chain = walked_.chain;
    VectorTable costs;
    std::vector<double> probabilities;
    for (std::size_t node = 0; node < chain.size(); ++node) {
      monitor.check();
      first_event_.push_back(events_.size());
      for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c)
        add_events(cssp, node, c, costs);
      probabilities.clear();
      for (std::size_t e = first_event_.back(); e < events_.size(); ++e)
        probabilities.push_back(chain.probability(details_[e].choice) * details_[e].probability);
      build_alias_table(std::span(events_).subspan(first_event_.back()), probabilities);
    }
    first_event_.push_back(events_.size());
    costs_.assign(costs.elements().begin(), costs.elements().end());
  }

  /// One for every outcome of a choice; those that differ in cost are apart.
  void add_events(Cssp& cssp, std::size_t node, std::size_t choice, VectorTable& costs) {
    const PolicyChain& chain = walked_.chain;
    const auto number = static_cast<std::uint32_t>(choice);
    const auto transitions = chain.transitions(choice);
    const bool gives_up = cssp.gives_up(chain.action(choice));
    if (!cssp.outcome_costs(chain.state(node), chain.action(choice), apart_)) {
      const std::uint32_t cost = costs.intern(chain.cost(choice));
      for (const PolicyChain::Transition& t : transitions) {
        events_.push_back({1, 0, t.to, cost});
        details_.push_back({number, t.state, t.probability, gives_up});
      }
      return;
    }
    absl::flat_hash_map<StateId, std::uint32_t> node_of;
    for (const PolicyChain::Transition& t : transitions)
      node_of.emplace(t.state, t.to);
    for (std::size_t k = 0; k < apart_.size(); ++k) {
      events_.push_back({1, 0, node_of.at(apart_.successor(k)), costs.intern(apart_.cost(k))});
      details_.push_back({number, apart_.successor(k), apart_.probability(k), gives_up});
    }
  }

  const Event& draw(std::uint32_t node, SplitMix64& random) const {
    const std::size_t first = first_event_[node];
    const std::size_t n = first_event_[node + 1] - first;
    const double u = random.unit() * static_cast<double>(n);
    const std::size_t slot = std::min(n - 1, static_cast<std::size_t>(u));
    const Event& event = events_[first + slot];
    return u - static_cast<double>(slot) < event.keep ? event : events_[first + event.alias];
  }

  /// Calls visit(node, event, number) for every step until it returns false; returns how many there
  /// were and what ended them.
  template <class Visit>
  std::pair<std::size_t, const Event*> follow(std::size_t run, const SimulateOptions& options,
                                              const Visit& visit) const {
    SplitMix64 random = stream(options.seed, run);
    std::uint32_t node = walked_.chain.size() == 0 ? PolicyChain::goal : 0;
    std::size_t steps = 0;
    const Event* last = nullptr;
    while (node != PolicyChain::goal && steps < options.max_steps) {
      last = &draw(node, random);
      const EventDetails& details = details_[static_cast<std::size_t>(last - events_.data())];
      if (walked_.chain.is_step(details.choice)) ++steps;
      if (!visit(node, *last, steps)) break;
      node = last->to;
    }
    return {steps, last};
  }

  void add_cost(std::uint32_t vector, double* totals) const {
    const double* cost = costs_.data() + vector * num_costs();
    for (std::size_t i = 0; i < num_costs(); ++i)
      totals[i] += cost[i];
  }

  /// Returns how many of the runs asked for are finished: the first ones.
  std::size_t execute(Round& round, std::size_t asked, const SimulateOptions& options,
                      const Threads& threads, Monitor& monitor) const {
    round.totals.assign(asked * num_costs(), 0.0);
    round.steps.assign(asked, 0.0);
    round.ends.assign(asked, End::abandoned);
    threads.for_each_range(
        asked,
        [&](std::size_t begin, std::size_t end) {
          if (monitor.reached()) return;
          for (std::size_t r = begin; r < end; ++r) {
            round.ends[r] = execute_one(round.first + r, options, monitor,
                                        &round.totals[r * num_costs()], round.steps[r]);
            if (round.ends[r] == End::abandoned) return;
          }
        },
        runs_per_block);
    const auto unfinished = std::find(round.ends.begin(), round.ends.end(), End::abandoned);
    return static_cast<std::size_t>(unfinished - round.ends.begin());
  }

  End execute_one(std::size_t run, const SimulateOptions& options, Monitor& monitor, double* totals,
                  double& length) const {
    bool abandoned = false;
    const auto [steps, last] =
        follow(run, options, [&](std::uint32_t, const Event& event, std::size_t number) {
          add_cost(event.cost, totals);
          if (number % steps_per_poll == 0) abandoned = monitor.reached();
          return !abandoned;
        });
    if (abandoned) return End::abandoned;
    length = static_cast<double>(steps);
    if (last == nullptr) return options.max_steps > 0 ? End::goal : End::cut_off;
    if (last->to != PolicyChain::goal) return End::cut_off;
    const EventDetails& details = details_[static_cast<std::size_t>(last - events_.data())];
    return details.gives_up ? End::given_up : End::goal;
  }

  /// One for each cost, and one for the steps.
  std::vector<RunningSample> empty_samples() const {
    std::vector<RunningSample> samples;
    for (std::size_t i = 0; i < num_costs(); ++i) {
      const auto bound =
          std::find_if(bounds_.begin(), bounds_.end(), [&](const Bound& b) { return b.cost == i; });
      samples.emplace_back(evaluation_.costs[i],
                           bound == bounds_.end() ? std::nullopt : std::optional<Bound>(*bound));
    }
    samples.emplace_back(evaluation_.steps, std::nullopt);
    return samples;
  }

  /// Takes the first `count` runs into account; samples do not depend on each other.
  void take_down(const Round& round, std::size_t count, const Threads& threads,
                 std::vector<RunningSample>& samples, Simulation& result) const {
    threads.for_each_block(samples.size() + 1, [&](std::size_t i, std::size_t /*thread*/) {
      if (i == samples.size())
        count_ends(round, count, result);
      else if (i == num_costs())
        samples[i].add(round.steps.data(), 1, count);
      else
        samples[i].add(round.totals.data() + i, num_costs(), count);
    });
  }

  void count_ends(const Round& round, std::size_t count, Simulation& result) const {
    result.runs += count;
    for (std::size_t r = 0; r < count; ++r) {
      result.cut_off += round.ends[r] == End::cut_off;
      result.given_up += round.ends[r] == End::given_up;
      bool all = true;
      for (std::size_t b = 0; b < bounds_.size(); ++b) {
        const bool within =
            within_bound(round.totals[r * num_costs() + bounds_[b].cost], bounds_[b]);
        result.within[b] += within;
        all = all && within;
      }
      result.within_all += all;
    }
  }

  std::vector<Bound> bounds_;
  WalkedPolicy walked_;
  ChainEvaluation evaluation_;
  std::vector<std::size_t> first_event_;  // by node, with a sentinel
  std::vector<Event> events_;
  std::vector<EventDetails> details_;  // parallel
  std::vector<double> costs_;          // one vector after the other
  OutcomeCosts apart_;                 // scratch
};

Simulator::Simulator(Cssp& cssp, const Policy& policy, Monitor& monitor)
    : executor_(std::make_unique<Executor>(cssp, policy, std::vector<Finding>(), monitor)) {}
Simulator::Simulator(Cssp& cssp, const PolicyFile& policy, Monitor& monitor) {
  ResolvedPolicy file = resolve(cssp, policy, monitor);
  executor_ = std::make_unique<Executor>(cssp, file.policy, std::move(file.findings), monitor);
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const std::vector<Finding>& Simulator::findings() const {
  return executor_->findings();
}

Simulation Simulator::run(const SimulateOptions& options, Monitor& monitor) const {
  return executor_->run(options, monitor);
}

std::vector<TraceStep> Simulator::trace(std::size_t run, const SimulateOptions& options) const {
  std::vector<TraceStep> steps;
  executor_->trace(run, options, [&](const TraceStep& step) {
    steps.push_back(step);
    return true;
  });
  return steps;
}

void Simulator::trace(std::size_t run, const SimulateOptions& options,
                      const std::function<bool(const TraceStep&)>& visit) const {
  executor_->trace(run, options, visit);
}

}  // namespace carl
