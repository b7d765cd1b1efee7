// The facts of one predicate that are known so far, as rows of a table, with an index for every set
// of argument positions by which a join has asked for rows. Indices are built when first asked for
// and kept up to date from then on, so a join pays only for the questions it really asks.
#ifndef CARL_TASK_RELATION_H
#define CARL_TASK_RELATION_H

#include <cstdint>
#include <memory>
#include <vector>

#include "task/tuple_table.h"

namespace carl::task {

/// A set of argument positions. Positions from 64 on are never indexed; whoever asks for rows has
/// to compare those arguments.
using PositionMask = std::uint64_t;
inline constexpr std::size_t max_indexed_positions = 64;

class Relation {
 public:
  /// A list of rows, threaded through the index. Valid until the next insert().
  struct Matches {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    const std::uint32_t* next = nullptr;
  };

  explicit Relation(std::size_t arity) : arity_(arity) {}

  std::size_t arity() const { return arity_; }
  std::uint32_t size() const { return size_; }
  Tuple row(std::uint32_t i) const { return Tuple(items_).subspan(i * arity_, arity_); }
  /// The row must be new.
  void insert(Tuple row);
  /// The rows that have `key` at the positions of `mask`, oldest first.
  Matches matches(PositionMask mask, Tuple key);
  bool contains(Tuple row);

 private:
  struct Index {
    PositionMask mask = 0;
    TupleTable keys;
    std::vector<std::uint32_t> first, last, count;  // one per key
    std::vector<std::uint32_t> next;                // one per row
  };

  void insert_into(Index& index, std::uint32_t row);
  Index& index_for(PositionMask mask);

  std::size_t arity_;
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> items_;
  std::vector<std::unique_ptr<Index>> indices_;  // few; a new one must not move the others
  std::vector<std::uint32_t> key_;               // scratch
};

}  // namespace carl::task

#endif
