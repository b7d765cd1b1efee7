// The questions of probabilistic model checking as a stochastic shortest path problem: the product
// of a model with what has become of each path formula that is asked about.
//
//  - A tracker follows one formula "hold U reach" (F φ is true U φ): open, won or lost. Whether it
//    is decided never changes back, so trackers are constant within an end component.
//  - A run may stop, which leads to the one goal, where all that comes after it counts no more: in
//    end components without any of the rewards that are counted for ever, since staying there is a
//    run like that, provided all targets of rewards have been reached. It may also stop where being
//    undecided is as bad as it can get for everything that is undecided, whatever would follow.
//    Which states are in such end components is for others to find out (cssp/stopping.h).
//  - Stopping costs 1 for each probability that is charged for what has become of its formula: for
//    failing if the probability is to be large, for holding if it is to be small.
//  - Rewards are costs of the actions, those up to a target only while its tracker is open.
//  - Where formulas have limits, on steps or on rewards, meters in the state say how much there has
//    been of it so far, up to the largest limit. Rewards are counted in whole numbers.
//
// Where nothing is left to be decided or counted states are no longer told apart.
//
// K. Etessami, M. Kwiatkowska, M. Vardi and M. Yannakakis, "Multi-objective model checking of Markov
// decision processes", TACAS 2007; V. Forejt, M. Kwiatkowska, G. Norman, D. Parker and H. Qu,
// "Quantitative multi-objective verification for probabilistic systems", TACAS 2011.
#ifndef CARL_MODEL_QUESTION_MODEL_H
#define CARL_MODEL_QUESTION_MODEL_H

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carl/model.h"
#include "carl/question.h"
#include "model/intern_table.h"

namespace carl {

/// How many steps there may be, or how much of a reward.
struct PathLimit {
  std::optional<std::size_t> reward;  // the cost of the model; none: steps
  std::uint32_t most = 0;

  friend bool operator==(const PathLimit&, const PathLimit&) = default;
};

/// What has to be followed along a run: hold U reach.
struct Tracker {
  std::size_t hold = 0;  // places among the predicates
  std::size_t reach = 0;
  std::optional<PathLimit> limit;  // within which reach has to hold
  std::string text;                // for the names of states: F "done"

  bool is_decided_in_time() const { return limit && !limit->reward; }
};

/// What one cost of the product is made of.
struct Charge {
  enum class Kind {
    probability,   // stopping costs 1
    total_reward,  // every step costs its reward
    to_target,     // until the tracker is won, which it has to be
    first_steps    // the first steps do
  };

  Kind kind = Kind::probability;
  std::size_t tracker = 0;  // of probability and to_target
  bool if_won = false;      // probability: charged if the tracker is won, or else if it is not
  std::size_t reward = 0;   // of the others: the cost of the model
  std::uint32_t steps = 0;  // of first_steps
  double combined = 1;      // its share in the combined cost
};

/// A question, resolved: predicates say of the states of a model what holds there.
struct ResolvedQuestion {
  Question question;
  std::vector<std::function<bool(StateId)>> predicates;
  std::vector<Tracker> trackers;
  std::vector<Charge> charges;
  std::vector<std::string> names;  // of the costs, by charge
  std::vector<Bound> bounds;       // by charge
  /// The primary cost is a weighted sum of all, before the charges; otherwise the first charge.
  bool combined = false;
};

class QuestionModel final : public Model {
 public:
  static constexpr std::size_t most_trackers = 16;
  static constexpr std::size_t most_predicates = 64;
  static constexpr std::size_t most_meters = 4;

  QuestionModel(std::shared_ptr<Model> model, ResolvedQuestion question);

  /// False if where runs may stop can be told from the state alone, so that the product need not be
  /// explored.
  bool needs_end_components() const;
  /// By cost: 1 for rewards that are counted for ever.
  std::vector<double> for_ever() const;
  /// By state: those of end components without rewards that are counted for ever. All states are
  /// known by then.
  void set_end_components(std::vector<bool> members) { in_end_component_ = std::move(members); }

