#include "prism/model_scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carl/suggestion.h"
#include "prism/operations.h"

namespace carl::prism {
namespace {

template <class Visit>
void visit_names(const Expression& expression, const Visit& visit) {
  if (expression.operation == Operation::name) visit(expression);
  for (const Expression& operand : expression.operands)
    visit_names(operand, visit);
}

/// Definitions in an order in which each comes after those that it uses. Names that are none of
/// them are left to others.
class DependencyOrder {
 public:
  struct Item {
    const Name* name;
    const Expression* expression;  // or null
  };

  DependencyOrder(std::string_view what, std::vector<Item> items)
      : what_(what), items_(std::move(items)), marks_(items_.size(), Mark::fresh) {
    for (std::size_t i = 0; i < items_.size(); ++i)
      numbers_.emplace(items_[i].name->text, i);
    for (std::size_t i = 0; i < items_.size(); ++i)
      visit_all(i);
  }

  const std::vector<std::size_t>& order() const { return order_; }

 private:
  enum class Mark { fresh, open, done };

  struct Open {
    std::size_t item;
    std::vector<std::size_t> uses;
    std::size_t next = 0;
  };

  std::vector<std::size_t> uses_of(std::size_t item) const {
    std::vector<std::size_t> uses;
    if (items_[item].expression != nullptr)
      visit_names(*items_[item].expression, [&](const Expression& name) {
        const auto found = numbers_.find(name.name);
        if (found != numbers_.end()) uses.push_back(found->second);
      });
    return uses;
  }

  /// Without recursion: a chain of definitions may be as long as the text.
  void visit_all(std::size_t root) {
    if (marks_[root] != Mark::fresh) return;
    std::vector<Open> open;
    const auto begin = [&](std::size_t item) {
      marks_[item] = Mark::open;
      open.push_back({item, uses_of(item)});
    };
    begin(root);
    while (!open.empty()) {
      Open& top = open.back();
      if (top.next == top.uses.size()) {
        marks_[top.item] = Mark::done;
        order_.push_back(top.item);
        open.pop_back();
        continue;
      }
      const std::size_t use = top.uses[top.next++];
      if (marks_[use] == Mark::open)
        throw error_at(items_[use].name->position, fmt::format("the {} {} depends on itself", what_,
                                                               quoted(items_[use].name->text)));
      if (marks_[use] == Mark::fresh) begin(use);
    }
  }

  std::string_view what_;
  std::vector<Item> items_;
  std::map<std::string_view, std::size_t> numbers_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> order_;
};

void check_type(const ConstantDeclaration& constant, const Value& value) {
  if (value.type == constant.type || (constant.type == Type::real && value.type == Type::integer))
    return;
  throw InputError(fmt::format("the constant {} is declared as {}, but its value {} is {}",
                               quoted(constant.name.text), name_of(constant.type), to_text(value),
                               name_of(value.type)),
                   fmt::format("it is declared in {}", place_of(constant.name.position)));
}

void check_given(const std::vector<ConstantDeclaration>& constants, const ConstantValues& given,
                 bool others_may_be_meant) {
  std::vector<std::string_view> names;
  for (const ConstantDeclaration& constant : constants)
    names.push_back(constant.name.text);
  for (const auto& [name, value] : given) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && others_may_be_meant) continue;
    if (found == names.end())
      throw InputError(fmt::format("the model has no constant named {}", quoted(name)),
                       did_you_mean(name, names));
    const ConstantDeclaration& constant =
        constants[static_cast<std::size_t>(found - names.begin())];
    if (constant.value)
      throw error_at(
          constant.name.position,
          fmt::format("the constant {} has a value in the model and is given another",
                      quoted(name)),
          fmt::format("leave it open to choose it: const {} {};", name_of(constant.type), name));
    check_type(constant, value);
  }
}

/// All of them at once, so that nobody has to find out one by one.
void check_complete(const std::vector<ConstantDeclaration>& constants,
                    const ConstantValues& given) {
  std::vector<std::string> missing;
  std::vector<std::string> examples;
  const ConstantDeclaration* first = nullptr;
  for (const ConstantDeclaration& constant : constants) {
    if (constant.value || given.contains(constant.name.text)) continue;
    if (first == nullptr) first = &constant;
    missing.push_back(fmt::format("{} {}", name_of(constant.type), quoted(constant.name.text)));
    examples.push_back(fmt::format("{}=...", constant.name.text));
  }
  if (first == nullptr) return;
  throw option_error_at(first->name.position,
                        fmt::format("the constant{} {} {} no value", missing.size() == 1 ? "" : "s",
                                    fmt::join(missing, ", "), missing.size() == 1 ? "has" : "have"),
                        fmt::format("give the value by `const {}`", fmt::join(examples, ",")));
}

}  // namespace

