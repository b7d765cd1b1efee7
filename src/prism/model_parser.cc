#include "prism/model_parser.h"

#include <fmt/format.h>

#include <array>

#include "carl/suggestion.h"
#include "prism/expression_parser.h"

namespace carl::prism {
namespace {

/// Kinds of models that are not planned for, and why.
struct OtherKind {
  std::string_view word;
  std::string_view what;
  std::string_view hint;
};

constexpr OtherKind other_kinds[] = {
    {"ctmc", "a continuous-time Markov chain",
     "its embedded Markov chain can be written as a dtmc, with times as rewards"},
    {"stochastic", "a continuous-time Markov chain",
     "its embedded Markov chain can be written as a dtmc, with times as rewards"},
    {"pta", "a probabilistic timed automaton", "PRISM's digital clocks turn one into an mdp"},
    {"pomdp", "partially observable", "plans here know the state they are in"},
    {"popta", "partially observable", "plans here know the state they are in"},
    {"smg", "a game", "there is one player here; let chance move for the others"},
    {"csg", "a game", "there is one player here; let chance move for the others"},
    {"tsg", "a game", "there is one player here; let chance move for the others"},
};

constexpr std::array<std::string_view, 10> parts = {
    "const", "formula", "label", "global", "module", "rewards", "init", "system", "mdp", "dtmc"};

class ModelParser {
 public:
  explicit ModelParser(const Source& source) : tokens_(source) {}

  ModelSyntax parse() {
    while (!tokens_.at_end())
      parse_part();
    return std::move(model_);
  }

 private:
  void parse_part() {
    const Token& token = tokens_.peek();
    if (is_one_of(token, {"mdp", "nondeterministic", "dtmc", "probabilistic"})) return parse_kind();
    for (const OtherKind& kind : other_kinds)
      if (token.is(kind.word))
        throw error_at(token.position,
                       fmt::format("the model is {} ({}); only mdp and dtmc can be read", kind.what,
                                   kind.word),
                       std::string(kind.hint));
    if (is_one_of(token, {"const", "rate", "prob"}))
      model_.constants.push_back(parse_constant(tokens_));
    else if (token.is("formula"))
      model_.formulas.push_back(parse_formula());
    else if (token.is("label"))
      model_.labels.push_back(parse_label(tokens_));
    else if (token.is("global"))
      parse_global();
    else if (token.is("module"))
      model_.modules.push_back(parse_module());
    else if (token.is("rewards"))
      model_.rewards.push_back(parse_rewards());
    else if (token.is("init"))
      parse_init();
    else if (token.is("system"))
      parse_system_part();
    else
      fail_part(token);
  }

  static bool is_one_of(const Token& token, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
      if (token.is(word)) return true;
    return false;
  }

  [[noreturn]] static void fail_part(const Token& token) {
    if (is_one_of(token, {"player", "observables", "observable", "endplayer"}))
      throw error_at(
          token.position,
          fmt::format("{} belongs to kinds of models that cannot be read", token.shown()),
          "only mdp and dtmc can be read");
    std::string hint = did_you_mean(token.text, parts);
    if (hint.empty())
      hint = "a model is made of const, formula, label, global, module, rewards, init and system";
    throw error_at(token.position,
                   fmt::format("expected a part of a model but found {}", token.shown()),
                   std::move(hint));
  }

  void parse_kind() {
    const Token& token = tokens_.take();
    if (kind_.source != nullptr)
      throw error_at(token.position, "the kind of the model is given twice",
                     fmt::format("it was given in {} before", place_of(kind_)));
    kind_ = token.position;
    if (token.text == "dtmc" || token.text == "probabilistic")
      model_.kind = ModelSyntax::Kind::dtmc;
  }

  Definition parse_formula() {
    Definition formula;
    tokens_.take();
    formula.name = parse_name(tokens_, "the name of a formula");
    tokens_.expect("=", "after the name of a formula");
    formula.expression = parse_expression(tokens_);
    tokens_.expect(";", "after a formula");
    return formula;
  }

  void parse_global() {
    tokens_.take();
    model_.globals.push_back(parse_variable());
  }

  VariableDeclaration parse_variable() {
    VariableDeclaration variable;
    variable.name = parse_name(tokens_, "the name of a variable");
    tokens_.expect(":", "after the name of a variable");
    parse_range(variable);
    if (tokens_.accept("init")) variable.initial = parse_expression(tokens_);
    tokens_.expect(";", "after the declaration of a variable");
    return variable;
  }

