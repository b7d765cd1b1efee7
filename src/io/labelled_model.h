// What the formats of model checkers have in common (UMB, DRN, PRISM's explicit files): rewards
// become costs, one of the labels is the goal, states are numbers, and actions of one state may have
// the same name or none.
#ifndef CARL_IO_LABELLED_MODEL_H
#define CARL_IO_LABELLED_MODEL_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carl/explicit_builder.h"
#include "carl/io.h"

namespace carl::io {

/// The costs of a model with these rewards, and where they come from.
struct RewardCosts {
  std::vector<std::string> names;  // that to minimise first
  std::vector<std::size_t>
      rewards;  // by cost: its place among the rewards; none: steps are counted

  bool counts_steps() const { return rewards.empty(); }
};

/// Models without rewards have the cost "steps", 1 for each action. Throws OptionError if there is
/// no reward named as LoadOptions::minimise says.
RewardCosts costs_of_rewards(const std::vector<std::string>& rewards, const LoadOptions& options);

struct Label {
  std::string name;
  std::vector<bool> states;
};

/// All labels become those of the model, one of them its goal. Throws OptionError if none is.
void add_labels(ExplicitBuilder& builder, std::vector<Label> labels, const LoadOptions& options);

/// Names by which the actions of a state can be told apart: the second "a" is "a#2", and one without
/// a name is called by its place, "a0", "a1", ….
class DistinctNames {
 public:
  explicit DistinctNames(ExplicitBuilder& builder) : builder_(builder) {}

  void begin_state() {
    ++state_;
    place_ = 0;
  }
  /// Of the next action of the state; invalid: it has no name.
  ActionName next(ActionName wanted) {
    const std::size_t place = place_++;
    if (!wanted.valid() || use_of(wanted).times > 0) return other_name(wanted, place);
    use_of(wanted).times = 1;
    return wanted;
  }

 private:
  struct Use {
    std::uint64_t state = 0;  // in which it was used last
    std::size_t times = 0;    // there
  };
  Use& use_of(ActionName name) {
    if (uses_.size() <= name.index()) uses_.resize(name.index() + 1);
    Use& use = uses_[name.index()];
    if (use.state != state_) use = {state_, 0};
    return use;
  }
  ActionName other_name(ActionName wanted, std::size_t place);

  ExplicitBuilder& builder_;
  std::uint64_t state_ = 0;
  std::size_t place_ = 0;
  std::vector<Use> uses_;             // by name
  std::vector<ActionName> by_place_;  // a0, a1, …
};

/// A number as it is written in texts: "0.1", "1e-3", "1/3".
std::optional<double> parse_value(std::string_view text);
/// A whole number below `end`.
std::optional<std::uint64_t> parse_index(std::string_view text, std::uint64_t end);

}  // namespace carl::io

#endif
