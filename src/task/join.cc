#include "task/join.h"

#include <algorithm>

namespace carl::task {

Arguments arguments_of(const std::vector<pddl::Term>& terms, const Bindings& bindings) {
  Arguments arguments;
  for (const pddl::Term& term : terms)
    arguments.push_back(term.is_variable() ? bindings[term.slot]
                                           : static_cast<std::uint32_t>(term.object.index()));
  return arguments;
}

Join::Join(const JoinBody& body, JoinTables& tables, Bindings& bindings, Monitor& monitor)
    : body_(body),
      tables_(tables),
      bindings_(bindings),
      monitor_(monitor),
      used_(body.present.size(), false) {}

void Join::run(absl::FunctionRef<void()> visit) {
  extend(visit);
}

void Join::run_for_newest(std::size_t trigger, absl::FunctionRef<void()> visit) {
  trigger_ = trigger;
  used_[trigger] = true;
  if (unify(trigger, relation(trigger).size() - 1)) extend(visit);
  undo(0, 0);
  used_[trigger] = false;
  trigger_ = none;
}

void Join::extend(absl::FunctionRef<void()> visit) {
  ++tables_.steps;
  monitor_.check();
  const std::size_t bound = bound_log_.size();
  const std::size_t used = used_log_.size();
  Choice choice;
  if (comparisons_hold() && numbers_hold() && choose(choice) && absent_hold()) {
    if (choice.atom == none) {
      visit();
    } else {
      used_[choice.atom] = true;
      used_log_.push_back(static_cast<std::uint32_t>(choice.atom));
      std::uint32_t row = choice.matches.first;
      for (std::uint32_t left = choice.matches.count; left > 0; --left) {
        const std::size_t before = bound_log_.size();
        if (!is_excluded(choice.atom, row) && unify(choice.atom, row)) extend(visit);
        undo(before, used_log_.size());
        row = choice.matches.next[row];
      }
    }
  }
  undo(bound, used);
}

bool Join::comparisons_hold() {
  // An equality may bind a variable that another equality waits for, hence the repetition.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Comparison& comparison : body_.comparisons) {
      const std::uint32_t left = value(comparison.left);
      const std::uint32_t right = value(comparison.right);
      if (left != unbound && right != unbound) {
        if ((left == right) != comparison.equal) return false;
      } else if (comparison.equal && left != right) {
        if (left == unbound)
          bind_slot(comparison.left.slot, right);
        else
          bind_slot(comparison.right.slot, left);
        changed = true;
      }
    }
  }
  return true;
}

bool Join::numbers_hold() const {
  return std::all_of(body_.numbers.begin(), body_.numbers.end(), [&](const NumberTest& test) {
    const auto holds =
        tables_.numbers->holds_if_known(test.source->relation, test.source->sides, bindings_);
    return !holds || *holds != test.negated;
  });
}

bool Join::absent_hold() {
  for (const JoinAtom& atom : body_.absent) {
    const bool complete =
        std::none_of(atom.terms.begin(), atom.terms.end(),
                     [&](const pddl::Term& term) { return value(term) == unbound; });
    if (complete && tables_.relations[atom.relation].contains(arguments_of(atom.terms, bindings_)))
      return false;
  }
  return true;
}

bool Join::choose(Choice& choice) {
  for (std::size_t i = 0; i < body_.present.size(); ++i) {
    if (used_[i]) continue;
    const std::vector<pddl::Term>& terms = body_.present[i].terms;
    PositionMask mask = 0;
    Arguments key;
    const std::size_t indexed = std::min(terms.size(), max_indexed_positions);
    for (std::size_t k = 0; k < indexed; ++k) {
      if (const std::uint32_t object = value(terms[k]); object != unbound) {
        mask |= PositionMask{1} << k;
        key.push_back(object);
      }
    }
    const std::uint32_t most = relation(i).size();
    if (most == 0) return false;
    // Without any binding an index would only repeat the table: leave it until nothing better is
    // left.
    if (key.empty() && !terms.empty() && choice.atom != none && choice.matches.count <= most)
      continue;
    const Relation::Matches matches = relation(i).matches(mask, key);
    if (matches.count == 0) return false;
    if (key.size() == terms.size()) {
      if (is_excluded(i, matches.first)) return false;
      used_[i] = true;
      used_log_.push_back(static_cast<std::uint32_t>(i));
    } else if (choice.atom == none || matches.count < choice.matches.count) {
      choice = {i, matches};
    }
  }
  return true;
}

bool Join::unify(std::size_t atom, std::uint32_t row_number) {
  const Tuple row = relation(atom).row(row_number);
  const std::vector<pddl::Term>& terms = body_.present[atom].terms;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::uint32_t object = value(terms[i]);
    if (object == unbound)
      bind_slot(terms[i].slot, row[i]);
    else if (object != row[i])
      return false;
  }
  return true;
}

bool Join::is_excluded(std::size_t atom, std::uint32_t row) const {
  if (trigger_ == none || atom >= trigger_) return false;
  const std::uint32_t table = body_.present[atom].relation;
  return table == body_.present[trigger_].relation && row + 1 == tables_.relations[table].size();
}

void Join::undo(std::size_t bound, std::size_t used) {
  for (; bound_log_.size() > bound; bound_log_.pop_back())
    bindings_[bound_log_.back()] = unbound;
  for (; used_log_.size() > used; used_log_.pop_back())
    used_[used_log_.back()] = false;
}

std::uint32_t Join::value(const pddl::Term& term) const {
  return term.is_variable() ? bindings_[term.slot]
                            : static_cast<std::uint32_t>(term.object.index());
}

void Join::bind_slot(std::uint32_t slot, std::uint32_t object) {
  bindings_[slot] = object;
  bound_log_.push_back(slot);
}

}  // namespace carl::task
