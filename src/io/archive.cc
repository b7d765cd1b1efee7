#include "io/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "carl/error.h"
#include "util/shown.h"

namespace carl::io {
namespace {

constexpr std::size_t magic_at = 257;
constexpr std::string_view tar_magic = "ustar";
constexpr std::string_view gzip_magic("\x1F\x8B\x08", 3);
constexpr std::string_view xz_magic("\xFD\x37\x7A\x58\x5A\x00", 6);
constexpr double gigabyte = 1e9;

/// "./a/b" and "/a/b" are a/b.
std::string plain_path(const char* path) {
  std::string_view text = path != nullptr ? path : "";
  while (text.starts_with("./") || text.starts_with("/"))
    text.remove_prefix(text.front() == '.' ? 2 : 1);
  return std::string(text);
}

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

bool looks_like_archive(std::string_view bytes) {
  return bytes.starts_with(gzip_magic) || bytes.starts_with(xz_magic) ||
         (bytes.size() > magic_at && bytes.substr(magic_at).starts_with(tar_magic));
}

class ArchiveReader {
 public:
  ArchiveReader(const std::string& name, std::string_view bytes, Monitor& monitor)
      : name_(name), bytes_(bytes), monitor_(monitor), archive_(archive_read_new()) {
    archive_read_support_format_tar(archive_);
    archive_read_support_filter_gzip(archive_);
    archive_read_support_filter_xz(archive_);
  }
  ~ArchiveReader() { archive_read_free(archive_); }
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  ArchiveContents read(const std::function<bool(const std::string&, std::uint64_t)>& wants,
                       bool only_first) {
    if (archive_read_open_memory(archive_, bytes_.data(), bytes_.size()) != ARCHIVE_OK) fail();
    ArchiveContents contents;
    while (archive_entry* const entry = next()) {
      monitor_.check();
      if (archive_entry_filetype(entry) != AE_IFREG) continue;
      const std::string path = plain_path(archive_entry_pathname(entry));
      const std::int64_t size = archive_entry_size(entry);
      if (size < 0 || archive_entry_sparse_count(entry) > 0)
        refuse(fmt::format("'{}' has no size of its own", shown(path)));
      if (!wants(path, static_cast<std::uint64_t>(size))) {
        pass_over();
        continue;
      }
      const auto [place, is_new] = contents.try_emplace(path);
      if (!is_new) refuse(fmt::format("there are two files '{}' in it", shown(path)));
      unpack(place->second, path, static_cast<std::uint64_t>(size));
      if (only_first) return contents;
    }
    require_end();
    return contents;
  }

 private:
  [[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) const {
    throw InputError(SourcePosition{name_, 0, 0}, "", message, hint);
  }
  [[noreturn]] void fail() const {
    const char* const reason = archive_error_string(archive_);
    refuse(fmt::format("cannot be unpacked: {}", reason != nullptr ? reason : "no reason is known"),
           "expected is a tar file, as it is or compressed by gzip or xz");
  }
  /// What has been cut off between two files is not missed by libarchive; but a tar file ends with a
  /// block of zeros. Compressed ones know themselves whether they are whole.
  void require_end() const {
    constexpr std::int64_t block = 512;
    if (archive_filter_count(archive_) <= 1 &&
        static_cast<std::int64_t>(bytes_.size()) - archive_read_header_position(archive_) < block)
      refuse("the end of the tar file is missing");
  }
  archive_entry* next() {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_, &entry);
    if (status == ARCHIVE_EOF) return nullptr;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) fail();
    return entry;
  }
  bool next_block(const void*& block, std::size_t& size, std::int64_t& offset) {
    const int status = archive_read_data_block(archive_, &block, &size, &offset);
    if (status != ARCHIVE_OK && status != ARCHIVE_EOF) fail();
    return status == ARCHIVE_OK;
  }

  /// Unpacking what nobody asked for takes time only, but it should not take for ever.
  void pass_over() {
    if (archive_filter_count(archive_) <= 1) return;  // nothing is unpacked
    constexpr std::uint64_t allowed_for_any = std::uint64_t{1} << 30;
    constexpr std::uint64_t allowed_by_kept = 16;
    const void* block = nullptr;
    std::size_t size = 0;
    std::int64_t offset = 0;
    while (next_block(block, size, offset)) {
      monitor_.check();
      passed_over_ += size;
      if (passed_over_ > allowed_for_any + allowed_by_kept * kept_)
        refuse(fmt::format("more than {:.1f} GB of it are not part of the model",
                           static_cast<double>(passed_over_) / gigabyte));
    }
  }

