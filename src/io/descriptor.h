// System calls on files with what every caller wants of them: interrupted calls go on, an error
// comes with its reason.
#ifndef CARL_IO_DESCRIPTOR_H
#define CARL_IO_DESCRIPTOR_H

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace carl::io {

/// Closes what it holds.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  bool valid() const { return number_ >= 0; }
  int number() const { return number_; }
  /// The error that ended the last writes; 0 if there was none.
  int close();

 private:
  int number_ = -1;
};

/// Writes all of it. The error, 0 if there was none; EPIPE: nobody reads any more.
int write_all(int descriptor, std::string_view text);

/// The descriptor that a name such as /dev/stdout stands for.
std::optional<int> named_descriptor(const std::string& path);

/// The name at the end of symbolic links, whether there is a file of that name or not.
std::string followed(std::string path);

/// Of the file or descriptor that the name leads to; none if there is no such file.
std::optional<struct stat> status_of(const std::string& path);

}  // namespace carl::io

#endif
