#include "pddl/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "pddl/diagnostics.h"
#include "pddl/type_closure.h"

namespace carl::pddl {
namespace {

constexpr std::size_t root_type = 0;
constexpr std::size_t longest_name = 1000;

// Words of later versions of PDDL (assign, preference, undefined) are names like others in files
// that are older.
constexpr std::array reserved_words{
    "and",      "or",       "not",    "imply",  "exists", "forall", "when", "probabilistic",
    "increase", "decrease", "either", "define", "+",      "-",      "*",    "/",
    "=",        "<",        ">",      "<=",     ">=",
};

std::string with_article(std::string_view noun) {
  const bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// Wider than the standard, which files in use do not keep to, but without the characters that
/// mean something elsewhere (on a command line: '=' and ',').
bool is_name(std::string_view text) {
  constexpr std::string_view others = "-_.@#/+";
  return (is_letter_or_digit(text.front()) || text.front() == '_') &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_letter_or_digit(c) || others.find(c) != std::string_view::npos;
         });
}

}  // namespace

std::optional<std::size_t> NameTable::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

void NameTable::add(std::string_view name, Position position) {
  if (!index_.emplace(name, names_.size()).second) return;
  names_.push_back(name);
  positions_.push_back(position);
}

Vocabulary::Vocabulary(const std::vector<SourceText>& sources, Monitor& monitor, SyntaxTree& tree)
    : sources_(&sources), monitor_(&monitor), tree_(&tree) {
  types_.add("object", {});
  tree_->types.push_back({"object", {}});
  children_.resize(1);
}

void Vocabulary::fail(Position position, std::string message, std::string hint) const {
  throw error_at(*sources_, position, std::move(message), std::move(hint));
}

void Vocabulary::declare(NameTable& table, Form name, const char* kind) {
  monitor_->check();
  if (name.is_list())
    fail(name, fmt::format("expected the name of {} but found '('", with_article(kind)));
  const std::string_view text = name.text();
  if (std::find(reserved_words.begin(), reserved_words.end(), text) != reserved_words.end())
    fail(name, fmt::format("'{}' is a reserved word and cannot be the name of {}", text,
                           with_article(kind)));
  if (name.number())
    fail(name, fmt::format("{} is a number and cannot be the name of {}", quoted(text),
                           with_article(kind)));
  if (!is_name(text))
    fail(name, fmt::format("{} cannot be the name of {}", quoted(text), with_article(kind)),
         "names are made of ASCII letters, digits, '-' and '_'");
  if (text.size() > longest_name)
    fail(name, fmt::format("the name of {} is longer than {} characters", with_article(kind),
                           longest_name));
  if (const auto earlier = table.find(text))
    fail(name, fmt::format("the {} {} is declared twice", kind, quoted(text)),
         fmt::format("it was declared in {}:{} before",
                     (*sources_)[table.position(*earlier).file].name,
                     table.position(*earlier).line));
  table.add(text, name.position());
}

void Vocabulary::declare_type(Form name) {
  if (name.is_word("object")) return;
  declare(types_, name, "type");
  tree_->types.push_back({std::string(name.text()), {TypeId(root_type)}});
  children_.resize(tree_->types.size());
}

void Vocabulary::declare_supertype(Form name) {
  declare_type(name);
  supertypes_.add(name.text(), name.position());
}

void Vocabulary::set_parents(TypeId type, std::vector<TypeId> parents) {
  for (const TypeId parent : parents)
    children_[parent.index()].push_back(type);
  tree_->types[type.index()].parents = std::move(parents);
}

void Vocabulary::declare_object(Form name, std::vector<TypeId> types) {
  declare(objects_, name, "object");
  if (types.size() > 1) alternatives_.insert(types);
  tree_->objects.push_back({std::string(name.text()), std::move(types)});
}

void Vocabulary::declare_predicate(Form name, std::vector<Parameter> parameters) {
  declare(predicates_, name, "predicate");
  tree_->predicates.push_back({std::string(name.text()), std::move(parameters)});
}

void Vocabulary::declare_function(Form name, std::vector<Parameter> parameters) {
  declare(functions_, name, "function");
  tree_->functions.push_back({std::string(name.text()), std::move(parameters), false});
}

void Vocabulary::declare_action(Form name) {
  declare(actions_, name, "action");
}

std::size_t Vocabulary::look_up(const NameTable& table, Form name, const char* kind,
                                const char* section) const {
  if (name.is_list())
    fail(name, fmt::format("expected the name of {} but found '('", with_article(kind)));
  if (const auto found = table.find(name.text())) return *found;
  std::string hint = did_you_mean(name.text(), table.names());
  if (hint.empty()) hint = fmt::format("declare it in {}", section);
  fail(name, fmt::format("unknown {} {}", kind, quoted(name.text())), std::move(hint));
}

TypeId Vocabulary::type(Form name) const {
  return TypeId(look_up(types_, name, "type", "(:types ...)"));
}

ObjectId Vocabulary::object(Form name) const {
  if (name.is_word() && name.is_variable())
    fail(name, fmt::format("expected an object but found the variable {}", quoted(name.text())));
  return ObjectId(look_up(objects_, name, "object", "(:objects ...) or (:constants ...)"));
}

