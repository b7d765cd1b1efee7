#include "heuristics/shared_heuristic.h"

namespace carl::heuristics {

SharedHeuristic::SharedHeuristic(const std::function<std::unique_ptr<Heuristic>()>& make,
                                 const Threads& threads, LeastWork least_work)
    : threads_(threads), least_work_(least_work), copies_(threads.count()) {
  threads_.for_each_block(copies_.size(),
                          [&](std::size_t i, std::size_t /*thread*/) { copies_[i] = make(); });
}

void SharedHeuristic::set_weights(std::span<const double> weights) {
  threads_.for_each_block(copies_.size(), [&](std::size_t i, std::size_t /*thread*/) {
    copies_[i]->set_weights(weights);
  });
}

bool SharedHeuristic::evaluate(StateId state, std::span<double> out) {
  ++evaluations_;
  return copies_[0]->evaluate(state, out);
}

void SharedHeuristic::evaluate_all(std::span<const StateId> states, std::span<double> out,
                                   std::span<std::uint8_t> is_hopeful) {
  const std::size_t work = work_per_evaluation();
  if (work < least_work_.of_one || states.size() * work < least_work_.of_all)
    return Heuristic::evaluate_all(states, out, is_hopeful);
  evaluations_ += states.size();
  const std::size_t stride = out.size() / states.size();
  threads_.for_each_block(states.size(), [&](std::size_t i, std::size_t thread) {
    const auto vector = out.subspan(i * stride, stride);
    is_hopeful[i] = copies_[thread]->evaluate(states[i], vector) ? 1 : 0;
  });
}

}  // namespace carl::heuristics
