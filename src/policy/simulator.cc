// The policy is compiled once: every state has one table of all that can happen next (an action and
// its outcome), from which the alias method draws in constant time. Run i has a random stream of
// its own, made from the seed and i, and writes its costs to a place of its own; sums are taken at
// the end, in order. So neither the number of threads nor their luck shows in the result.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "carl/simulate.h"
#include "policy/chain_evaluation.h"
#include "policy/policy_chain.h"
#include "policy/tolerances.h"
#include "util/parallel.h"
#include "util/random.h"

namespace carl {
namespace {

using namespace policy;

constexpr std::size_t runs_per_block = 64;
constexpr double normal_95 = 1.959963984540054;  // the 97.5% quantile of the normal distribution

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
  std::uint32_t choice = 0;
  std::uint32_t to = PolicyChain::goal;
  std::uint32_t transition = 0;  // of the choice
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

double quantile(const std::vector<double>& sorted, double q) {
  // The smallest value that at least a share q of all do not exceed.
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(1, rank) - 1];
}

Sample sample_of(std::vector<double> values, double exact) {
  Sample sample;
  sample.exact = exact;
  if (values.empty()) return sample;
  const auto n = static_cast<long double>(values.size());
  const long double mean = std::accumulate(values.begin(), values.end(), 0.0L) / n;
  long double squares = 0;
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  sample.mean = static_cast<double>(mean);
  if (values.size() > 1) sample.deviation = static_cast<double>(std::sqrt(squares / (n - 1)));
  sample.half_width = normal_95 * sample.deviation / std::sqrt(static_cast<double>(n));
  std::sort(values.begin(), values.end());
  sample.least = values.front();
  sample.median = quantile(values, 0.5);
  sample.percentile_95 = quantile(values, 0.95);
  sample.percentile_99 = quantile(values, 0.99);
  sample.greatest = values.back();
  return sample;
}

}  // namespace

class Simulator::Executor {
 public:
  Executor(Cssp& cssp, const PolicyFile& policy, Limits& limits)
      : bounds_(cssp.bounds()), walked_(walk(cssp, policy, limits)) {
    if (!walked_.sound()) return;
    compile();
    evaluation_ = evaluate(walked_.chain, ComponentOrder(walked_.chain), limits);
  }

  const std::vector<Finding>& findings() const { return walked_.findings; }

  Simulation run(const SimulateOptions& options, Limits& limits) const {
    Simulation result;
    result.totals.assign(options.runs * num_costs(), 0.0);
    std::vector<double> steps(options.runs, 0.0);
    const std::size_t blocks = (options.runs + runs_per_block - 1) / runs_per_block;
    std::atomic<std::size_t> cut_off{0};
    std::atomic<std::size_t> given_up{0};
    const std::size_t done = do_blocks(
        num_threads(options.threads), blocks, [] {}, [&] { return limits.reached(); },
        [&](std::size_t block, std::size_t /*thread*/) {
          const std::size_t end = std::min(options.runs, (block + 1) * runs_per_block);
          for (std::size_t r = block * runs_per_block; r < end; ++r) {
            const End how = execute(r, options, &result.totals[r * num_costs()], steps[r]);
            cut_off += how == End::cut_off;
            given_up += how == End::given_up;
          }
        });
    result.runs = std::min(options.runs, done * runs_per_block);
    result.cut_off = cut_off;
    result.given_up = given_up;
    result.totals.resize(result.runs * num_costs());
    steps.resize(result.runs);
    summarise(std::move(steps), result);
    return result;
  }

  std::vector<TraceStep> trace(std::size_t run, const SimulateOptions& options) const {
    const PolicyChain& chain = walked_.chain;
    std::vector<TraceStep> steps;
    std::vector<double> totals(num_costs(), 0.0);
    follow(run, options, [&](std::uint32_t node, const Event& event) {
      const PolicyChain::Transition& transition = chain.transitions(event.choice)[event.transition];
      add_cost(event.choice, totals.data());
      steps.push_back({chain.state(node), chain.action(event.choice),
                       chain.probability(event.choice), transition.probability, transition.state,
                       totals});
    });
    return steps;
  }

