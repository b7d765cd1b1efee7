// What values of options are accepted, and what is said of others.
#ifndef CARL_APPS_VALUE_CHECK_H
#define CARL_APPS_VALUE_CHECK_H

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carl::app {

struct ValueCheck {
  /// What is wrong with a value; empty if nothing is.
  std::function<std::string(const std::string& value)> fault;
  std::vector<std::string> words = {};  // that it is one of, for the help; empty: no such words
};

/// Replaces a value by what it stands for, or says what is wrong with it.
using ValueTransform = std::function<std::string(std::string& value)>;

/// The whole text as a number.
std::optional<double> parse_number(std::string_view text);

/// A number above 0, or from 0 on; neither infinity nor "nan".
ValueCheck positive_number();
ValueCheck non_negative_number();
ValueCheck whole_number(std::uint64_t least = 0,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// One of a few words.
ValueCheck one_of(const std::vector<std::string>& words);

enum class Zero { allowed, forbidden };

/// A number with one of the given unit letters, which multiply it.
ValueTransform with_units(const std::map<char, double>& units, Zero zero, const std::string& hint);

}  // namespace carl::app

#endif
