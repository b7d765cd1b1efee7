// Writes a JSON text piece by piece: nothing is built, so that what is written may be large. The
// layout is that of nlohmann/json, which writes the numbers (so that they read back exactly) and
// the texts; json_writer.cc includes it, for it takes seconds to compile.
//
//   json.object([&] {
//     json.member("states", 3);
//     json.array("costs", [&] { … json.element(0.5); … });
//   });
#ifndef CARL_IO_JSON_WRITER_H
#define CARL_IO_JSON_WRITER_H

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace carl::io {

/// A text as JSON, in quotes. Throws InputError if it is not UTF-8.
std::string json_quoted(std::string_view text);

class JsonWriter {
 public:
  enum class Layout { indented, one_line };

  JsonWriter(std::ostream& out, Layout layout) : out_(out), layout_(layout) {}

  /// `write()` writes the members.
  template <class Write>
  void object(Write write) {
    open('{');
    write();
    close('}');
  }
  template <class Write>
  void object(std::string_view key, Write write) {
    begin_member(key);
    object(write);
  }
  /// `write()` writes the elements.
  template <class Write>
  void array(Write write) {
    open('[');
    write();
    close(']');
  }
  template <class Write>
  void array(std::string_view key, Write write) {
    begin_member(key);
    array(write);
  }
  /// A truth value, a number (null if it is not finite), a text, an optional one (null for none),
  /// or a list of them.
  template <class Value>
  void member(std::string_view key, const Value& value) {
    begin_member(key);
    element(value);
  }
  /// Left out if the text is empty.
  void member_if_any(std::string_view key, std::string_view text) {
    if (!text.empty()) member(key, text);
  }
  template <class Value>
  void element(const Value& value) {
    if constexpr (std::same_as<Value, bool>)
      write_word(value ? "true" : "false");
    else if constexpr (std::unsigned_integral<Value>)
      write_whole(std::uint64_t{value});
    else if constexpr (std::signed_integral<Value>)
      write_whole(std::int64_t{value});
    else if constexpr (std::floating_point<Value>)
      write_number(value);
    else
      write_text(value);
  }
  template <class Value>
  void element(const std::optional<Value>& value) {
    if (value)
      element(*value);
    else
      write_word("null");
  }
  template <class Value>
  void element(const std::vector<Value>& values) {
    array([&] {
      for (const Value& value : values)
        element(value);
    });
  }

 private:
  void open(char bracket);
  void close(char bracket);
  void begin_member(std::string_view key);
  void begin_value();
  void new_line();
  void write_word(std::string_view word);
  void write_whole(std::uint64_t value);
  void write_whole(std::int64_t value);
  void write_number(double value);
  void write_text(std::string_view text);

  std::ostream& out_;
  Layout layout_;
  std::size_t depth_ = 0;
  bool is_first_ = true;  // in its object or array
  bool has_key_ = false;  // the next value is that of a member
};

}  // namespace carl::io

#endif
