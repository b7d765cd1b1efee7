// Stores each distinct sequence once and numbers them densely in the order in which they first
// come. All sequences lie end to end in one array, and the index holds only their numbers (it hashes
// and compares through the array), so a million names cost a few allocations and five to ten bytes
// each beside their text. Names are sequences of char, cost vectors and distributions of double.
#ifndef CARL_MODEL_INTERN_TABLE_H
#define CARL_MODEL_INTERN_TABLE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace carl {

/// Finds the number of a sequence of bytes among those of a table. Which bytes are which number's
/// the table says with every question, since it may move them.
class InternIndex {
 public:
  struct Table {
    const char* bytes;
    const std::size_t* first;  // of sequence i and of the next, counted in elements
    std::size_t element_size;
    std::string_view operator[](std::size_t number) const {
      return {bytes + first[number] * element_size,
              (first[number + 1] - first[number]) * element_size};
    }
  };

  InternIndex();
  InternIndex(InternIndex&&) noexcept;
  InternIndex& operator=(InternIndex&&) noexcept;
  ~InternIndex();

  std::optional<std::uint32_t> find(const Table& table, std::string_view bytes) const;
  /// The number of `bytes`; if they are new that is `next`, and they are to join the table as such.
  std::uint32_t find_or_add(const Table& table, std::string_view bytes, std::uint32_t next);
  /// Forgets everything, and has room for so many.
  void clear(std::size_t expected);
  std::size_t bytes() const;

 private:
  struct Impl;  // defined where it is used, since its header takes long to compile
  std::unique_ptr<Impl> impl_;
};

/// `View` is std::string_view or a std::span of const trivially copyable elements without padding;
/// sequences are equal if their bytes are.
template <class View>
class InternTable {
 public:
  using Number = std::uint32_t;

  InternTable() = default;
  InternTable(const InternTable&) = delete;
  InternTable& operator=(const InternTable&) = delete;

  /// The number of `item`, which is stored if it is new. `item` must not point into this table.
  Number intern(View item) {
    if (size() == std::numeric_limits<Number>::max() - 1)
      throw std::length_error("more than four billion different names or vectors");
    const std::string_view bytes = bytes_of(item);
    Number& recent = recent_[slot_of(bytes)];
    if (recent < size() && bytes_of((*this)[recent]) == bytes) return recent;
    const auto next = static_cast<Number>(size());
    const Number number = index_.find_or_add(table(), bytes, next);
    if (number == next) append(item);
    recent = number;
    return number;
  }
  /// Stores `item` under a number of its own, by which it will not be found: neither it nor one
  /// that is equal shares it.
  Number append_apart(View item) {
    append(item);
    return static_cast<Number>(size() - 1);
  }
  /// Of an item that is kept apart.
  void replace_apart(Number number, View item) {
    std::copy(item.begin(), item.end(),
              elements_.begin() + static_cast<std::ptrdiff_t>(first_[number]));
  }
  std::optional<Number> find(View item) const { return index_.find(table(), bytes_of(item)); }
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
           index_.bytes();
  }
  /// Forgets all items, and has room for as many.
  void clear() {
    const std::size_t expected = size();
    elements_.clear();
    first_.resize(1);
    index_.clear(expected);
    recent_.fill(none);
  }
  /// Frees the index once there is nothing more to intern or find.
  void forget_index() { index_ = {}; }

 private:
  using Element = typename View::value_type;

  static constexpr Number none = std::numeric_limits<Number>::max();

  /// Where to remember an item: by what it begins and ends with, which is quick to look at.
  static std::size_t slot_of(std::string_view bytes) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    if (bytes.size() >= sizeof begin) {
      std::memcpy(&begin, bytes.data(), sizeof begin);
      std::memcpy(&end, bytes.data() + bytes.size() - sizeof end, sizeof end);
    } else if (!bytes.empty()) {
      std::memcpy(&begin, bytes.data(), bytes.size());
    }
    const std::uint64_t mixed =
        (begin ^ (end << 1) ^ bytes.size()) * std::uint64_t{0x9E3779B97F4A7C15U};
    return mixed >> (64 - slot_bits);
  }
  static std::string_view bytes_of(View item) {
    return {reinterpret_cast<const char*>(item.data()), item.size() * sizeof(Element)};
  }
  InternIndex::Table table() const {
    return {reinterpret_cast<const char*>(elements_.data()), first_.data(), sizeof(Element)};
  }
  void append(View item) {
    elements_.insert(elements_.end(), item.begin(), item.end());
    first_.push_back(elements_.size());
  }

  std::vector<Element> elements_;
  std::vector<std::size_t> first_{0};
  InternIndex index_;
  // What was interned last, since the same few items often come again and again.
  static constexpr std::size_t slot_bits = 6;
  static constexpr auto no_recent = [] {
    std::array<Number, std::size_t{1} << slot_bits> slots{};
    slots.fill(none);
    return slots;
  }();
  std::array<Number, std::size_t{1} << slot_bits> recent_ = no_recent;
};

using NameTable = InternTable<std::string_view>;
using VectorTable = InternTable<std::span<const double>>;

}  // namespace carl

#endif
