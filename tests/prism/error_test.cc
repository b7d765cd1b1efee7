// Every kind of error with its full message. A case is a small model that is wrong in one place,
// perhaps with values of constants; what can be reached of it is looked at as well. The cases are in
// errors/*.txt, to be read like a catalogue:
//
//   == NameOfTheCase
//   --const N=3
//   mdp module m x : [0..1]; [] true -> (x'=2); endmodule
//   --
//   m.prism:1:44: error: …
//
// CARL_UPDATE_ERRORS=1 writes what is said now into the files, to be read before it is committed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "carl/error.h"
#include "carl/io.h"
#include "model/state_labels.h"
#include "support/source_path.h"

namespace carl {
namespace {

struct Case {
  std::string name;
  LoadOptions options;
  std::string option_lines;
  std::string text;
  std::string message;
};

std::string path_of(const std::string& file) {
  return tests::source_path("tests/prism/errors/") + file + ".txt";
}

void add_option(const std::string& line, Case& current) {
  const std::size_t blank = line.find(' ');
  const std::string option = line.substr(0, blank);
  const std::string value = line.substr(blank + 1);
  const std::size_t equals = value.find('=');
  if (option == "--const")
    current.options.constants.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  else if (option == "--goal")
    current.options.goal = value;
  else if (option == "--problem")
    current.options.problem = value;
  else
    current.options.minimise = value;
  current.option_lines += line + "\n";
}

std::vector<Case> load_cases(const std::string& file) {
  std::ifstream input(path_of(file));
  std::vector<Case> cases;
  bool in_message = false;
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with("== ")) {
      cases.emplace_back();
      cases.back().name = line.substr(3);
      in_message = false;
    } else if (line == "--") {
      in_message = true;
    } else if (in_message) {
      cases.back().message += (cases.back().message.empty() ? "" : "\n") + line;
    } else if (line.starts_with("--")) {
      add_option(line, cases.back());
    } else {
      cases.back().text += line + "\n";
    }
  }
  return cases;
}

/// What is said of a model when all of it is looked at.
std::string message_of(const Case& error) {
  try {
    Monitor monitor;
    const auto model = load_model_texts({{"m.prism", error.text}}, monitor, nullptr, error.options);
    Expansion expansion;
    for (std::size_t s = 0; s < model->num_states() && s < 1000; ++s) {
      model->is_goal(StateId(s));
      for (std::size_t label = 0; label < model->labels()->names().size(); ++label)
        model->labels()->holds(label, StateId(s));
      model->expand(StateId(s), expansion);
    }
  } catch (const InputError& found) {
    return found.what();
  }
  return "no error";
}

class PrismErrors : public testing::TestWithParam<const char*> {};

TEST_P(PrismErrors, HaveTheirMessages) {
  std::vector<Case> cases = load_cases(GetParam());
  EXPECT_GT(cases.size(), 5U);
  if (std::getenv("CARL_UPDATE_ERRORS") != nullptr) {
    std::ofstream out(path_of(GetParam()));
    for (const Case& error : cases)
      out << "== " << error.name << '\n'
          << error.option_lines << error.text << "--\n"
          << message_of(error) << '\n';
    return;
  }
  for (const Case& error : cases)
    EXPECT_EQ(message_of(error), error.message) << error.name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PrismErrors,
                         testing::Values("text", "expressions", "declarations", "modules",
                                         "states"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace carl
