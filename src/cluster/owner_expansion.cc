#include "cluster/owner_expansion.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>

#include "cluster/agreement.h"
#include "cluster/homes.h"
#include "cluster/questions.h"
#include "model/concurrent_model.h"
#include "model/intern_table.h"
#include "model/transitions.h"
#include "util/random.h"

namespace carl::cluster {
namespace {

// Enough to make messages worth their while, few enough for the memory that they take.
constexpr std::size_t states_per_batch = 4096;

class OwnerExpansion {
 public:
  OwnerExpansion(Cssp& cssp, const Ranks& ranks, Watch& watch)
      : cssp_(cssp),
        model_(*cssp.model().concurrent_model()),
        registry_(model_.registry()),
        ranks_(ranks),
        watch_(watch),
        room_(model_.make_room()),
        rows_(cssp.num_costs()) {}

  ProblemRows run() {
    const StateId initial = cssp_.initial_state();
    find_visitors();
    while (ranks_.any(next_ < registry_.size())) {
      generate_batch();
      learn_actions();
      learn_states();
      add_batch();
      if (watch_.reached()) watch_.check_all(watch_.monitor().kind());
    }
    const Ownership ownership = Ownership::of(rows_.num_states(), ranks_);
    gather_goals();
    const auto global = [&](std::uint64_t name) {
      return name == goal_id ? goal_id : ownership.first[name >> 32] + (name & 0xffffffffU);
    };
    rows_.translate_targets(global);
    rows_.finish(ownership, ranks_);
    return {std::move(rows_), global(visitors_[initial.index()]), Homes::Kind::by_hash};
  }

 private:
  std::size_t home_of(const std::uint64_t* state) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < registry_.num_words(); ++i)
      hash = SplitMix64(hash ^ state[i]).next();
    return hash % ranks_.count();
  }
  bool is_at_home(StateId state) const {
    return state.index() >= visitors_.size() || visitor_homes_[state.index()] == ranks_.index();
  }

  /// Of a state that is at home here, which may be new.
  std::uint64_t learn_state(const std::uint64_t* state) {
    const StateId id = registry_.insert(state);
    while (is_goal_.size() < registry_.size())
      is_goal_.push_back(model_.is_goal(StateId(is_goal_.size()), *room_));
    return name_here(id);
  }
  std::uint64_t name_here(StateId state) const {
    return is_goal_[state.index()] ? goal_id : name_at(ranks_.index(), state.index());
  }

  /// Every rank knows the initial state, and perhaps others, and has rows for them; only their homes
  /// expand them.
  void find_visitors() {
    Questions questions(registry_.num_words(), ranks_);
    for (std::size_t s = 0; s < registry_.size(); ++s) {
      const std::uint64_t* const state = registry_[StateId(s)].data();
      visitor_homes_.push_back(home_of(state));
      questions.add(visitor_homes_.back(), state);
    }
    visitors_ = questions.ask([&](const std::uint64_t* state) { return learn_state(state); });
  }

  /// What the next states lead to. States that are found meanwhile come later.
  void generate_batch() {
    found_.block.begin(registry_);
    found_.actions.begin(model_.num_known_actions());
    num_known_ = registry_.size();
    last_ = std::min(next_ + states_per_batch, registry_.size());
    together(ranks_, [&] {
      for (std::size_t s = next_; s < last_; ++s) {
        if (is_at_home(StateId(s)) && !is_goal_[s]) model_.generate(StateId(s), *room_, found_);
        found_.block.end_state();
      }
      if (!registry_.has_room(found_.block.num_outcomes())) throw LimitReached(LimitKind::memory);
    });
  }

