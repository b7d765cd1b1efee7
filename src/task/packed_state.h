// States packed into words: each variable has as many bits as its values need and lies within one
// 64-bit word. Conditions and effects are compiled to masks over words, so that a whole condition
// or effect usually takes one or two operations.
#ifndef CARL_TASK_PACKED_STATE_H
#define CARL_TASK_PACKED_STATE_H

#include <cstdint>
#include <span>
#include <vector>

#include "task/task.h"

namespace carl::task {

using PackedState = std::span<const std::uint64_t>;

/// Where a variable lies.
struct PackedField {
  std::uint32_t word = 0;
  std::uint32_t shift = 0;
  std::uint32_t mask = 0;  // after shifting

  std::uint32_t value(const std::uint64_t* state) const {
    return static_cast<std::uint32_t>(state[word] >> shift) & mask;
  }
};

/// The bits that some facts fix in one word.
struct PackedFacts {
  std::uint32_t word = 0;
  std::uint64_t mask = 0;
  std::uint64_t bits = 0;

  bool hold(const std::uint64_t* state) const { return (state[word] & mask) == bits; }
  void apply(std::uint64_t* state) const { state[word] = (state[word] & ~mask) | bits; }
};

class StateLayout {
 public:
  explicit StateLayout(const std::vector<Variable>& variables);
  /// By variable: how many bits it needs, 32 at most.
  explicit StateLayout(const std::vector<unsigned>& bits);

  std::size_t num_words() const { return num_words_; }
  const PackedField& field(VariableId variable) const { return fields_[variable.index()]; }

  void pack(std::span<const std::uint32_t> values, std::span<std::uint64_t> state) const;
  void unpack(PackedState state, std::span<std::uint32_t> values) const;
  /// Facts about different variables, word by word.
  std::vector<PackedFacts> compile(std::span<const Fact> facts) const;

 private:
  std::vector<PackedField> fields_;  // by variable
  std::size_t num_words_ = 1;
};

}  // namespace carl::task

#endif
