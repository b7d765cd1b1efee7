// Reads a policy in parts. The index says what each part is, so that one that is missing, cut off,
// swapped with another or left over from another run is not taken for what it was.

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

#include "carl/policy_parts.h"
#include "io/policy_json.h"
#include "io/read_policy.h"
#include "io/text_file.h"
#include "util/checksum.h"
#include "util/shown.h"

namespace carl::io {
namespace {

using Value = JsonDocument::Value;

enum class IndexKey { format, version, costs, covers, facts, goals, parts };
constexpr std::array<std::string_view, 7> index_keys{"format", "version", "costs", "covers",
                                                     "facts",  "goals",   "parts"};

enum class PartKey { file, states, bytes, checksum };
constexpr std::array<std::string_view, 4> part_keys{"file", "states", "bytes", "checksum"};

class IndexReader {
 public:
  using Take = std::function<void(PolicyFile::Entry&&)>;

  IndexReader(std::string path, JsonDocument& document, Monitor& monitor, const Take& take,
              const PartsToRead& wanted)
      : path_(std::move(path)),
        document_(document),
        monitor_(monitor),
        take_(take),
        wanted_(wanted) {}

  PolicyFile read() {
    JsonKeys keys(document_, index_keys);
    document_.each_root_field([&](std::string_view key, Value& value) {
      read_value(static_cast<IndexKey>(keys.take(key)), value);
      return true;
    });
    keys.check_complete({"covers", "facts", "goals"});
    if (parts_.empty()) throw InputError(fmt::format("'{}' lists no parts", shown_path(path_)));
    for (std::size_t k = wanted_.first; k < parts_.size(); k += wanted_.step)
      read_file_of(parts_[k]);
    return std::move(policy_);
  }

 private:
  void read_value(IndexKey key, Value& value) {
    switch (key) {
      case IndexKey::format:
        return document_.expect_format(value, policy_index_format);
      case IndexKey::version:
        return document_.expect_version(value);
      case IndexKey::costs:
        policy_.costs = read_policy_costs(document_, value);
        return;
      case IndexKey::covers:
        policy_.covers_all = read_policy_covers(document_, value);
        return;
      case IndexKey::facts:
        policy_.facts = read_policy_facts(document_, value);
        return;
      case IndexKey::goals:
        policy_.goals = read_policy_goals(document_, value);
        return;
      case IndexKey::parts:
        return document_.each_element(value, [&](Value& element) {
          monitor_.check();
          parts_.push_back(read_part(element));
        });
    }
  }

  PolicyPart read_part(Value& value) {
    JsonKeys keys(document_, part_keys);
    PolicyPart part;
    std::string scratch;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      switch (static_cast<PartKey>(keys.take(key))) {
        case PartKey::file:
          part.file = read_file_name(member);
          return;
        case PartKey::states:
          part.states = document_.count(member);
          return;
        case PartKey::bytes:
          part.bytes = document_.count(member);
          return;
        case PartKey::checksum:
          part.checksum = read_checksum(member);
          return;
      }
    });
    keys.check_complete();
    return part;
  }

  /// Parts are beside their index: it cannot ask for other files.
  std::string read_file_name(Value& value) {
    std::string scratch;
    const std::string name(document_.string(value, scratch));
    if (name.empty() || name == "." || name == ".." || name == "-" ||
        name.find_first_of(std::string_view("/\0", 2)) != name.npos)
      document_.fail("this is not the name of a file beside the index");
    for (const PolicyPart& part : parts_)
      if (part.file == name) document_.fail(fmt::format("'{}' is listed twice", shown(name)));
    return name;
  }

  std::uint64_t read_checksum(Value& value) {
    std::string scratch;
    const std::string_view text = document_.string(value, scratch);
    const std::optional<std::uint64_t> sum = parse_checksum(text);
    if (!sum) document_.fail("a checksum has 16 hexadecimal digits");
    return *sum;
  }

  void read_file_of(const PolicyPart& part) {
    const std::string path = (std::filesystem::path(path_).parent_path() / part.file).string();
    std::string text = read_text(path, monitor_);
    if (text.size() != part.bytes || checksum(text) != part.checksum)
      throw InputError(
          fmt::format("'{}' is not the part that '{}' lists: {}", path, path_,
                      text.size() != part.bytes
                          ? fmt::format("it has {} bytes in place of {}", text.size(), part.bytes)
                          : "it has another checksum"),
          "it is of another run, or was changed or cut off; write the policy anew");
    PolicyFile policy = read_whole_policy(path, std::move(text), monitor_);
    expect_as_listed(part, policy, path);
    for (PolicyFile::Entry& entry : policy.states)
      take_(std::move(entry));
  }

  void expect_as_listed(const PolicyPart& part, const PolicyFile& policy, const std::string& path) {
    const auto fail = [&](const std::string& what) {
      throw InputError(fmt::format("'{}' is not the part that '{}' lists: {}", path, path_, what));
    };
    if (policy.costs != policy_.costs) fail("it is about other costs");
    if (policy.covers_all != policy_.covers_all) fail("it covers other states");
    if (!policy.facts.empty() || !policy.goals.empty()) fail("facts and goals are for the index");
    if (policy.states.size() != part.states)
      fail(fmt::format("it has {} states in place of {}", policy.states.size(), part.states));
  }

  std::string path_;
  JsonDocument& document_;
  Monitor& monitor_;
  const Take& take_;
  PartsToRead wanted_;
  PolicyFile policy_;
  std::vector<PolicyPart> parts_;
};

}  // namespace

bool is_policy_index(JsonDocument& document) {
  bool is_index = false;
  document.each_root_field([&](std::string_view key, Value& value) {
    if (key != "format") return true;
    std::string scratch;
    is_index = document.string(value, scratch) == policy_index_format;
    return false;
  });
  return is_index;
}

PolicyFile read_policy_parts(const std::string& path, JsonDocument& index, Monitor& monitor,
                             const std::function<void(PolicyFile::Entry&&)>& take,
                             const PartsToRead& parts) {
  if (path == "-")
    throw InputError("the index of a policy in parts must be a file, not standard input",
                     "the parts are looked for beside it");
  return IndexReader(path, index, monitor, take, parts).read();
}

}  // namespace carl::io
