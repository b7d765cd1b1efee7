// Tar files, as they are or compressed by gzip or xz; libarchive does the work. Of a file that is
// not compressed contents are views into its bytes, so that a mapped one is never copied; otherwise
// those that are asked for are unpacked and the others are passed over.
//
// What an archive says of itself is not believed: sizes are compared with what there is before
// memory is taken, and a small file that unpacks to more than this machine could hold is refused.
#ifndef CARL_IO_ARCHIVE_H
#define CARL_IO_ARCHIVE_H

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "carl/io.h"
#include "carl/monitor.h"

struct archive;

namespace carl::io {

/// Whether a text begins as an archive does that is read here.
bool looks_like_archive(std::string_view bytes);

/// A file of an archive.
class ArchiveContent {
 public:
  std::string_view bytes() const { return bytes_; }
  /// Whether the bytes are those of the archive itself.
  bool in_place() const { return own_ == nullptr; }

 private:
  friend class ArchiveReader;
  std::string_view bytes_;
  std::unique_ptr<char[]> own_;
};

using ArchiveContents = std::map<std::string, ArchiveContent, std::less<>>;

/// The files of an archive that `wants(path, size)` says yes to, by path ("a/b.bin"). `name` is for
/// messages. With `only_first` it ends after the first of them. Throws InputError; polls `monitor`.
ArchiveContents read_archive(const std::string& name, std::string_view bytes,
                             const std::function<bool(const std::string&, std::uint64_t)>& wants,
                             bool only_first, Monitor& monitor);

/// Writes a tar file whose bytes depend on what is written alone: no times, no names of users.
class ArchiveWriter {
 public:
  ArchiveWriter(std::ostream& out, Compression compression);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// A file of this size, whose bytes come next.
  void begin_file(const std::string& path, std::uint64_t size);
  void write(std::string_view bytes);
  /// After the last one.
  void finish();

 private:
  void require(int status);
  static std::ptrdiff_t pass_on(archive* writer, void* self, const void* bytes, std::size_t size);

  std::ostream& out_;
  archive* archive_;
  std::exception_ptr failure_;  // of the stream
};

}  // namespace carl::io

#endif
