#include "io/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "carl/error.h"
#include "io/descriptor.h"

namespace carl::io {

MappedFile::MappedFile(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) return;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid())
    throw InputError(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  if (::fstat(file.number(), &status) != 0 || status.st_size == 0) return;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (begin == MAP_FAILED) return;
  begin_ = static_cast<const char*>(begin);
  size_ = size;
  valid_ = true;
}

MappedFile::~MappedFile() {
  if (valid_) ::munmap(const_cast<char*>(begin_), size_);
}

void fetch_pages(std::string_view bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
  const std::uintptr_t size = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size() - begin;
  if (!bytes.empty()) ::madvise(reinterpret_cast<void*>(begin), size, MADV_WILLNEED);
}

void forget_pages(std::string_view bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t first = (begin + page - 1) / page * page;
  const std::uintptr_t last = (begin + bytes.size()) / page * page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace carl::io
