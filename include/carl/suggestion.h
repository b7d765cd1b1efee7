// The nearest known name for one that was mistyped.
#ifndef CARL_SUGGESTION_H
#define CARL_SUGGESTION_H

#include <span>
#include <string>
#include <string_view>

namespace carl {

/// The candidate that `name` was probably meant to be; empty if none is near. Among equally
/// near ones the longest common beginning counts, then the order.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

/// "did you mean 'x'?", or empty.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace carl

#endif
