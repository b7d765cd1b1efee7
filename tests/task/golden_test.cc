// Every problem in golden/ is grounded, compared with the naive interpreter, and its sizes compared
// with those written in golden/expected.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "support/source_path.h"
#include "task/compare.h"
#include "task/problem.h"

namespace carl::testing {
namespace {

std::filesystem::path golden_directory() {
  return tests::source_path("tests/task/golden");
}

/// The sizes of each problem, as one line of text.
std::map<std::string, std::string> expected_sizes() {
  std::map<std::string, std::string> result;
  std::ifstream file(golden_directory() / "expected.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string name;
    std::string sizes;
    fields >> name >> std::ws;
    std::getline(fields, sizes);
    result[name] = sizes;
  }
  return result;
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_directory())) {
    const std::string file = entry.path().filename().string();
    if (file.ends_with("-problem.pddl"))
      names.push_back(file.substr(0, file.size() - 13));
    else if (file.ends_with(".pddl") && !file.ends_with("-domain.pddl"))
      names.push_back(file.substr(0, file.size() - 5));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<pddl::SourceText> golden_sources(const std::string& name) {
  const auto load = [](const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return pddl::SourceText{path.filename().string(), text.str()};
  };
  const auto whole = golden_directory() / (name + ".pddl");
  if (std::filesystem::exists(whole)) return {load(whole)};
  return {load(golden_directory() / (name + "-domain.pddl")),
          load(golden_directory() / (name + "-problem.pddl"))};
}

class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, AgreesWithTheInterpreterAndTheSizesWritten) {
  const std::string& name = GetParam();
  Problem problem(golden_sources(name));
  check_task(problem.model->task(), name);
  const auto size = compare_with_reference(problem.tree, *problem.model, name, 20000);
  ASSERT_TRUE(size) << name << " is too large";
  std::size_t shadows = 0;
  for (const task::Variable& variable : problem.model->task().variables)
    shadows += variable.shadow ? 1 : 0;
  std::size_t conditionals = 0;
  for (const task::Action& action : problem.model->task().actions)
    conditionals += action.conditionals.size();
  std::ostringstream sizes;
  sizes << problem.model->task().variables.size() - shadows << ' ' << shadows << ' '
        << problem.model->task().labels.size() << ' ' << problem.model->task().actions.size() << ' '
        << conditionals << ' ' << size->states << ' ' << size->pairs;
  EXPECT_EQ(sizes.str(), expected_sizes()[name]) << name;
}

INSTANTIATE_TEST_SUITE_P(, Golden, ::testing::ValuesIn(golden_names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(GoldenProblems, AreAllExpected) {
  EXPECT_GE(golden_names().size(), 25U);
  EXPECT_EQ(golden_names().size(), expected_sizes().size());
}

}  // namespace
}  // namespace carl::testing
