#include "io/json_writer.h"

#include <nlohmann/json.hpp>

#include "carl/error.h"

namespace carl::io {

std::string json_quoted(std::string_view text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    throw InputError("a name is not UTF-8 text and cannot be written as JSON");
  }
}

void JsonWriter::open(char bracket) {
  begin_value();
  out_ << bracket;
  ++depth_;
  is_first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!is_first_) new_line();
  out_ << bracket;
  is_first_ = false;
}

void JsonWriter::begin_member(std::string_view key) {
  begin_value();
  out_ << json_quoted(key) << (layout_ == Layout::indented ? ": " : ":");
  has_key_ = true;
}

void JsonWriter::begin_value() {
  if (depth_ > 0 && !has_key_) {
    if (!is_first_) out_ << ',';
    new_line();
  }
  is_first_ = false;
  has_key_ = false;
}

void JsonWriter::new_line() {
  if (layout_ == Layout::one_line) return;
  out_ << '\n';
  for (std::size_t i = 0; i < depth_; ++i)
    out_ << "  ";
}

void JsonWriter::write_word(std::string_view word) {
  begin_value();
  out_ << word;
}

void JsonWriter::write_whole(std::uint64_t value) {
  write_word(nlohmann::json(value).dump());
}

void JsonWriter::write_whole(std::int64_t value) {
  write_word(nlohmann::json(value).dump());
}

void JsonWriter::write_number(double value) {
  write_word(nlohmann::json(value).dump());
}

void JsonWriter::write_text(std::string_view text) {
  write_word(json_quoted(text));
}

}  // namespace carl::io
