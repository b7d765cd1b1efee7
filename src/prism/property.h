// Properties as they are written: one question, or several that one policy is to answer together,
// multi(…). What cannot be asked of this planner is refused here, at its place and with the reason;
// names mean nothing yet.
#ifndef CARL_PRISM_PROPERTY_H
#define CARL_PRISM_PROPERTY_H

#include <optional>
#include <string>
#include <vector>

#include "prism/expression.h"
#include "prism/source.h"

namespace carl::prism {

/// What runs are asked for, in the square brackets.
struct PathFormula {
  enum class Kind { eventually, always, until, cumulated };  // F, G, U, C

  Kind kind = Kind::eventually;
  Position position;
  Expression hold;                  // the left side of U
  Expression target;                // the right side of U, or what F and G speak of; none for C
  std::optional<Expression> limit;  // the largest number of steps, from "<=k"
  std::optional<std::string> limited_reward;  // or of this reward, from {"fuel"}<=k
  Position limit_position;
  bool fewer = false;  // it was "<k"
  std::string text;    // F "done"
};

/// P or R with what is wanted of it.
struct PropertyPart {
  enum class Wanted { minimum, maximum, at_most, less, at_least, more };

  Position position;
  bool is_reward = false;
  Wanted wanted = Wanted::minimum;
  std::optional<Expression> bound;  // where one is compared with
  std::optional<Expression> reward_number;
  std::optional<std::string> reward_name;
  Position reward_position;
  PathFormula path;
  std::string text;  // P>=0.95 [F "safe"]

  bool is_bound() const { return bound.has_value(); }
};

struct Property {
  std::string name;  // empty: none
  Position position;
  std::vector<PropertyPart> parts;
  std::string text;
};

struct ConstantDefinition {
  Position position;
  Type type = Type::integer;
  std::string name;
  std::optional<Expression> value;  // none: it is left to whoever asks
};

struct LabelDefinition {
  Position position;
  std::string name;
  Expression expression;
};

/// A file of properties, or one property of the command line.
struct PropertyFile {
  std::vector<ConstantDefinition> constants;
  std::vector<LabelDefinition> labels;
  std::vector<Property> properties;
};

/// Throws InputError. The source must live as long as what is made of it.
PropertyFile parse_properties(const Source& source);

}  // namespace carl::prism

#endif
