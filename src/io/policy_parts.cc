// Writes the parts of a policy. What goes into a part is counted and summed up as it goes, so that
// nothing has to be read again to say in the index what is there.

#include "carl/policy_parts.h"

#include <fmt/format.h>

#include <filesystem>
#include <streambuf>

#include "carl/error.h"
#include "carl/output_file.h"
#include "io/json_writer.h"
#include "io/policy_json.h"
#include "util/checksum.h"

namespace carl {
namespace {

/// Passes a text on.
class SummedBuffer final : public std::streambuf {
 public:
  explicit SummedBuffer(std::ostream& to) : to_(to) {}

  std::size_t bytes() const { return bytes_; }
  std::uint64_t checksum() const { return sum_.value(); }

 private:
  int_type overflow(int_type character) override {
    const char c = traits_type::to_char_type(character);
    xsputn(&c, 1);
    return character;
  }
  std::streamsize xsputn(const char* characters, std::streamsize count) override {
    bytes_ += static_cast<std::size_t>(count);
    sum_.add({characters, static_cast<std::size_t>(count)});
    to_.write(characters, count);
    return count;
  }

  std::ostream& to_;
  std::size_t bytes_ = 0;
  Checksum sum_;
};

std::filesystem::path part_of(const std::filesystem::path& index, std::size_t number) {
  return index.parent_path() / policy_part_name(index.string(), number);
}

PolicyFile without_facts_and_goals(const PolicyFile& header) {
  PolicyFile rest;
  rest.costs = header.costs;
  rest.covers_all = header.covers_all;
  return rest;
}

}  // namespace

/// "policy.json" has the parts "policy.part-1.json", "policy.part-2.json", …
std::string policy_part_name(const std::string& index, std::size_t number) {
  const std::filesystem::path path(index);
  return fmt::format("{}.part-{}{}", path.stem().string(), number + 1, path.extension().string());
}

struct PolicyPartWriter::Implementation {
  explicit Implementation(const std::filesystem::path& path)
      : name(path.filename().string()),
        file(path.string()),
        buffer(file.stream()),
        stream(&buffer),
        lines(stream) {
    stream.exceptions(std::ios::badbit);  // pass on what the file throws
  }

  std::string name;
  OutputFile file;
  SummedBuffer buffer;
  std::ostream stream;
  io::StateLines lines;
};

PolicyPartWriter::PolicyPartWriter(const std::string& index, std::size_t number,
                                   const PolicyFile& header)
    : implementation_(std::make_unique<Implementation>(part_of(index, number))) {
  io::write_policy_header(implementation_->stream, io::policy_format,
                          without_facts_and_goals(header));
}

PolicyPartWriter::~PolicyPartWriter() = default;

void PolicyPartWriter::add(const Cssp& cssp, const Policy::Entry& entry,
                           std::span<const double> values) {
  implementation_->lines.add(cssp, entry, values);
}

void PolicyPartWriter::add(const PolicyFile::Entry& entry) {
  implementation_->lines.add(entry);
}

PolicyPart PolicyPartWriter::commit() {
  implementation_->lines.finish();
  implementation_->file.commit();
  return {implementation_->name, implementation_->lines.size(), implementation_->buffer.bytes(),
          implementation_->buffer.checksum()};
}

void write_policy_index(const std::string& index, const PolicyFile& header,
                        std::span<const PolicyPart> parts) {
  OutputFile file(index);
  std::ostream& out = file.stream();
  io::write_policy_header(out, io::policy_index_format, header);
  const char* separator = ",\n  \"parts\": [\n    ";
  for (const PolicyPart& part : parts) {
    out << separator;
    io::JsonWriter json(out, io::JsonWriter::Layout::one_line);
    json.object([&] {
      json.member("file", part.file);
      json.member("states", part.states);
      json.member("bytes", part.bytes);
      json.member("checksum", fmt::format("{:016x}", part.checksum));
    });
    separator = ",\n    ";
  }
  out << "\n  ] }\n";
  file.commit();
}

void write_policy_parts(const Cssp& cssp, const Policy& policy, const std::string& index,
                        std::size_t parts, const PolicyDetails& details) {
  const PolicyFile header = policy_header(cssp, details);
  std::vector<PolicyPart> written;
  for (std::size_t k = 0; k < parts; ++k) {
    PolicyPartWriter part(index, k, header);
    for (std::size_t i = policy.size() * k / parts; i < policy.size() * (k + 1) / parts; ++i)
      part.add(cssp, policy[i], io::values_of(details, i, cssp.num_costs()));
    written.push_back(part.commit());
  }
  write_policy_index(index, header, written);
}

}  // namespace carl
