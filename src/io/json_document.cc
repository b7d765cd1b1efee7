#include "io/json_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>

#include "io/json_syntax_error.h"
#include "util/rational.h"
#include "util/shown.h"

namespace carl::io {
namespace {

const char* kind_of(char first) {
  switch (first) {
    case '{':
      return "an object";
    case '[':
      return "an array";
    case '"':
      return "a string";
    case 't':
    case 'f':
      return "a truth value";
    case 'n':
      return "null";
    default:
      return first == '-' || (first >= '0' && first <= '9') ? "a number" : nullptr;
  }
}

/// JSON's integers: an optional sign, no leading zeros. No limit on their size.
bool is_integer(std::string_view token) {
  if (!token.empty() && token.front() == '-') token.remove_prefix(1);
  if (token.empty() || (token.size() > 1 && token.front() == '0')) return false;
  return std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The end of a string that starts at `begin` and is known to be closed, as it stands in the text.
const char* end_of_string(const char* begin) {
  for (; *begin != '"'; ++begin)
    if (*begin == '\\') ++begin;
  return begin;
}

/// What a file of this format is, or null if we know no such format.
const char* kind_of_file(std::string_view format) {
  if (format == "cssp") return "a model";
  if (format == "carl-policy") return "a policy";
  if (format == "carl-policy-parts") return "the index of a policy in parts";
  if (format == "carl-checkpoint") return "a checkpoint";
  if (format == "carl-result") return "a result";
  if (format == "carl-certificate") return "a certificate";
  return nullptr;
}

bool is_plain(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

JsonDocument::JsonDocument(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), length_(text_.size()) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) start_ = byte_order_mark.size();
  text_.resize(length_ + simdjson::SIMDJSON_PADDING, ' ');
}

void JsonDocument::expect_root_object() const {
  const char* first = std::find_if_not(begin() + start_, end(), [](char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  });
  if (first == end()) throw InputError({name_, 0, 0}, {}, "the file is empty");
  if (*first == '{') return;
  fail_lexical_before(first);
  fail_at(first, "this is not a JSON object", "the text must start with '{'");
}

void JsonDocument::expect(Value& value, char first, const char* kind) const {
  const char* start = start_of(value);
  if (*start != first) fail_type(start, kind);
}

void JsonDocument::fail_type(const char* at, const char* wanted) const {
  if (const char* found = kind_of(*at))
    fail(fmt::format("this must be {}, but it is {}", wanted, found));
  fail_lexical_before(at);
  fail(fmt::format("this must be {}", wanted),
       *at == ']' || *at == '}' ? "a value is missing here, or there is a comma too many" : "");
}

double JsonDocument::number(Value& value) {
  const char first = *start_of(value);
  if (first != '-' && (first < '0' || first > '9')) fail_type(start_of(value), "a number");
  double number = 0;
  if (value.get_double().get(number) != simdjson::SUCCESS)
    fail("this is not a number that JSON allows, or it is too large");
  return number;
}

std::size_t JsonDocument::count(Value& value) {
  constexpr double most = 9007199254740992;  // 2^53, up to which doubles count
  const double number = this->number(value);
  if (!(number >= 0 && number <= most) || number != std::floor(number))
    fail("this must be a whole number that is not negative");
  return static_cast<std::size_t>(number);
}

double JsonDocument::exact_number(Value& value) {
  constexpr std::size_t always_kept = 15;  // digits of a decimal that a double keeps
  std::string_view token = value.raw_json_token();
  token = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
  const double number = this->number(value);
  if (token.size() <= always_kept && token.find_first_of("eE") == std::string_view::npos)
    return number;
  const std::optional<Rational> written = parse_rational(token);
  if (!written || *written != decimal(number))
    fail("this number cannot be kept exactly",
         fmt::format("write at most 17 digits, as few as tell it from others: {}", number));
  return number;
}

std::optional<double> JsonDocument::optional_number(Value& value) {
  if (value.is_null()) return std::nullopt;
  return number(value);
}

void JsonDocument::expect_format(Value& value, std::string_view format) {
  std::string scratch;
  const std::string_view found = string(value, scratch);
  if (found == format) return;
  const char* kind = kind_of_file(found);
  fail(fmt::format("the format is \"{}\", not \"{}\"", shown(found), format),
       kind != nullptr ? fmt::format("this file is {}, not {}", kind, kind_of_file(format)) : "");
}

void JsonDocument::expect_version(Value& value) {
  const double version = number(value);
  if (version != 1) fail(fmt::format("version {} is unknown, only 1 is", version));
}

std::string_view JsonDocument::string(Value& value, std::string& scratch) {
  expect(value, '"', "a string");
  return unescape(value.get_raw_json_string(), scratch);
}

std::string_view JsonDocument::name(Value& value, std::string& scratch) {
  const char first = *start_of(value);
  if (first == '"') return string(value, scratch);
  if (first != '-' && (first < '0' || first > '9'))
    fail_type(start_of(value), "a string or an integer");
  std::string_view token = value.raw_json_token();
  token = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
  // An integer is not parsed, whatever its size; simdjson moves on from a value that was not.
  if (!is_integer(token)) fail("a number that names a state must be an integer");
  return token == "-0" ? "0" : token;
}

/// Most names have no escapes and need not be copied.
std::string_view JsonDocument::unescape(simdjson::ondemand::raw_json_string raw,
                                        std::string& scratch) const {
  const char* stop = raw.raw();
  while (*stop != '"' && *stop != '\\')
    ++stop;
  if (*stop == '"') return {raw.raw(), static_cast<std::size_t>(stop - raw.raw())};
  const auto length = static_cast<std::size_t>(end_of_string(stop) - raw.raw());
  scratch.resize(length + simdjson::SIMDJSON_PADDING);
  auto* to = reinterpret_cast<std::uint8_t*>(scratch.data());
  std::string_view unescaped;
  if (parser_.unescape(raw, to).get(unescaped) != simdjson::SUCCESS)
    fail_at(raw.raw() - 1, "the string has an escape that JSON does not allow",
            "write a backslash as \\\\");
  return unescaped;
}

std::string JsonDocument::path() const {
  std::string text;
  for (const Step& step : path_) {
    if (step.key == nullptr) {
      text += fmt::format("[{}]", step.element);
      continue;
    }
    const std::string_view key(step.key,
                               static_cast<std::size_t>(end_of_string(step.key) - step.key));
    if (is_plain(key))
      text += fmt::format("{}{}", text.empty() ? "" : ".", shown(key));
    else
      text += fmt::format("[\"{}\"]", shown(key));
  }
  return text;
}

void JsonDocument::fail(const std::string& message, const std::string& hint) const {
  fail_at(path_.empty() ? begin() : path_.back().at, message, hint);
}

void JsonDocument::fail_at_key(const std::string& message, const std::string& hint) const {
  fail_at(path_.back().key - 1, message, hint);
}

void JsonDocument::fail_at(const char* at, const std::string& message,
                           const std::string& hint) const {
  constexpr std::ptrdiff_t shown_after = 100;
  const char* line =
      std::find(std::reverse_iterator(at), std::reverse_iterator(begin()), '\n').base();
  const char* shown_end = std::find(at, end() - at > shown_after ? at + shown_after : end(), '\n');
  const auto number = static_cast<std::size_t>(std::count(begin(), line, '\n')) + 1;
  const std::string where = path();
  throw InputError({name_, number, static_cast<std::size_t>(at - line) + 1},
                   std::string(line, shown_end),
                   where.empty() ? message : fmt::format("at {}: {}", where, message), hint);
}

/// A wrong character upsets everything after it, so it explains an error that comes later.
void JsonDocument::fail_lexical_before(const char* at) const {
  const auto lexical = find_lexical_error({begin(), length_});
  if (lexical && begin() + lexical->offset <= at)
    fail_at(begin() + lexical->offset, lexical->message, lexical->hint);
}

void JsonDocument::fail_syntax(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error == simdjson::CAPACITY)
    throw InputError({name_, 0, 0}, {}, "the file is larger than 4 GB");
  const char* at = nullptr;
  const bool located = indexed_ && error != simdjson::INCOMPLETE_ARRAY_OR_OBJECT &&
                       document_.current_location().get(at) == simdjson::SUCCESS && at <= end();
  if (!located) at = end();
  fail_lexical_before(at);
  const SyntaxError syntax =
      describe_syntax_error({begin(), length_}, static_cast<std::size_t>(at - begin()));
  fail_at(begin() + syntax.offset, syntax.message, syntax.hint);
}

std::size_t JsonKeys::take(std::string_view key) {
  const auto found = std::find(known_.begin(), known_.end(), key);
  if (found == known_.end())
    document_.fail_at_key("unknown key",
                          fmt::format("the keys here are: {}", fmt::join(known_, ", ")));
  const auto position = static_cast<std::size_t>(found - known_.begin());
  if ((taken_ >> position & 1U) != 0) document_.fail_at_key("this key is repeated");
  taken_ |= 1U << position;
  return position;
}

void JsonKeys::check_complete(std::initializer_list<std::string_view> optional) const {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const bool taken = (taken_ >> i & 1U) != 0;
    if (!taken && std::find(optional.begin(), optional.end(), known_[i]) == optional.end())
      document_.fail(fmt::format("the key \"{}\" is missing", known_[i]));
  }
}

}  // namespace carl::io
