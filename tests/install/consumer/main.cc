// A program that knows carl only as installed: it solves a model of its own. Tossing a coin until
// it shows heads takes two tosses on average.
#include <carl/solve.h>

#include <cmath>
#include <cstdio>
#include <memory>

namespace {

class CoinTossing : public carl::Model {
 public:
  const carl::CostModel& cost_model() const override { return costs_; }
  carl::StateId initial_state() override { return tails_; }
  bool is_goal(carl::StateId state) const override { return state == heads_; }
  void expand(carl::StateId, carl::Expansion& out) override {
    out.clear();
    out.begin_action(carl::ActionId(0));
    out.add_outcome(0.5, heads_);
    out.add_outcome(0.5, tails_);
  }
  std::span<const double> cost(carl::ActionId) const override { return one_; }
  std::size_t num_states() const override { return 2; }
  std::vector<std::string> state_facts(carl::StateId state) const override {
    return {is_goal(state) ? "heads" : "tails"};
  }
  std::string action_name(carl::ActionId) const override { return "toss"; }

 private:
  const carl::StateId tails_{0};
  const carl::StateId heads_{1};
  carl::CostModel costs_{{"tosses"}, {}, std::nullopt};
  std::vector<double> one_{1.0};
};

}  // namespace

int main() {
  carl::Cssp cssp(std::make_shared<CoinTossing>());
  carl::Limits limits;
  const carl::Solution solution = carl::solve(cssp, {}, limits);
  if (solution.status != carl::Status::optimal) return 1;
  const double tosses = solution.costs->front();
  std::printf("%g tosses\n", tosses);
  return std::abs(tosses - 2) < 1e-9 ? 0 : 1;
}
