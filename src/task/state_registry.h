// All known states, each packed state stored once. States lie in fixed chunks (nothing is ever
// moved, growth costs nothing extra), and the hash set holds only their 32-bit numbers and looks at
// the chunks for their contents.
#ifndef CARL_TASK_STATE_REGISTRY_H
#define CARL_TASK_STATE_REGISTRY_H

#include <cstdint>
#include <memory>
#include <vector>

#include "carl/ids.h"
#include "task/packed_state.h"

namespace carl::task {

class StateRegistry {
 public:
  explicit StateRegistry(std::size_t num_words);
  ~StateRegistry();

  /// The id of the state, a new one (the old size()) if it was not there. Throws
  /// LimitReached(memory) when ids run out.
  StateId insert(const std::uint64_t* state);
  /// An invalid id if it is not there.
  StateId find(const std::uint64_t* state) const;
  /// Stays valid.
  PackedState operator[](StateId state) const {
    return {storage_->at(state.index()), storage_->num_words};
  }
  std::size_t size() const { return storage_->num_states; }
  std::size_t bytes() const;

 private:
  struct Storage {
    std::size_t num_words = 1;
    std::size_t chunk_bits = 0;  // a chunk holds 2^chunk_bits states
    std::size_t num_states = 0;
    std::vector<std::unique_ptr<std::uint64_t[]>> chunks;
    std::size_t chunk_size() const { return std::size_t{1} << chunk_bits; }
    std::uint64_t* at(std::size_t i) const {
      return chunks[i >> chunk_bits].get() + (i & (chunk_size() - 1)) * num_words;
    }
  };
  struct Index;  // defined where it is used, since its header takes long to compile

  std::uint32_t append(const std::uint64_t* state);

  std::unique_ptr<Storage> storage_;  // its address is known to the index
  std::unique_ptr<Index> index_;
};

}  // namespace carl::task

#endif
