#include "carl/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <streambuf>

#include "carl/error.h"
#include "io/descriptor.h"

namespace carl {
namespace {

using io::Descriptor;

constexpr std::size_t block = std::size_t{1} << 16;
constexpr mode_t new_file = 0666;  // less the user's mask
constexpr mode_t permissions = 07777;

std::string folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

/// The folder forbids new files, whatever is in it.
bool forbidden(int error) {
  return error == EACCES || error == EPERM || error == EROFS;
}

/// Some file systems cannot make a file durable and say so: there is nothing to be done about it.
int synchronise(int descriptor) {
  if (::fsync(descriptor) == 0) return 0;
  return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS ? 0 : errno;
}

}  // namespace

struct OutputFile::Implementation final : std::streambuf {
  /// What becomes of the text: standard output; a device or pipe; a new file that takes the place
  /// of the old one; the old file itself.
  enum class Way { standard_output, through, beside, in_place };

  explicit Implementation(std::string name_) : name(std::move(name_)), stream(this) {
    stream.exceptions(std::ios::badbit);  // pass on what the buffer throws
    open();
  }
  ~Implementation() override { remove_temporary(); }

  [[noreturn]] void fail(int error, const std::string& hint = {}) const {
    throw InputError(fmt::format("cannot write '{}': {}", name, std::strerror(error)), hint);
  }

  void open();
  void open_beside(const std::optional<struct stat>& existing);
  int open_temporary();
  std::string temporary_name() const;
  int link_temporary();
  int take_over(const struct stat& existing) const;
  void remove_temporary();
  void flush_text();
  void replace();
  void overwrite();

  int_type overflow(int_type character) override {
    text.push_back(traits_type::to_char_type(character));
    if (text.size() >= block) flush_text();
    return character;
  }
  std::streamsize xsputn(const char* characters, std::streamsize count) override {
    text.append(characters, static_cast<std::size_t>(count));
    if (text.size() >= block) flush_text();
    return count;
  }

  std::string name;       // as the user gave it
  std::string path;       // where links have led to
  std::string temporary;  // empty: it has no name
  Way way = Way::standard_output;
  Descriptor file;
  std::string text;  // not written yet
  std::ostream stream;
};

void OutputFile::Implementation::open() {
  if (names_standard_output(name)) return;
  path = io::followed(name);
  way = Way::through;
  if (const std::optional<int> descriptor = io::named_descriptor(path)) {
    file = Descriptor(::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0));
    if (!file.valid()) fail(errno);
    return;
  }
  std::error_code none;
  if (std::filesystem::is_symlink(path, none)) fail(ELOOP);
  const std::optional<struct stat> existing = io::status_of(path);
  if (!existing || S_ISREG(existing->st_mode)) return open_beside(existing);
  do {
    file = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  } while (!file.valid() && errno == EINTR);
  if (!file.valid()) fail(errno);
}

void OutputFile::Implementation::open_beside(const std::optional<struct stat>& existing) {
  way = Way::beside;
  // A file that must not be written must not be replaced either.
  if (existing && ::access(path.c_str(), W_OK) != 0) fail(errno);
  int error = open_temporary();
  if (error == 0 && existing) error = take_over(*existing);
  if (error == 0) return;
  remove_temporary();
  if (!existing || !forbidden(error)) fail(error);
  way = Way::in_place;
}

/// A file without a name needs no removal, however the program ends; where there is no such thing,
/// one with a name.
int OutputFile::Implementation::open_temporary() {
  const std::string folder = folder_of(path);
  file = Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, new_file));
  if (file.valid()) {
    const std::string link = fmt::format("/proc/self/fd/{}", file.number());
    if (::access(link.c_str(), F_OK) == 0) return 0;
  } else if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) {
    return errno;
  }
  temporary = temporary_name();
  file = Descriptor(::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, new_file));
  if (file.valid()) return 0;
  const int error = errno;
  temporary.clear();
  return error;
}

/// No other process has this name; of this process, no other file.
std::string OutputFile::Implementation::temporary_name() const {
  for (int attempt = 0;; ++attempt) {
    std::string candidate = fmt::format("{}/.carl-{}-{}.tmp", folder_of(path), ::getpid(), attempt);
    if (::access(candidate.c_str(), F_OK) != 0) return candidate;
  }
}

