// Texts in tables with a line per row, as RFC 4180 has them.
#ifndef CARL_IO_CSV_H
#define CARL_IO_CSV_H

#include <string>

namespace carl::io {

inline std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

}  // namespace carl::io

#endif
