#include "pddl/ssipp.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "pddl/diagnostics.h"
#include "pddl/numbers.h"

namespace carl::pddl {
namespace {

constexpr std::string_view marker = ";; CONSTR";
constexpr std::string_view blanks = " \t\r\f\v";

bool is_marked(std::string_view line) {
  return line.starts_with(marker) && (line.size() == marker.size() ||
                                      blanks.find(line[marker.size()]) != std::string_view::npos);
}

/// Calls `visit(line, number)` for the marked lines.
template <class Visit>
void for_each_marked_line(const std::string& text, Visit visit) {
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    if (is_marked(line)) visit(line, number);
    begin = end + 1;
  }
}

struct Word {
  std::string text;
  std::size_t column;
};

std::vector<Word> split(std::string_view line) {
  std::vector<Word> words;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(blanks, end);
    if (begin == std::string_view::npos) return words;
    end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back({std::string(line.substr(begin, end - begin)), begin + 1});
  }
}

class LineReader {
 public:
  LineReader(std::uint32_t file, const Vocabulary& vocabulary)
      : file_(file), vocabulary_(vocabulary) {}

  ConstraintLine read(std::string_view line, std::uint32_t number) const;

 private:
  FunctionId read_function(const Word& word, std::uint32_t line) const;
  Rational read_number(const Word& word, std::uint32_t line, const char* what) const;
  Position at(const Word& word, std::uint32_t line) const {
    return {file_, line, static_cast<std::uint32_t>(word.column)};
  }

  std::uint32_t file_;
  const Vocabulary& vocabulary_;
};

ConstraintLine LineReader::read(std::string_view line, std::uint32_t number) const {
  vocabulary_.monitor().check();
  const std::vector<Word> words = split(line);
  if (words.size() != 6 || words[3].text != "<=")
    vocabulary_.fail({file_, number, 1}, "a CONSTR line that cannot be read",
                     "write ';; CONSTR name <= bound penalty', or begin the comment differently");
  ConstraintLine result;
  result.function = read_function(words[2], number);
  result.bound = read_number(words[4], number, "bound");
  result.penalty = read_number(words[5], number, "penalty");
  result.position = at(words[2], number);
  return result;
}

FunctionId LineReader::read_function(const Word& word, std::uint32_t line) const {
  const std::string name = lower_case(word.text);
  const auto function = vocabulary_.find_function(name);
  if (!function) {
    std::vector<std::string_view> names;
    for (const Function& known : vocabulary_.tree().functions)
      names.emplace_back(known.name);
    vocabulary_.fail(at(word, line), fmt::format("unknown function {}", quoted(name)),
                     did_you_mean(name, names));
  }
  if (!vocabulary_.tree().functions[function->index()].parameters.empty())
    vocabulary_.fail(at(word, line), fmt::format("the function {} has parameters", quoted(name)),
                     "bound it in (:constraints ...)");
  return *function;
}

Rational LineReader::read_number(const Word& word, std::uint32_t line, const char* what) const {
  constexpr std::size_t longest = 400;
  const auto value = word.text.size() <= longest ? parse_rational(word.text) : std::nullopt;
  if (!value)
    vocabulary_.fail(at(word, line),
                     fmt::format("expected the {} but found {}", what, quoted(word.text)),
                     "numbers are written like 3, 0.25, 1e-3 or 1/3");
  if (*value < 0) vocabulary_.fail(at(word, line), fmt::format("the {} is negative", what));
  check_range(*value, at(word, line), vocabulary_);
  check_largest_cost(what, *value, at(word, line), vocabulary_);
  return *value;
}

}  // namespace

bool has_constraint_lines(const std::string& text) {
  bool found = false;
  for_each_marked_line(text, [&](std::string_view, std::uint32_t) { found = true; });
  return found;
}

std::vector<ConstraintLine> read_constraint_lines(const Definition& problem,
                                                  const Vocabulary& vocabulary) {
  const std::size_t file = problem.form.position().file;
  std::vector<ConstraintLine> lines;
  const LineReader reader(static_cast<std::uint32_t>(file), vocabulary);
  for_each_marked_line(vocabulary.sources()[file].text,
                       [&](std::string_view line, std::uint32_t number) {
                         lines.push_back(reader.read(line, number));
                       });
  if (!lines.empty() && problem.shares_its_text)
    vocabulary.fail(lines.front().position, "a CONSTR line in a text with several problems",
                    "it does not say to which of them it belongs: give each a text of its own");
  return lines;
}

}  // namespace carl::pddl
