#include "prism/property.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "prism/expression_parser.h"
#include "prism/lexer.h"

namespace carl::prism {
namespace {

constexpr std::string_view what_can_be_asked =
    "what can be asked: P…[F φ], P…[G φ], P…[φ1 U φ2], R…[F φ], R…[C], and these with '<=k' steps; "
    "one of them, or several in multi(…)";

/// The source between two places, with single blanks and without comments.
std::string text_between(const char* begin, const char* end) {
  std::string text;
  bool quoted = false;
  for (const char* c = begin; c < end; ++c) {
    if (*c == '"') quoted = !quoted;
    const bool comment = !quoted && *c == '/' && c + 1 < end && c[1] == '/';
    if (comment) c = std::find(c, end, '\n');
    if (!comment && (quoted || std::isspace(static_cast<unsigned char>(*c)) == 0))
      text += *c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
    if (c == end) break;
  }
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

const char* end_of(const Token& token) {
  return token.text.data() + token.text.size();
}

template <std::size_t n>
bool is_one_of(const Token& token, const std::array<std::string_view, n>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return token.is(word); });
}

constexpr std::array<std::string_view, 6> operators{"P", "Pmin", "Pmax", "R", "Rmin", "Rmax"};
constexpr std::array<std::string_view, 6> temporal{"F", "G", "U", "X", "W", "R"};

class PropertyParser {
 public:
  explicit PropertyParser(const Source& source) : tokens_(source) {}

  PropertyFile file() {
    PropertyFile result;
    while (!tokens_.at_end()) {
      if (tokens_.accept(";")) continue;
      if (tokens_.peek().is("const"))
        result.constants.push_back(constant());
      else if (tokens_.peek().is("label"))
        result.labels.push_back(label());
      else
        result.properties.push_back(property());
    }
    return result;
  }

 private:
  ConstantDefinition constant() {
    ConstantDefinition result;
    result.position = tokens_.take().position;
    if (tokens_.accept("double"))
      result.type = Type::real;
    else if (tokens_.accept("bool"))
      result.type = Type::boolean;
    else
      tokens_.accept("int");
    result.name = tokens_.expect_identifier("the constant").text;
    if (tokens_.accept("=")) result.value = parse_expression(tokens_);
    tokens_.expect(";", "after the constant");
    return result;
  }

  LabelDefinition label() {
    LabelDefinition result;
    result.position = tokens_.take().position;
    if (tokens_.peek().kind != Token::Kind::string)
      tokens_.fail_expected("the name of a label in quotes");
    result.name = tokens_.take().text;
    tokens_.expect("=", "after the name of the label");
    result.expression = parse_expression(tokens_);
    tokens_.expect(";", "after the label");
    return result;
  }

  Property property() {
    Property result;
    if (tokens_.peek().kind == Token::Kind::string && tokens_.peek(1).is(":")) {
      result.name = tokens_.take().text;
      tokens_.take();
    }
    const Token& first = tokens_.peek();
    result.position = first.position;
    if (first.kind == Token::Kind::identifier && first.text == "multi" && tokens_.peek(1).is("(")) {
      tokens_.take();
      tokens_.take();
      do {
        result.parts.push_back(part());
      } while (tokens_.accept(","));
      const Token& last = tokens_.expect(")", "after the parts of multi");
      result.text = text_between(first.text.data(), end_of(last));
    } else {
      result.parts.push_back(part());
      result.text = result.parts.front().text;
      if (result.parts.front().is_bound()) fail_for_all(result.parts.front());
    }
    refuse_combination();
    return result;
  }

  /// PRISM's meaning of "P>=0.9 […]" is that every policy has it.
  [[noreturn]] static void fail_for_all(const PropertyPart& part) {
    throw error_at(
        part.position, "a bound on its own asks whether it holds for every policy",
        fmt::format("write multi({}) to ask for a policy that meets it, or '=?' in place "
                    "of the bound for the best or the worst of all policies",
                    part.text));
  }

  void refuse_combination() const {
    const Token& next = tokens_.peek();
    for (const std::string_view symbol : {"&", "|", "=>", "<=>", "?", "+", "-", "*", "/", "="})
      if (next.is(symbol))
        throw error_at(next.position, "properties cannot be combined by operators",
                       "ask for one of them at a time; what one policy has to meet together goes "
                       "into multi(…)");
  }

