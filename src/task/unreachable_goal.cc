#include "task/unreachable_goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <span>

#include "task/changes.h"
#include "task/knowledge.h"
#include "task/smallest_unreachable_set.h"

namespace carl::task {
namespace {

// Beyond this many ground actions that would add one of the missing facts nobody reads the reason.
constexpr std::size_t most_instances = 100'000;

/// What makes a literal true, as it is shown: actions of one schema are one achiever.
struct Achievers {
  std::vector<Formula> conditions;
  std::vector<std::string> actions;
  /// Where the condition is false by facts that never change: those.
  std::vector<std::vector<std::string>> fixed;
};

void collect_members(const Formula& formula, const std::vector<bool>& in_set,
                     std::vector<Literal>& out) {
  if (formula.kind == Formula::Kind::literal && in_set[formula.literal.code()])
    if (std::find(out.begin(), out.end(), formula.literal) == out.end())
      out.push_back(formula.literal);
  for (const Formula& child : formula.children)
    collect_members(child, in_set, out);
}

/// Puts the smallest proof that `goal` never holds into words. `Relaxation` knows the names and
/// achievers of literals.
template <class Relaxation>
Unreachability explain(const Formula& goal, Relaxation& relaxation) {
  const std::vector<Literal> proof =
      smallest_unreachable_set(goal, [&](Literal literal) -> const std::vector<Formula>& {
        return relaxation.achievers(literal).conditions;
      });
  if (relaxation.is_too_large()) return {};
  std::vector<bool> in_set;
  for (const Literal literal : proof) {
    in_set.resize(std::max<std::size_t>(in_set.size(), 2 * literal.atom().index() + 2), false);
    in_set[literal.code()] = true;
  }
  const auto is_member = [&](Literal l) { return l.code() < in_set.size() && in_set[l.code()]; };
  std::vector<bool> in_goal(in_set.size(), false);
  const auto mark_goal = [&](const auto& self, const Formula& formula) -> void {
    if (formula.kind == Formula::Kind::literal && is_member(formula.literal))
      in_goal[formula.literal.code()] = true;
    for (const Formula& child : formula.children)
      self(self, child);
  };
  mark_goal(mark_goal, goal);

  Unreachability result;
  for (const Literal literal : proof) {
    UnreachableFact fact{
        relaxation.name(literal), in_goal[literal.code()], relaxation.is_negative(literal), {}};
    const Achievers& achievers = relaxation.achievers(literal);
    for (std::size_t i = 0; i < achievers.conditions.size(); ++i) {
      UnreachableFact::Achiever achiever{achievers.actions[i], achievers.fixed[i]};
      std::vector<Literal> members;
      in_set.resize(std::max(in_set.size(), relaxation.num_codes()), false);
      collect_members(achievers.conditions[i], in_set, members);
      for (const Literal member : members)
        achiever.needs.push_back(relaxation.name(member));
      fact.achievers.push_back(std::move(achiever));
    }
    result.facts.push_back(std::move(fact));
  }
  std::stable_partition(result.facts.begin(), result.facts.end(),
                        [](const UnreachableFact& fact) { return fact.in_goal; });
  return result;
}

std::string negated(const std::string& fact) {
  return fmt::format("(not {})", fact);
}

/// The problem text after relaxed exploration.
class LiftedRelaxation {
 public:
  LiftedRelaxation(Exploration& exploration, Monitor& monitor)
      : exploration_(exploration),
        task_(*exploration.task),
        tree_(*task_.tree),
        monitor_(monitor) {}

  Formula unmet_goal() {
    bindings_.assign(tree_.goal_slots, unbound);
    Formula goal = unmet(task_.goal);
    const Formula whole =
        ground_condition(task_.goal, Fold::open, exploration_, bindings_, monitor_);
    return goal.is_true() && has_alternatives(whole) ? unmet_alternatives(whole) : goal;
  }

  std::string name(Literal literal) const {
    const std::string text =
        ground_name(tree_.predicates[exploration_.atoms.predicate(literal.atom()).index()].name,
                    exploration_.atoms.arguments(literal.atom()), tree_);
    return literal.positive() ? text : negated(text);
  }
  static bool is_negative(Literal literal) { return !literal.positive(); }
  std::size_t num_codes() const { return 2 * exploration_.atoms.size(); }
  bool is_too_large() const { return num_instances_ > most_instances; }

