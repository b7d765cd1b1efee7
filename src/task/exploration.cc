#include "task/exploration.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>

#include "pddl/type_closure.h"
#include "task/circuit.h"
#include "util/shown.h"

namespace carl::task {
namespace {

/// A join goes one level of recursion deeper for each variable.
constexpr std::size_t max_variables = 1000;

constexpr std::size_t most_parameters_shown = 8;

/// The objects of each type set, by looking up the types below it.
void fill_type_tables(const LiftedTask& task, JoinTables& tables, Monitor& monitor) {
  const pddl::SyntaxTree& tree = *task.tree;
  const pddl::Subtypes subtypes = pddl::subtypes_of(tree.types);
  for (const std::vector<pddl::TypeId>& types : task.type_sets) {
    const std::vector<bool> member = pddl::types_below(subtypes, types, monitor);
    tables.relations.emplace_back(1);
    for (std::uint32_t o = 0; o < tree.objects.size(); ++o) {
      monitor.check();
      const auto& own = tree.objects[o].types;
      if (std::any_of(own.begin(), own.end(),
                      [&](pddl::TypeId type) { return member[type.index()]; }))
        tables.relations.back().insert(Tuple(&o, 1));
    }
  }
}

class Explorer {
 public:
  Explorer(const LiftedTask& task, const std::vector<pddl::SourceText>& sources, Monitor& monitor,
           std::size_t max_actions)
      : task_(task), sources_(sources), monitor_(monitor), max_actions_(max_actions) {
    result_.task = &task;
    result_.numbers = std::make_unique<StaticNumbers>(*task.tree, sources);
    result_.tables.numbers = result_.numbers.get();
  }

  Exploration run() {
    prepare();
    insert_initial_facts();
    for (std::uint32_t schema = 0; schema < task_.actions.size(); ++schema)
      if (task_.actions[schema].fluent_atoms.empty())
        join(schema, [&](Join& run, auto visit) { run.run(visit); });
    std::vector<std::uint32_t> fired;
    while (!queue_.empty()) {
      monitor_.check();
      const Literal literal = queue_.front();
      queue_.pop_front();
      fired.clear();
      circuit_.reach(literal, fired);
      for (const std::uint32_t payload : fired)
        resume(waiting_[payload]);
      if (literal.positive()) start_joins(literal.atom());
    }
    collect_actions();
    return std::move(result_);
  }

 private:
  /// An effect that waits for its condition; the root effect of an action, for its precondition.
  struct Waiting {
    std::uint32_t action = 0;
    const LiftedEffect* effect = nullptr;
    std::size_t bindings = 0;  // where they are kept
  };
  struct Trigger {
    std::uint32_t schema = 0;
    std::size_t atom = 0;
  };

  void prepare() {
    const pddl::SyntaxTree& tree = *task_.tree;
    if (tree.goal_slots > max_variables)
      throw pddl::error_at(sources_, tree.goal.position,
                           fmt::format("the goal has {} variables, at most {} are supported",
                                       tree.goal_slots, max_variables));
    std::size_t slots = 0;
    triggers_.resize(tree.predicates.size());
    for (std::uint32_t i = 0; i < task_.actions.size(); ++i) {
      const LiftedAction& action = task_.actions[i];
      slots = std::max(slots, action.schema->num_slots);
      if (action.schema->num_slots > max_variables)
        throw pddl::error_at(
            sources_, action.schema->position,
            fmt::format("action '{}' has {} variables, at most {} are supported",
                        shown(action.schema->name), action.schema->num_slots, max_variables));
      for (const std::size_t atom : action.fluent_atoms)
        triggers_[action.body.present[atom].relation].push_back({i, atom});
    }
    bindings_.assign(slots, unbound);
    for (const pddl::Predicate& predicate : tree.predicates)
      result_.tables.relations.emplace_back(predicate.parameters.size());
    fill_type_tables(task_, result_.tables, monitor_);
  }

  void insert_initial_facts() {
    Arguments arguments;
    for (const pddl::GroundAtom& fact : task_.tree->init) {
      monitor_.check();
      arguments.clear();
      for (const pddl::ObjectId object : fact.arguments)
        arguments.push_back(static_cast<std::uint32_t>(object.index()));
      if (task_.is_static[fact.predicate.index()]) {
        result_.tables.relations[fact.predicate.index()].insert(arguments);
      } else {
        const AtomId atom = result_.atoms.intern(fact.predicate, arguments);
        result_.atoms.set_initially(atom);
        queue_.emplace_back(atom, true);
      }
    }
  }

  void start_joins(AtomId atom) {
    const std::size_t predicate = result_.atoms.predicate(atom).index();
    result_.tables.relations[predicate].insert(result_.atoms.arguments(atom));
    for (const Trigger& trigger : triggers_[predicate])
      join(trigger.schema, [&](Join& run, auto visit) { run.run_for_newest(trigger.atom, visit); });
  }

  template <class Run>
  void join(std::uint32_t schema, Run run) {
    Join body(task_.actions[schema].body, result_.tables, bindings_, monitor_);
    run(body, [&] { add_action(schema); });
  }

  /// The parameters are bound and satisfy the body of the schema.
  void add_action(std::uint32_t schema) {
    const LiftedAction& action = task_.actions[schema];
    const Formula open = ground(action.precondition);
    if (open.is_false()) return;
    if (result_.actions.size() == max_actions_) throw too_many_actions();
    const auto number = static_cast<std::uint32_t>(result_.actions.size());
    const auto parameters = static_cast<std::ptrdiff_t>(action.body.num_slots);
    result_.actions.push_back({schema, {bindings_.begin(), bindings_.begin() + parameters}});
    applicable_.push_back(false);
    apply_or_wait(open, number, action.effect);
  }

