#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>

#include "carl/error.h"
#include "carl/io.h"
#include "carl/options.h"
#include "io/model_formats.h"
#include "io/text_file.h"
#include "util/timer.h"

namespace carl {

std::shared_ptr<Model> load_model(const std::vector<std::string>& paths, Monitor& monitor,
                                  LoadTimes* times, const LoadOptions& options) {
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    throw InputError("standard input ('-') can be read only once");
  LoadTimes own;
  if (paths.size() == 1 && paths.front() != "-")
    if (const io::ModelFormat* const format = io::format_of_name(paths.front());
        format != nullptr && format->read_file != nullptr) {
      io::check_options(*format, paths.front(), options);
      return format->read_file(paths.front(), options, monitor, times != nullptr ? *times : own);
    }
  std::vector<ModelText> texts;
  {
    const PhaseTimer timer(times != nullptr ? times->parse : own.parse);
    for (const std::string& path : paths)
      texts.push_back({io::shown_path(path), read_text(path, monitor)});
  }
  return load_model_texts(std::move(texts), monitor, times, options);
}

std::shared_ptr<Model> load_model_texts(std::vector<ModelText> texts, Monitor& monitor,
                                        LoadTimes* times, const LoadOptions& options) {
  if (texts.empty()) throw InputError("there is no text to read a problem from");
  // A format that is one file alone is named first: its reader would not know what to do with more.
  const io::ModelFormat* format = &io::format_of(texts.front());
  const ModelText* of = &texts.front();
  for (const ModelText& text : texts)
    if (const io::ModelFormat& other = io::format_of(text); other.most_texts < format->most_texts) {
      format = &other;
      of = &text;
    }
  if (texts.size() > format->most_texts)
    throw InputError(fmt::format("'{}' is {}, which is one file", of->name, format->name),
                     fmt::format("give {}", format->wanted));
  io::check_options(*format, of->name, options);
  LoadTimes own;
  return format->read(std::move(texts), options, monitor, times != nullptr ? *times : own);
}

std::shared_ptr<Model> load_model(std::istream& in, const std::string& name, Monitor& monitor,
                                  LoadTimes* times, const LoadOptions& options) {
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw InputError(fmt::format("cannot read '{}'", name));
  return load_model_texts({{name, std::move(text)}}, monitor, times, options);
}

}  // namespace carl
