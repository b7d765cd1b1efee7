// What the tests of this room share: reading a text from memory, and writing parts of a syntax tree
// as text with variables as slots: "(on #0 b1)".
#ifndef CARL_TESTS_PDDL_READING_H
#define CARL_TESTS_PDDL_READING_H

#include <string>
#include <vector>

#include "pddl/read.h"

namespace carl::pddl {

/// Reads the texts as files 1.pddl, 2.pddl, …
SyntaxTree read_texts(const std::vector<std::string>& texts);
/// The message of the InputError, or "no error".
std::string message_of(const std::vector<SourceText>& sources);

/// A domain and problem about blocks ?x, ?y with what is given in the place of some parts.
struct Blocks {
  std::string effect = "()";
  std::string precondition = "()";
  std::string goal = "(done)";
  std::string init = {};
  std::string rest = {};  // more sections of the problem
  std::string comment = {};
};
SyntaxTree read_blocks(const Blocks& parts);

class Writer {
 public:
  explicit Writer(const SyntaxTree& tree) : tree_(tree) {}

  std::string write(const Condition& condition) const;
  std::string write(const Effect& effect) const;
  std::string write(const Amount& amount) const;
  std::string write(const CostExpression& cost) const;
  /// "steps", "time <= 5", …, with the give-up penalties: "time <= 5 (500)".
  std::vector<std::string> write_costs() const;

 private:
  std::string write(const std::string& head, const std::vector<Term>& terms) const;
  std::string write(const std::string& head, const Quantifier& quantifier) const;

  const SyntaxTree& tree_;
};

}  // namespace carl::pddl

#endif
