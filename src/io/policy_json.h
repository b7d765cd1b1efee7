// How a policy is written, piece by piece: in one file or in several.
#ifndef CARL_IO_POLICY_JSON_H
#define CARL_IO_POLICY_JSON_H

#include <ostream>
#include <span>
#include <string_view>

#include "carl/cssp.h"
#include "carl/io.h"
#include "carl/policy.h"
#include "carl/policy_file.h"

namespace carl::io {

inline constexpr std::string_view policy_format = "carl-policy";
inline constexpr std::string_view policy_index_format = "carl-policy-parts";

/// All that a file of this format says before its list of states or parts.
void write_policy_header(std::ostream& out, std::string_view format, const PolicyFile& header);

/// Those of an entry, if there are any.
std::span<const double> values_of(const PolicyDetails& details, std::size_t entry,
                                  std::size_t num_costs);

/// The states of a policy file, one line each, written as they come: there can be a million.
class StateLines {
 public:
  explicit StateLines(std::ostream& out) : out_(out) {}

  void add(const Cssp& cssp, const Policy::Entry& entry, std::span<const double> values);
  void add(const PolicyFile::Entry& entry);
  /// The end of the list, and of the file.
  void finish();
  std::size_t size() const { return size_; }

 private:
  void begin_line();

  std::ostream& out_;
  std::size_t size_ = 0;
};

}  // namespace carl::io

#endif
