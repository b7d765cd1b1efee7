#include "carl/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carl/error.h"

namespace carl {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = ::testing::TempDir() + "carl-output-file-" + info->name() + "/";
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + name; }
  std::size_t num_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static void write(const std::string& path, const std::string& text) {
    OutputFile file(path);
    file.stream() << text;
    file.commit();
  }

  std::string folder_;
};

TEST_F(OutputFileTest, IsThereOnceItIsComplete) {
  {
    OutputFile file(path("x"));
    file.stream() << std::string(1 << 20, 'a');
    EXPECT_FALSE(fs::exists(path("x")));
    file.commit();
    EXPECT_FALSE(file.in_place());
  }
  EXPECT_EQ(fs::file_size(path("x")), 1U << 20);
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(OutputFileTest, LeavesTheOldTextUntilThen) {
  write(path("x"), "old");
  {
    OutputFile file(path("x"));
    file.stream() << "new and longer" << std::flush;
    EXPECT_EQ(text_of(path("x")), "old");
  }
  EXPECT_EQ(text_of(path("x")), "old");
  write(path("x"), "new");
  EXPECT_EQ(text_of(path("x")), "new");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(OutputFileTest, FollowsLinksAlsoToWhatIsNotThere) {
  fs::create_directory(path("deep"));
  fs::create_symlink("deep/second", path("first"));
  fs::create_symlink("../x", path("deep/second"));
  write(path("first"), "new");
  EXPECT_TRUE(fs::is_symlink(path("first")));
  EXPECT_TRUE(fs::is_symlink(path("deep/second")));
  EXPECT_EQ(text_of(path("x")), "new");
  fs::create_symlink("loop", path("loop"));
  EXPECT_THROW(OutputFile(path("loop")), InputError);
}

TEST_F(OutputFileTest, OtherNamesOfTheOldFileKeepTheOldText) {
  write(path("x"), "old");
  fs::create_hard_link(path("x"), path("y"));
  write(path("x"), "new");
  EXPECT_EQ(text_of(path("y")), "old");
}

TEST_F(OutputFileTest, SaysWhatIsWrong) {
  const auto message = [](const std::string& path) {
    try {
      const OutputFile file(path);
    } catch (const InputError& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(message(path("none/x")),
            "cannot write '" + path("none/x") + "': No such file or directory");
  EXPECT_EQ(message(folder_), "cannot write '" + folder_ + "': Is a directory");
  write(path("x"), "old");
  EXPECT_EQ(message(path("x/y")), "cannot write '" + path("x/y") + "': Not a directory");
  EXPECT_EQ(message("/dev/fd/77"), "cannot write '/dev/fd/77': Bad file descriptor");
}

TEST_F(OutputFileTest, TellsNamesOfOneFile) {
  EXPECT_TRUE(same_file(path("x"), folder_ + "./x"));
  EXPECT_FALSE(same_file(path("x"), path("y")));
  fs::create_symlink("x", path("link"));
  EXPECT_TRUE(same_file(path("link"), path("x")));
  write(path("x"), "");
  EXPECT_TRUE(same_file(path("link"), path("x")));
  EXPECT_FALSE(same_file(path("y"), path("x")));
  fs::create_hard_link(path("x"), path("hard"));
  EXPECT_TRUE(same_file(path("hard"), path("link")));
  EXPECT_TRUE(same_file("-", "/dev/stdout"));
  EXPECT_FALSE(same_file("-", path("x")));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null"));
  fs::create_symlink("/dev/stdout", path("out"));
  EXPECT_TRUE(names_standard_output(path("out")));
  EXPECT_FALSE(names_standard_output(path("x")));
  EXPECT_TRUE(is_regular_file(path("link")));
  EXPECT_FALSE(is_regular_file(folder_));
}

}  // namespace
}  // namespace carl
