#include "model/intern_table.h"

#include <absl/container/flat_hash_set.h>

#include <cstring>

namespace carl {

namespace {

/// What is looked for, and where the sequences are that it is compared with.
struct Key {
  const InternIndex::Table& table;
  std::string_view bytes;
};

}  // namespace

struct InternIndex::Impl {
  struct Hash {
    using is_transparent = void;
    const Impl* impl;
    std::size_t operator()(std::string_view bytes) const {
      return absl::Hash<std::string_view>()(bytes);
    }
    std::size_t operator()(const Key& key) const { return (*this)(key.bytes); }
    std::size_t operator()(std::uint32_t number) const { return (*this)(impl->table[number]); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
    bool operator()(std::uint32_t a, const Key& b) const {
      const std::string_view own = b.table[a];
      if (own.size() != b.bytes.size()) return false;
      return own.empty() || std::memcmp(own.data(), b.bytes.data(), own.size()) == 0;
    }
    bool operator()(const Key& a, std::uint32_t b) const { return (*this)(b, a); }
  };

  Impl() : numbers(0, Hash{this}) {}

  Table table{};  // as it was when something was added last: growing takes all hashes anew
  absl::flat_hash_set<std::uint32_t, Hash, Equal> numbers;
};

InternIndex::InternIndex() : impl_(std::make_unique<Impl>()) {}
InternIndex::InternIndex(InternIndex&&) noexcept = default;
InternIndex& InternIndex::operator=(InternIndex&&) noexcept = default;
InternIndex::~InternIndex() = default;

std::optional<std::uint32_t> InternIndex::find(const Table& table, std::string_view bytes) const {
  const auto found = impl_->numbers.find(Key{table, bytes});
  return found == impl_->numbers.end() ? std::nullopt : std::optional(*found);
}

std::uint32_t InternIndex::find_or_add(const Table& table, std::string_view bytes,
                                       std::uint32_t next) {
  impl_->table = table;
  return *impl_->numbers.lazy_emplace(Key{table, bytes}, [&](const auto& create) { create(next); });
}

void InternIndex::clear(std::size_t expected) {
  impl_->numbers.clear();
  impl_->numbers.reserve(expected);
}

std::size_t InternIndex::bytes() const {
  return impl_->numbers.capacity() * (sizeof(std::uint32_t) + 1);
}

}  // namespace carl