  /// Names the schema with the most instances, and how many objects its parameters were bound to.
  InputError too_many_actions() const {
    std::vector<std::size_t> instances(task_.actions.size());
    for (const ActionInstance& action : result_.actions)
      ++instances[action.schema];
    const auto most = std::max_element(instances.begin(), instances.end());
    const auto number = static_cast<std::size_t>(most - instances.begin());
    const pddl::ActionSchema& schema = *task_.actions[number].schema;
    std::vector<absl::flat_hash_set<std::uint32_t>> bound(schema.parameters.size());
    for (const ActionInstance& action : result_.actions)
      for (std::size_t i = 0; action.schema == number && i < bound.size(); ++i)
        bound[i].insert(action.arguments[i]);
    std::vector<std::string> counts;
    for (std::size_t i = 0; i < bound.size() && i < most_parameters_shown; ++i)
      counts.push_back(fmt::format("{} for {}", bound[i].size(), shown(schema.parameters[i].name)));
    return pddl::error_at(
        sources_, schema.position,
        fmt::format("the problem has more than {} ground actions, {} of them of '{}'", max_actions_,
                    *most, shown(schema.name)),
        fmt::format("there are many objects for its parameters ({}); static preconditions that "
                    "leave fewer combinations would help",
                    fmt::join(counts, ", ")));
  }

  void apply_or_wait(const Formula& open, std::uint32_t action, const LiftedEffect& effect) {
    if (open.is_true()) {
      apply(action, effect);
      return;
    }
    circuit_.add(open, static_cast<std::uint32_t>(waiting_.size()));
    waiting_.push_back({action, &effect, kept_bindings_.size()});
    const LiftedAction& lifted = task_.actions[result_.actions[action].schema];
    kept_bindings_.insert(
        kept_bindings_.end(), bindings_.begin(),
        bindings_.begin() + static_cast<std::ptrdiff_t>(lifted.schema->num_slots));
  }

  void resume(Waiting waiting) {
    const LiftedAction& action = task_.actions[result_.actions[waiting.action].schema];
    const auto slots = static_cast<std::ptrdiff_t>(action.schema->num_slots);
    const auto kept = kept_bindings_.begin() + static_cast<std::ptrdiff_t>(waiting.bindings);
    std::copy(kept, kept + slots, bindings_.begin());
    apply(waiting.action, *waiting.effect);
    std::fill(bindings_.begin(), bindings_.end(), unbound);
  }

  void apply(std::uint32_t action, const LiftedEffect& effect) {
    using Kind = pddl::Effect::Kind;
    if (&effect == &task_.actions[result_.actions[action].schema].effect)
      applicable_[action] = true;
    switch (effect.kind) {
      case Kind::conjunction:
        for (const LiftedEffect& child : effect.children)
          apply(action, child);
        break;
      case Kind::probabilistic:
        for (std::size_t i = 0; i < effect.children.size(); ++i)
          if (may_happen(effect.source->probabilities[i])) apply(action, effect.children[i]);
        break;
      case Kind::forall:
        Join(effect.range, result_.tables, bindings_, monitor_).run([&] {
          apply(action, effect.children[0]);
        });
        break;
      case Kind::when:
        if (const Formula open = ground(effect.condition); !open.is_false())
          apply_or_wait(open, action, effect.children[0]);
        break;
      case Kind::add:
      case Kind::remove: {
        const AtomId atom = result_.atoms.intern(effect.source->predicate,
                                                 arguments_of(effect.source->terms, bindings_));
        const Literal literal(atom, effect.kind == Kind::add);
        if (result_.atoms.reach(literal)) queue_.push_back(literal);
        break;
      }
      case Kind::increase:
        break;
    }
  }

  /// What is wrong with a probability is found out when the action is grounded.
  bool may_happen(const pddl::Amount& probability) const {
    if (probability.kind == pddl::Amount::Kind::number) return true;
    const auto value = result_.numbers->find(probability, bindings_);
    return !value || *value != 0;
  }

  Formula ground(const LiftedCondition& condition) {
    return ground_condition(condition, Fold::reached, result_, bindings_, monitor_);
  }

  void collect_actions() {
    std::vector<ActionInstance> reachable;
    for (std::size_t i = 0; i < applicable_.size(); ++i)
      if (applicable_[i]) reachable.push_back(std::move(result_.actions[i]));
    std::sort(reachable.begin(), reachable.end(), [](const auto& a, const auto& b) {
      return a.schema != b.schema ? a.schema < b.schema : a.arguments < b.arguments;
    });
    result_.actions = std::move(reachable);
  }

  const LiftedTask& task_;
  const std::vector<pddl::SourceText>& sources_;
  Monitor& monitor_;
  std::size_t max_actions_;
  Exploration result_;
  Bindings bindings_;
  std::vector<std::vector<Trigger>> triggers_;  // by predicate
  std::deque<Literal> queue_;                   // reached, consequences not drawn yet
  Circuit circuit_;
  std::vector<Waiting> waiting_;  // payloads of the circuit
  std::vector<std::uint32_t> kept_bindings_;
  std::vector<bool> applicable_;  // by action
};

}  // namespace

Exploration explore(const LiftedTask& task, const std::vector<pddl::SourceText>& sources,
                    Monitor& monitor, std::size_t max_actions) {
  return Explorer(task, sources, monitor, max_actions).run();
}

}  // namespace carl::task
