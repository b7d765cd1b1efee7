// Checkpoints as files. The last member is a checksum of all text before it: what a disk has
// garbled is not taken for answers.

#include "carl/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "carl/io.h"
#include "carl/output_file.h"
#include "io/descriptor.h"
#include "io/json_document.h"
#include "io/json_writer.h"
#include "util/checksum.h"

namespace carl {
namespace {

using io::JsonDocument;
using io::JsonKeys;
using io::JsonWriter;
using Call = Checkpoint::Call;
using Kind = Call::Kind;
using Value = JsonDocument::Value;

constexpr std::string_view before_checksum = ",\n  \"checksum\": \"";

enum class RootKey { format, version, problem, policies, calls, checksum };
constexpr std::array<std::string_view, 6> root_keys{"format",   "version", "problem",
                                                    "policies", "calls",   "checksum"};
constexpr std::array<std::string_view, 2> policy_keys{"file", "costs"};
enum class CallKey { call, weights, policy, cost, final, loss, target, bound, result };
constexpr std::array<std::string_view, 9> call_keys{"call", "weights", "policy", "cost",  "final",
                                                    "loss", "target",  "bound",  "result"};
constexpr std::array<std::string_view, 3> kind_names{"ask", "bound-nearby", "tighten"};

std::string path_of(const std::string& directory) {
  return (std::filesystem::path(directory) / "checkpoint.json").string();
}

// --- writing --------------------------------------------------------------------------------------

void write_call(JsonWriter& json, const Call& call) {
  json.object([&] {
    json.member("call", kind_names[static_cast<std::size_t>(call.kind)]);
    if (call.kind == Kind::tighten) return json.member("result", std::size_t{call.tightened});
    json.member("weights", call.weights);
    if (call.kind == Kind::ask) {
      json.member("policy", call.policy);
      json.member("cost", call.weighted_cost);
      json.member("final", std::size_t{call.is_final});
    } else {
      json.member("loss", call.negligible_loss);
      json.member("target", call.target);
    }
    json.member("bound", call.lower_bound);  // null: infinite
  });
}

template <class Items, class Write>
void write_lines(std::ostream& out, std::string_view key, const Items& items, Write write) {
  out << ",\n  \"" << key << "\": [";
  const char* separator = "\n    ";
  for (const auto& item : items) {
    out << separator;
    JsonWriter json(out, JsonWriter::Layout::one_line);
    write(json, item);
    separator = ",\n    ";
  }
  out << "\n  ]";
}

/// The rename is in the folder.
void synchronise_folder(const std::string& directory) {
  const io::Descriptor folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) ::fsync(folder.number());  // where it cannot be done nothing is lost by it
}

// --- reading --------------------------------------------------------------------------------------

class CheckpointReader {
 public:
  CheckpointReader(JsonDocument& document, Monitor& monitor)
      : document_(document), monitor_(monitor) {}

  Checkpoint read() {
    JsonKeys keys(document_, root_keys);
    document_.each_root_field([&](std::string_view key, Value& value) {
      read_value(static_cast<RootKey>(keys.take(key)), value);
      return true;
    });
    keys.check_complete();
    return std::move(checkpoint_);
  }

 private:
  void read_value(RootKey key, Value& value) {
    switch (key) {
      case RootKey::format:
        return document_.expect_format(value, "carl-checkpoint");
      case RootKey::version:
        return document_.expect_version(value);
      case RootKey::problem:
        checkpoint_.problem = read_sum(value);
        return;
      case RootKey::policies:
        return document_.each_element(value, [&](Value& element) { read_policy(element); });
      case RootKey::calls:
        return document_.each_element(value, [&](Value& element) {
          monitor_.check();
          checkpoint_.calls.push_back(read_call(element));
        });
      case RootKey::checksum:
        read_sum(value);  // who has the text has compared it
        return;
    }
  }

  std::uint64_t read_sum(Value& value) {
    std::string scratch;
    const std::optional<std::uint64_t> sum = parse_checksum(document_.string(value, scratch));
    if (!sum) document_.fail("a checksum has 16 hexadecimal digits");
    return *sum;
  }

  std::vector<double> read_numbers(Value& value) {
    std::vector<double> numbers;
    document_.each_element(value,
                           [&](Value& element) { numbers.push_back(document_.number(element)); });
    return numbers;
  }

  void read_policy(Value& value) {
    JsonKeys keys(document_, policy_keys);
    Checkpoint::KnownPolicy& policy = checkpoint_.policies.emplace_back();
    document_.each_field(value, [&](std::string_view key, Value& member) {
      std::string scratch;
      if (keys.take(key) == 0)
        policy.file = document_.string(member, scratch);
      else
        policy.costs = read_numbers(member);
    });
    keys.check_complete();
    if (policy.file.empty() || std::filesystem::path(policy.file).filename() != policy.file)
      document_.fail("the file of a policy is beside the checkpoint");
  }

