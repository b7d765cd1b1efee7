// What one rank alone meets in the middle of what all do: no rank is left waiting.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "carl/cluster.h"
#include "carl/error.h"
#include "carl/io.h"
#include "carl/policy_parts.h"
#include "carl/solve.h"
#include "common_folder.h"
#include "support/random_model.h"

namespace carl {
namespace {

std::string message_of(const std::shared_ptr<Model>& model, const std::string& policy = "") {
  Cssp cssp(model);
  Monitor monitor;
  try {
    cluster::solve(cssp, {}, monitor, policy);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// One state has a command, or a goal, that cannot be evaluated, and whichever rank it belongs to finds
/// out.
TEST(Failures, OfOneStateOfAProgram) {
  for (int bad = 3; bad < 20; ++bad) {
    const std::string zero = "mod(1, " + std::to_string(bad) + "-x)";
    const std::string walk = "mdp module walk x : [0..20]; ";
    const std::string step = " [] x<20 -> (x'=x+1); ";
    const std::string end = "endmodule rewards \"steps\" true : 1; endrewards label \"goal\" = ";
    for (const std::string& text : {walk + step + "[] " + zero + ">100 -> true; " + end + "x=20;",
                                    walk + step + end + "x=20 | " + zero + ">100;"}) {
      Monitor monitor;
      const std::string message = message_of(load_model_texts({{"walk.prism", text}}, monitor));
      EXPECT_NE(message.find("x=" + std::to_string(bad)), std::string::npos) << message;
    }
  }
}

TEST(Failures, OfOnePartOfAPolicy) {
  testing::CommonFolder folder;
  const cluster::Ranks& ranks = folder.ranks();
  if (ranks.count() == 1) return;  // which writes no parts
  const std::string file = folder.file("model.umb");
  const std::string policy = folder.file("policy.json");
  testing::RandomModelOptions options;
  options.states = 40;
  for (std::size_t rank = 0; rank < ranks.count(); ++rank) {
    folder.clear();
    Monitor monitor;
    if (ranks.is_first()) {
      std::ofstream out(file, std::ios::binary);
      Cssp cssp(testing::random_model(1, options));
      write_umb(cssp, out, monitor);
      std::filesystem::create_directories(folder.file(policy_part_name(policy, rank)) + "/taken");
    }
    folder.meet();
    LoadOptions how{};
    how.share = {ranks.index(), ranks.count(), 0};
    const std::string message = message_of(load_model({file}, monitor, nullptr, how), policy);
    EXPECT_NE(message.find("cannot"), std::string::npos) << message;
    EXPECT_NE(message.find(policy_part_name(policy, rank)), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace carl
