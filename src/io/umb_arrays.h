// The arrays of a UMB file as they are read: little-endian numbers at any address, one per state,
// choice or branch. A file that is not there stands for what the format says of that.
#ifndef CARL_IO_UMB_ARRAYS_H
#define CARL_IO_UMB_ARRAYS_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "io/umb_index.h"

namespace carl::io {

static_assert(std::endian::native == std::endian::little, "UMB files are little-endian");

template <class T>
T umb_element(std::string_view bytes, std::uint64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// Where the targets of each index begin. Absent: each has one, its own number.
struct UmbOffsets {
  std::string_view bytes = {};
  bool there = false;

  std::uint64_t operator[](std::uint64_t i) const {
    return there ? umb_element<std::uint64_t>(bytes, i) : i;
  }
};

/// One value for each index. Absent: 0 for all.
template <class T>
struct UmbValues {
  std::string_view bytes = {};

  T operator[](std::uint64_t i) const { return bytes.empty() ? T{} : umb_element<T>(bytes, i); }
};

/// Doubles or fractions. Absent: 0 for all.
struct UmbNumbers {
  std::string_view bytes = {};
  UmbNumber type = {};

  double operator[](std::uint64_t i) const {
    if (bytes.empty()) return 0;
    return type.is_rational ? fraction(i) : umb_element<double>(bytes, i);
  }

 private:
  /// Throws InputError if the denominator is 0.
  double fraction(std::uint64_t i) const;
};

/// A bit for each index. Absent: false for all.
std::vector<bool> umb_bits(std::string_view bytes, std::uint64_t size);

}  // namespace carl::io

#endif