  Kind read_kind(Value& value) {
    std::string scratch;
    const std::string_view name = document_.string(value, scratch);
    for (std::size_t k = 0; k < kind_names.size(); ++k)
      if (name == kind_names[k]) return static_cast<Kind>(k);
    document_.fail("there is no such call");
  }

  Call read_call(Value& value) {
    JsonKeys keys(document_, call_keys);
    Call call;
    document_.each_field(value, [&](std::string_view key, Value& member) {
      switch (static_cast<CallKey>(keys.take(key))) {
        case CallKey::call:
          call.kind = read_kind(member);
          return;
        case CallKey::weights:
          call.weights = read_numbers(member);
          return;
        case CallKey::policy:
          call.policy = document_.count(member);
          return;
        case CallKey::cost:
          call.weighted_cost = document_.number(member);
          return;
        case CallKey::final:
          call.is_final = document_.count(member) != 0;
          return;
        case CallKey::loss:
          call.negligible_loss = document_.number(member);
          return;
        case CallKey::target:
          call.target = document_.number(member);
          return;
        case CallKey::bound:
          call.lower_bound =
              document_.optional_number(member).value_or(std::numeric_limits<double>::infinity());
          return;
        case CallKey::result:
          call.tightened = document_.count(member) != 0;
          return;
      }
    });
    keys.check_complete(
        {"weights", "policy", "cost", "final", "loss", "target", "bound", "result"});
    return call;
  }

  JsonDocument& document_;
  Monitor& monitor_;
  Checkpoint checkpoint_;
};

void expect_undamaged(const std::string& path, const std::string& text) {
  const std::size_t end = text.rfind(before_checksum);
  const std::string_view rest = end == text.npos ? std::string_view() : text;
  const std::optional<std::uint64_t> sum =
      rest.empty() ? std::nullopt : parse_checksum(rest.substr(end + before_checksum.size(), 16));
  if (!sum || *sum != checksum(rest.substr(0, end)))
    throw InputError(fmt::format("the checkpoint '{}' is damaged", path),
                     "remove it to begin from the beginning");
}

}  // namespace

/// The file stays: were it removed, somebody might lock it and another make a new one.
CheckpointLock::CheckpointLock(const std::string& directory)
    : file_(::open((std::filesystem::path(directory) / "lock").c_str(),
                   O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666)) {
  if (file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(file_);
  throw InputError(fmt::format("another process is at work on the checkpoint in '{}'", directory),
                   "wait until it has ended, or choose another folder");
}

CheckpointLock::~CheckpointLock() {
  if (file_ >= 0) ::close(file_);
}

bool has_checkpoint(const std::string& directory) {
  std::error_code error;
  return std::filesystem::exists(path_of(directory), error);
}

Checkpoint read_checkpoint(const std::string& directory, Monitor& monitor) {
  const std::string path = path_of(directory);
  std::string text = read_text(path, monitor);
  expect_undamaged(path, text);
  JsonDocument document(path, std::move(text));
  Checkpoint checkpoint;
  document.run([&] { checkpoint = CheckpointReader(document, monitor).read(); });
  return checkpoint;
}

void write_checkpoint(const Checkpoint& checkpoint, const std::string& directory) {
  std::ostringstream text;
  text << fmt::format(
      "{{ \"format\": \"carl-checkpoint\", \"version\": 1, \"problem\": \"{:016x}\"",
      checkpoint.problem);
  write_lines(text, "policies", checkpoint.policies,
              [](JsonWriter& json, const Checkpoint::KnownPolicy& policy) {
                json.object([&] {
                  json.member("file", policy.file);
                  json.member("costs", policy.costs);
                });
              });
  write_lines(text, "calls", checkpoint.calls, write_call);
  OutputFile file(path_of(directory));
  file.stream() << text.str()
                << fmt::format("{}{:016x}\" }}\n", before_checksum, checksum(text.str()));
  file.commit();
  synchronise_folder(directory);
}

std::uint64_t file_checksum(const std::string& path, Monitor& monitor) {
  const io::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  const auto fail = [&] {
    throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  };
  if (!file.valid()) fail();
  Checksum sum;
  std::vector<char> block(std::size_t{1} << 20);
  while (true) {
    monitor.check();
    const ssize_t got = ::read(file.number(), block.data(), block.size());
    if (got < 0 && errno != EINTR) fail();
    if (got == 0) return sum.value();
    if (got > 0) sum.add({block.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace carl
