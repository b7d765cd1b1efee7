#include "task/smallest_unreachable_set.h"

#include <algorithm>

namespace carl::task {
namespace {

constexpr std::size_t most_nodes = 5'000;
constexpr std::size_t most_literals = 500;
constexpr std::size_t most_options = 64;

using Option = std::vector<Literal>;

class Search {
 public:
  Search(const Formula& condition, const ConditionsOf& conditions_of)
      : conditions_of_(conditions_of) {
    pending_.push_back(&condition);
  }

  std::vector<Literal> run() {
    extend(0);
    return std::move(best_);
  }

 private:
  /// Blocks the first condition that is still open in each way, and goes on from there.
  void extend(std::size_t next) {
    if (members_.size() >= (found_ ? best_.size() : most_literals)) return;
    if (++nodes_ > most_nodes && (found_ || nodes_ > 2 * most_nodes)) return;
    while (next < pending_.size() && is_blocked(*pending_[next], in_set_))
      ++next;
    if (next == pending_.size()) {
      best_ = members_;
      found_ = true;
      return;
    }
    for (const Option& option : options_by_price(*pending_[next])) {
      const std::size_t members = members_.size();
      const std::size_t pending = pending_.size();
      for (const Literal literal : option)
        add(literal);
      extend(next + 1);
      undo(members, pending);
    }
  }

  void add(Literal literal) {
    if (in_set_.size() <= literal.code()) in_set_.resize(literal.code() + 1, false);
    if (in_set_[literal.code()]) return;
    in_set_[literal.code()] = true;
    members_.push_back(literal);
    for (const Formula& condition : conditions_of_(literal))
      pending_.push_back(&condition);
  }

  void undo(std::size_t members, std::size_t pending) {
    for (; members_.size() > members; members_.pop_back())
      in_set_[members_.back().code()] = false;
    pending_.resize(pending);
  }

  /// Sets of literals that block the formula: one part of a conjunction, all of a disjunction.
  std::vector<Option> options(const Formula& formula) const {
    switch (formula.kind) {
      case Formula::Kind::truth:
        return {};
      case Formula::Kind::falsehood:
        return {{}};
      case Formula::Kind::literal:
        return {{formula.literal}};
      case Formula::Kind::conjunction: {
        std::vector<Option> all;
        for (const Formula& child : formula.children)
          for (Option& option : options(child))
            if (all.size() < most_options) all.push_back(std::move(option));
        return all;
      }
      case Formula::Kind::disjunction:
        break;
    }
    std::vector<Option> all{{}};
    for (const Formula& child : formula.children)
      all = combined(all, options(child));
    return all;
  }

  static std::vector<Option> combined(const std::vector<Option>& left,
                                      const std::vector<Option>& right) {
    std::vector<Option> all;
    for (const Option& a : left)
      for (const Option& b : right) {
        if (all.size() == most_options) return all;
        all.push_back(a);
        all.back().insert(all.back().end(), b.begin(), b.end());
      }
    return all;
  }

  std::vector<Option> options_by_price(const Formula& formula) const {
    std::vector<std::pair<std::size_t, Option>> priced;
    for (Option& option : options(formula)) {
      std::sort(option.begin(), option.end());
      option.erase(std::unique(option.begin(), option.end()), option.end());
      priced.emplace_back(price(option), std::move(option));
    }
    std::sort(priced.begin(), priced.end());
    std::vector<Option> result;
    for (auto& [price, option] : priced)
      result.push_back(std::move(option));
    return result;
  }

  /// Each new literal counts, and so does each condition that it leaves to be blocked.
  std::size_t price(const Option& option) const {
    std::size_t sum = 0;
    for (const Literal literal : option)
      if (literal.code() >= in_set_.size() || !in_set_[literal.code()])
        sum += 1 + conditions_of_(literal).size();
    return sum;
  }

  const ConditionsOf& conditions_of_;
  std::vector<const Formula*> pending_;  // to be blocked
  std::vector<Literal> members_;
  std::vector<bool> in_set_;  // by Literal::code()
  std::vector<Literal> best_;
  bool found_ = false;
  std::size_t nodes_ = 0;
};

}  // namespace

bool is_blocked(const Formula& formula, const std::vector<bool>& in_set) {
  const auto blocked = [&](const Formula& child) { return is_blocked(child, in_set); };
  switch (formula.kind) {
    case Formula::Kind::truth:
      return false;
    case Formula::Kind::falsehood:
      return true;
    case Formula::Kind::literal:
      return formula.literal.code() < in_set.size() && in_set[formula.literal.code()];
    case Formula::Kind::conjunction:
      return std::any_of(formula.children.begin(), formula.children.end(), blocked);
    case Formula::Kind::disjunction:
      break;
  }
  return std::all_of(formula.children.begin(), formula.children.end(), blocked);
}

std::vector<Literal> smallest_unreachable_set(const Formula& condition,
                                              const ConditionsOf& conditions_of) {
  return Search(condition, conditions_of).run();
}

}  // namespace carl::task
