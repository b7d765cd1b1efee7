#include "io/umb_arrays.h"

#include "carl/error.h"
#include "util/rational.h"

namespace carl::io {
namespace {

mpz_class whole_number(std::string_view bytes, bool is_signed) {
  mpz_class value;
  mpz_import(value.get_mpz_t(), bytes.size(), -1, 1, -1, 0, bytes.data());
  if (is_signed && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0)
    value -= mpz_class(1) << static_cast<unsigned long>(8 * bytes.size());
  return value;
}

}  // namespace

double UmbNumbers::fraction(std::uint64_t i) const {
  const std::uint64_t size = type.bits / 8;
  const std::string_view own = bytes.substr(i * size, size);
  const mpz_class denominator = whole_number(own.substr(size / 2), false);
  if (denominator == 0) throw InputError("a denominator is 0");
  Rational value(whole_number(own.substr(0, size / 2), true), denominator);
  value.canonicalize();
  return to_double(value);
}

std::vector<bool> umb_bits(std::string_view bytes, std::uint64_t size) {
  std::vector<bool> bits(size, false);
  for (std::uint64_t i = 0; i < size && !bytes.empty(); ++i)
    bits[i] = (static_cast<unsigned char>(bytes[i / 8]) >> (i % 8) & 1U) != 0;
  return bits;
}

}  // namespace carl::io
