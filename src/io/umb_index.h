// index.json of a UMB file (the Unified Markov Binary format, specified at pmc-tools/umb): what kind
// of model it is, how large, and which rewards and atomic propositions it has. What this planner
// does not solve is refused here.
#ifndef CARL_IO_UMB_INDEX_H
#define CARL_IO_UMB_INDEX_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace carl::io {

/// How numbers are written: doubles, or fractions of whole numbers of this many bits together.
struct UmbNumber {
  bool is_rational = false;
  std::uint64_t bits = 64;
};

/// A reward or an atomic proposition.
struct UmbAnnotation {
  std::string id;    // the name of its folder
  std::string name;  // what people call it
  bool states = false;
  bool choices = false;
  bool branches = false;
  UmbNumber type = {};  // of a reward
};

struct UmbIndex {
  bool is_chain = false;  // nobody chooses
  std::uint64_t states = 0;
  std::uint64_t choices = 0;
  std::uint64_t choice_actions = 0;
  std::uint64_t branches = 0;
  bool has_probabilities = false;
  UmbNumber probability = {};
  std::vector<UmbAnnotation> rewards;
  std::vector<UmbAnnotation> propositions;
  /// What this planner writes beside the model: reward and bound.
  std::vector<std::pair<std::string, double>> bounds;
};

/// `name` is that of the file, for messages. Throws InputError.
UmbIndex read_umb_index(const std::string& name, std::string text);

/// How this planner calls itself in "file-data".
inline constexpr const char* umb_tool = "carl";
inline constexpr std::uint64_t umb_version = 1;

}  // namespace carl::io

#endif
