// A number that tells texts apart: two that differ by accident, cut off or mixed up, have other
// checksums. It is no protection against people who mean it.
//
// FNV-1a, due to G. Fowler, L. C. Noll and P. Vo.
#ifndef CARL_UTIL_CHECKSUM_H
#define CARL_UTIL_CHECKSUM_H

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace carl {

class Checksum {
 public:
  void add(std::string_view text) {
    for (const char c : text)
      value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

inline std::uint64_t checksum(std::string_view text) {
  Checksum sum;
  sum.add(text);
  return sum.value();
}

/// As it is written: 16 hexadecimal digits, in lower case.
inline std::optional<std::uint64_t> parse_checksum(std::string_view text) {
  std::uint64_t value = 0;
  if (text.size() != 16 || text.find_first_of("ABCDEF") != text.npos) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace carl

#endif
