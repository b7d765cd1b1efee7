// The formats that problems are read from. A new one is a reader in a file of its own and a line in
// the table (model_formats.cc).
#ifndef CARL_IO_MODEL_FORMATS_H
#define CARL_IO_MODEL_FORMATS_H

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carl/io.h"

namespace carl::io {

struct ModelFormat {
  std::string_view name;                         // with its article
  std::span<const std::string_view> extensions;  // with the dot
  /// Whether a text without one of the extensions looks like this format.
  bool (*recognises)(std::string_view text);
  /// Whether states have labels, one of which LoadOptions::goal may name.
  bool has_labels;
  /// Whether a text may define several problems.
  bool has_problems;
  std::size_t most_texts;
  /// What to give if there are more, for the hint.
  std::string_view wanted;
  std::shared_ptr<Model> (*read)(std::vector<ModelText> texts, const LoadOptions& options,
                                 Monitor& monitor, LoadTimes& times);
  /// The same from a file, by its path, for formats that do better than to read all of it as a
  /// text, or that look for other files beside it; null otherwise.
  std::shared_ptr<Model> (*read_file)(const std::string& path, const LoadOptions& options,
                                      Monitor& monitor, LoadTimes& times) = nullptr;
  /// Whether a text may leave constants open.
  bool has_constants = false;
};

/// Which of the costs LoadOptions::minimise names. Throws OptionError.
std::size_t number_of_minimised(const std::vector<std::string>& costs, const std::string& name);

/// Throws OptionError if one of them means nothing to the format.
void check_options(const ModelFormat& format, const std::string& name, const LoadOptions& options);

/// The format that a name stands for; null if none does.
const ModelFormat* format_of_name(std::string_view name);
/// The format of a text, by its name or by what is in it.
const ModelFormat& format_of(const ModelText& text);

}  // namespace carl::io

#endif
