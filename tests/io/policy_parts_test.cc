// A policy in parts is the policy, however it is split; parts that are not those of the index are
// errors, whatever has become of them.

#include "carl/policy_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "carl/act.h"
#include "carl/check.h"
#include "carl/cover.h"
#include "carl/error.h"
#include "carl/solve.h"
#include "support/random_model.h"
#include "support/random_task.h"
#include "support/scale.h"
#include "util/checksum.h"
#include "util/random.h"

namespace carl {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class PolicyParts : public ::testing::Test {
 protected:
  PolicyParts() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("carl-policy-parts-") + test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~PolicyParts() override { std::filesystem::remove_all(folder_); }

  std::string index() const { return (folder_ / "policy.json").string(); }
  std::filesystem::path part(int number) const {
    return folder_ / ("policy.part-" + std::to_string(number) + ".json");
  }
  void put(const std::filesystem::path& path, const std::string& text) const {
    std::ofstream(path, std::ios::binary) << text;
  }
  void replace(const std::string& old_text, const std::string& new_text) const {
    std::string text = text_of(index());
    const std::size_t at = text.find(old_text);
    ASSERT_NE(at, text.npos) << old_text;
    put(index(), text.replace(at, old_text.size(), new_text));
  }
  std::string error() const {
    Monitor monitor;
    try {
      read_policy(index(), monitor);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

std::shared_ptr<Model> model_of(std::uint64_t seed) {
  if (seed % 2 == 0) return testing::random_task(seed);
  return testing::random_model(seed, testing::random_options(seed, 12));
}

std::string as_text(const PolicyFile& file) {
  std::string text;
  for (const std::string& cost : file.costs)
    text += cost + ",";
  text += file.covers_all ? " all;" : ";";
  for (const std::string& fact : file.facts)
    text += fact + ",";
  for (const PolicyFile::Goal& goal : file.goals) {
    text += goal.factored ? "\ngoal:" : "\nstate:";
    for (const std::string& literal : goal.literals)
      text += literal + ",";
  }
  std::ostringstream out;
  out << std::hexfloat;
  for (const PolicyFile::Entry& entry : file.states) {
    out << '\n' << entry.state << ' ' << entry.factored << ' ' << entry.visits.value_or(-1);
    for (const PolicyFile::Choice& choice : entry.choices)
      out << ' ' << choice.action << ' ' << choice.probability;
    for (const double value : entry.values)
      out << ' ' << value;
  }
  return text + out.str();
}

/// Cut anywhere, by ids or by names.
void write_at_random(const Cssp& cssp, const Policy& policy, const PolicyDetails& details,
                     const PolicyFile& whole, const std::string& index, SplitMix64& random) {
  const std::size_t count = 1 + random.below(8);
  if (random.below(2) == 0) return write_policy_parts(cssp, policy, index, count, details);
  std::vector<std::size_t> cuts{0, whole.states.size()};
  for (std::size_t k = 1; k < count; ++k)
    cuts.push_back(random.below(whole.states.size() + 1));
  std::sort(cuts.begin(), cuts.end());
  const PolicyFile header = policy_header(cssp, details);
  std::vector<PolicyPart> parts;
  for (std::size_t k = 0; k < count; ++k) {
    PolicyPartWriter part(index, k, header);
    for (std::size_t i = cuts[k]; i < cuts[k + 1]; ++i)
      part.add(whole.states[i]);
    parts.push_back(part.commit());
  }
  write_policy_index(index, header, parts);
}

TEST_F(PolicyParts, AnySplitReadsBackAsTheWholePolicy) {
  SplitMix64 random(1);
  std::size_t read = 0;
  for (std::uint64_t seed = 1; seed <= testing::scaled(150); ++seed) {
    SCOPED_TRACE(seed);
    Cssp cssp(model_of(seed));
    Monitor monitor;
    const Solution solution = solve(cssp, {}, monitor);
    if (!solution.costs) continue;
    PolicyDetails details;
    if (seed % 3 == 0) details.values = policy_values(cssp, solution.policy, monitor);
    details.covers_all = seed % 5 == 0;
    std::ostringstream text;
    write_policy(cssp, solution.policy, text, details);
    const PolicyFile whole = read_policy_text("whole.json", text.str(), monitor);
    write_at_random(cssp, solution.policy, details, whole, index(), random);
    const PolicyFile again = read_policy(index(), monitor);
    ASSERT_EQ(as_text(again), as_text(whole));
    // Each part is a policy file like any other.
    std::size_t states = 0;
    for (int k = 1; std::filesystem::exists(part(k)); std::filesystem::remove(part(k++)))
      states += read_policy(part(k).string(), monitor).states.size();
    EXPECT_EQ(states, whole.states.size());
    ++read;
  }
  EXPECT_GT(read, testing::scaled(75));
}

class DamagedParts : public PolicyParts {
 protected:
  DamagedParts() {
    for (std::uint64_t seed = 1; policy_.size() < 6; ++seed) {
      Monitor monitor;
      cssp_.emplace(testing::random_task(seed));
      policy_ = solve(*cssp_, {}, monitor).policy;
    }
    write_policy_parts(*cssp_, policy_, index(), 3);
  }
  std::optional<Cssp> cssp_;
  Policy policy_;
};

TEST_F(DamagedParts, AreAllThereToBeginWith) {
  EXPECT_EQ(error(), "");
}

TEST_F(DamagedParts, Missing) {
  std::filesystem::remove(part(2));
  EXPECT_THAT(error(), HasSubstr("policy.part-2.json': No such file"));
}

TEST_F(DamagedParts, CutOff) {
  std::string text = text_of(part(3));
  text.resize(text.size() - 1);
  put(part(3), text);
  EXPECT_THAT(error(), HasSubstr("policy.part-3.json' is not the part that"));
  EXPECT_THAT(error(), HasSubstr("bytes in place of"));
}

TEST_F(DamagedParts, Swapped) {
  std::filesystem::rename(part(1), folder_ / "other");
  std::filesystem::rename(part(2), part(1));
  std::filesystem::rename(folder_ / "other", part(2));
  EXPECT_THAT(error(), HasSubstr("policy.part-1.json' is not the part that"));
}

TEST_F(DamagedParts, OfAnotherRun) {
  std::string text = text_of(part(2));
  const std::size_t at = text.find("1.0");  // a probability, or visits
  ASSERT_NE(at, text.npos);
  put(part(2), text.replace(at, 3, "0.5"));
  EXPECT_THAT(error(), HasSubstr("another checksum"));
}

/// An index can be made to fit any part; what is in there must still be what it says.
class LyingIndex : public DamagedParts {
 protected:
  void list(const std::string& text, std::size_t states) {
    put(part(2), text);
    PolicyPart other{"policy.part-2.json", states, text.size(), checksum(text)};
    write_policy_index(index(), policy_header(*cssp_), {&other, 1});
  }
};

TEST_F(LyingIndex, AboutStates) {
  const std::string text = text_of(part(2));
  list(text, 99);
  EXPECT_THAT(error(), HasSubstr("in place of 99"));
}

TEST_F(LyingIndex, AboutCosts) {
  list(R"({ "format": "carl-policy", "version": 1, "costs": ["x"], "states": [] })", 0);
  EXPECT_THAT(error(), HasSubstr("it is about other costs"));
}

TEST_F(LyingIndex, AboutWhatItCovers) {
  std::ostringstream text;
  write_policy(*cssp_, {}, text, {.covers_all = true});
  list(text.str(), 0);
  EXPECT_THAT(error(), HasSubstr("it covers other states"));
}

TEST_F(LyingIndex, ThatIsAPartOfItself) {
  list(text_of(index()), 0);
  EXPECT_THAT(error(), HasSubstr("the format is \"carl-policy-parts\", not \"carl-policy\""));
}

TEST_F(DamagedParts, ByTheirIndex) {
  const std::string whole = text_of(index());
  const auto error_with = [&](const std::string& old_text, const std::string& new_text) {
    put(index(), whole);
    replace(old_text, new_text);
    return error();
  };
  EXPECT_THAT(error_with("policy.part-2.json", "policy.part-1.json"), HasSubstr("listed twice"));
  for (const char* name : {"../policy.part-2.json", "/dev/zero", "", ".", "..", "-", "a\\u0000b"})
    EXPECT_THAT(error_with("policy.part-2.json", name), HasSubstr("a file beside the index"))
        << name;
  EXPECT_THAT(error_with("\"states\":", "\"states\":-"), HasSubstr("whole number"));
  EXPECT_THAT(error_with("\"bytes\":", "\"bytes\":1e300,\"more\":"), HasSubstr("whole number"));
  EXPECT_THAT(error_with("\"checksum\":\"", "\"checksum\":\"0"), HasSubstr("16 hexadecimal"));
  EXPECT_THAT(error_with("\"file\"", "\"flie\""), HasSubstr("flie"));
  EXPECT_THAT(error_with("\"version\": 1", "\"version\": 2"), HasSubstr("version 2"));
  put(index(), whole.substr(0, whole.find("\"parts\"")) + "\"parts\": [] }");
  EXPECT_THAT(error(), HasSubstr("lists no parts"));
  for (std::size_t size = 0; size < whole.size() - 1; size += 7) {
    put(index(), whole.substr(0, size));
    EXPECT_NE(error(), "") << size;
  }
}

/// A byte changed anywhere is an error, in the index or in a part, but for names in the index that
/// say nothing of the parts.
TEST_F(DamagedParts, AByteChangedInAPartIsFound) {
  SplitMix64 random(7);
  for (std::size_t round = 0; round < testing::scaled(300); ++round) {
    const auto path = part(1 + static_cast<int>(random.below(3)));
    const std::string before = text_of(path);
    std::string text = before;
    const std::size_t at = random.below(text.size());
    text[at] = static_cast<char>(text[at] ^ static_cast<char>(1U << random.below(7)));
    put(path, text);
    EXPECT_THAT(error(), HasSubstr("another checksum")) << path << " at " << at;
    put(path, before);
  }
}

TEST_F(DamagedParts, AnIndexFromStandardInputOrMemoryHasNoFolder) {
  Monitor monitor;
  EXPECT_THROW(read_policy_text("policy.json", text_of(index()), monitor), InputError);
}

TEST_F(DamagedParts, WithoutCommitThereIsNoPart) {
  { const PolicyPartWriter left(index(), 8, policy_header(*cssp_)); }
  EXPECT_FALSE(std::filesystem::exists(part(9)));
}

}  // namespace
}  // namespace carl
