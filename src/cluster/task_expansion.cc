#include "cluster/task_expansion.h"

#include <algorithm>

#include "cluster/agreement.h"
#include "cluster/homes.h"
#include "model/intern_table.h"
#include "model/task_model.h"
#include "model/transitions.h"
#include "util/random.h"

namespace carl::cluster {
namespace {

// Enough to make messages worth their while, few enough for the memory that they take.
constexpr std::size_t states_per_batch = 4096;
// Where ids end that are known, and numbers begin of states whose homes have yet to say theirs.
constexpr std::uint32_t first_foreign = std::uint32_t{1} << 31;

class TaskExpansion {
 public:
  TaskExpansion(Cssp& cssp, const Ranks& ranks, Watch& watch)
      : cssp_(cssp),
        model_(*cssp.model().task_model()),
        ranks_(ranks),
        watch_(watch),
        scratch_(model_),
        rows_(cssp.num_costs()) {}

  ProblemRows run() {
    // Every rank knows the initial state, and has a row for it; only its home expands it.
    while (ranks_.any(next_ < model_.num_states())) {
      generate_batch();
      ask_homes();
      add_batch();
      if (watch_.reached()) watch_.check_all(watch_.monitor().kind());
    }
    const Ownership ownership = Ownership::of(rows_.num_states(), ranks_);
    rows_.translate_targets([&](GlobalId name) {
      return name == goal_id ? goal_id : ownership.first[name >> 32] + (name & 0xffffffffU);
    });
    rows_.finish(ownership, ranks_);
    ProblemRows problem{std::move(rows_), goal_id, Homes::Kind::by_hash};
    const StateId initial = model_.initial_state();
    if (!model_.is_goal(initial))
      problem.initial = ownership.first[home_of(model_.packed(initial))] + initial.index();
    return problem;
  }

 private:
  std::size_t home_of(task::PackedState state) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : state)
      hash = SplitMix64(hash ^ word).next();
    return hash % ranks_.count();
  }

  StateId id_of(const std::uint64_t* words) {
    const task::PackedState state(words, model_.layout().num_words());
    if (home_of(state) == ranks_.index()) return model_.insert_state(words);
    return StateId(first_foreign + foreign_.intern(state));
  }

  struct Ids {
    TaskExpansion& expansion;
    static std::uint64_t expect(const std::uint64_t* /*words*/) { return 0; }
    static bool looks_ahead() { return false; }
    static void expect_now(std::uint64_t /*hash*/) {}
    StateId id(const std::uint64_t* words, std::uint64_t /*hash*/) const {
      return expansion.id_of(words);
    }
  };

  bool is_to_be_expanded(StateId state) const {
    return home_of(model_.packed(state)) == ranks_.index() && !model_.is_goal(state);
  }

  /// What the next states lead to. States that are found meanwhile come later.
  void generate_batch() {
    foreign_.clear();
    batch_.clear();
    num_actions_.clear();
    last_ = std::min(next_ + states_per_batch, model_.num_states());
    together(ranks_, [&] {
      for (std::size_t s = next_; s < last_; ++s) {
        if (is_to_be_expanded(StateId(s)))
          model_.generate(StateId(s), scratch_, batch_, Ids{*this});
        num_actions_.push_back(batch_.num_actions());
      }
      check_ids();
    });
  }

  void check_ids() const {
    if (model_.num_states() >= first_foreign)
      throw TooLarge("one rank has more than 2^31 states: use more ranks");
  }

