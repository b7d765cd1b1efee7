#include "support/random_domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "carl/monitor.h"
#include "pddl/read.h"
#include "support/reference.h"
#include "util/random.h"

namespace carl::testing {
namespace {

struct Variable {
  std::string name;
  std::string type;  // "object", "red" or "blue"
};

struct Predicate {
  std::string name;
  std::vector<std::string> types;
};

class Generator {
 public:
  enum class Kind { plain, conditional, static_chances };

  Generator(std::uint64_t seed, Kind kind)
      : random_(seed),
        conditional_(kind == Kind::conditional),
        static_chances_(kind == Kind::static_chances) {}

  std::string run() {
    // The first two predicates are places: mostly one atom of each is true, and moves keep it so.
    predicates_ = {{"at", {"object"}}, {"in", {"red", "object"}}};
    if (chance(50)) predicates_.pop_back();
    num_places_ = predicates_.size();
    const std::size_t num_predicates = num_places_ + 2 + random_.below(3);
    for (std::size_t i = num_places_; i < num_predicates; ++i) {
      Predicate predicate{fmt::format("p{}", i), {}};
      for (std::uint64_t arity = random_.below(5) / 2; arity > 0; --arity)
        predicate.types.push_back(any_type());
      predicates_.push_back(predicate);
    }
    std::string text =
        "(define (domain d) (:types red blue - object)\n(:constants r1 - red b1 - blue)\n";
    text += "(:predicates";
    for (const Predicate& predicate : predicates_) {
      text += " (" + predicate.name;
      for (std::size_t i = 0; i < predicate.types.size(); ++i)
        text += fmt::format(" ?x{} - {}", i, predicate.types[i]);
      text += ")";
    }
    text += ")\n(:functions (c) (k) (e ?x - red) (w ?x - object)";
    text += static_chances_ ? " (h ?x - object) (half))\n" : ")\n";
    const std::size_t num_actions = 3 + random_.below(3);
    for (std::size_t i = 0; i < num_actions; ++i)
      text += action(i);
    text += ")\n" + problem();
    return text + goal(text);
  }

 private:
  bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
  std::string any_type() {
    static const char* const types[] = {"red", "red", "blue", "object"};
    return types[random_.below(4)];
  }
  const Predicate& any_predicate() { return predicates_[random_.below(predicates_.size())]; }
  const Predicate& any_place() { return predicates_[random_.below(num_places_)]; }
  /// Seldom a place: that would mostly break its invariant.
  const Predicate& any_property() {
    if (chance(8)) return any_predicate();
    return predicates_[num_places_ + random_.below(predicates_.size() - num_places_)];
  }

  static bool fits(const std::string& type, const std::string& wanted) {
    return wanted == "object" || type == wanted;
  }

  std::string any_term(const std::string& type) {
    std::vector<std::string> terms;
    for (const Variable& variable : scope_) {
      if (!fits(variable.type, type)) continue;
      terms.insert(terms.end(), 4, variable.name);
    }
    if (fits("red", type)) terms.emplace_back("r1");
    if (fits("blue", type)) terms.emplace_back("b1");
    return terms[random_.below(terms.size())];
  }

  std::string any_atom() { return any_atom(any_predicate()); }
  std::string any_atom(const Predicate& predicate) {
    // Files in use leave out the parentheses.
    if (predicate.types.empty() && chance(20)) return predicate.name;
    std::string text = "(" + predicate.name;
    for (const std::string& type : predicate.types)
      text += " " + any_term(type);
    return text + ")";
  }

  std::string declare(const std::string& prefix, std::uint64_t count) {
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) {
      scope_.push_back({fmt::format("{}{}", prefix, scope_.size()), any_type()});
      text +=
          fmt::format("{}{} - {}", text.empty() ? "" : " ", scope_.back().name, scope_.back().type);
    }
    return text;
  }