  void parse_range(VariableDeclaration& variable) {
    const Token& token = tokens_.peek();
    if (token.is("clock"))
      throw error_at(token.position, "clocks belong to timed automata, which cannot be read",
                     "PRISM's digital clocks turn them into bounded integers");
    if (token.is("double"))
      throw error_at(token.position, "variables cannot be real numbers",
                     "variables are bool or integers: [0..10]");
    if (tokens_.accept("bool")) {
      variable.kind = VariableDeclaration::Kind::boolean;
    } else if (tokens_.accept("int")) {
      variable.kind = VariableDeclaration::Kind::unbounded;
    } else if (tokens_.accept("[")) {
      variable.kind = VariableDeclaration::Kind::range;
      variable.low = parse_expression(tokens_);
      tokens_.expect("..", "between the bounds of a variable");
      variable.high = parse_expression(tokens_);
      tokens_.expect("]", "after the bounds of a variable");
    } else {
      tokens_.fail_expected("bool, int or a range like [0..10]");
    }
  }

  ModuleSyntax parse_module() {
    ModuleSyntax module;
    const Position begin = tokens_.take().position;
    module.name = parse_name(tokens_, "the name of a module");
    if (tokens_.peek().is("=")) {
      module.renaming = parse_renaming();
      tokens_.expect("endmodule", "after the renaming");
      return module;
    }
    // A word of the language with a colon is meant as a variable, too, and refused as one.
    while (tokens_.peek().kind == Token::Kind::identifier ||
           (tokens_.peek().kind == Token::Kind::keyword && tokens_.peek(1).is(":")))
      module.variables.push_back(parse_variable());
    while (tokens_.peek().is("["))
      module.commands.push_back(parse_command());
    if (tokens_.accept("endmodule")) return module;
    const Token& token = tokens_.peek();
    if (token.is("invariant"))
      throw error_at(token.position, "invariants belong to timed automata, which cannot be read");
    if (token.kind == Token::Kind::identifier)
      throw error_at(token.position, "a variable is declared after the first command",
                     "variables come first in a module");
    throw error_at(token.position,
                   fmt::format("expected a command or 'endmodule' but found {}", token.shown()),
                   fmt::format("the module begins in {}", place_of(begin)));
  }

  /// A new name for a function, too: min and max are words of the language.
  Name parse_renamed() {
    const Token& token = tokens_.peek();
    if (token.is("min") || token.is("max")) {
      tokens_.take();
      return {std::string(token.text), token.position};
    }
    return parse_name(tokens_, "a name");
  }

  Renaming parse_renaming() {
    Renaming renaming;
    tokens_.take();
    renaming.base = parse_name(tokens_, "the name of a module");
    tokens_.expect("[", "before the new names");
    do {
      Name from = parse_renamed();
      tokens_.expect("=", "between an old and a new name");
      renaming.names.emplace_back(std::move(from), parse_renamed());
    } while (tokens_.accept(","));
    tokens_.expect("]", "after the new names");
    return renaming;
  }

  CommandSyntax parse_command() {
    CommandSyntax command;
    command.position = tokens_.expect("[").position;
    if (!tokens_.peek().is("]")) command.action = parse_name(tokens_, "the name of an action");
    tokens_.expect("]", "after the action");
    command.guard = parse_expression(tokens_);
    tokens_.expect("->", "after the guard");
    command.updates.push_back(parse_update());
    while (tokens_.accept("+"))
      command.updates.push_back(parse_update());
    if (command.updates.size() > 1)
      for (const UpdateSyntax& update : command.updates)
        if (!update.probability)
          throw error_at(update.position, "the update has no probability",
                         "write p : (x'=...) + q : (y'=...)");
    if (!tokens_.peek().is(";"))
      throw error_at(tokens_.peek().position,
                     fmt::format("expected '+', '&' or ';' after an update but found {}",
                                 tokens_.peek().shown()));
    tokens_.take();
    return command;
  }

  bool begins_assignment() const {
    return tokens_.peek().is("(") && tokens_.peek(1).kind == Token::Kind::identifier &&
           tokens_.peek(2).is("'");
  }

