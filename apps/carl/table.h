// Aligned columns for people: text to the left, numbers to the right.
#ifndef CARL_APPS_TABLE_H
#define CARL_APPS_TABLE_H

#include <string>
#include <vector>

#include "style.h"

namespace carl::app {

class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// The first column is text, the others are numbers. Each line is indented by two spaces.
  std::string str(const Style& style = {}) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Characters on screen: UTF-8 continuation bytes take no room.
std::size_t width(const std::string& text);
/// Six significant digits, as short as possible; rounding noise around zero is zero.
std::string number(double value);
/// "0.03 s", "12.3 s", "4 min 10 s".
std::string duration(double seconds);
/// "512 B", "1.2 MB".
std::string size(std::size_t bytes);
/// "15.3 bytes", the share of one of `count`.
std::string bytes_each(std::size_t bytes, std::size_t count);
/// "1 state", "12,345 states".
std::string count(std::size_t n, const std::string& noun);
/// 1234567 -> "1,234,567".
std::string grouped(std::size_t n);

}  // namespace carl::app

#endif