int OutputFile::Implementation::link_temporary() {
  const std::string link = fmt::format("/proc/self/fd/{}", file.number());
  std::string candidate = temporary_name();
  if (::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, candidate.c_str(), AT_SYMLINK_FOLLOW) != 0)
    return errno;
  temporary = std::move(candidate);
  return 0;
}

/// Mode and owner of the file that is replaced.
int OutputFile::Implementation::take_over(const struct stat& existing) const {
  struct stat mine {};
  if (::fstat(file.number(), &mine) != 0) return errno;
  const bool other_owner = mine.st_uid != existing.st_uid || mine.st_gid != existing.st_gid;
  if (other_owner && ::fchown(file.number(), existing.st_uid, existing.st_gid) != 0) return errno;
  return ::fchmod(file.number(), existing.st_mode & permissions) == 0 ? 0 : errno;
}

void OutputFile::Implementation::remove_temporary() {
  file.close();
  if (!temporary.empty()) ::unlink(temporary.c_str());
  temporary.clear();
}

void OutputFile::Implementation::flush_text() {
  if (way == Way::in_place) return;  // the old text stays until the new one is complete
  if (way == Way::standard_output) {
    write_standard_output(text);
  } else {
    const int error = io::write_all(file.number(), text);
    if (error != 0 && (error != EPIPE || way != Way::through)) fail(error);
  }
  text.clear();
}

void OutputFile::Implementation::replace() {
  if (const int error = synchronise(file.number())) fail(error);
  if (temporary.empty())
    if (const int error = link_temporary()) fail(error);
  if (const int error = file.close()) fail(error);
  if (std::rename(temporary.c_str(), path.c_str()) == 0) {
    temporary.clear();
    return;
  }
  if (errno != EBUSY) fail(errno);
  // A file that is mounted cannot be replaced.
  way = Way::in_place;
  std::error_code error;
  std::filesystem::copy_file(temporary, path, std::filesystem::copy_options::overwrite_existing,
                             error);
  if (error) fail(error.value(), "it had to be written in place and is now incomplete");
  remove_temporary();
}

void OutputFile::Implementation::overwrite() {
  file = Descriptor(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!file.valid()) fail(errno);
  int error = io::write_all(file.number(), text);
  if (error == 0) error = synchronise(file.number());
  if (error == 0) error = file.close();
  if (error != 0) fail(error, "it had to be written in place and is now incomplete");
}

OutputFile::OutputFile(std::string path)
    : implementation_(std::make_unique<Implementation>(std::move(path))) {}
OutputFile::~OutputFile() = default;

std::ostream& OutputFile::stream() {
  return implementation_->stream;
}

void OutputFile::commit() {
  implementation_->flush_text();
  switch (implementation_->way) {
    case Implementation::Way::standard_output:
      return;
    case Implementation::Way::through:
      if (const int error = implementation_->file.close()) implementation_->fail(error);
      return;
    case Implementation::Way::beside:
      return implementation_->replace();
    case Implementation::Way::in_place:
      return implementation_->overwrite();
  }
}

bool OutputFile::in_place() const {
  return implementation_->way == Implementation::Way::in_place;
}

void check_writable(const std::string& path) {
  const std::optional<struct stat> status = io::status_of(path);
  const bool waits = status && !S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode);
  if (!waits) const OutputFile probe(path);
}

bool is_regular_file(const std::string& path) {
  const std::optional<struct stat> status = io::status_of(path);
  return status && S_ISREG(status->st_mode);
}

bool same_file(const std::string& a, const std::string& b) {
  const auto descriptor = [](const std::string& path) {
    return path == "-" ? std::optional<int>(STDOUT_FILENO)
                       : io::named_descriptor(io::followed(path));
  };
  if (descriptor(a)) return descriptor(a) == descriptor(b);
  const auto existing = [](const std::string& path) {
    return io::status_of(path == "-" ? "/dev/stdout" : path);
  };
  const auto same = [](const std::optional<struct stat>& one,
                       const std::optional<struct stat>& other) {
    return one && other && one->st_dev == other->st_dev && one->st_ino == other->st_ino;
  };
  const std::optional<struct stat> one = existing(a);
  const std::optional<struct stat> other = existing(b);
  if (one || other) return same(one, other) && S_ISREG(one->st_mode);
  const std::filesystem::path first = io::followed(a);
  const std::filesystem::path second = io::followed(b);
  return first.filename() == second.filename() &&
         same(io::status_of(folder_of(first)), io::status_of(folder_of(second)));
}

}  // namespace carl
