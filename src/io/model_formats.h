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
  std::string_view name;
  std::span<const std::string_view> extensions;  // with the dot
  /// Whether a text without one of the extensions looks like this format.
  bool (*recognises)(std::string_view text);
  std::size_t most_texts;
  /// What to give if there are more, for the hint.
  std::string_view wanted;
  std::shared_ptr<Model> (*read)(std::vector<ModelText> texts, const LoadOptions& options,
                                 Monitor& monitor, LoadTimes& times);
};

/// Which of the costs LoadOptions::minimise names. Throws OptionError.
std::size_t number_of_minimised(const std::vector<std::string>& costs, const std::string& name);

/// The format of a text, by its name or by what is in it.
const ModelFormat& format_of(const ModelText& text);

}  // namespace carl::io

#endif
