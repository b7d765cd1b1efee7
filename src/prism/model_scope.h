// What the names of a model mean: constants, formulas, variables and labels.
#ifndef CARL_PRISM_MODEL_SCOPE_H
#define CARL_PRISM_MODEL_SCOPE_H

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "prism/syntax_tree.h"
#include "prism/typed_expression.h"

namespace carl::prism {

/// Values of constants, as given beside the model.
using ConstantValues = std::map<std::string, Value, std::less<>>;

struct Variable {
  std::string name;
  Type type = Type::boolean;
  std::int64_t low = 0;  // a bool is 0 or 1
  std::int64_t high = 1;
  std::int64_t initial = 0;
  Position position;
  std::uint32_t module = 0;  // or, for those of all modules, global
  static constexpr std::uint32_t global = static_cast<std::uint32_t>(-1);
};

/// Labels that every model has, numbered from here as atoms: the state in which runs begin, and the
/// states in which nothing can be done.
enum class BuiltInLabel : std::uint32_t { init, deadlock };

class ModelScope final : public Scope {
 public:
  explicit ModelScope(const ModelSyntax& model) : model_(&model) {}

  /// The values of constants, which may depend on one another. Throws InputError, for constants
  /// without a value too, and, unless they may be somebody else's, for values without a constant.
  void add_constants(const ConstantValues& given, bool others_may_be_meant);
  /// Throws InputError if formulas depend on themselves.
  void add_formulas();
  void add_labels();
  /// A variable and its number; its name must be free.
  void add_variable(const Name& name, Type type, std::uint32_t number);

  Meaning meaning(std::string_view name) const override;
  Meaning label(std::string_view name) const override;
  std::vector<std::string_view> names() const override;
  std::vector<std::string_view> labels() const override;

  const ConstantValues& constants() const { return constants_; }

 private:
  /// Throws InputError if the name is taken.
  void declare(const Name& name);

  const ModelSyntax* model_;
  std::map<std::string, Meaning, std::less<>> meanings_;
  std::map<std::string, Meaning, std::less<>> labels_;
  std::map<std::string, Position, std::less<>> declared_;
  ConstantValues constants_;
};

/// Scope for the guards, updates and rewards of a model, where labels have no meaning.
class WithoutLabels final : public Scope {
 public:
  explicit WithoutLabels(const Scope& scope) : scope_(&scope) {}
  Meaning meaning(std::string_view name) const override {
    Meaning meaning = scope_->meaning(name);
    if (meaning.scope == scope_) meaning.scope = this;
    return meaning;
  }
  std::string_view function(std::string_view name) const override { return scope_->function(name); }
  std::vector<std::string_view> names() const override { return scope_->names(); }
  std::string_view why_no_labels() const override {
    return "labels are for properties; in a model write the condition itself, or a formula";
  }

 private:
  const Scope* scope_;
};

/// Scope of a module that renames another. Formulas are written out before names are replaced, so it
/// is what they are made of that is renamed.
class RenamedScope final : public Scope {
 public:
  using Names = std::map<std::string, std::string, std::less<>>;

  RenamedScope(const Scope& scope, Names names) : scope_(&scope), names_(std::move(names)) {}
  Meaning meaning(std::string_view name) const override;
  std::string_view function(std::string_view name) const override { return renamed(name); }
  std::vector<std::string_view> names() const override { return scope_->names(); }
  std::string_view why_no_labels() const override { return scope_->why_no_labels(); }

  std::string_view renamed(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? name : std::string_view(found->second);
  }

 private:
  const Scope* scope_;
  Names names_;
};

}  // namespace carl::prism

#endif
