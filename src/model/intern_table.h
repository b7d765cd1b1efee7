// Stores each distinct sequence once and numbers them densely in the order in which they are first
// met. All sequences lie end to end in one array, and the index holds only their numbers (it hashes
// and compares through the array), so a million names cost a few allocations and five to ten bytes
// each beside their text. Names are sequences of char, cost vectors and distributions of double.
#ifndef CARL_MODEL_INTERN_TABLE_H
#define CARL_MODEL_INTERN_TABLE_H

#include <absl/container/flat_hash_set.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace carl {

/// `View` is std::string_view or a std::span of const trivially copyable elements without padding;
/// sequences are equal if their bytes are.
template <class View>
class InternTable {
 public:
  using Number = std::uint32_t;

  InternTable() : index_(0, Hash{this}, Equal{this}) {}
  InternTable(const InternTable&) = delete;  // the index points to this table
  InternTable& operator=(const InternTable&) = delete;

  /// The number of `item`, which is stored if it is new. `item` must not point into this table.
  Number intern(View item) {
    return *index_.lazy_emplace(item, [&](const auto& create) { create(append(item)); });
  }
  std::optional<Number> find(View item) const {
    const auto found = index_.find(item);
    return found == index_.end() ? std::nullopt : std::optional<Number>(*found);
  }
  /// Valid until the next intern().
  View operator[](std::size_t number) const {
    return View(elements_.data() + first_[number], first_[number + 1] - first_[number]);
  }
  std::size_t size() const { return first_.size() - 1; }
  /// All items end to end, and where in there one begins.
  View elements() const { return View(elements_.data(), elements_.size()); }
  std::size_t offset(std::size_t number) const { return first_[number]; }
  std::size_t bytes() const {
    return elements_.size() * sizeof(Element) + first_.size() * sizeof(std::size_t) +
           index_.capacity() * (sizeof(Number) + 1);
  }
  /// Forgets all items, and has room for as many.
  void clear() {
    const std::size_t expected = size();
    elements_.clear();
    first_.resize(1);
    index_.clear();
    index_.reserve(expected);
  }
  /// Frees the index once there is nothing more to intern or find.
  void forget_index() { index_ = Index(0, Hash{this}, Equal{this}); }

 private:
  using Element = typename View::value_type;

  static std::string_view bytes_of(View item) {
    return {reinterpret_cast<const char*>(item.data()), item.size() * sizeof(Element)};
  }
  struct Hash {
    using is_transparent = void;
    const InternTable* table;
    std::size_t operator()(View item) const {
      return absl::Hash<std::string_view>()(bytes_of(item));
    }
    std::size_t operator()(Number number) const { return (*this)((*table)[number]); }
  };
  struct Equal {
    using is_transparent = void;
    const InternTable* table;
    bool operator()(Number a, Number b) const { return a == b; }
    bool operator()(Number a, View b) const { return bytes_of((*table)[a]) == bytes_of(b); }
    bool operator()(View a, Number b) const { return (*this)(b, a); }
  };
  using Index = absl::flat_hash_set<Number, Hash, Equal>;

  Number append(View item) {
    if (size() == std::numeric_limits<Number>::max() - 1)
      throw std::length_error("more than four billion different names or vectors");
    elements_.insert(elements_.end(), item.begin(), item.end());
    first_.push_back(elements_.size());
    return static_cast<Number>(size() - 1);
  }

  std::vector<Element> elements_;
  std::vector<std::size_t> first_{0};
  Index index_;
};

using NameTable = InternTable<std::string_view>;
using VectorTable = InternTable<std::span<const double>>;

}  // namespace carl

#endif
