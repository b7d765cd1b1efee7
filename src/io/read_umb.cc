// The index is read first; it says how large every file must be, and none of another size is
// unpacked. Then one walk over states, choices and branches checks the arrays and fills the model.
#include "io/read_umb.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "carl/explicit_builder.h"
#include "carl/options.h"
#include "io/archive.h"
#include "io/json_syntax_error.h"
#include "io/labelled_model.h"
#include "io/mapped_file.h"
#include "io/umb_arrays.h"
#include "io/umb_index.h"
#include "util/shown.h"
#include "util/timer.h"

namespace carl::io {
namespace {

constexpr const char* index_file = "index.json";
constexpr const char* choices_file = "state-to-choices.bin";
constexpr const char* branches_file = "choice-to-branches.bin";
constexpr const char* targets_file = "branch-to-target.bin";
constexpr const char* probabilities_file = "branch-to-probability.bin";
constexpr const char* initial_file = "state-is-initial.bin";
constexpr const char* action_file = "actions/choices/values.bin";
constexpr const char* action_offsets_file = "actions/choices/string-mapping.bin";
constexpr const char* action_texts_file = "actions/choices/strings.bin";

std::uint64_t bytes_of_bits(std::uint64_t bits) {
  return (bits + 63) / 64 * 8;
}

std::string values_file(const char* group, const std::string& id, const char* entity) {
  return fmt::format("annotations/{}/{}/{}/values.bin", group, id, entity);
}

/// The numbers of a reward.
struct Reward {
  UmbNumbers states;
  UmbNumbers choices;
  UmbNumbers branches;
};

class UmbReader {
 public:
  UmbReader(const std::string& name, std::string_view bytes, bool mapped,
            const LoadOptions& options, Monitor& monitor)
      : name_(name), bytes_(bytes), mapped_(mapped), options_(options), monitor_(monitor) {}

  std::shared_ptr<Model> read() {
    read_index();
    expect_files();
    unpack();
    find_arrays();
    builder_.emplace(CostModel{costs_.names, {}, {}});
    names_.emplace(*builder_);
    builder_->add_states(index_.states);
    choose_share();
    builder_->reserve(index_.choices / num_shares_,
                      targets_.bytes.empty() ? 0 : index_.branches / num_shares_);
    set_bounds();
    read_action_names();
    add_states();
    add_labels(*builder_, labels(), options_);
    return builder_->build(initial_state());
  }

 private:
  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const {
    throw InputError(SourcePosition{name_, 0, 0}, "", message, hint);
  }

  void read_index() {
    constexpr std::uint64_t most = std::uint64_t{1} << 26;
    const ArchiveContents contents = read_archive(
        name_, bytes_,
        [&](const std::string& path, std::uint64_t size) {
          if (path != index_file) return false;
          if (size > most) fail(fmt::format("{} has {} bytes, which is too much", path, size));
          return true;
        },
        true, monitor_);
    if (contents.empty())
      fail(fmt::format("there is no {} in it", index_file), "every UMB file has one");
    index_ = read_umb_index(fmt::format("{}, {}", name_, index_file),
                            std::string(contents.begin()->second.bytes()));
    std::vector<std::string> rewards;
    for (const UmbAnnotation& reward : index_.rewards)
      rewards.push_back(reward.name);
    costs_ = costs_of_rewards(rewards, options_);
  }

  /// How many bytes each file must have that is of use; none if it may have any number.
  void expect_files() {
    expected_[choices_file] = (index_.states + 1) * 8;
    expected_[branches_file] = (index_.choices + 1) * 8;
    expected_[targets_file] = index_.branches * 8;
    if (index_.has_probabilities)
      expected_[probabilities_file] = index_.branches * (index_.probability.bits / 8);
    expected_[initial_file] = bytes_of_bits(index_.states);
    if (index_.choice_actions > 0) {
      expected_[action_file] = index_.choices * 4;
      expected_[action_offsets_file] = (index_.choice_actions + 1) * 8;
      expected_[action_texts_file] = std::nullopt;
    }
    for (const UmbAnnotation& reward : index_.rewards) {
      const std::uint64_t size = reward.type.bits / 8;
      if (reward.states)
        expected_[values_file("rewards", reward.id, "states")] = index_.states * size;
      if (reward.choices)
        expected_[values_file("rewards", reward.id, "choices")] = index_.choices * size;
      if (reward.branches)
        expected_[values_file("rewards", reward.id, "branches")] = index_.branches * size;
    }
    for (const UmbAnnotation& proposition : index_.propositions)
      expected_[values_file("aps", proposition.id, "states")] = bytes_of_bits(index_.states);
  }

