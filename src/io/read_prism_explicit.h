// Reads the files into which the model checker PRISM exports a model state by state: transitions
// (.tra), states (.sta), labels (.lab), rewards of states (.srew) and of transitions (.trew).
// docs/formats.md says what is read and what is refused.
#ifndef CARL_IO_READ_PRISM_EXPLICIT_H
#define CARL_IO_READ_PRISM_EXPLICIT_H

#include <memory>
#include <string>
#include <vector>

#include "carl/io.h"

namespace carl::io {

inline constexpr std::size_t most_prism_files = 1000;

/// The texts, told apart by the endings of their names. Throws InputError, OptionError,
/// LimitReached.
std::shared_ptr<Model> read_prism_explicit(const std::vector<ModelText>& texts,
                                           const LoadOptions& options, Monitor& monitor);
/// A .tra file and what there is beside it under the same name: x.sta, x.lab, x.srew, x.trew, or
/// x1.srew, x1.trew, x2.srew, … where there are several rewards.
std::shared_ptr<Model> read_prism_explicit_files(const std::string& path,
                                                 const LoadOptions& options, Monitor& monitor,
                                                 LoadTimes& times);

}  // namespace carl::io

#endif