  UpdateSyntax parse_update() {
    UpdateSyntax update;
    update.position = tokens_.peek().position;
    const bool does_nothing = tokens_.peek().is("true") && !tokens_.peek(1).is(":");
    if (!begins_assignment() && !does_nothing) {
      update.probability = parse_expression(tokens_);
      if (!tokens_.peek().is(":"))
        throw error_at(
            tokens_.peek().position,
            fmt::format("expected ':' after a probability but found {}", tokens_.peek().shown()),
            "an update is (x'=...) & (y'=...), or true");
      tokens_.take();
    }
    if (tokens_.accept("true")) return update;
    do {
      if (!begins_assignment()) tokens_.fail_expected("an assignment (x'=...)");
      tokens_.take();
      AssignmentSyntax assignment;
      assignment.variable = parse_name(tokens_, "the name of a variable");
      tokens_.take();
      tokens_.expect("=", "after the variable of an assignment");
      assignment.value = parse_expression(tokens_);
      tokens_.expect(")", "after an assignment");
      update.assignments.push_back(std::move(assignment));
    } while (tokens_.accept("&"));
    return update;
  }

  RewardsSyntax parse_rewards() {
    RewardsSyntax rewards;
    rewards.position = tokens_.take().position;
    if (tokens_.peek().kind == Token::Kind::string) {
      const Token& name = tokens_.take();
      rewards.name = Name{std::string(name.text), name.position};
      if (name.text.empty()) throw error_at(name.position, "the name of the rewards is empty");
    }
    while (!tokens_.peek().is("endrewards")) {
      if (tokens_.at_end())
        throw error_at(rewards.position, "the rewards are not ended by 'endrewards'");
      rewards.items.push_back(parse_reward());
    }
    tokens_.take();
    return rewards;
  }

  RewardSyntax parse_reward() {
    RewardSyntax reward;
    reward.position = tokens_.peek().position;
    if (tokens_.accept("[")) {
      reward.of_transitions = true;
      if (!tokens_.peek().is("]")) reward.action = parse_name(tokens_, "the name of an action");
      tokens_.expect("]", "after the action");
    }
    reward.guard = parse_expression(tokens_);
    tokens_.expect(":", "after the condition of a reward");
    reward.value = parse_expression(tokens_);
    tokens_.expect(";", "after a reward");
    return reward;
  }

  void parse_init() {
    const Token& token = tokens_.take();
    if (model_.initial) throw error_at(token.position, "a second 'init ... endinit'");
    model_.initial = parse_expression(tokens_);
    tokens_.expect("endinit", "after the condition on initial states");
  }

  void parse_system_part() {
    const Token& token = tokens_.take();
    if (model_.system) throw error_at(token.position, "a second 'system ... endsystem'");
    model_.system = parse_system(tokens_);
    tokens_.expect("endsystem", "after the system");
  }

  TokenStream tokens_;
  ModelSyntax model_;
  Position kind_;
};

}  // namespace

Name parse_name(TokenStream& tokens, std::string_view what) {
  const Token& token = tokens.expect_identifier(what);
  return {std::string(token.text), token.position};
}

ConstantDeclaration parse_constant(TokenStream& tokens) {
  ConstantDeclaration constant;
  // As in older models: "rate" and "prob" are real numbers, and without a type it is an integer.
  if (!tokens.take().is("const") || tokens.accept("double"))
    constant.type = Type::real;
  else if (tokens.accept("bool"))
    constant.type = Type::boolean;
  else
    tokens.accept("int");
  constant.name = parse_name(tokens, "the name of a constant");
  if (tokens.accept("=")) constant.value = parse_expression(tokens);
  tokens.expect(";", "after a constant");
  return constant;
}

Definition parse_label(TokenStream& tokens) {
  Definition label;
  tokens.take();
  const Token& name = tokens.peek();
  if (name.kind != Token::Kind::string || name.text.empty())
    throw error_at(name.position,
                   fmt::format("expected the name of a label but found {}", name.shown()),
                   "the name of a label is in quotes: label \"done\" = x=3;");
  tokens.take();
  label.name = {std::string(name.text), name.position};
  tokens.expect("=", "after the name of a label");
  label.expression = parse_expression(tokens);
  tokens.expect(";", "after a label");
  return label;
}

ModelSyntax parse_model(const Source& source) {
  return ModelParser(source).parse();
}

}  // namespace carl::prism