  void unpack(ArchiveContent& content, const std::string& path, std::uint64_t size) {
    const void* block = nullptr;
    std::size_t length = 0;
    std::int64_t offset = 0;
    std::uint64_t done = 0;
    while (done < size && next_block(block, length, offset)) {
      monitor_.check();
      if (static_cast<std::uint64_t>(offset) != done || length > size - done)
        refuse(fmt::format("'{}' is not in one piece", shown(path)));
      const auto* const from = static_cast<const char*>(block);
      if (done == 0 && length == size && from >= bytes_.data() &&
          from + length <= bytes_.data() + bytes_.size()) {
        content.bytes_ = {from, length};
        return;
      }
      if (content.own_ == nullptr) content.own_ = room_for(path, size);
      std::memcpy(content.own_.get() + done, from, length);
      done += length;
    }
    if (done != size) refuse(fmt::format("'{}' is cut short", shown(path)));
    content.bytes_ = {content.own_.get(), size};
  }

  /// Taken at once, but no page of it before something is written there.
  std::unique_ptr<char[]> room_for(const std::string& path, std::uint64_t size) {
    kept_ += size;
    if (kept_ > physical_memory())
      refuse(fmt::format("'{}' unpacks to {:.1f} GB, for which this machine has no memory",
                         shown(path), static_cast<double>(size) / gigabyte));
    if (!monitor_.has_room_for(size)) throw LimitReached(monitor_.kind());
    return std::unique_ptr<char[]>(new char[size]);
  }

  const std::string& name_;
  std::string_view bytes_;
  Monitor& monitor_;
  archive* archive_;
  std::uint64_t kept_ = 0;
  std::uint64_t passed_over_ = 0;
};

ArchiveContents read_archive(const std::string& name, std::string_view bytes,
                             const std::function<bool(const std::string&, std::uint64_t)>& wants,
                             bool only_first, Monitor& monitor) {
  return ArchiveReader(name, bytes, monitor).read(wants, only_first);
}

ArchiveWriter::ArchiveWriter(std::ostream& out, Compression compression)
    : out_(out), archive_(archive_write_new()) {
  archive_write_set_format_pax_restricted(archive_);
  if (compression == Compression::gzip) {
    archive_write_add_filter_gzip(archive_);
    archive_write_set_filter_option(archive_, "gzip", "timestamp", nullptr);
  }
  if (compression == Compression::xz) archive_write_add_filter_xz(archive_);
  // Of the last block no more than is needed.
  archive_write_set_bytes_in_last_block(archive_, 1);
  require(archive_write_open(archive_, this, nullptr, &ArchiveWriter::pass_on, nullptr));
}

ArchiveWriter::~ArchiveWriter() {
  archive_write_free(archive_);
}

std::ptrdiff_t ArchiveWriter::pass_on(archive* writer, void* self, const void* bytes,
                                      std::size_t size) {
  auto& own = *static_cast<ArchiveWriter*>(self);
  try {
    if (own.failure_ == nullptr)
      own.out_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    return static_cast<std::ptrdiff_t>(size);
  } catch (...) {  // libarchive is no place for exceptions to pass through
    own.failure_ = std::current_exception();
    archive_set_error(writer, EIO, "the stream has failed");
    return -1;
  }
}

void ArchiveWriter::require(int status) {
  if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (status >= ARCHIVE_OK) return;
  throw std::runtime_error(archive_error_string(archive_));
}

void ArchiveWriter::begin_file(const std::string& path, std::uint64_t size) {
  constexpr auto readable_by_all = 0644;
  const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                       archive_entry_free);
  archive_entry_set_pathname(entry.get(), path.c_str());
  archive_entry_set_size(entry.get(), static_cast<std::int64_t>(size));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), readable_by_all);
  require(archive_write_header(archive_, entry.get()));
}

void ArchiveWriter::write(std::string_view bytes) {
  require(archive_write_data(archive_, bytes.data(), bytes.size()) < 0 ? ARCHIVE_FATAL
                                                                       : ARCHIVE_OK);
}

void ArchiveWriter::finish() {
  require(archive_write_close(archive_));
}

}  // namespace carl::io
