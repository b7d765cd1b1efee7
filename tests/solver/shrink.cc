#include "solver/shrink.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carl::testing {
namespace {

/// Rounded to so many digits.
double with_digits(double number, int digits) {
  if (number == 0 || !std::isfinite(number)) return number;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(number))) - digits + 1);
  return std::round(number / unit) * unit;
}

void add_numbers(double number, std::vector<double>& candidates) {
  for (const double simple : {0.0, 1.0, with_digits(number, 1), with_digits(number, 2)}) {
    if (simple == number) return;  // what comes later is not simpler
    candidates.push_back(simple);
  }
}

// --- simpler versions of a call, the simplest first -----------------------------------------------

std::vector<SolveOptions> simpler_options(const SolveOptions& options) {
  std::vector<SolveOptions> result;
  const SolveOptions simple;
  const auto without = [&](auto change) {
    SolveOptions candidate = options;
    change(candidate);
    result.push_back(candidate);
  };
  if (options.algorithm != simple.algorithm)
    without([&](SolveOptions& o) { o.algorithm = simple.algorithm; });
  if (options.carl.inner) without([](SolveOptions& o) { o.carl.inner.reset(); });
  if (options.carl.outer != simple.carl.outer)
    without([&](SolveOptions& o) { o.carl.outer = simple.carl.outer; });
  if (options.search.heuristic) without([](SolveOptions& o) { o.search.heuristic.reset(); });
  if (options.search.heuristic_mode)
    without([](SolveOptions& o) { o.search.heuristic_mode.reset(); });
  if (options.gap != simple.gap) without([&](SolveOptions& o) { o.gap = simple.gap; });
  if (options.explain) without([](SolveOptions& o) { o.explain = false; });
  if (options.mixture_policies) without([](SolveOptions& o) { o.mixture_policies = false; });
  return result;
}

template <class Asking>
void add_simpler_asking(const Asking& call, std::vector<Call>& result) {
  for (const SolveOptions& options : simpler_options(call.options)) {
    Asking candidate = call;
    candidate.options = options;
    result.emplace_back(candidate);
  }
  if (call.interruption.by == Interruption::By::nothing) return;
  Asking candidate = call;
  candidate.interruption = {};
  result.emplace_back(candidate);
}

std::vector<Call> simpler_calls(const SetBound& call) {
  std::vector<double> numbers;
  add_numbers(call.upper, numbers);
  std::vector<Call> result;
  for (const double number : numbers)
    result.emplace_back(SetBound{call.cost, number});
  return result;
}

std::vector<Call> simpler_calls(const SetGiveUp& call) {
  std::vector<Call> result;
  for (std::size_t i = 0; call.penalties && i < call.penalties->size(); ++i) {
    std::vector<double> numbers;
    add_numbers((*call.penalties)[i], numbers);
    for (const double number : numbers) {
      SetGiveUp candidate = call;
      (*candidate.penalties)[i] = number;
      result.emplace_back(std::move(candidate));
    }
  }
  return result;
}

std::vector<Call> simpler_calls(const SolveIt& call) {
  std::vector<Call> result;
  add_simpler_asking(call, result);
  return result;
}

std::vector<Call> simpler_calls(const SweepIt& call) {
  std::vector<Call> result;
  if (call.second) {
    SweepIt candidate = call;
    candidate.second.reset();
    result.emplace_back(std::move(candidate));
  }
  if (call.range.from < call.range.to) {
    for (const double point : {call.range.from, call.range.to}) {  // a single one
      SweepIt candidate = call;
      candidate.range.from = candidate.range.to = point;
      result.emplace_back(std::move(candidate));
    }
  }
  add_simpler_asking(call, result);
  return result;
}

std::vector<Call> simpler_calls(const FrontIt& call) {
  std::vector<Call> result;
  if (call.costs.size() > 2) {
    FrontIt candidate = call;
    candidate.costs.pop_back();
    result.emplace_back(std::move(candidate));
  }
  add_simpler_asking(call, result);
  return result;
}

template <class Other>
std::vector<Call> simpler_calls(const Other& /*nothing to simplify*/) {
  return {};
}

// --- the search -----------------------------------------------------------------------------------

class Shrinker {
 public:
  Shrinker(CallSequence sequence, const Fails& fails, std::size_t attempts)
      : best_(std::move(sequence)), fails_(fails), attempts_left_(attempts) {}

  CallSequence run() {
    for (bool simpler = true; simpler;) {
      simpler = drop_calls();
      simpler = simplify_calls() || simpler;
      simpler = simplify_model() || simpler;
    }
    return std::move(best_);
  }

 private:
  bool accept(CallSequence candidate) {
    if (attempts_left_ == 0) return false;
    --attempts_left_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// Half of them at once, then quarters, down to single calls.
  bool drop_calls() {
    bool dropped = false;
    for (std::size_t size = std::max<std::size_t>(1, best_.calls.size() / 2);; size /= 2) {
      for (std::size_t end = best_.calls.size(); end > 0; end -= std::min(size, end)) {
        CallSequence candidate = best_;
        const std::size_t begin = end - std::min(size, end);
        candidate.calls.erase(candidate.calls.begin() + static_cast<std::ptrdiff_t>(begin),
                              candidate.calls.begin() + static_cast<std::ptrdiff_t>(end));
        dropped |= accept(std::move(candidate));
      }
      if (size <= 1) return dropped;
    }
  }

  bool simplify_calls() {
    bool simplified = false;
    for (std::size_t i = 0; i < best_.calls.size(); ++i)
      while (simplify_call(i))
        simplified = true;
    return simplified;
  }

  bool simplify_call(std::size_t i) {
    const std::vector<Call> candidates =
        std::visit([](const auto& call) { return simpler_calls(call); }, best_.calls[i]);
    return std::any_of(candidates.begin(), candidates.end(), [&](const Call& call) {
      CallSequence candidate = best_;
      candidate.calls[i] = call;
      return accept(std::move(candidate));
    });
  }

  bool simplify_model() {
    bool simplified = false;
    for (bool again = true; again;) {
      std::vector<ModelDraft> candidates = simpler(best_.model);
      again = std::any_of(candidates.begin(), candidates.end(), [&](ModelDraft& model) {
        return accept({std::move(model), best_.calls});
      });
      simplified |= again;
    }
    return simplified;
  }

  CallSequence best_;
  const Fails& fails_;
  std::size_t attempts_left_;
};

}  // namespace

CallSequence shrink(CallSequence sequence, const Fails& fails, std::size_t most_attempts) {
  return Shrinker(std::move(sequence), fails, most_attempts).run();
}

}  // namespace carl::testing