  PropertyPart part() {
    const Token& first = tokens_.peek();
    refuse_other_operator(first);
    PropertyPart result;
    result.position = first.position;
    tokens_.take();
    result.is_reward = first.text.front() == 'R';
    if (first.text.size() == 1) {
      if (result.is_reward) reward(result);
      wanted(result);
    } else {
      result.wanted = first.text.ends_with("min") ? PropertyPart::Wanted::minimum
                                                  : PropertyPart::Wanted::maximum;
      question();
    }
    const Token& open = tokens_.expect("[", "after what is asked");
    path(result);
    const Token& close = tokens_.expect("]", "after the formula");
    result.path.text = text_between(end_of(open), close.text.data());
    while (result.path.text.starts_with(' '))
      result.path.text.erase(0, 1);
    result.text = text_between(first.text.data(), end_of(close));
    refuse_growing_reward(result);
    return result;
  }

  void refuse_other_operator(const Token& first) const {
    if (is_one_of(first, operators)) return;
    const auto refuse = [&](std::string_view what, std::string_view hint) {
      throw error_at(first.position, std::string(what), std::string(hint));
    };
    if (first.is("S"))
      refuse("long-run averages (S) are no question of total costs", what_can_be_asked);
    if (first.is("A") || first.is("E"))
      refuse(fmt::format("'{}' is not about probabilities or rewards", first.text),
             "ask for P…=? and compare it with 0 or 1");
    if (first.is("filter"))
      refuse("filters are not supported: questions are about the initial state", what_can_be_asked);
    throw error_at(first.position, fmt::format("expected P or R but found {}", first.shown()),
                   std::string(what_can_be_asked));
  }

  void reward(PropertyPart& result) {
    if (!tokens_.accept("{")) return;
    result.reward_position = tokens_.peek().position;
    if (tokens_.peek().kind == Token::Kind::string)
      result.reward_name = tokens_.take().text;
    else
      result.reward_number = parse_expression(tokens_);
    tokens_.expect("}", "after the name of the reward");
  }

  void question() {
    tokens_.expect("=", "and '?'");
    tokens_.expect("?", "after '='");
  }

  void wanted(PropertyPart& result) {
    using Wanted = PropertyPart::Wanted;
    for (const auto& [word, wanted] :
         {std::pair("min", Wanted::minimum), std::pair("max", Wanted::maximum)})
      if (tokens_.accept(word)) {
        result.wanted = wanted;
        return question();
      }
    for (const auto& [symbol, wanted] :
         {std::pair("<=", Wanted::at_most), std::pair("<", Wanted::less),
          std::pair(">=", Wanted::at_least), std::pair(">", Wanted::more)})
      if (tokens_.accept(symbol)) {
        result.wanted = wanted;
        result.bound = parse_sum(tokens_);
        return;
      }
    const Token& next = tokens_.peek();
    if (next.is("=") && tokens_.peek(1).is("?"))
      throw error_at(next.position, "it depends on the policy, so there is no single value",
                     "write min=? or max=?");
    throw error_at(next.position,
                   fmt::format("expected min=?, max=? or a bound but found {}", next.shown()));
  }

  static void refuse_growing_reward(const PropertyPart& part) {
    using Wanted = PropertyPart::Wanted;
    if (!part.is_reward || part.wanted == Wanted::minimum || part.wanted == Wanted::at_most ||
        part.wanted == Wanted::less)
      return;
    throw error_at(part.position,
                   part.is_bound() ? "a reward cannot be bounded from below: it may grow for ever"
                                   : "a reward cannot be maximised: it may grow for ever",
                   "rewards are costs here: Rmin=?, or R<= in multi(…)");
  }

  // --- path formulas ----------------------------------------------------------------------------