  const Achievers& achievers(Literal literal) {
    const auto [entry, is_new] = achievers_.try_emplace(literal.code());
    if (is_new && !task_.is_static[exploration_.atoms.predicate(literal.atom()).index()])
      for (const LiftedAction& action : task_.actions)
        search_effect(action, action.effect, literal, entry->second);
    return entry->second;
  }

 private:
  using Kind = pddl::Effect::Kind;

  static bool has_alternatives(const Formula& formula) {
    return formula.kind == Formula::Kind::disjunction ||
           std::any_of(formula.children.begin(), formula.children.end(), has_alternatives);
  }

  /// Only one by one it shows which of them contradict themselves.
  Formula unmet_alternatives(const Formula& goal) const {
    const auto alternatives = disjunctive_normal_form(goal, max_disjuncts);
    if (!alternatives) return Formula::constant(true);  // grounding will refuse it
    FormulaBuilder any(Formula::Kind::disjunction);
    for (const Conjunction& literals : *alternatives) {
      FormulaBuilder all(Formula::Kind::conjunction);
      for (const Literal literal : literals)
        if (!exploration_.atoms.reached(literal)) all.add(Formula::of(literal));
      any.add(all.build());
    }
    return any.build();
  }

  /// Static facts that do not hold stay in the formula, so that they can be named.
  Formula unmet(const LiftedCondition& condition) {
    return ground_condition(condition, Fold::unreached, exploration_, bindings_, monitor_);
  }

  void search_effect(const LiftedAction& action, const LiftedEffect& effect, Literal literal,
                     Achievers& out) {
    path_.push_back(&effect);
    if (effect.kind == (literal.positive() ? Kind::add : Kind::remove) &&
        effect.source->predicate == exploration_.atoms.predicate(literal.atom()))
      add_achiever(action, literal, out);
    for (const LiftedEffect& child : effect.children)
      search_effect(action, child, literal, out);
    path_.pop_back();
  }

  /// The effect at the end of the path, for all objects that make it add this literal.
  void add_achiever(const LiftedAction& action, Literal literal, Achievers& out) {
    bindings_.assign(action.schema->num_slots, unbound);
    if (!unify(path_.back()->source->terms, exploration_.atoms.arguments(literal.atom()))) return;
    const std::string pattern = action_pattern(action);
    const JoinBody body = static_body(action.body);
    FormulaBuilder any(Formula::Kind::disjunction);
    std::size_t instances = 0;
    std::string instance;
    Join(body, exploration_.tables, bindings_, monitor_).run([&] {
      ++instances;
      if (++num_instances_ > most_instances) return;
      instance = action_pattern(action);
      FormulaBuilder all(Formula::Kind::conjunction);
      all.add(unmet(action.precondition));
      add_conditions(0, all);
      any.add(all.build());
    });
    std::vector<std::string> fixed;
    if (instances == 0) {
      fixed = missing_static_facts(body, action);
      if (fixed.empty()) return;  // by types or equality: there is no such action
    }
    Formula condition = any.build();
    if (instances > 0 && condition.is_false()) return;
    out.conditions.push_back(std::move(condition));
    out.actions.push_back(instances == 1 ? instance : pattern);
    out.fixed.push_back(std::move(fixed));
  }

  /// The conditions on the way to the effect, from the i-th node of the path on.
  void add_conditions(std::size_t i, FormulaBuilder& all) {
    for (; i < path_.size(); ++i) {
      if (path_[i]->kind == Kind::when) all.add(unmet(path_[i]->condition));
      if (path_[i]->kind != Kind::forall) continue;
      FormulaBuilder any(Formula::Kind::disjunction);
      Join(path_[i]->range, exploration_.tables, bindings_, monitor_).run([&] {
        FormulaBuilder inner(Formula::Kind::conjunction);
        add_conditions(i + 1, inner);
        any.add(inner.build());
      });
      all.add(any.build());
      return;
    }
  }

  bool unify(const std::vector<pddl::Term>& terms, Tuple objects) {
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (!terms[k].is_variable()) {
        if (terms[k].object.index() != objects[k]) return false;
        continue;
      }
      std::uint32_t& bound = bindings_[terms[k].slot];
      if (bound != unbound && bound != objects[k]) return false;
      bound = objects[k];
    }
    return true;
  }

  JoinBody static_body(const JoinBody& body) const {
    JoinBody result = body;
    std::erase_if(result.present,
                  [&](const JoinAtom& atom) { return is_predicate(atom) && !is_static(atom); });
    return result;
  }
  bool is_predicate(const JoinAtom& atom) const { return atom.relation < tree_.predicates.size(); }
  bool is_static(const JoinAtom& atom) const { return task_.is_static[atom.relation]; }

