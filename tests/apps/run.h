// Runs the program as a user does and collects what it says.
#ifndef CARL_TESTS_APPS_RUN_H
#define CARL_TESTS_APPS_RUN_H

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "support/source_path.h"

namespace carl::testing {

struct Execution {
  int status = -1;
  std::string out;
  std::string err;
};

inline std::string read_text(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A file of this test's own.
inline std::string scratch(const std::string& name) {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  return ::testing::TempDir() + "carl-" + info->test_suite_name() + "-" + info->name() + "-" + name;
}

inline std::string write_scratch(const std::string& name, const std::string& text) {
  std::string path = scratch(name);
  std::ofstream(path) << text;
  return path;
}

/// `command` goes through a shell; CARL stands for the program.
inline Execution shell(std::string command) {
  for (std::size_t at = 0; (at = command.find("CARL", at)) != std::string::npos;) {
    command.replace(at, 4, CARL_BINARY);
    at += std::string(CARL_BINARY).size();
  }
  const std::string out = scratch("out");
  const std::string err = scratch("err");
  const int status = std::system(("( " + command + " ) >" + out + " 2>" + err).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_text(out), read_text(err)};
}

inline Execution carl(const std::string& arguments) {
  return shell("CARL " + arguments);
}

inline std::string example(const std::string& name) {
  const std::string folder = tests::source_path("examples/" + name + "/");
  return std::ifstream(folder + "model.json") ? folder + "model.json"
                                              : folder + "domain.pddl " + folder + "problem.pddl";
}

}  // namespace carl::testing

#endif
