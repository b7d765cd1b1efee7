// Memory that grows without being copied. realloc() does this only for what the C library has got as
// pages of its own, and how large that has to be is for the program to say: where it wants freed arrays
// to be kept for the next ones, arrays of many megabytes are copied as they grow.
#ifndef CARL_UTIL_GROWING_MEMORY_H
#define CARL_UTIL_GROWING_MEMORY_H

#include <cstddef>

namespace carl {

/// From so many bytes (0: `memory` is null) to more of them. Throws std::bad_alloc, with the old ones
/// left as they are.
void* grow_memory(void* memory, std::size_t old_size, std::size_t size);
void free_memory(void* memory, std::size_t size);

}  // namespace carl

#endif
