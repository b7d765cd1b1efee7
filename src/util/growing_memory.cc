#include "util/growing_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace carl {
namespace {

// What is smaller is copied in less time than asking the system takes. The sanitizers do not see pages
// move.
#ifdef CARL_SANITIZED
constexpr std::size_t least_pages = std::numeric_limits<std::size_t>::max();
#else
constexpr std::size_t least_pages = std::size_t{1} << 20;
#endif

void* map_pages(std::size_t size) {
  return ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

}  // namespace

void* grow_memory(void* memory, std::size_t old_size, std::size_t size) {
  if (size < least_pages) {
    void* const grown = std::realloc(memory, size);
    if (grown == nullptr) throw std::bad_alloc();
    return grown;
  }
  const bool has_pages = old_size >= least_pages;
  void* const grown =
      has_pages ? ::mremap(memory, old_size, size, MREMAP_MAYMOVE) : map_pages(size);
  if (grown == MAP_FAILED) throw std::bad_alloc();
  if (!has_pages) {
    if (old_size != 0) std::memcpy(grown, memory, old_size);
    std::free(memory);
  }
  return grown;
}

void free_memory(void* memory, std::size_t size) {
  if (size < least_pages)
    std::free(memory);
  else
    ::munmap(memory, size);
}

}  // namespace carl