  void unpack() {
    contents_ = read_archive(
        name_, bytes_,
        [&](const std::string& path, std::uint64_t size) {
          const auto expected = expected_.find(path);
          if (expected == expected_.end()) return false;
          if (expected->second && *expected->second != size)
            fail(fmt::format("{} has {} bytes, but must have {}", shown(path), size,
                             *expected->second));
          return true;
        },
        false, monitor_);
    for (const auto& [path, content] : contents_)
      mapped_ &= content.in_place();
  }

  std::string_view content(std::string_view path) const {
    const auto found = contents_.find(path);
    return found == contents_.end() ? std::string_view() : found->second.bytes();
  }

  void find_arrays() {
    const auto offsets = [&](const char* path, std::uint64_t from, std::uint64_t to) {
      const bool there = contents_.contains(path);
      if (!there && from != to)
        fail(fmt::format("{} is missing, though it maps {} to {}", path, from, to));
      return UmbOffsets{content(path), there};
    };
    choices_ = offsets(choices_file, index_.states, index_.choices);
    branches_ = offsets(branches_file, index_.choices, index_.branches);
    targets_ = {content(targets_file)};
    // Then all lead to state 0: a few may, but a file that says nothing else is not a large model.
    constexpr std::uint64_t few = 1 << 20;
    if (index_.branches > few && !contents_.contains(targets_file))
      fail(fmt::format("{} is missing", targets_file));
    if (index_.has_probabilities && index_.branches > 0 && !contents_.contains(probabilities_file))
      fail(fmt::format("{} is missing", probabilities_file));
    probabilities_ = {content(probabilities_file), index_.probability};
    actions_ = {content(action_file)};
    for (const UmbAnnotation& reward : index_.rewards) {
      const auto numbers = [&](const char* entity) {
        return UmbNumbers{content(values_file("rewards", reward.id, entity)), reward.type};
      };
      rewards_.push_back({numbers("states"), numbers("choices"), numbers("branches")});
      has_branch_rewards_ |= !rewards_.back().branches.bytes.empty();
    }
  }

  void set_bounds() {
    std::vector<Bound> bounds;
    for (const auto& [name, upper] : index_.bounds) {
      const auto cost = std::find(costs_.names.begin(), costs_.names.end(), name);
      if (cost == costs_.names.end())
        fail(fmt::format("there is a bound on '{}', which is no reward", shown(name)));
      bounds.push_back({static_cast<std::size_t>(cost - costs_.names.begin()), upper});
    }
    located([&] { builder_->set_bounds(std::move(bounds)); });
  }

  void read_action_names() {
    if (!contents_.contains(action_offsets_file)) return;
    const UmbValues<std::uint64_t> first{content(action_offsets_file)};
    const std::string_view texts = content(action_texts_file);
    for (std::uint64_t i = 0; i < index_.choice_actions; ++i) {
      monitor_.check();
      if (first[0] != 0 || first[i] > first[i + 1] || first[i + 1] > texts.size())
        fail(fmt::format("{} must begin with 0, never fall, and end within {}", action_offsets_file,
                         action_texts_file));
      const std::string_view text = texts.substr(first[i], first[i + 1] - first[i]);
      if (!is_utf8(text)) fail(fmt::format("the name of choice action {} is not UTF-8 text", i));
      // PRISM calls actions without a name by an empty one.
      located([&] {
        action_names_.push_back(text.empty() ? ActionName() : builder_->action_name(text));
      });
    }
  }

