// Work that falls into independent blocks, done on several threads. Chance decides who does which
// block, so what is done must not depend on it: each block has places of its own to write to, and
// what they hold is put together afterwards, in order. Into which blocks something is cut depends on
// its size alone, never on the number of threads: so sums are added in the same order, and results
// are the same bit for bit, whether there are eight threads or one.
#ifndef CARL_UTIL_PARALLEL_H
#define CARL_UTIL_PARALLEL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carl {

/// What a user asks for: 0 stands for all that the machine has.
std::size_t num_threads(std::size_t asked);

/// Threads that do one thing after the other. They are started when there is first something to do
/// for them; one thread is the caller's own, and then everything is a plain loop.
///
/// Several callers may use one object at a time.
class Threads {
 public:
  /// 0 stands for all that the machine has.
  explicit Threads(std::size_t asked = 1);
  Threads(Threads&&) noexcept;
  Threads& operator=(Threads&&) noexcept;
  ~Threads();

  std::size_t count() const { return count_; }

  /// Calls work(block, thread) for the blocks 0 to num_blocks - 1; no two calls at a time have the
  /// same thread, which is below count(). Blocks are begun in order. Once a call throws no more are
  /// begun, and the exception arrives at the caller when those under way have ended; the first in
  /// time if there are several.
  template <class Work>
  void for_each_block(std::size_t num_blocks, const Work& work) const {
    if (count_ == 1 || num_blocks < 2) {
      for (std::size_t block = 0; block < num_blocks; ++block)
        work(block, std::size_t{0});
      return;
    }
    const auto call = [](const void* what, std::size_t block, std::size_t thread) {
      (*static_cast<const Work*>(what))(block, thread);
    };
    run(num_blocks, call, &work);
  }

  /// Enough for a block of a vector, a few operations on each element, to be worth handing out.
  static constexpr std::size_t elements_per_block = 4096;
  static std::size_t num_blocks(std::size_t size, std::size_t block_size = elements_per_block) {
    return size / block_size + (size % block_size != 0);
  }

  /// Calls work(begin, end) for the blocks of 0 to size - 1.
  template <class Work>
  void for_each_range(std::size_t size, const Work& work,
                      std::size_t block_size = elements_per_block) const {
    for_each_block(num_blocks(size, block_size), [&](std::size_t block, std::size_t /*thread*/) {
      work(block * block_size, std::min(size, (block + 1) * block_size));
    });
  }

  /// Calls work(i) for i from 0 to size - 1.
  template <class Work>
  void for_each(std::size_t size, const Work& work) const {
    for_each_range(size, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        work(i);
    });
  }

  /// combine(… combine(combine(start, of(begin, end)), …), of(begin, end)) over the blocks of 0 to
  /// size - 1, in order. T is what of() returns.
  template <class T, class Of, class Combine>
  T reduce(std::size_t size, T start, const Of& of, const Combine& combine,
           std::size_t block_size = elements_per_block) const {
    if (count_ == 1 || size <= block_size) {
      for (std::size_t begin = 0; begin < size; begin += block_size)
        start = combine(start, of(begin, std::min(size, begin + block_size)));
      return start;
    }
    struct Place {  // not an element of vector<bool>, which several would write to
      T value;
    };
    std::vector<Place> parts(num_blocks(size, block_size));
    for_each_range(
        size,
        [&](std::size_t begin, std::size_t end) {
          parts[begin / block_size].value = of(begin, end);
        },
        block_size);
    for (const Place& part : parts)
      start = combine(start, part.value);
    return start;
  }

  /// The numbers of the keys, those of the least first and ties in order. Nothing below zero is told
  /// apart from zero, and no two keys that differ by less than 2^-32 of the largest.
  std::vector<std::uint32_t> ascending(std::span<const double> keys) const;

 private:
  using Call = void (*)(const void* what, std::size_t block, std::size_t thread);

  void run(std::size_t num_blocks, Call call, const void* what) const;

  std::size_t count_;
  struct Pool;                  // defined where it is used, since its headers take long to compile
  std::unique_ptr<Pool> pool_;  // none for one thread
};

}  // namespace carl

#endif