  const CostModel& cost_model() const override { return costs_; }
  StateId initial_state() override;
  bool is_goal(StateId state) const override;
  void expand(StateId state, Expansion& out) override;
  std::span<const double> cost(ActionId action) const override;
  bool outcome_costs(StateId state, ActionId action, OutcomeCosts& out) override;
  std::vector<double> positive_costs(std::size_t cost) const override;
  std::optional<std::vector<double>> amounts(std::size_t cost) const override;
  std::size_t num_states() const override { return states_.size(); }
  bool factored() const override { return model_->factored(); }
  /// With a fact for what is decided, (F "safe") or (not F "safe"), and for the steps so far.
  std::vector<std::string> state_facts(StateId state) const override;
  std::string action_name(ActionId action) const override;
  std::vector<std::pair<std::string, std::string>> figures() const override;
  std::vector<std::string> notes() const override { return model_->notes(); }
  std::vector<std::string> warnings() const override;
  bool draws_initial_state(ActionId action) const override;
  bool has_cost(std::size_t cost) const override;
  std::size_t state_bytes() const override { return states_.bytes() + model_->state_bytes(); }
  bool is_in_memory() const override {
    return !in_end_component_.empty() || model_->is_in_memory();
  }
  const Question* question() const override { return &question_.question; }

 private:
  enum class Verdict : std::uint32_t { open, won, lost };
  using Amounts = std::array<std::uint32_t, most_meters>;
  /// A state of the product. `of` is the state of the model, or one of those that are none.
  struct Parts {
    std::uint32_t of = 0;
    std::uint32_t verdicts = 0;
    Amounts used = {};  // by meter
  };
  /// Counts steps or a reward, up to where nothing depends on it any more.
  struct Meter {
    std::optional<std::size_t> reward;
    std::uint32_t most = 0;
  };
  static constexpr std::uint32_t stopped = ~std::uint32_t{0};
  static constexpr std::uint32_t decided = stopped - 1;
  static constexpr std::uint32_t stop = ~std::uint32_t{0};  // in place of an action

  static Verdict verdict(std::uint32_t verdicts, std::size_t tracker) {
    return static_cast<Verdict>((verdicts >> (2 * tracker)) & 3U);
  }
  void add_meter(const PathLimit& limit);
  std::size_t meter_of(const std::optional<std::size_t>& reward) const;
  StateId find_initial_state();
  Parts parts(StateId state) const;
  StateId intern(const Parts& parts);
  /// The state of the product in which the state `of` of the model is reached, if all was as
  /// `before` says.
  StateId arrive(StateId of, Parts before);
  StateId successor(const Parts& from, StateId of, const Amounts& more);
  /// What a step that costs so much adds to the meters.
  Amounts amounts(std::span<const double> cost, StateId of, ActionId action) const;
  std::uint64_t predicates_in(StateId of);
  std::uint32_t judged(const Parts& before, StateId of);
  bool is_waited_for(std::size_t meter, const Parts& parts) const;
  bool counts_steps(const Charge& charge, const Parts& parts) const;
  bool targets_reached(std::uint32_t verdicts) const;
  bool nothing_left(const Parts& parts) const;
  bool undecided_is_worst(const Parts& parts) const;
  bool is_charged(const Charge& charge, std::uint32_t verdicts) const;
  bool counts(const Charge& charge, const Parts& parts) const;
  std::uint32_t counted(const Parts& parts) const;
  bool is_free_for_ever(ActionId action) const;
  void add_outcomes(const Parts& here, std::size_t i, StateId state, Expansion& out, bool& stays);
  void set_costs(std::span<const double> of_model, std::uint32_t counted) const;
  void combine() const;
  std::size_t first_charge() const { return question_.combined ? 1 : 0; }

  std::shared_ptr<Model> model_;
  ResolvedQuestion question_;
  CostModel costs_;
  StateId initial_;
  std::vector<Meter> meters_;
  std::vector<bool> in_end_component_;
  InternTable<std::span<const std::uint32_t>> states_;   // parts
  InternTable<std::span<const std::uint32_t>> actions_;  // of the model with what counts; or a stop
  std::vector<std::uint64_t> known_;  // by state of the model: which predicates hold, and that they
                                      // are known
  Expansion expansion_;
  OutcomeCosts apart_;
  mutable std::vector<double> cost_;  // of the action asked for last
};

}  // namespace carl

#endif