  std::string condition(int depth) {
    const std::uint64_t kind = random_.below(depth > 0 ? 12 : 5);
    if (kind < 3) return any_atom();
    if (kind == 3) return "(not " + any_atom() + ")";
    if (kind == 4 && chance(40)) return comparison();
    if (kind == 4) return fmt::format("(= {} {})", any_term("object"), any_term("object"));
    if (kind < 7) return fmt::format("(and {} {})", condition(depth - 1), condition(depth - 1));
    if (kind < 9) return fmt::format("(or {} {})", condition(depth - 1), condition(depth - 1));
    if (kind == 9) return fmt::format("(not {})", condition(depth - 1));
    const std::size_t outer = scope_.size();
    const std::string variables = declare("?q", 1);
    std::string text = fmt::format("({} ({}) {})", kind == 10 ? "exists" : "forall", variables,
                                   condition(depth - 1));
    scope_.resize(outer);
    return text;
  }

  /// Of static numbers.
  std::string comparison() {
    static const char* const relations[] = {"<", "<=", "=", ">=", ">"};
    const std::string right = chance(50) ? fmt::format("{}", random_.below(4))
                                         : fmt::format("(+ 1 (w {}))", any_term("object"));
    return fmt::format("({} (w {}) {})", relations[random_.below(5)], any_term("object"), right);
  }

  std::string effect(int depth) {
    const std::uint64_t kind = random_.below(depth > 0 ? 12 : 6);
    if (kind < 2) return any_atom(any_property());
    if (kind < 4) return "(not " + any_atom(any_property()) + ")";
    if (kind == 4) return conditional_ && chance(80) ? "(and)" : increase();
    if (kind == 5) return "(and)";
    if (kind < 8) return fmt::format("(and {} {})", effect(depth - 1), effect(depth - 1));
    if (kind == 8) return fmt::format("(when {} {})", condition(1), effect(depth - 1));
    if (kind < 11) return choice(depth);
    const std::size_t outer = scope_.size();
    const std::string variables = declare("?q", 1);
    std::string text = fmt::format("(forall ({}) {})", variables, effect(depth - 1));
    scope_.resize(outer);
    return text;
  }

  /// Two probabilities. No (h ...) is above a half.
  std::pair<std::string, std::string> static_chances() {
    const std::string first = fmt::format("(h {})", any_term("object"));
    const std::string second = fmt::format("(h {})", any_term("object"));
    switch (random_.below(5)) {
      case 0:
        return {first, fmt::format("(- 1 {})", first)};
      case 1:
        return {fmt::format("(* {} {} 1/2)", first, second), "(half)"};
      case 2:
        return {fmt::format("(/ {} (+ 1 {}))", first, second), second};
      case 3:
        return {"1/3", fmt::format("(* (half) (+ {} (- (half) {})))", first, first)};
      default:
        return {first, second};
    }
  }

  std::string choice(int depth) {
    if (static_chances_) {
      const auto [first, second] = static_chances();
      return fmt::format("(probabilistic {} {} {} {})", first, effect(depth - 1), second,
                         effect(depth - 1));
    }
    static const char* const pairs[][2] = {
        {"0.5", "0.5"}, {"1/3", "2/3"}, {"0.2", "0.3"}, {"0", "1"}, {"1/7", "0"}};
    const auto& pair = pairs[random_.below(5)];
    return fmt::format("(probabilistic {} {} {} {})", pair[0], effect(depth - 1), pair[1],
                       effect(depth - 1));
  }

  std::string increase() {
    static const char* const amounts[] = {"1", "0.5", "(w {})", "(* 2 (w {}))", "(+ 1/3 (w {}))"};
    const std::string amount =
        fmt::format(fmt::runtime(amounts[random_.below(5)]), any_term("object"));
    const std::uint64_t which = random_.below(3);
    if (which == 0) return fmt::format("(increase (c) {})", amount);
    if (which == 1) return fmt::format("(increase (k) {})", amount);
    return fmt::format("(increase (e {}) {})", any_term("red"), amount);
  }

