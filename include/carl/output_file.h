// Text that a program writes, so that none of it is lost. A file is written beside its place, made
// durable and renamed: it holds the old text or the new one, never a part, whatever goes wrong.
// Devices and pipes are written through, symbolic links followed, the mode of a file is kept.
#ifndef CARL_OUTPUT_FILE_H
#define CARL_OUTPUT_FILE_H

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace carl {

class OutputFile {
 public:
  /// "-" is standard output. Throws InputError if it cannot be written to.
  explicit OutputFile(std::string path);
  /// Without commit() a file is as it was before, or not there.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// What is written to it throws InputError when the disk is full.
  std::ostream& stream();
  /// The text is complete and becomes that of the file. Throws InputError.
  void commit();
  /// Whether the file cannot be replaced (its folder may not be written to) and is overwritten
  /// instead: a failure in the middle of that leaves a part of the text.
  bool in_place() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Adds to standard output, at once. Throws InputError if it cannot be written; text that nobody
/// reads any more (a pipe whose reader has ended) is dropped.
void write_standard_output(std::string_view text);
/// False if standard output is a pipe whose reader has ended.
bool standard_output_has_reader();

/// Whether the name stands for standard output: "-", /dev/stdout, or a link to it.
bool names_standard_output(const std::string& path);
/// Throws InputError if OutputFile would. Does not wait for the reader of a pipe.
void check_writable(const std::string& path);
/// Whether there is a regular file of this name.
bool is_regular_file(const std::string& path);
/// Whether two names lead to the same regular file, there already or not. A name of a descriptor,
/// such as "-" for standard output, is written through and the same as itself only; as `b` it is
/// the file that it stands for.
bool same_file(const std::string& a, const std::string& b);

}  // namespace carl

#endif
