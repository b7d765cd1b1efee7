// Parses expressions with PRISM's precedence, from the weakest operator to the strongest:
//
//   ? :    =>    <=>    |    &    !    = !=    < <= > >=    + -    * /    - (of one operand)
//
// Binary operators of the same strength go from left to right, "=>" too. Chains of "&", "|", "+" and
// "*" are one node, so that only real nesting makes a tree deep; how deep is limited.
#ifndef CARL_PRISM_EXPRESSION_PARSER_H
#define CARL_PRISM_EXPRESSION_PARSER_H

#include "prism/expression.h"
#include "prism/lexer.h"

namespace carl::prism {

/// Deeper expressions are refused, so that whoever walks them may recurse.
inline constexpr std::size_t max_nesting = 500;
/// Parentheses and signs inside one another: each is a dozen functions deep for the parser.
inline constexpr std::size_t max_parentheses = 200;

/// Takes the longest expression that the tokens begin with; what follows it is left. Throws
/// InputError if there is none.
Expression parse_expression(TokenStream& tokens);

/// Likewise, but nothing that binds less than "+" outside parentheses: for what is followed by
/// another expression or a comparison, as the bound in "F<=k x=3" is.
Expression parse_sum(TokenStream& tokens);

}  // namespace carl::prism

#endif