  /// Calls `add()` and says of an error in which file and where it is.
  template <class Add>
  void located(Add add, const std::string& place = {}) const {
    try {
      add();
    } catch (const InputError& error) {
      if (!error.position().file.empty()) throw;
      fail(place.empty() ? error.message() : fmt::format("{}: {}", place, error.message()),
           error.hint());
    }
  }

  /// In shares whose sizes differ by one at most.
  void choose_share() {
    const LoadShare& share = options_.share;
    if (share.of == 1 || index_.states < share.least_states) return;
    num_shares_ = share.of;
    const auto begin_of = [&](std::uint64_t number) {
      return index_.states / share.of * number +
             std::min<std::uint64_t>(number, index_.states % share.of);
    };
    first_state_ = begin_of(share.number);
    last_state_ = begin_of(share.number + 1);
    builder_->set_share({first_state_, last_state_});
  }

  /// Part by part: while one is read the system fetches the next, and may drop the one before.
  void add_states() {
    constexpr std::uint64_t states_per_part = 1 << 15;
    if (choices_[0] != 0) fail_offsets(choices_file, index_.choices);
    if (branches_[0] != 0) fail_offsets(branches_file, index_.branches);
    if (num_shares_ == 1) last_state_ = index_.states;
    Part before{};
    before.states[1] = first_state_;
    std::uint64_t choice = before.choices[1] = choices_[first_state_];
    if (choice > index_.choices) fail_offsets(choices_file, index_.choices);
    std::uint64_t branch = before.branches[1] = branches_[choice];
    if (branch > index_.branches) fail_offsets(branches_file, index_.branches);
    Part part = part_after(before, states_per_part);
    while (part.states[0] < last_state_) {
      const Part next = part_after(part, states_per_part);
      for_pages(next, fetch_pages);
      for (std::uint64_t s = part.states[0]; s < part.states[1]; ++s) {
        monitor_.check();
        add_state(s, choice, branch);
      }
      for_pages(part, forget_pages);
      part = next;
    }
    if (last_state_ != index_.states) return;
    if (choice != index_.choices) fail_offsets(choices_file, index_.choices);
    if (branch != index_.branches) fail_offsets(branches_file, index_.branches);
  }

  [[noreturn]] void fail_offsets(const char* file, std::uint64_t end) const {
    fail(fmt::format("{} must begin with 0, never fall, and end with {}", file, end));
  }

  /// Its choices begin with `choice` and their branches with `branch`; both are moved to the end.
  void add_state(std::uint64_t state, std::uint64_t& choice, std::uint64_t& branch) {
    const std::uint64_t end = choices_[state + 1];
    if (end < choice || end > index_.choices) fail_offsets(choices_file, index_.choices);
    const std::uint64_t first = choice;
    if (index_.is_chain && end - first > 1)
      fail(fmt::format("state {}: there are {} choices, but nobody chooses", state, end - first));
    names_->begin_state();
    for (; choice < end; ++choice) {
      const std::uint64_t last = branches_[choice + 1];
      if (last < branch || last > index_.branches) fail_offsets(branches_file, index_.branches);
      try {
        add_choice(state, choice, branch, last, choice == first);
      } catch (const InputError& error) {
        fail(fmt::format("state {}, choice {}: {}", state, choice - first, error.message()),
             error.hint());
      }
      branch = last;
    }
  }

  /// `is_first` of its state.
  void add_choice(std::uint64_t state, std::uint64_t choice, std::uint64_t first,
                  std::uint64_t last, bool is_first) {
    if (!index_.has_probabilities && last - first > 1)
      throw InputError("there are several branches without probabilities",
                       "what nobody knows the odds of is not solved");
    read_targets(first, last - first);
    read_probabilities(first, last - first);
    if (is_first) read_state_cost(state);
    read_cost(choice);
    const bool differ = has_branch_rewards_ && last > first && add_branch_rewards(first, last);
    const ActionName name = name_of(choice);
    if (!differ && are_distinct()) {
      builder_->add_action(StateId(state), name, cost_, outcome_probabilities_, successors_);
      return;
    }
    for (std::size_t k = 0; k < successors_.size(); ++k)
      builder_->add_outcome(
          outcome_probabilities_[k], successors_[k],
          differ ? std::span<const double>(branch_costs_).subspan(k * cost_.size(), cost_.size())
                 : std::span<const double>());
    if (name.valid())
      builder_->add_action(StateId(state), std::string(builder_->text_of(name)), cost_);
    else
      builder_->add_action(StateId(state), cost_);
  }

