// Parses a model in PRISM's language. Parts may come in any order.
#ifndef CARL_PRISM_MODEL_PARSER_H
#define CARL_PRISM_MODEL_PARSER_H

#include "prism/lexer.h"
#include "prism/syntax_tree.h"

namespace carl::prism {

/// Throws InputError, also for models of other kinds (ctmc, pta, ...).
ModelSyntax parse_model(const Source& source);

/// "const int N = 4;" and the like, from its first word on. Files of properties have them too.
ConstantDeclaration parse_constant(TokenStream& tokens);
/// label "done" = x=3;
Definition parse_label(TokenStream& tokens);
/// What stands between "system" and "endsystem".
SystemSyntax parse_system(TokenStream& tokens);
/// A name with its position.
Name parse_name(TokenStream& tokens, std::string_view what);

}  // namespace carl::prism

#endif
