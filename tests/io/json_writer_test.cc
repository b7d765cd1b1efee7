// What JsonWriter writes is what nlohmann/json makes of the same document as a whole.
#include "io/json_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "carl/error.h"
#include "util/random.h"

namespace carl::io {
namespace {

using Json = nlohmann::ordered_json;
using Layout = JsonWriter::Layout;

/// Calls `use` with the value of a document that is neither object nor array.
template <class Use>
void visit(const Json& scalar, Use use) {
  if (scalar.is_null())
    use(std::optional<double>());
  else if (scalar.is_boolean())
    use(scalar.get<bool>());
  else if (scalar.is_number_unsigned())
    use(scalar.get<std::uint64_t>());
  else if (scalar.is_number_integer())
    use(scalar.get<int>());
  else if (scalar.is_number())
    use(std::optional<double>(scalar.get<double>()));
  else
    use(scalar.get<std::string>());
}

void write_elements(JsonWriter& json, const Json& list);

void write_members(JsonWriter& json, const Json& object) {
  for (const auto& item : object.items()) {
    const Json& value = item.value();
    if (value.is_object())
      json.object(item.key(), [&] { write_members(json, value); });
    else if (value.is_array())
      json.array(item.key(), [&] { write_elements(json, value); });
    else
      visit(value, [&](const auto& scalar) { json.member(item.key(), scalar); });
  }
}

void write_element(JsonWriter& json, const Json& value) {
  if (value.is_object())
    json.object([&] { write_members(json, value); });
  else if (value.is_array())
    json.array([&] { write_elements(json, value); });
  else
    visit(value, [&](const auto& scalar) { json.element(scalar); });
}

void write_elements(JsonWriter& json, const Json& list) {
  for (const Json& value : list)
    write_element(json, value);
}

std::string written(const Json& value, Layout layout) {
  std::ostringstream out;
  JsonWriter json(out, layout);
  write_element(json, value);
  return out.str();
}

std::string random_text(SplitMix64& random) {
  static const std::vector<std::string> pieces{"a", "\"", "\\", "\n", "\t", "\x01", "\x7f",
                                               "é", "…",  "𝛌",  "/",  "<",  " "};
  std::string text;
  for (std::uint64_t n = random.below(6); n > 0; --n)
    text += pieces[random.below(pieces.size())];
  return text;
}

double random_number(SplitMix64& random) {
  const double magnitude = std::pow(10.0, static_cast<double>(random.below(60)) - 30);
  return (random.unit() - 0.5) * magnitude;
}

Json random_document(SplitMix64& random, int depth) {
  switch (random.below(depth == 0 ? 6 : 8)) {
    case 0:
      return {};
    case 1:
      return random.below(2) == 0;
    case 2:
      return random.next();
    case 3:
      return -static_cast<int>(random.below(1000)) - 1;
    case 4:
      return random_number(random);
    case 5:
      return random_text(random);
    case 6: {
      Json list = Json::array();
      for (std::uint64_t n = random.below(4); n > 0; --n)
        list.push_back(random_document(random, depth - 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (std::uint64_t n = random.below(4); n > 0; --n)
        object[random_text(random)] = random_document(random, depth - 1);
      return object;
    }
  }
}

TEST(JsonWriter, WritesRandomDocumentsAsTheLibraryDoes) {
  SplitMix64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Json document = random_document(random, 4);
    ASSERT_EQ(written(document, Layout::indented), document.dump(2));
    ASSERT_EQ(written(document, Layout::one_line), document.dump());
  }
}

TEST(JsonWriter, NumbersReadBackExactly) {
  SplitMix64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const double number = random_number(random);
    EXPECT_EQ(std::stod(written(number, Layout::one_line)), number);
  }
}

TEST(JsonWriter, WritesListsAndNoNumbersThatAreNone) {
  std::ostringstream out;
  JsonWriter json(out, Layout::one_line);
  json.object([&] {
    json.member("numbers", std::vector<double>{1, 0.5, std::numeric_limits<double>::infinity()});
    json.member("none", std::vector<std::string>{});
    json.member_if_any("left out", "");
    json.member_if_any("there", "it is");
    json.member("flag", false);
    json.member("text", "a word");
  });
  EXPECT_EQ(out.str(),
            R"({"numbers":[1.0,0.5,null],"none":[],"there":"it is","flag":false,"text":"a word"})");
}

TEST(JsonWriter, RejectsTextThatIsNotUtf8) {
  std::ostringstream out;
  JsonWriter json(out, Layout::one_line);
  EXPECT_THROW(json.element("\xff"), InputError);
  EXPECT_THROW(json.member("\xc3", 1), InputError);
}

}  // namespace
}  // namespace carl::io