  void read_targets(std::uint64_t first, std::uint64_t count) {
    successors_.resize(count);
    std::uint64_t greatest = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t target = targets_[first + k];
      greatest = std::max(greatest, target);
      successors_[k] = StateId(static_cast<std::uint32_t>(target));
    }
    if (greatest < index_.states) return;
    for (std::uint64_t b = first; b < first + count; ++b)
      if (targets_[b] >= index_.states)
        throw InputError(fmt::format("a branch leads to state {}, but there are {}", targets_[b],
                                     index_.states));
  }

  void read_probabilities(std::uint64_t first, std::uint64_t count) {
    outcome_probabilities_.resize(count);
    for (std::uint64_t k = 0; k < count; ++k)
      outcome_probabilities_[k] = index_.has_probabilities ? probabilities_[first + k] : 1.0;
  }

  void read_state_cost(std::uint64_t state) {
    state_cost_.clear();
    for (const std::size_t r : costs_.rewards)
      state_cost_.push_back(rewards_[r].states[state]);
  }

  /// All that does not depend on the branch.
  void read_cost(std::uint64_t choice) {
    if (costs_.counts_steps()) return cost_.assign(1, 1.0);
    cost_.resize(costs_.rewards.size());
    for (std::size_t i = 0; i < cost_.size(); ++i)
      cost_[i] = state_cost_[i] + rewards_[costs_.rewards[i]].choices[choice];
  }

  /// Adds their expectation to the cost. True if branches differ; then branch_costs_ has what each
  /// costs.
  bool add_branch_rewards(std::uint64_t first, std::uint64_t last) {
    const std::size_t num_costs = cost_.size();
    branch_costs_.clear();
    for (std::uint64_t b = first; b < last; ++b)
      for (std::size_t i = 0; i < num_costs; ++i) {
        const double part = costs_.counts_steps() ? 0.0 : rewards_[costs_.rewards[i]].branches[b];
        branch_costs_.push_back(cost_[i] + part);
      }
    bool differ = false;
    for (std::size_t k = num_costs; k < branch_costs_.size(); ++k)
      differ |= branch_costs_[k] != branch_costs_[k % num_costs];
    for (std::size_t i = 0; i < num_costs; ++i) {
      long double sum = 0;
      for (std::size_t k = 0; differ && k < successors_.size(); ++k)
        sum +=
            static_cast<long double>(outcome_probabilities_[k]) * branch_costs_[k * num_costs + i];
      cost_[i] = differ ? static_cast<double>(sum) : branch_costs_[i];
    }
    return differ;
  }

