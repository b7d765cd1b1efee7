// The names of a domain and problem and what they stand for. Every other part of the reader looks
// names up here, so unknown, repeated and ill-typed ones are reported in one place and alike.
//
// An object may be of several types (either …), and types may have several parents, so whether a
// term fits a parameter is a question of overlap: an object fits if one of its types is a subtype
// of one of the parameter's types.
#ifndef CARL_PDDL_VOCABULARY_H
#define CARL_PDDL_VOCABULARY_H

#include <absl/container/flat_hash_map.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pddl/s_expression.h"

namespace carl::pddl {

/// Names in the order of their declaration. They must outlive the table.
class NameTable {
 public:
  std::optional<std::size_t> find(std::string_view name) const;
  /// Does nothing if the name is there.
  void add(std::string_view name, Position position);
  const std::vector<std::string_view>& names() const { return names_; }
  Position position(std::size_t i) const { return positions_[i]; }

 private:
  absl::flat_hash_map<std::string_view, std::size_t> index_;
  std::vector<std::string_view> names_;
  std::vector<Position> positions_;
};

class Vocabulary {
 public:
  /// Names are entered both here and into `tree`.
  Vocabulary(const std::vector<SourceText>& sources, Monitor& monitor, SyntaxTree& tree);

  [[noreturn]] void fail(Position position, std::string message, std::string hint = {}) const;
  [[noreturn]] void fail(Form form, std::string message, std::string hint = {}) const {
    fail(form.position(), std::move(message), std::move(hint));
  }
  Monitor& monitor() const { return *monitor_; }
  const SyntaxTree& tree() const { return *tree_; }
  const std::vector<SourceText>& sources() const { return *sources_; }

  void declare_type(Form name);
  /// Declares one that occurs only as the parent of others.
  void declare_supertype(Form name);
  /// To be called once all types are declared.
  void set_parents(TypeId type, std::vector<TypeId> parents);
  void declare_object(Form name, std::vector<TypeId> types);
  void declare_predicate(Form name, std::vector<Parameter> parameters);
  void declare_function(Form name, std::vector<Parameter> parameters);
  void declare_action(Form name);
  void mark_cost(FunctionId function) { tree_->functions[function.index()].is_cost = true; }
  void mark_reward(FunctionId function) { tree_->functions[function.index()].is_reward = true; }

  TypeId type(Form name) const;
  ObjectId object(Form name) const;
  bool has_object(std::string_view name) const { return objects_.find(name).has_value(); }
  PredicateId predicate(Form name) const;
  /// PPDDL has the function (reward) without a declaration.
  FunctionId function(Form name);
  std::optional<FunctionId> find_function(std::string_view name) const;
  bool has_type(std::string_view name) const { return types_.find(name).has_value(); }
  bool has_predicate(std::string_view name) const { return predicates_.find(name).has_value(); }
  /// The predicate or function without parameters that a word stands for which should have been
  /// written in parentheses.
  std::optional<PredicateId> bare_predicate(Form word);
  std::optional<FunctionId> bare_function(Form word);
  /// Where it is declared.
  Position position(FunctionId function) const { return functions_.position(function.index()); }

  // What a careful reader would like to know.
  const std::vector<std::string_view>& bare_names() const { return bare_names_.names(); }
  const std::vector<std::string_view>& mere_supertypes() const { return supertypes_.names(); }

  bool is_subtype(TypeId type, TypeId ancestor) const;
  bool fits(ObjectId object, const std::vector<TypeId>& types) const;
  /// Whether some object could be of one of `left` and of one of `right`.
  bool may_overlap(const std::vector<TypeId>& left, const std::vector<TypeId>& right) const;
  /// Whether whatever is of one of `narrow` is of one of `wide`.
  bool implies(const std::vector<TypeId>& narrow, const std::vector<TypeId>& wide) const;
  /// The objects of one of `types`; to be called once all objects are declared.
  const std::vector<ObjectId>& objects_of(const std::vector<TypeId>& types) const;
  /// "block" or "(either block table)".
  std::string to_string(const std::vector<TypeId>& types) const;

 private:
  /// Checks that `name` can be the name of a new `kind` and enters it.
  void declare(NameTable& table, Form name, const char* kind);
  bool is_below(TypeId type, const std::vector<TypeId>& types) const;
  bool types_overlap(TypeId a, TypeId b) const;
  std::vector<bool> descendants(TypeId type) const;
  std::size_t look_up(const NameTable& table, Form name, const char* kind,
                      const char* section) const;

  const std::vector<SourceText>* sources_;
  Monitor* monitor_;
  SyntaxTree* tree_;
  NameTable types_;
  NameTable objects_;
  NameTable predicates_;
  NameTable functions_;
  NameTable actions_;
  NameTable bare_names_;                        // written without parentheses
  NameTable supertypes_;                        // that occur only as such
  std::set<std::vector<TypeId>> alternatives_;  // the type sets of (either …) objects
  std::vector<std::vector<TypeId>> children_;   // of each type
  mutable absl::flat_hash_map<std::pair<std::size_t, std::size_t>, bool> subtype_;
  mutable absl::flat_hash_map<std::pair<std::size_t, std::size_t>, bool> overlap_;
  mutable std::map<std::vector<TypeId>, std::vector<ObjectId>> objects_of_;
};

}  // namespace carl::pddl

#endif