 private:
  enum class End { goal, given_up, cut_off };

  std::size_t num_costs() const { return walked_.chain.num_costs(); }

  void compile() {
    const PolicyChain& chain = walked_.chain;
    std::vector<double> probabilities;
    for (std::size_t node = 0; node < chain.size(); ++node) {
      first_event_.push_back(events_.size());
      probabilities.clear();
      for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c)
        for (std::uint32_t k = 0; k < chain.transitions(c).size(); ++k) {
          const PolicyChain::Transition& transition = chain.transitions(c)[k];
          events_.push_back({1, 0, static_cast<std::uint32_t>(c), transition.to, k});
          probabilities.push_back(chain.probability(c) * transition.probability);
        }
      build_alias_table(std::span(events_).subspan(first_event_.back()), probabilities);
    }
    first_event_.push_back(events_.size());
  }

  const Event& draw(std::uint32_t node, SplitMix64& random) const {
    const std::size_t first = first_event_[node];
    const std::size_t n = first_event_[node + 1] - first;
    const double u = random.unit() * static_cast<double>(n);
    const std::size_t slot = std::min(n - 1, static_cast<std::size_t>(u));
    const Event& event = events_[first + slot];
    return u - static_cast<double>(slot) < event.keep ? event : events_[first + event.alias];
  }

  /// Calls visit(node, event) for every step; returns how many there were and what ended them.
  template <class Visit>
  std::pair<std::size_t, const Event*> follow(std::size_t run, const SimulateOptions& options,
                                              Visit visit) const {
    SplitMix64 random = stream(options.seed, run);
    std::uint32_t node = walked_.chain.size() == 0 ? PolicyChain::goal : 0;
    std::size_t steps = 0;
    const Event* last = nullptr;
    for (; node != PolicyChain::goal && steps < options.max_steps; ++steps) {
      last = &draw(node, random);
      visit(node, *last);
      node = last->to;
    }
    return {steps, last};
  }

  void add_cost(std::uint32_t choice, double* totals) const {
    const auto cost = walked_.chain.cost(choice);
    for (std::size_t i = 0; i < cost.size(); ++i)
      totals[i] += cost[i];
  }

  End execute(std::size_t run, const SimulateOptions& options, double* totals,
              double& length) const {
    const auto [steps, last] = follow(
        run, options, [&](std::uint32_t, const Event& event) { add_cost(event.choice, totals); });
    length = static_cast<double>(steps);
    if (last == nullptr) return options.max_steps > 0 ? End::goal : End::cut_off;
    if (last->to != PolicyChain::goal) return End::cut_off;
    const ActionId action = walked_.chain.action(last->choice);
    return action == Cssp::give_up_action ? End::given_up : End::goal;
  }

  void summarise(std::vector<double> steps, Simulation& result) const {
    result.steps = sample_of(std::move(steps), evaluation_.steps);
    std::vector<double> values(result.runs);
    for (std::size_t i = 0; i < num_costs(); ++i) {
      for (std::size_t r = 0; r < result.runs; ++r)
        values[r] = result.totals[r * num_costs() + i];
      result.costs.push_back(sample_of(values, evaluation_.costs[i]));
    }
    result.within.assign(bounds_.size(), 0);
    for (std::size_t r = 0; r < result.runs; ++r) {
      bool all = true;
      for (std::size_t b = 0; b < bounds_.size(); ++b) {
        const bool within =
            within_bound(result.totals[r * num_costs() + bounds_[b].cost], bounds_[b]);
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
};

Simulator::Simulator(Cssp& cssp, const PolicyFile& policy, Limits& limits)
    : executor_(std::make_unique<Executor>(cssp, policy, limits)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const std::vector<Finding>& Simulator::findings() const {
  return executor_->findings();
}

Simulation Simulator::run(const SimulateOptions& options, Limits& limits) const {
  return executor_->run(options, limits);
}

std::vector<TraceStep> Simulator::trace(std::size_t run, const SimulateOptions& options) const {
  return executor_->trace(run, options);
}

}  // namespace carl
