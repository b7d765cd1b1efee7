// Strong ids: 32-bit numbers that cannot be mistaken for one another. States and actions are dense,
// counted from 0, so that every algorithm can keep what it knows of them in plain arrays.
#ifndef CARL_IDS_H
#define CARL_IDS_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace carl {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}

  constexpr std::size_t index() const { return value_; }
  constexpr bool valid() const { return value_ != std::numeric_limits<std::uint32_t>::max(); }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t value_ = std::numeric_limits<std::uint32_t>::max();
};

using StateId = Id<struct StateTag>;
using ActionId = Id<struct ActionTag>;

}  // namespace carl

template <class Tag>
struct std::hash<carl::Id<Tag>> {
  std::size_t operator()(carl::Id<Tag> id) const noexcept { return id.index(); }
};

#endif
