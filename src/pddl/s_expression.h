// Parenthesised forms, the shape of all PPDDL text. They are built without recursion and kept flat,
// in the order of the text: a hostile nest of parentheses cannot overflow the stack, and a problem
// with a million objects costs one array. Whoever walks the forms may recurse, because the depth of
// nesting is limited here.
#ifndef CARL_PDDL_S_EXPRESSION_H
#define CARL_PDDL_S_EXPRESSION_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pddl/read.h"

namespace carl::pddl {

/// Names are case-insensitive, so texts are read in lower case throughout.
std::string lower_case(std::string_view text);

/// The deepest nest of parentheses that is read.
inline constexpr std::size_t max_nesting = 500;

struct Node {
  std::string_view text;  // empty for a list
  Position position;
  std::uint32_t end = 0;   // index behind this node and all it contains
  std::uint32_t size = 0;  // elements of a list
};

/// A word or a list; a handle that is cheap to copy and lives as long as its FormTree.
class Form {
 public:
  class Iterator {
   public:
    explicit Iterator(const Node* node) : node_(node) {}
    Form operator*() const { return Form(node_); }
    Iterator& operator++() {
      node_ = Form(node_).behind();
      return *this;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const Node* node_;
  };

  explicit Form(const Node* node) : node_(node) {}

  bool is_list() const { return node_->text.empty(); }
  bool is_word() const { return !is_list(); }
  bool is_word(std::string_view text) const { return node_->text == text; }
  bool is_variable() const { return is_word() && text().front() == '?'; }
  /// The number that a word stands for, if it is one.
  std::optional<Rational> number() const;
  /// The word in lower case; empty for a list.
  std::string_view text() const { return node_->text; }
  Position position() const { return node_->position; }

  /// The elements of a list.
  std::size_t size() const { return node_->size; }
  Iterator begin() const { return Iterator(node_ + 1); }
  Iterator end() const { return Iterator(behind()); }
  /// Walks over the elements before the i-th: for short lists.
  Form operator[](std::size_t i) const;
  /// The word that a list begins with; empty if there is none.
  std::string_view head() const { return size() > 0 ? (*begin()).text() : std::string_view(); }

 private:
  // Nodes hold their end as a distance, so that a node is all a handle needs.
  const Node* behind() const { return node_ + node_->end; }

  const Node* node_;
};

/// All forms of one text.
class FormTree {
 public:
  /// Throws InputError if the text is not made of balanced forms.
  FormTree(const std::vector<SourceText>& sources, std::size_t file, Monitor& monitor);
  FormTree(FormTree&&) = default;
  FormTree& operator=(FormTree&&) = default;
  FormTree(const FormTree&) = delete;
  FormTree& operator=(const FormTree&) = delete;

  Form::Iterator begin() const { return Form::Iterator(nodes_.data()); }
  Form::Iterator end() const { return Form::Iterator(nodes_.data() + nodes_.size()); }

 private:
  std::vector<char> text_;  // in lower case; the nodes point into it
  std::vector<Node> nodes_;
};

}  // namespace carl::pddl

#endif