  /// Static preconditions that no objects satisfy, given those that are bound: one that is enough,
  /// or all of them.
  std::vector<std::string> missing_static_facts(const JoinBody& body, const LiftedAction& action) {
    std::vector<std::string> all;
    for (const JoinAtom& atom : body.present) {
      const bool holds = matches(atom);
      if (!is_predicate(atom)) {
        if (!holds) return {};
        continue;
      }
      const std::string text = pattern(tree_.predicates[atom.relation].name, atom.terms, action);
      if (!holds) return {text};
      all.push_back(text);
    }
    for (const JoinAtom& atom : body.absent)
      all.push_back(negated(pattern(tree_.predicates[atom.relation].name, atom.terms, action)));
    return all;
  }

  bool matches(const JoinAtom& atom) const {
    const Relation& relation = exploration_.tables.relations[atom.relation];
    for (std::uint32_t row = 0; row < relation.size(); ++row) {
      bool all = true;
      for (std::size_t k = 0; k < atom.terms.size() && all; ++k) {
        const std::uint32_t object = value(atom.terms[k]);
        all = object == unbound || object == relation.row(row)[k];
      }
      if (all) return true;
    }
    return false;
  }

  std::uint32_t value(const pddl::Term& term) const {
    return term.is_variable() ? bindings_[term.slot]
                              : static_cast<std::uint32_t>(term.object.index());
  }

  std::string action_pattern(const LiftedAction& action) const {
    std::vector<pddl::Term> parameters;
    for (std::size_t i = 0; i < action.schema->parameters.size(); ++i)
      parameters.push_back(pddl::Term::variable(i));
    return pattern(action.schema->name, parameters, action);
  }

  /// With the names of parameters that are not bound.
  std::string pattern(const std::string& head, const std::vector<pddl::Term>& terms,
                      const LiftedAction& action) const {
    std::string text = "(" + head;
    for (const pddl::Term& term : terms) {
      const std::uint32_t object = value(term);
      text += ' ';
      text += object != unbound ? tree_.objects[object].name
              : term.slot < action.schema->parameters.size()
                  ? action.schema->parameters[term.slot].name
                  : "?";
    }
    return text + ")";
  }

  Exploration& exploration_;
  const LiftedTask& task_;
  const pddl::SyntaxTree& tree_;
  Monitor& monitor_;
  Bindings bindings_;
  std::vector<const LiftedEffect*> path_;
  std::map<std::uint32_t, Achievers> achievers_;  // by literal
  std::size_t num_instances_ = 0;
};

/// A grounded task from one of its states. Facts are numbered variable by variable and stand for
/// positive literals.
class TaskRelaxation {
 public:
  TaskRelaxation(const Task& task, std::span<const std::uint32_t> state) : task_(task) {
    for (const Variable& variable : task.variables) {
      first_.push_back(num_facts_);
      num_facts_ += variable.values.size();
    }
    reached_.assign(num_facts_, false);
    for (std::size_t v = 0; v < state.size(); ++v)
      reached_[first_[v] + state[v]] = true;
    for (const Action& action : task.actions)
      add_ways(action);
    explore();
  }

  Formula unmet_goal() const {
    FormulaBuilder any(Formula::Kind::disjunction);
    for (const std::vector<Fact>& goal : task_.goal)
      any.add(unmet(goal));
    return any.build();
  }

  std::string name(Literal literal) const {
    const Fact fact = fact_of(literal);
    const Variable& variable = task_.variables[fact.variable.index()];
    if (const std::string& text = variable.values[fact.value]; !text.empty()) return text;
    std::string others;
    for (const std::string& text : variable.values)
      if (!text.empty()) {
        if (!others.empty()) others += ' ';
        others += negated(text);
      }
    return variable.values.size() == 2 ? others : fmt::format("(and {})", others);
  }
  bool is_negative(Literal literal) const {
    const Fact fact = fact_of(literal);
    return task_.variables[fact.variable.index()].values[fact.value].empty();
  }
  std::size_t num_codes() const { return 2 * num_facts_; }
  static bool is_too_large() { return false; }

  const Achievers& achievers(Literal literal) {
    const auto [entry, is_new] = achievers_.try_emplace(literal.code());
    if (!is_new) return entry->second;
    Achievers& out = entry->second;
    for (const Way& way : ways_)
      if (achieves(way, fact_of(literal))) {
        out.conditions.push_back(unmet(way.condition));
        out.actions.push_back(task_.labels[way.label]);
        out.fixed.emplace_back();
      }
    return out;
  }