  /// Takes an atom away and puts another of its predicate, or of any, in its place.
  std::string move(std::string& precondition) {
    const Predicate& from = chance(80) ? any_place() : any_predicate();
    const std::string source = any_atom(from);
    const std::string target = chance(85) ? any_atom(from) : any_atom();
    precondition += " " + source;
    const std::string removal = "(not " + source + ")";
    if (static_chances_ && chance(50)) {
      const auto [first, second] = static_chances();
      return fmt::format("{} (probabilistic {} {} {} {})", removal, first, target, second,
                         any_atom(from));
    }
    switch (random_.below(4)) {
      case 0:
        return fmt::format("{} (probabilistic 1/4 {} 3/4 {})", removal, target, any_atom(from));
      case 1:
        return fmt::format("(probabilistic 0.9 (and {} {}))", removal, target);
      case 2:
        return fmt::format("(when {} (and {} {}))", condition(1), removal, target);
      default:
        return removal + " " + target;
    }
  }

  std::string action(std::size_t number) {
    scope_.clear();
    const std::string parameters = declare("?a", 1 + random_.below(2));
    std::string precondition;
    std::string effects;
    if (chance(60)) effects += move(precondition) + " ";
    if (chance(40)) precondition += " " + condition(2);
    if (chance(60) || effects.empty()) effects += effect(3) + " ";
    if (chance(40)) effects += fmt::format("(when {} {}) ", condition(1), effect(2));
    if (conditional_) effects += conditional_effects();
    effects += "(increase (c) 1)";
    return fmt::format(
        "(:action a{} :parameters ({})\n :precondition (and{})\n :effect (and {}))\n", number,
        parameters, precondition, effects);
  }

  std::string conditional_effects() {
    std::string text;
    if (chance(40)) text += goes_somewhere() + " ";
    if (chance(40)) text += case_by_case() + " ";
    if (chance(50)) text += for_all_when() + " ";
    if (chance(30)) text += fmt::format("(when {} {}) ", condition(1), case_by_case());
    return text;
  }

  /// To some place, from wherever it is.
  std::string goes_somewhere() {
    const std::size_t outer = scope_.size();
    const std::string target = any_atom(predicates_[0]);
    const std::string variable = declare("?q", 1);
    const std::string old = fmt::format("(at {})", scope_.back().name);
    scope_.resize(outer);
    std::string text =
        fmt::format("{} (forall ({}) (when {} (not {})))", target, variable, old, old);
    if (chance(30)) return fmt::format("(when {} (and {}))", condition(1), text);
    if (chance(30)) return fmt::format("(probabilistic 1/4 (and {}))", text);
    return text;
  }

  /// What happens depends on where something is.
  std::string case_by_case() {
    std::string text = "(and";
    for (std::uint64_t i = 2 + random_.below(2); i > 0; --i) {
      const std::string place = any_atom(any_place());
      text += chance(50)
                  ? fmt::format(" (when {} {})", place, effect(2))
                  : fmt::format(" (when {0} (and (not {0}) {1}))", place, any_atom(any_place()));
    }
    return text + ")";
  }

  std::string for_all_when() {
    const std::size_t outer = scope_.size();
    const std::string variable = declare("?q", 1);
    std::string text = fmt::format("(forall ({}) (when {} {}))", variable, condition(1), effect(2));
    scope_.resize(outer);
    return text;
  }

  std::string problem() {
    static const char* const objects[][2] = {
        {"r1", "red"}, {"r2", "red"}, {"b1", "blue"}, {"b2", "blue"}};
    const std::size_t num_objects = 3 + random_.below(2);
    scope_.clear();
    std::string text = "(define (problem p) (:domain d) (:objects r2 - red";
    if (num_objects == 4) text += " b2 - blue";
    text += ")\n(:init";
    for (std::size_t i = 0; i < num_objects; ++i) {
      scope_.push_back({objects[i][0], objects[i][1]});
      text += fmt::format(" (= (w {}) {})", objects[i][0], random_.below(4));
      static const char* const chances[] = {"0", "1/2", "1/3", "0.25", "1/7"};
      if (static_chances_)
        text += fmt::format(" (= (h {}) {})", objects[i][0], chances[random_.below(5)]);
    }
    if (static_chances_) text += " (= (half) 1/2)";
    // Sparse, so that often just one atom of a predicate is true.
    std::vector<std::string> init;
    for (std::size_t i = 0; i < predicates_.size(); ++i) {
      const std::uint64_t count = i < num_places_ && chance(85) ? 1 : random_.below(4);
      for (std::uint64_t k = 0; k < count; ++k)
        init.push_back(any_atom(predicates_[i]));
    }
    std::sort(init.begin(), init.end());
    init.erase(std::unique(init.begin(), init.end()), init.end());
    const bool drawn = chance(30);
    for (const std::string& atom : init)
      text += drawn && chance(50) ? " " + draw(atom) : " " + atom;
    if (drawn) text += " " + draw(any_atom());
    return text + ")\n";
  }