PredicateId Vocabulary::predicate(Form name) const {
  if (name.is_word() && !predicates_.find(name.text()) && functions_.find(name.text()))
    fail(name, fmt::format("{} is a numeric function, not a predicate", quoted(name.text())),
         "costs and numbers cannot be part of a condition or be true or false");
  return PredicateId(look_up(predicates_, name, "predicate", "(:predicates ...)"));
}

FunctionId Vocabulary::function(Form name) {
  if (name.is_word("reward") && !functions_.find("reward")) declare_function(name, {});
  if (name.is_word() && !functions_.find(name.text()) && predicates_.find(name.text()))
    fail(name, fmt::format("{} is a predicate, not a numeric function", quoted(name.text())));
  return FunctionId(look_up(functions_, name, "function", "(:functions ...)"));
}

std::optional<FunctionId> Vocabulary::find_function(std::string_view name) const {
  const auto found = functions_.find(name);
  return found ? std::optional(FunctionId(*found)) : std::nullopt;
}

std::optional<PredicateId> Vocabulary::bare_predicate(Form word) {
  if (word.is_list()) return std::nullopt;
  const auto found = predicates_.find(word.text());
  if (!found || !tree_->predicates[*found].parameters.empty()) return std::nullopt;
  bare_names_.add(word.text(), word.position());
  return PredicateId(*found);
}

std::optional<FunctionId> Vocabulary::bare_function(Form word) {
  if (word.is_list()) return std::nullopt;
  const bool is_reward = word.is_word("reward") && !predicates_.find("reward");
  if (!is_reward && !functions_.find(word.text())) return std::nullopt;
  const FunctionId found = function(word);
  if (!tree_->functions[found.index()].parameters.empty()) return std::nullopt;
  bare_names_.add(word.text(), word.position());
  return found;
}

bool Vocabulary::is_subtype(TypeId type, TypeId ancestor) const {
  if (type == ancestor || ancestor.index() == root_type) return true;
  const std::pair key(type.index(), ancestor.index());
  if (const auto known = subtype_.find(key); known != subtype_.end()) return known->second;
  // Upwards without recursion: a chain of types may be long.
  std::vector<bool> seen(tree_->types.size());
  std::vector<TypeId> open{type};
  while (!open.empty()) {
    monitor_->check();
    const TypeId next = open.back();
    open.pop_back();
    if (next == ancestor) return subtype_[key] = true;
    if (seen[next.index()]) continue;
    seen[next.index()] = true;
    const std::vector<TypeId>& parents = tree_->types[next.index()].parents;
    open.insert(open.end(), parents.begin(), parents.end());
  }
  return subtype_[key] = false;
}

bool Vocabulary::is_below(TypeId type, const std::vector<TypeId>& types) const {
  return std::any_of(types.begin(), types.end(),
                     [&](TypeId wanted) { return is_subtype(type, wanted); });
}

bool Vocabulary::fits(ObjectId object, const std::vector<TypeId>& types) const {
  const std::vector<TypeId>& own = tree_->objects[object.index()].types;
  return std::any_of(own.begin(), own.end(), [&](TypeId mine) { return is_below(mine, types); });
}

bool Vocabulary::implies(const std::vector<TypeId>& narrow, const std::vector<TypeId>& wide) const {
  return std::all_of(narrow.begin(), narrow.end(),
                     [&](TypeId mine) { return is_below(mine, wide); });
}

bool Vocabulary::may_overlap(const std::vector<TypeId>& left,
                             const std::vector<TypeId>& right) const {
  for (const TypeId a : left)
    for (const TypeId b : right)
      if (types_overlap(a, b)) return true;
  const auto some_below = [&](const std::vector<TypeId>& types, const std::vector<TypeId>& wanted) {
    return std::any_of(types.begin(), types.end(), [&](TypeId t) { return is_below(t, wanted); });
  };
  return std::any_of(alternatives_.begin(), alternatives_.end(), [&](const auto& types) {
    return some_below(types, left) && some_below(types, right);
  });
}

bool Vocabulary::types_overlap(TypeId a, TypeId b) const {
  if (is_subtype(a, b) || is_subtype(b, a)) return true;
  const std::pair key(a.index(), b.index());
  if (const auto known = overlap_.find(key); known != overlap_.end()) return known->second;
  const std::vector<bool> below_a = descendants(a);
  const std::vector<bool> below_b = descendants(b);
  bool found = false;
  for (std::size_t t = 0; t < below_a.size(); ++t)
    found = found || (below_a[t] && below_b[t]);
  return overlap_[key] = found;
}

std::vector<bool> Vocabulary::descendants(TypeId type) const {
  return types_below(children_, std::span(&type, 1), *monitor_);
}

const std::vector<ObjectId>& Vocabulary::objects_of(const std::vector<TypeId>& types) const {
  const auto [entry, is_new] = objects_of_.try_emplace(types);
  for (std::size_t i = 0; is_new && i < tree_->objects.size(); ++i) {
    monitor_->check();
    if (fits(ObjectId(i), types)) entry->second.emplace_back(i);
  }
  return entry->second;
}

std::string Vocabulary::to_string(const std::vector<TypeId>& types) const {
  if (types.size() == 1) return tree_->types[types.front().index()].name;
  std::string text = "(either";
  for (const TypeId type : types)
    text += " " + tree_->types[type.index()].name;
  return text + ")";
}

}  // namespace carl::pddl