  void path(PropertyPart& part) {
    PathFormula& path = part.path;
    const Token& first = tokens_.peek();
    path.position = first.position;
    using Kind = PathFormula::Kind;
    if (first.is("F") || first.is("G")) {
      path.kind = first.is("F") ? Kind::eventually : Kind::always;
      tokens_.take();
      limit(path);
      path.target = state_formula(false);
    } else if (first.is("C")) {
      path.kind = Kind::cumulated;
      tokens_.take();
      limit(path);
    } else {
      refuse_other_path(first);
      path.kind = Kind::until;
      path.hold = state_formula(true);
      if (!tokens_.peek().is("U"))
        throw error_at(path.position,
                       "this is about the initial state alone, not about what follows",
                       "write F, G or U");
      tokens_.take();
      limit(path);
      path.target = state_formula(false);
    }
    refuse_mismatch(part);
  }

  static void refuse_mismatch(const PropertyPart& part) {
    using Kind = PathFormula::Kind;
    const PathFormula& path = part.path;
    if (part.is_reward && path.kind != Kind::eventually && path.kind != Kind::cumulated)
      throw error_at(path.position, "rewards are counted until a target (F) or in total (C)");
    if (part.is_reward && path.kind == Kind::eventually && path.limit)
      throw error_at(path.position, "rewards until a target have no limit",
                     "R…[C<=k] counts those of the first k steps");
    if (part.is_reward && path.limited_reward)
      throw error_at(path.position, "rewards in total may have a limit on steps only",
                     "write C<=k");
    if (!part.is_reward && path.kind == Kind::cumulated)
      throw error_at(path.position, "C is about rewards", "write R…[C]");
  }

  void refuse_other_path(const Token& first) const {
    if (first.is("X"))
      throw error_at(first.position, "X is not supported", "F<=1 is about the next step or now");
    if (first.is("I"))
      throw error_at(first.position, "rewards at one point in time (I) are no totals",
                     std::string(what_can_be_asked));
    if (first.is("S"))
      throw error_at(first.position, "long-run averages (S) are no question of total costs",
                     std::string(what_can_be_asked));
  }

  /// "<=k" or "<k", of steps or of a reward.
  void limit(PathFormula& path) {
    path.limit_position = tokens_.peek().position;
    if (tokens_.accept("{")) {
      if (tokens_.peek().kind != Token::Kind::string)
        tokens_.fail_expected("the name of a reward in quotes");
      path.limited_reward = tokens_.take().text;
      tokens_.expect("}", "after the name of the reward");
    }
    const Token& next = tokens_.peek();
    if (next.is(">=") || next.is(">") || next.is("=") || next.is("["))
      throw error_at(next.position, "only upper limits are supported", "write <=k");
    if (tokens_.accept("<"))
      path.fewer = true;
    else if (path.limited_reward)
      tokens_.expect("<=", "after the reward that is limited");
    else if (!tokens_.accept("<="))
      return;
    path.limit = parse_sum(tokens_);
  }

  Expression state_formula(bool before_until) {
    refuse_nesting(before_until);
    return parse_expression(tokens_);
  }

  /// Says what is nested and why not, up to the end of the formula.
  void refuse_nesting(bool before_until) const {
    std::size_t depth = 0;
    for (std::size_t ahead = 0;; ++ahead) {
      const Token& token = tokens_.peek(ahead);
      if (token.kind == Token::Kind::end) return;
      if (depth == 0 && (token.is("]") || (before_until && token.is("U")))) return;
      if (token.is("(")) ++depth;
      if (token.is(")") && depth-- == 0) return;
      if (token.is("P") || token.is("Pmin") || token.is("Pmax") || token.is("Rmin") ||
          token.is("Rmax") || token.is("S") ||
          (token.is("R") && (tokens_.peek(ahead + 1).is("{") || tokens_.peek(ahead + 1).is("<=") ||
                             tokens_.peek(ahead + 1).is(">="))))
        throw error_at(token.position, "P, R and S cannot be nested in each other",
                       "formulas inside are about states: labels and expressions");
      if (is_one_of(token, temporal))
        throw error_at(
            token.position,
            fmt::format("'{}' cannot be nested: of temporal logic there are F φ, G φ and "
                        "φ1 U φ2 with φ about states",
                        token.text));
    }
  }

  TokenStream tokens_;
};

}  // namespace

PropertyFile parse_properties(const Source& source) {
  return PropertyParser(source).file();
}

}  // namespace carl::prism
