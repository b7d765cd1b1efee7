// A policy in several files, written by several processes none of which holds all of it. Each part
// is a policy file like any other; an index, written last, says which parts there are and what they
// hold. read_policy() takes the index for the policy.
//
//   carl::PolicyPartWriter part("policy.json", rank, header);   // on each rank
//   for (…) part.add(cssp, entry);
//   carl::PolicyPart mine = part.commit();
//   carl::write_policy_index("policy.json", header, parts);     // on one, with the parts of all
#ifndef CARL_POLICY_PARTS_H
#define CARL_POLICY_PARTS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "carl/cssp.h"
#include "carl/io.h"
#include "carl/policy.h"
#include "carl/policy_file.h"

namespace carl {

/// A part as the index lists it.
struct PolicyPart {
  std::string file;  // its name without a folder: it is beside the index
  std::size_t states = 0;
  std::size_t bytes = 0;
  std::uint64_t checksum = 0;
};

/// The file of part `number`, counted from 0, of the policy whose index is the file `index`.
std::string policy_part_name(const std::string& index, std::size_t number);

/// What a policy file says besides its states, of which there are none in it.
PolicyFile policy_header(const Cssp& cssp, const PolicyDetails& details = {});

class PolicyPartWriter {
 public:
  /// Part `number`, counted from 0, of the policy whose index will be the file `index`. Facts and
  /// goals of the header are for the index alone. Throws InputError, as do all others here, if a
  /// file cannot be written.
  PolicyPartWriter(const std::string& index, std::size_t number, const PolicyFile& header);
  ~PolicyPartWriter();
  PolicyPartWriter(const PolicyPartWriter&) = delete;
  PolicyPartWriter& operator=(const PolicyPartWriter&) = delete;

  /// The next state, and what to expect from there on if that is to be written. By name, the facts
  /// of a factored state are those of PolicyFile::Entry.
  void add(const Cssp& cssp, const Policy::Entry& entry, std::span<const double> values = {});
  void add(const PolicyFile::Entry& entry);
  /// The part is complete; without this there is none.
  PolicyPart commit();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Which parts to read, where several processes share the work: every `step`-th from `first` on,
/// counted from 0. A policy in one file is one part.
struct PartsToRead {
  std::size_t first = 0;
  std::size_t step = 1;
};

/// Reads a policy, in parts or not, without holding more than a part of it: `take` is given one state
/// after the other. What is returned has all but the states. Throws InputError, LimitReached.
PolicyFile read_policy_states(const std::string& path, Monitor& monitor,
                              const std::function<void(PolicyFile::Entry&&)>& take,
                              const PartsToRead& parts = {});

/// To be called when all parts are there.
void write_policy_index(const std::string& index, const PolicyFile& header,
                        std::span<const PolicyPart> parts);

/// All of it by one process, in this many parts of about the same size.
void write_policy_parts(const Cssp& cssp, const Policy& policy, const std::string& index,
                        std::size_t parts, const PolicyDetails& details = {});

}  // namespace carl

#endif