  bool are_distinct() {
    constexpr std::size_t few = 12;
    if (successors_.size() <= few) {
      for (std::size_t i = 1; i < successors_.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          if (successors_[i] == successors_[k]) return false;
      return true;
    }
    sorted_ = successors_;
    std::sort(sorted_.begin(), sorted_.end());
    return std::adjacent_find(sorted_.begin(), sorted_.end()) == sorted_.end();
  }

  ActionName name_of(std::uint64_t choice) {
    if (action_names_.empty()) return {};
    const std::uint32_t action = actions_[choice];
    if (action >= action_names_.size())
      throw InputError(
          fmt::format("there is no choice action {}, only {}", action, action_names_.size()));
    return names_->next(action_names_[action]);
  }

  /// A range of states with the ranges of their choices and branches.
  struct Part {
    std::uint64_t states[2];
    std::uint64_t choices[2];
    std::uint64_t branches[2];
  };

  /// The part after this one, as the offsets say, be they right or not.
  Part part_after(const Part& part, std::uint64_t size) const {
    Part next{};
    next.states[0] = part.states[1];
    next.states[1] = std::min(next.states[0] + size, last_state_);
    next.choices[0] = part.choices[1];
    next.choices[1] = std::clamp(choices_[next.states[1]], next.choices[0], index_.choices);
    next.branches[0] = part.branches[1];
    next.branches[1] = std::clamp(branches_[next.choices[1]], next.branches[0], index_.branches);
    return next;
  }

  /// Calls `visit(bytes)` for what the mapped arrays have of a part.
  template <class Visit>
  void for_pages(const Part& part, Visit visit) const {
    if (!mapped_) return;
    const auto slice = [&](std::string_view bytes, const std::uint64_t* range, std::uint64_t size) {
      if (!bytes.empty()) visit(bytes.substr(range[0] * size, (range[1] - range[0]) * size));
    };
    slice(choices_.bytes, part.states, 8);
    slice(branches_.bytes, part.choices, 8);
    slice(targets_.bytes, part.branches, 8);
    slice(probabilities_.bytes, part.branches, index_.probability.bits / 8);
    slice(actions_.bytes, part.choices, 4);
    for (std::size_t r = 0; r < rewards_.size(); ++r) {
      const std::uint64_t size = index_.rewards[r].type.bits / 8;
      slice(rewards_[r].states.bytes, part.states, size);
      slice(rewards_[r].choices.bytes, part.choices, size);
      slice(rewards_[r].branches.bytes, part.branches, size);
    }
  }

  std::vector<Label> labels() const {
    std::vector<Label> labels;
    for (const UmbAnnotation& proposition : index_.propositions)
      labels.push_back(
          {proposition.name,
           umb_bits(content(values_file("aps", proposition.id, "states")), index_.states)});
    return labels;
  }

  StateId initial_state() const {
    const std::vector<bool> initial = umb_bits(content(initial_file), index_.states);
    const auto marked = std::count(initial.begin(), initial.end(), true);
    if (marked != 1)
      fail(fmt::format("{} marks {} states as initial, but one is expected", initial_file, marked));
    return StateId(static_cast<std::size_t>(std::find(initial.begin(), initial.end(), true) -
                                            initial.begin()));
  }

  const std::string& name_;
  std::string_view bytes_;
  bool mapped_;  // and no copy
  const LoadOptions& options_;
  Monitor& monitor_;

  UmbIndex index_;
  RewardCosts costs_;
  std::map<std::string, std::optional<std::uint64_t>, std::less<>> expected_;
  ArchiveContents contents_;
  UmbOffsets choices_;
  UmbOffsets branches_;
  UmbValues<std::uint64_t> targets_;
  UmbNumbers probabilities_;
  UmbValues<std::uint32_t> actions_;
  std::vector<Reward> rewards_;
  bool has_branch_rewards_ = false;
  std::uint64_t num_shares_ = 1;
  std::uint64_t first_state_ = 0;  // of the share that is read
  std::uint64_t last_state_ = 0;

  std::optional<ExplicitBuilder> builder_;
  std::optional<DistinctNames> names_;
  std::vector<ActionName> action_names_;  // by choice action; empty: there are none
  // Of the choice being read.
  std::vector<StateId> successors_;
  std::vector<StateId> sorted_;
  std::vector<double> outcome_probabilities_;
  std::vector<double> state_cost_;  // its state's part
  std::vector<double> cost_;
  std::vector<double> branch_costs_;
};

}  // namespace

std::shared_ptr<Model> read_umb(const std::string& name, std::string_view bytes,
                                const LoadOptions& options, Monitor& monitor) {
  return UmbReader(name, bytes, false, options, monitor).read();
}

std::shared_ptr<Model> read_umb_file(const std::string& path, const LoadOptions& options,
                                     Monitor& monitor, LoadTimes& times) {
  const PhaseTimer timer(times.parse);
  const MappedFile file(path);
  if (!file.valid()) {
    const std::string bytes = read_text(path, monitor);
    return read_umb(path, bytes, options, monitor);
  }
  return UmbReader(path, file.bytes(), true, options, monitor).read();
}

}  // namespace carl::io
