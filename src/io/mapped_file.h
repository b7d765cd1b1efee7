// A file whose bytes are read where they are, without a copy: the system brings pages in as they are
// looked at and may drop them again. Who cuts the file short meanwhile ends this process; that is so
// for whoever maps files.
#ifndef CARL_IO_MAPPED_FILE_H
#define CARL_IO_MAPPED_FILE_H

#include <string>
#include <string_view>

namespace carl::io {

class MappedFile {
 public:
  /// Throws InputError if there is no such file. One that cannot be mapped, such as a pipe, is not
  /// valid().
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  bool valid() const { return valid_; }
  std::string_view bytes() const { return {begin_, size_}; }

 private:
  const char* begin_ = nullptr;
  std::size_t size_ = 0;
  bool valid_ = false;
};

/// Bytes of a mapped file that will be needed soon are better read at once.
void fetch_pages(std::string_view bytes);
/// Bytes of a mapped file that will not be needed soon need not stay in memory. Others, and those
/// that share a page with something else, are left alone.
void forget_pages(std::string_view bytes);

}  // namespace carl::io

#endif
