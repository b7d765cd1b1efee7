// Reads a JSON text piece by piece and remembers the way to the current piece, so that whatever is
// wrong with it is reported with line, column and path ("at actions[3].cost[0]: …").
//
// simdjson's on-demand interface does the parsing: nothing is built that the reader of a format
// does not build itself, and names without escapes are views into the text. It checks only what is
// visited, which is enough here because readers visit everything: they reject what they do not
// know.
#ifndef CARL_IO_JSON_DOCUMENT_H
#define CARL_IO_JSON_DOCUMENT_H

#include <simdjson.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carl/error.h"

namespace carl::io {

class JsonDocument {
 public:
  using Value = simdjson::ondemand::value;

  /// `name` is the file name for messages.
  JsonDocument(std::string name, std::string text);
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  /// Calls `read()`, which uses the functions below, and puts syntax errors into words.
  template <class Read>
  void run(Read read);

  /// Calls `visit(key, value)` for every member of the whole text, which is one object, until
  /// it returns false. May be called again: it starts from the beginning each time.
  template <class Visit>
  void each_root_field(Visit visit);
  /// Calls `visit(key, value)` for every member of an object.
  template <class Visit>
  void each_field(Value& value, Visit visit);
  /// Calls `visit(value)` for every element of an array.
  template <class Visit>
  void each_element(Value& value, Visit visit);

  bool is_array(Value& value) const { return *start_of(value) == '['; }
  bool is_string(Value& value) const { return *start_of(value) == '"'; }
  bool is_object(Value& value) const { return *start_of(value) == '{'; }
  double number(Value& value);
  /// A whole number of things, as many as there can be.
  std::size_t count(Value& value);
  /// A number that is the shortest decimal of the double that it reads as, so that nothing is lost.
  double exact_number(Value& value);
  /// Nothing for null.
  std::optional<double> optional_number(Value& value);
  /// The string; a view into the text, or into `scratch` if it has escapes.
  std::string_view string(Value& value, std::string& scratch);
  /// A string, or an integer, which is the same name as its decimal string.
  std::string_view name(Value& value, std::string& scratch);

  /// The values of the keys "format" and "version", with which every file says what it is.
  void expect_format(Value& value, std::string_view format);
  void expect_version(Value& value);

  /// Calls `check()` and adds the current place to the InputError it may throw.
  template <class Check>
  void here(Check check) const;
  /// Errors about the value visited last, and about the key that leads to it.
  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;
  [[noreturn]] void fail_at_key(const std::string& message, const std::string& hint = {}) const;

 private:
  struct Step {
    const char* at;           // the value
    const char* key;          // the first character of the key, or null for an element of an array
    std::size_t element = 0;  // its number
  };

  const char* begin() const { return text_.data(); }
  const char* end() const { return text_.data() + length_; }
  static const char* start_of(Value& value) { return value.raw_json_token().data(); }
  void expect(Value& value, char first, const char* kind) const;
  void expect_root_object() const;
  std::string_view unescape(simdjson::ondemand::raw_json_string raw, std::string& scratch) const;
  template <class Visit>
  void each_field_of(simdjson::ondemand::object object, Visit visit);

  std::string path() const;
  [[noreturn]] void fail_at(const char* at, const std::string& message,
                            const std::string& hint) const;
  [[noreturn]] void fail_type(const char* at, const char* wanted) const;
  void fail_lexical_before(const char* at) const;
  [[noreturn]] void fail_syntax(simdjson::error_code error);

  std::string name_;
  std::string text_;  // followed by the padding that simdjson asks for
  std::size_t length_;
  std::size_t start_ = 0;  // after a byte order mark
  simdjson::ondemand::parser parser_;
  simdjson::ondemand::document document_;
  bool indexed_ = false;  // document_ may be asked for its location
  // Not unwound when an error is thrown: it then says where.
  std::vector<Step> path_;
};

/// The keys that an object may have, each at most once.
class JsonKeys {
 public:
  JsonKeys(const JsonDocument& document, std::span<const std::string_view> known)
      : document_(document), known_(known) {}

  /// The position of the current key among the known ones.
  std::size_t take(std::string_view key);
  /// To be called after the last key: all that are not optional must have been there.
  void check_complete(std::initializer_list<std::string_view> optional = {}) const;

 private:
  const JsonDocument& document_;
  std::span<const std::string_view> known_;
  unsigned taken_ = 0;
};

template <class Read>
void JsonDocument::run(Read read) {
  try {
    expect_root_object();
    document_ = parser_.iterate(simdjson::padded_string_view(
        text_.data() + start_, length_ - start_, text_.size() - start_));
    indexed_ = true;
    read();
  } catch (const simdjson::simdjson_error& error) {
    fail_syntax(error.error());
  }
}

template <class Visit>
void JsonDocument::each_root_field(Visit visit) {
  document_.rewind();
  bool finished = true;
  for (simdjson::ondemand::field field : document_.get_object()) {
    std::string scratch;
    path_.push_back({start_of(field.value()), field.key().raw()});
    finished = visit(unescape(field.key(), scratch), field.value());
    path_.pop_back();
    if (!finished) return;
  }
  const char* rest = nullptr;
  if (document_.current_location().get(rest) == simdjson::SUCCESS)
    fail_at(rest, "there is something after the end of the object", {});
}

template <class Visit>
void JsonDocument::each_field(Value& value, Visit visit) {
  expect(value, '{', "an object");
  for (simdjson::ondemand::field field : value.get_object()) {
    std::string scratch;
    path_.push_back({start_of(field.value()), field.key().raw()});
    visit(unescape(field.key(), scratch), field.value());
    path_.pop_back();
  }
}

template <class Visit>
void JsonDocument::each_element(Value& value, Visit visit) {
  expect(value, '[', "an array");
  std::size_t number = 0;
  for (Value element : value.get_array()) {
    path_.push_back({start_of(element), nullptr, number++});
    visit(element);
    path_.pop_back();
  }
}

template <class Check>
void JsonDocument::here(Check check) const {
  try {
    check();
  } catch (const InputError& error) {
    fail(error.message(), error.hint());
  }
}

}  // namespace carl::io

#endif
