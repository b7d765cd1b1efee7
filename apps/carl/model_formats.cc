#include "model_formats.h"

namespace carl::app {

std::string model_format_of(const std::string& path) {
  if (path.ends_with(".umb")) return "umb";
  if (path.ends_with(".drn")) return "drn";
  return "";
}

void add_compression(Command& command, std::string& compression) {
  command.option("--compression", compression, "Of UMB files")
      .type_name("NAME")
      .check(one_of({"none", "gzip", "xz"}))
      .show_default();
}

Compression compression_of(const std::string& name) {
  if (name == "gzip") return Compression::gzip;
  return name == "xz" ? Compression::xz : Compression::none;
}

}  // namespace carl::app
