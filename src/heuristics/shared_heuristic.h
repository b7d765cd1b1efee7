// A heuristic on several threads. An estimate needs room of its own, so each thread has a copy of the
// heuristic, and estimates are those of a single one, bit for bit: whoever is copied must say of a
// state what it says of it, whatever it was asked before.
#ifndef CARL_HEURISTICS_SHARED_HEURISTIC_H
#define CARL_HEURISTICS_SHARED_HEURISTIC_H

#include <functional>
#include <memory>
#include <vector>

#include "heuristics/heuristic.h"
#include "util/parallel.h"

namespace carl::heuristics {

class SharedHeuristic final : public Heuristic {
 public:
  /// Instructions that are worth waking other threads for.
  struct LeastWork {
    std::size_t of_one = 40'000;  // estimate
    std::size_t of_all = 100'000;
  };

  /// `make` is called by all of the threads, which must outlive this.
  SharedHeuristic(const std::function<std::unique_ptr<Heuristic>()>& make, const Threads& threads,
                  LeastWork least_work);

  void set_weights(std::span<const double> weights) override;
  bool depends_on_weights() const override { return copies_[0]->depends_on_weights(); }
  bool evaluate(StateId state, std::span<double> out) override;
  void evaluate_all(std::span<const StateId> states, std::span<double> out,
                    std::span<std::uint8_t> is_hopeful) override;
  std::size_t work_per_evaluation() const override { return copies_[0]->work_per_evaluation(); }

 private:
  const Threads& threads_;
  LeastWork least_work_;
  std::vector<std::unique_ptr<Heuristic>> copies_;  // one for each thread
};

}  // namespace carl::heuristics

#endif
