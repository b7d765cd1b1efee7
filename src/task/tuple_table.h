// Interned tuples of numbers: every distinct tuple gets one dense number. Atoms, index keys and
// values of static functions are all such tuples, and there may be millions, so they lie back to
// back in one array and the hash set holds nothing but their numbers.
#ifndef CARL_TASK_TUPLE_TABLE_H
#define CARL_TASK_TUPLE_TABLE_H

#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carl::task {

using Tuple = std::span<const std::uint32_t>;

class TupleTable {
 public:
  TupleTable();

  /// The number of the tuple, a new one (the old size()) if it was not there.
  std::uint32_t intern(Tuple tuple);
  std::optional<std::uint32_t> find(Tuple tuple) const;
  /// Valid until the next intern().
  Tuple operator[](std::size_t i) const { return storage_->tuple(i); }
  std::size_t size() const { return storage_->first.size() - 1; }

 private:
  struct Storage {
    std::vector<std::uint32_t> items;
    std::vector<std::size_t> first{0};  // and one past the last
    Tuple tuple(std::size_t i) const {
      return Tuple(items).subspan(first[i], first[i + 1] - first[i]);
    }
  };
  struct Hash {
    using is_transparent = void;
    const Storage* storage;
    std::size_t operator()(Tuple tuple) const;
    std::size_t operator()(std::uint32_t i) const { return (*this)(storage->tuple(i)); }
  };
  struct Equal {
    using is_transparent = void;
    const Storage* storage;
    bool operator()(Tuple a, Tuple b) const;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::uint32_t a, Tuple b) const { return (*this)(storage->tuple(a), b); }
    bool operator()(Tuple a, std::uint32_t b) const { return (*this)(a, storage->tuple(b)); }
  };

  std::unique_ptr<Storage> storage_;  // its address is known to the hash set
  absl::flat_hash_set<std::uint32_t, Hash, Equal> numbers_;
};

}  // namespace carl::task

#endif