  /// Those that any rank has found, rank by rank, so that all give them the same numbers. A message
  /// is how long the key is and how many costs there are, the key and the costs.
  void learn_actions() {
    const FreshActions& fresh = found_.actions;
    InternTable<std::span<const std::uint64_t>> different;
    std::vector<std::uint64_t> words;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      words = {fresh.key(i).size(), fresh.cost(i).size()};
      words.insert(words.end(), fresh.key(i).begin(), fresh.key(i).end());
      for (const double cost : fresh.cost(i))
        words.push_back(std::bit_cast<std::uint64_t>(cost));
      different.intern(words);
    }
    const auto own = different.elements();
    std::vector<std::vector<std::uint64_t>> outbox(ranks_.count(), {own.begin(), own.end()});
    const std::vector<std::uint64_t> all = ranks_.exchange(outbox);
    std::vector<std::uint32_t> key;
    std::vector<double> cost;
    for (std::size_t at = 0; at < all.size();) {
      key.resize(all[at++]);
      cost.resize(all[at++]);
      for (std::uint32_t& number : key)
        number = static_cast<std::uint32_t>(all[at++]);
      for (double& amount : cost)
        amount = std::bit_cast<double>(all[at++]);
      model_.learn(key, cost);
    }
    actions_.clear();
    for (std::size_t i = 0; i < fresh.size(); ++i)
      actions_.push_back(model_.learn(fresh.key(i), fresh.cost(i)));
  }

  /// Successors that are not known here get numbers after those that are, until their homes have told
  /// their names.
  void learn_states() {
    task::StateRegistry fresh(registry_.num_words());
    found_.block.for_each_outcome([&](FoundBlock::Outcome& outcome, const std::uint64_t* entry) {
      const StateId known = registry_.find(entry + 1, entry[0]);
      const std::size_t number =
          known.valid() ? known.index() : num_known_ + fresh.insert(entry + 1, entry[0]).index();
      outcome.successor = static_cast<std::uint32_t>(number);
    });
    Questions questions(registry_.num_words(), ranks_);
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      const std::uint64_t* const state = fresh[StateId(k)].data();
      questions.add(home_of(state), state);
    }
    fresh_names_ = questions.ask([&](const std::uint64_t* state) { return learn_state(state); });
  }

  /// The first rank writes policies, and what is written of a program lists its goals. (A task's say by
  /// themselves when a state is one.)
  void gather_goals() {
    if (cssp_.model().task_model() != nullptr) return;
    std::vector<std::uint64_t> words;
    for (std::size_t s = 0; s < is_goal_.size(); ++s) {
      const auto state = registry_[StateId(s)];
      if (is_goal_[s] && is_at_home(StateId(s)))
        words.insert(words.end(), state.begin(), state.end());
    }
    words = ranks_.gather(words);
    together(ranks_, [&] {
      for (std::size_t at = 0; at < words.size(); at += registry_.num_words())
        registry_.insert(words.data() + at);
    });
  }

  void add_batch() {
    for (std::size_t s = next_; s < last_; ++s) {
      write_expansion(s - next_);
      for (std::size_t a = 0; a < expansion_.num_actions(); ++a)
        add_pair(StateId(s), a);
      if (cssp_.give_up_penalty() && is_at_home(StateId(s)) && !is_goal_[s]) {
        rows_.add_outcome(goal_id, 1);
        rows_.add_pair(Cssp::give_up_action, *cssp_.give_up_penalty(), 1);
      }
      rows_.end_state(name_at(ranks_.index(), s));
    }
    next_ = last_;
  }

  /// Of the i-th state of the batch.
  void write_expansion(std::size_t i) {
    const FoundBlock& found = found_.block;
    expansion_.clear();
    for (std::size_t a = found.first_action(i); a < found.first_action(i + 1); ++a) {
      expansion_.begin_action(action_of(found.action(a)));
      for (const FoundBlock::Outcome& outcome : found.outcomes(a))
        expansion_.add_outcome(outcome.probability, StateId(outcome.successor));
    }
  }

  /// With self-loops divided out, as graph::SearchGraph does it.
  void add_pair(StateId state, std::size_t a) {
    const auto probabilities = expansion_.probabilities(a);
    const auto successors = expansion_.successors(a);
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
    const ActionId action = expansion_.action(a);
    const auto cost = cssp_.cost(action);
    cost_.assign(cost.begin(), cost.end());
    for (double& c : cost_)
      c *= repeats;
    rows_.add_pair(action, cost_, repeats);
  }

  ActionId action_of(ActionId found) const {
    const std::size_t known = found_.actions.num_known();
    return found.index() < known ? found : actions_[found.index() - known];
  }
  std::uint64_t target(StateId found) const {
    if (found.index() >= num_known_) return fresh_names_[found.index() - num_known_];
    return found.index() < visitors_.size() ? visitors_[found.index()] : name_here(found);
  }

  Cssp& cssp_;
  ConcurrentModel& model_;
  task::StateRegistry& registry_;
  const Ranks& ranks_;
  Watch& watch_;
  std::unique_ptr<ConcurrentModel::Room> room_;
  Rows rows_;
  std::vector<std::uint64_t> visitors_;     // names of the states that all ranks know
  std::vector<std::size_t> visitor_homes_;  // of them
  std::vector<bool> is_goal_;               // by state
  std::size_t next_ = 0;                    // to be expanded; states before have rows
  // The batch:
  std::size_t last_ = 0;
  std::size_t num_known_ = 0;  // states when it was generated
  ConcurrentModel::Findings found_;
  std::vector<ActionId> actions_;           // ids of those that were not known
  std::vector<std::uint64_t> fresh_names_;  // of the states that were not known
  Expansion expansion_;                     // of one state, with the numbers of its successors
  std::vector<double> cost_;
};

}  // namespace

bool can_expand_by_owners(const Cssp& cssp) {
  return cssp.model().concurrent_model() != nullptr && !cssp.shuffles_actions();
}

ProblemRows expand_by_owners(Cssp& cssp, const Ranks& ranks, Watch& watch) {
  return OwnerExpansion(cssp, ranks, watch).run();
}

}  // namespace carl::cluster