  /// Names of the states that belong to other ranks, by their numbers.
  void ask_homes() {
    const std::size_t num_words = model_.layout().num_words();
    std::vector<std::vector<std::uint64_t>> questions(ranks_.count());
    std::vector<std::size_t> home;
    for (std::size_t k = 0; k < foreign_.size(); ++k) {
      home.push_back(home_of(foreign_[k]));
      std::vector<std::uint64_t>& out = questions[home.back()];
      out.insert(out.end(), foreign_[k].begin(), foreign_[k].end());
    }
    // Answers go back in the order in which questions came, rank by rank.
    std::vector<std::size_t> asked;
    const std::vector<std::uint64_t> states = ranks_.exchange(questions, asked);
    std::vector<std::vector<std::uint64_t>> answers(ranks_.count());
    std::size_t at = 0;
    together(ranks_, [&] {
      for (std::size_t r = 0; r < ranks_.count(); ++r)
        for (const std::size_t end = at + asked[r]; at < end; at += num_words)
          answers[r].push_back(name_of(model_.insert_state(states.data() + at)));
    });
    std::vector<std::size_t> answered;
    const std::vector<std::uint64_t> names = ranks_.exchange(answers, answered);
    std::vector<std::size_t> next(ranks_.count(), 0);
    for (std::size_t r = 0; r + 1 < ranks_.count(); ++r)
      next[r + 1] = next[r] + answered[r];
    foreign_names_.clear();
    for (const std::size_t r : home)
      foreign_names_.push_back(names[next[r]++]);
  }

  /// Of a state that is at home here.
  std::uint64_t name_of(StateId state) const {
    return model_.is_goal(state) ? goal_id : name_at(ranks_.index(), state.index());
  }

  void add_batch() {
    std::size_t action = 0;
    for (std::size_t s = next_; s < last_; ++s) {
      const bool expanded = is_to_be_expanded(StateId(s));
      for (const std::size_t end = num_actions_[s - next_]; action < end; ++action)
        add_pair(StateId(s), action);
      if (expanded && cssp_.give_up_penalty()) {
        rows_.add_outcome(goal_id, 1);
        rows_.add_pair(Cssp::give_up_action, *cssp_.give_up_penalty(), 1);
      }
      rows_.end_state(name_at(ranks_.index(), s));
    }
    next_ = last_;
  }

  /// With self-loops divided out, as graph::SearchGraph does it.
  void add_pair(StateId state, std::size_t action) {
    const auto probabilities = batch_.probabilities(action);
    const auto successors = batch_.successors(action);
    double leaving = 0;
    bool loops = false;
    for (std::size_t k = 0; k < successors.size(); ++k) {
      loops |= successors[k] == state;
      if (successors[k] != state) leaving += probabilities[k];
    }
    if (leaving < least_leaving_probability) return;
    const double repeats = loops ? 1.0 / leaving : 1.0;
    for (std::size_t k = 0; k < successors.size(); ++k)
      if (successors[k] != state)
        rows_.add_outcome(target(successors[k]),
                          loops ? probabilities[k] * repeats : probabilities[k]);
    const auto cost = cssp_.cost(batch_.action(action));
    cost_.assign(cost.begin(), cost.end());
    for (double& c : cost_)
      c *= repeats;
    rows_.add_pair(batch_.action(action), cost_, repeats);
  }

  std::uint64_t target(StateId successor) const {
    return successor.index() >= first_foreign ? foreign_names_[successor.index() - first_foreign]
                                              : name_of(successor);
  }

  Cssp& cssp_;
  TaskModel& model_;
  const Ranks& ranks_;
  Watch& watch_;
  TaskModel::Scratch scratch_;
  Rows rows_;
  std::size_t next_ = 0;                    // to be expanded; states before have rows
  std::size_t last_ = 0;                    // of the batch
  Expansion batch_;                         // all its actions
  std::vector<std::size_t> num_actions_;    // of the states up to and with each
  InternTable<task::PackedState> foreign_;  // successors that belong to others
  std::vector<std::uint64_t> foreign_names_;
  std::vector<double> cost_;
};

}  // namespace

bool can_expand_by_owners(const Cssp& cssp) {
  return dynamic_cast<const TaskModel*>(&cssp.model()) != nullptr && !cssp.shuffles_actions();
}

ProblemRows expand_by_owners(Cssp& cssp, const Ranks& ranks, Watch& watch) {
  return TaskExpansion(cssp, ranks, watch).run();
}

}  // namespace carl::cluster
