// What a solve has learnt so far, in a folder, so that a process that is killed costs no more than
// what it was at. After every answer of the oracle (see docs/cluster.md) the folder holds all answers
// there have been and the policies that go with them. A solve that is resumed is given them again
// instead of searching for them, and goes on from there.
#ifndef CARL_CHECKPOINT_H
#define CARL_CHECKPOINT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "carl/monitor.h"

namespace carl {

struct CheckpointOptions {
  /// Where to keep it; made if it is not there. Empty: nothing is kept.
  std::string directory;
  /// Go on with what the folder holds, if it holds anything. Otherwise it must not.
  bool resume = false;
  /// Anything that is the same for the same problem and for no other, such as file_checksum() of its
  /// text. Costs, bounds and penalties are told apart without it.
  std::string problem = {};

  bool enabled() const { return !directory.empty(); }
};

/// All questions to an oracle with their answers, in the order in which they were asked.
struct Checkpoint {
  struct KnownPolicy {
    std::string file;  // beside the checkpoint: a policy file, or the index of one in parts
    std::vector<double> costs;
  };
  /// The answer for some weights.
  struct Call {
    enum class Kind { ask, bound_nearby, tighten };
    Kind kind = Kind::ask;
    std::vector<double> weights = {};
    // Of ask:
    std::size_t policy = 0;
    double weighted_cost = 0;
    bool is_final = false;
    // Of bound_nearby:
    double negligible_loss = 0;
    double target = 0;
    // Of both:
    double lower_bound = 0;
    // Of tighten:
    bool tightened = false;
  };

  std::uint64_t problem = 0;
  std::vector<KnownPolicy> policies = {};
  std::vector<Call> calls = {};
};

/// The folder is one solve's alone while this lives: two would overwrite each other's answers. It ends
/// with the process, however that ends. Where a file system has no locks there are none.
class CheckpointLock {
 public:
  /// Of a folder that is there. Throws InputError if it is another's.
  explicit CheckpointLock(const std::string& directory);
  ~CheckpointLock();
  CheckpointLock(const CheckpointLock&) = delete;
  CheckpointLock& operator=(const CheckpointLock&) = delete;

 private:
  int file_;  // a descriptor
};

/// Whether the folder holds one.
bool has_checkpoint(const std::string& directory);
/// Throw InputError, also for one that is damaged; LimitReached.
Checkpoint read_checkpoint(const std::string& directory, Monitor& monitor);
/// Replaces the one that is there, at once and durably.
void write_checkpoint(const Checkpoint& checkpoint, const std::string& directory);

/// A number that tells files apart. Throws InputError, LimitReached.
std::uint64_t file_checksum(const std::string& path, Monitor& monitor);

}  // namespace carl

#endif