void ModelScope::declare(const Name& name) {
  const auto [entry, is_new] = declared_.emplace(name.text, name.position);
  if (!is_new)
    throw error_at(name.position, fmt::format("the name {} is used twice", quoted(name.text)),
                   fmt::format("it was declared in {} before", place_of(entry->second)));
  if (is_function(name.text))
    throw error_at(name.position, fmt::format("{} is the name of a function", quoted(name.text)),
                   "choose another name");
}

void ModelScope::add_constants(const ConstantValues& given, bool others_may_be_meant) {
  const auto& constants = model_->constants;
  std::vector<DependencyOrder::Item> items;
  for (const ConstantDeclaration& constant : constants) {
    declare(constant.name);
    items.push_back({&constant.name, constant.value ? &*constant.value : nullptr});
  }
  check_given(constants, given, others_may_be_meant);
  check_complete(constants, given);
  const WithoutLabels scope(*this);
  const DependencyOrder dependencies("constant", std::move(items));
  for (const std::size_t i : dependencies.order()) {
    const ConstantDeclaration& constant = constants[i];
    const std::string& name = constant.name.text;
    Value value = constant.value ? constant_value(*constant.value, scope, constant.type,
                                                  fmt::format("the value of {}", quoted(name)))
                                 : given.find(name)->second;
    if (constant.type == Type::real) value = Value::of(value.number());
    constants_.emplace(name, value);
    Meaning meaning;
    meaning.kind = Meaning::Kind::constant;
    meaning.value = value;
    meanings_.emplace(name, meaning);
  }
}

void ModelScope::add_formulas() {
  std::vector<DependencyOrder::Item> items;
  for (const Definition& formula : model_->formulas) {
    declare(formula.name);
    items.push_back({&formula.name, &formula.expression});
    Meaning meaning;
    meaning.kind = Meaning::Kind::formula;
    meaning.formula = &formula.expression;
    meaning.scope = this;
    meanings_.emplace(formula.name.text, meaning);
  }
  const DependencyOrder dependencies("formula", std::move(items));  // complains about circles
}

void ModelScope::add_labels() {
  for (const Definition& label : model_->labels) {
    const bool is_built_in = label.name.text == "init" || label.name.text == "deadlock";
    if (is_built_in)
      throw error_at(label.name.position,
                     fmt::format("every model has a label {} of its own", quoted(label.name.text)),
                     "choose another name");
    Meaning meaning;
    meaning.kind = Meaning::Kind::formula;
    meaning.formula = &label.expression;
    meaning.scope = this;
    if (!labels_.emplace(label.name.text, meaning).second)
      throw error_at(label.name.position,
                     fmt::format("there are two labels named {}", quoted(label.name.text)));
  }
  for (const auto& [name, number] :
       {std::pair("init", BuiltInLabel::init), std::pair("deadlock", BuiltInLabel::deadlock)}) {
    Meaning meaning;
    meaning.kind = Meaning::Kind::atom;
    meaning.index = static_cast<std::uint32_t>(number);
    labels_.emplace(name, meaning);
  }
}

void ModelScope::add_variable(const Name& name, Type type, std::uint32_t number) {
  declare(name);
  Meaning meaning;
  meaning.kind = Meaning::Kind::variable;
  meaning.type = type;
  meaning.index = number;
  meanings_.emplace(name.text, meaning);
}

Meaning ModelScope::meaning(std::string_view name) const {
  const auto found = meanings_.find(name);
  return found == meanings_.end() ? Meaning() : found->second;
}

Meaning ModelScope::label(std::string_view name) const {
  const auto found = labels_.find(name);
  return found == labels_.end() ? Meaning() : found->second;
}

std::vector<std::string_view> ModelScope::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, meaning] : meanings_)
    names.push_back(name);
  return names;
}

std::vector<std::string_view> ModelScope::labels() const {
  std::vector<std::string_view> names;
  for (const auto& [name, meaning] : labels_)
    names.push_back(name);
  return names;
}

Meaning RenamedScope::meaning(std::string_view name) const {
  Meaning meaning = scope_->meaning(name);
  if (meaning.kind == Meaning::Kind::formula) {
    meaning.scope = this;
    return meaning;
  }
  return scope_->meaning(renamed(name));
}

}  // namespace carl::prism