  /// Something to be drawn that may make the atom true.
  std::string draw(const std::string& atom) {
    if (static_chances_) {
      const auto [first, second] = static_chances();
      return fmt::format("(probabilistic {} {} {} (and {} (not {})))", first, any_atom(), second,
                         atom, any_atom());
    }
    switch (random_.below(5)) {
      case 0:
        return fmt::format("(probabilistic 1/3 {})", atom);
      case 1:
        return fmt::format("(probabilistic 0.5 {} 0.5 {})", atom, any_atom());
      case 2:
        return fmt::format("(probabilistic 1/4 (and {} {}) 3/4 (probabilistic 0.5 {}))", atom,
                           any_atom(), any_atom());
      case 3:
        return fmt::format("{} (probabilistic 0.4 (not {}))", atom, atom);
      default:
        return fmt::format("(probabilistic 0.1 {} 0.9 (and {} (not {})))", any_atom(), atom,
                           any_atom());
    }
  }

  /// Something that is true after a random walk and, where possible, was not true before.
  std::string goal(const std::string& without_goal) {
    Monitor monitor;
    const std::vector<pddl::SourceText> sources{{"walk", without_goal + "(:goal (and)))"}};
    const pddl::SyntaxTree tree = pddl::read(sources, monitor);
    const Reference reference(tree);
    const AtomSet start = reference.initial_states().begin()->first;
    AtomSet state = start;
    for (std::uint64_t steps = 20 + random_.below(60); steps > 0; --steps) {
      const auto& action = reference.actions()[random_.below(reference.actions().size())];
      if (!reference.is_applicable(action, state)) continue;
      const auto successors = reference.apply(action, state).successors;
      state = std::next(successors.begin(),
                        static_cast<std::ptrdiff_t>(random_.below(successors.size())))
                  ->first;
    }
    std::vector<std::string> literals;
    for (const std::string& atom : state)
      if (start.count(atom) == 0) literals.push_back(atom);
    for (const std::string& atom : start)
      if (state.count(atom) == 0) literals.push_back("(not " + atom + ")");
    std::string text = "(:goal (and";
    for (std::uint64_t i = 1 + random_.below(3); i > 0 && !literals.empty(); --i)
      text += " " + literals[random_.below(literals.size())];
    if (chance(30)) text += fmt::format(" (or {} {})", any_atom(), condition(2));
    text += "))\n";
    static const char* const metrics[] = {"", "(:metric minimize (c))",
                                          "(:metric minimize (+ (c) (* 2 (k))))"};
    return text + metrics[random_.below(3)] + ")\n";
  }

  SplitMix64 random_;
  bool conditional_;
  bool static_chances_;
  std::vector<Predicate> predicates_;
  std::size_t num_places_ = 0;
  std::vector<Variable> scope_;
};

}  // namespace

std::string random_problem(std::uint64_t seed) {
  return Generator(seed, Generator::Kind::plain).run();
}

std::string random_conditional_problem(std::uint64_t seed) {
  return Generator(seed, Generator::Kind::conditional).run();
}

std::string random_problem_with_static_chances(std::uint64_t seed) {
  return Generator(seed, Generator::Kind::static_chances).run();
}

}  // namespace carl::testing
