// An array that grows by millions of elements. What it grows by may be left unset, for several
// threads to fill in; and large ones grow in place, or move by their pages, where std::vector would
// copy every element.
#ifndef CARL_UTIL_GROWING_ARRAY_H
#define CARL_UTIL_GROWING_ARRAY_H

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "util/growing_memory.h"

namespace carl {

template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingArray() { free_memory(data_, capacity_ * sizeof(T)); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void push_back(T element) {
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = element;
  }
  /// By elements that are unset. Returns the first.
  T* extend(std::size_t count) {
    if (count > capacity_ - size_) grow(size_ + count);
    size_ += count;
    return data_ + size_ - count;
  }
  /// To at least its size.
  void resize(std::size_t size, T value) {
    T* const first = extend(size - size_);
    std::fill(first, data_ + size_, value);
  }
  /// To at most its size.
  void cut(std::size_t size) { size_ = size; }
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) move_to(capacity);
  }

 private:
  void grow(std::size_t least) { move_to(std::max({least, 2 * capacity_, std::size_t{16}})); }
  void move_to(std::size_t capacity) {
    if (capacity > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    data_ = static_cast<T*>(grow_memory(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace carl

#endif