 private:
  /// What an action can do under one condition.
  struct Way {
    std::uint32_t label = 0;
    std::vector<Fact> condition;
    std::vector<std::span<const Fact>> effects;  // one of these
  };

  void add_ways(const Action& action) {
    const std::size_t first = ways_.size();
    for (Change& change : changes_of(action)) {
      if (ways_.size() == first || ways_.back().condition != change.condition)
        ways_.push_back({action.label, std::move(change.condition), {}});
      ways_.back().effects.push_back(change.effects);
    }
  }

  std::size_t number(const Fact& fact) const { return first_[fact.variable.index()] + fact.value; }

  Fact fact_of(Literal literal) const {
    const std::size_t index = literal.atom().index();
    const auto after = std::upper_bound(first_.begin(), first_.end(), index);
    const auto variable = static_cast<std::size_t>(after - first_.begin()) - 1;
    return {VariableId(variable), static_cast<std::uint32_t>(index - first_[variable])};
  }

  static bool achieves(const Way& way, const Fact& fact) {
    return std::any_of(way.effects.begin(), way.effects.end(), [&](std::span<const Fact> effects) {
      return std::find(effects.begin(), effects.end(), fact) != effects.end();
    });
  }

  Formula unmet(const std::vector<Fact>& condition) const {
    FormulaBuilder all(Formula::Kind::conjunction);
    for (const Fact& fact : condition)
      if (!reached_[number(fact)]) all.add(Formula::of(Literal(AtomId(number(fact)), true)));
    return all.build();
  }

  /// Marks all that can be reached. A way waits at a fact that it needs and that is not there.
  void explore() {
    std::vector<std::vector<std::uint32_t>> waiting(num_facts_);
    std::vector<std::uint32_t> open(ways_.size());
    std::iota(open.begin(), open.end(), 0U);
    while (!open.empty()) {
      const Way& way = ways_[open.back()];
      const auto missing = std::find_if(way.condition.begin(), way.condition.end(),
                                        [&](const Fact& fact) { return !reached_[number(fact)]; });
      if (missing != way.condition.end()) {
        waiting[number(*missing)].push_back(open.back());
        open.pop_back();
        continue;
      }
      open.pop_back();
      for (const std::span<const Fact> effects : way.effects)
        for (const Fact& fact : effects) {
          if (reached_[number(fact)]) continue;
          reached_[number(fact)] = true;
          open.insert(open.end(), waiting[number(fact)].begin(), waiting[number(fact)].end());
        }
    }
  }

  const Task& task_;
  std::vector<std::size_t> first_;  // by variable
  std::size_t num_facts_ = 0;
  std::vector<Way> ways_;
  std::vector<bool> reached_;
  std::map<std::uint32_t, Achievers> achievers_;  // by literal
};

template <class Relaxation>
std::optional<Unreachability> explain_goal(Relaxation relaxation) {
  const Formula goal = relaxation.unmet_goal();
  if (goal.is_true()) return std::nullopt;
  Unreachability reason = explain(goal, relaxation);
  reason.contradiction = reason.facts.empty();  // false by itself, whatever becomes true
  return reason;
}

}  // namespace

std::vector<std::string> exclusive_goal_facts(const GroundTask& task, const MutexGroups& groups) {
  Knowledge knowledge(groups, task.atoms.size());
  const auto contradict = [&](const Conjunction& literals) {
    const bool consistent = knowledge.assume(literals);
    knowledge.undo(0);
    return !consistent;
  };
  if (task.goal.empty() || !std::all_of(task.goal.begin(), task.goal.end(), contradict)) return {};
  Conjunction core = task.goal.front();
  for (std::size_t i = core.size(); i-- > 0;) {
    Conjunction smaller = core;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    if (contradict(smaller)) core = std::move(smaller);
  }
  std::vector<std::string> facts;
  for (const Literal literal : core)
    facts.push_back(literal.positive() ? task.atom_name(literal.atom())
                                       : negated(task.atom_name(literal.atom())));
  return facts;
}

std::optional<Unreachability> unreachable_goal(Exploration& exploration, Monitor& monitor) {
  return explain_goal(LiftedRelaxation(exploration, monitor));
}

std::optional<Unreachability> unreachable_goal(const Task& task,
                                               std::span<const std::uint32_t> state) {
  return explain_goal(TaskRelaxation(task, state));
}

}  // namespace carl::task
