// Every way in which a text can fail to be JSON, with the whole message; and texts that are out to
// break the reader.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "io/explicit_errors.h"
#include "util/random.h"

namespace carl::io {
namespace {

TEST(JsonSyntaxError, Syntax) {
  expect_messages({
      {"15 }", "15, }",
       "m.json:3:28: error: at bounds: '}' cannot stand here\n"
       "    \"bounds\": { \"price\": 15, },\n"
       "                             ^\n"
       "  hint: is there a comma too many before it, or does a bracket not match?"},
      {"[1, 0]", "[1, 0,]",
       "m.json:7:50: error: at actions[0].cost[2]: this must be a number\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 0,],\n"
       "                                                   ^\n"
       "  hint: a value is missing here, or there is a comma too many"},
      {"[1, 0]", "[1 0]",
       "m.json:7:47: error: at actions[0].cost: '0' cannot stand here\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1 0],\n"
       "                                                ^\n"
       "  hint: is a comma or a colon missing before it?"},
      {"[1, 0]", "[1, 0}",
       "m.json:7:49: error: at actions[0].cost: '}' cannot stand here\n"
       "      { \"state\": \"s0\", \"name\": \"go\", \"cost\": [1, 0},\n"
       "                                                  ^\n"
       "  hint: is there a comma too many before it, or does a bracket not match?"},
      {"[1, 0]", "[1, 0",
       "m.json:8:7: error: at actions[0].cost[2]: this must be a number, but it is a string\n"
       "        \"outcomes\": { \"s0\": 0.5, \"g\": 0.5 } },\n"
       "        ^"},
      {R"("price": 15)", R"("price" 15)",
       "m.json:3:23: error: at bounds: '1' cannot stand here\n"
       "    \"bounds\": { \"price\" 15 },\n"
       "                        ^\n"
       "  hint: is a comma or a colon missing before it?"},
      {R"("price": 15)", "price: 15",
       "m.json:3:15: error: at bounds: 'p' cannot stand here\n"
       "    \"bounds\": { price: 15 },\n"
       "                ^\n"
       "  hint: names are written in double quotes"},
      {"15 },", "15 }",
       "m.json:4:3: error: '\"' cannot stand here\n"
       "    \"initial\": \"s0\", \"goals\": [\"g\", 7],\n"
       "    ^\n"
       "  hint: is a comma or a colon missing before it?"},
      {R"({ "price": 15 })", R"({ "price": })",
       "m.json:3:24: error: at bounds.price: this must be a number\n"
       "    \"bounds\": { \"price\": },\n"
       "                         ^\n"
       "  hint: a value is missing here, or there is a comma too many"},
      {R"("bounds": {)", "// at most\n  \"bounds\": {",
       "m.json:3:3: error: JSON has no comments\n"
       "    // at most\n"
       "    ^\n"
       "  hint: remove the comment"},
      {"15 }", "15 /* euros */ }",
       "m.json:3:27: error: at bounds: JSON has no comments\n"
       "    \"bounds\": { \"price\": 15 /* euros */ },\n"
       "                            ^\n"
       "  hint: remove the comment"},
      {"15 }", "15 } # euros",
       "m.json:3:29: error: JSON has no comments\n"
       "    \"bounds\": { \"price\": 15 } # euros,\n"
       "                              ^\n"
       "  hint: remove the comment"},
      {R"("go")", "'go'",
       "m.json:7:30: error: at actions[0].name: JSON has no single quotes\n"
       "      { \"state\": \"s0\", \"name\": 'go', \"cost\": [1, 0],\n"
       "                               ^\n"
       "  hint: write names in double quotes"},
      {R"("go")", R"("go)",
       "m.json:7:40: error: this string is not closed on its line\n"
       "      { \"state\": \"s0\", \"name\": \"go, \"cost\": [1, 0],\n"
       "                                         ^\n"
       "  hint: a quote is missing, or a line break must be written as \\n"},
      {R"("go")", "\"g\to\"",
       "m.json:7:32: error: a string contains the control character 0x09\n"
       "      { \"state\": \"s0\", \"name\": \"g o\", \"cost\": [1, 0],\n"
       "                                 ^\n"
       "  hint: write it as \\u0009"},
      {R"("go")", R"("g\o")",
       "m.json:7:30: error: at actions[0].name: the string has an escape that JSON does not allow\n"
       "      { \"state\": \"s0\", \"name\": \"g\\o\", \"cost\": [1, 0],\n"
       "                               ^\n"
       "  hint: write a backslash as \\\\"},
      {R"("go")", R"("g\ud800")",
       "m.json:7:30: error: at actions[0].name: the string has an escape that JSON does not allow\n"
       "      { \"state\": \"s0\", \"name\": \"g\\ud800\", \"cost\": [1, 0],\n"
       "                               ^\n"
       "  hint: write a backslash as \\\\"},
      {"] }\n", "]\n",
       "m.json:10:3: error: the text does not end with the '}' that closes the '{' at its "
       "beginning\n"
       "    ]\n"
       "    ^\n"
       "  hint: is the file cut off, or a bracket not closed?"},
      {"] }\n", "] } }\n",
       "m.json:10:7: error: there is something after the end of the object\n"
       "    ] } }\n"
       "        ^"},
      {"] }\n", "] } x\n",
       "m.json:10:7: error: the text does not end with the '}' that closes the '{' at its "
       "beginning\n"
       "    ] } x\n"
       "        ^\n"
       "  hint: is the file cut off, or a bracket not closed?"},
      {"] }\n", "}\n",
       "m.json:10:3: error: at actions: '}' cannot stand here\n"
       "    }\n"
       "    ^\n"
       "  hint: is there a comma too many before it, or does a bracket not match?"},
      {R"("format")", R"("format" "x")",
       "m.json:1:12: error: '\"' cannot stand here\n"
       "  { \"format\" \"x\": \"cssp\", \"version\": 1,\n"
       "             ^\n"
       "  hint: is a comma or a colon missing before it?"},
      {R"("initial": "s0")", R"("initial": "s0" "s1")",
       "m.json:4:19: error: '\"' cannot stand here\n"
       "    \"initial\": \"s0\" \"s1\", \"goals\": [\"g\", 7],\n"
       "                    ^\n"
       "  hint: is a comma or a colon missing before it?"},
      {R"(["g", 7])", R"(["g", 7x])",
       "m.json:4:35: error: at goals[1]: a number that names a state must be an integer\n"
       "    \"initial\": \"s0\", \"goals\": [\"g\", 7x],\n"
       "                                    ^"},
      {R"(["g", 7])", R"(["g", 007])",
       "m.json:4:35: error: at goals[1]: a number that names a state must be an integer\n"
       "    \"initial\": \"s0\", \"goals\": [\"g\", 007],\n"
       "                                    ^"},
  });
}

TEST(JsonSyntaxError, WholeFiles) {
  EXPECT_EQ(message(""), "m.json: error: the file is empty");
  EXPECT_EQ(message(" \n\t"), "m.json: error: the file is empty");
  EXPECT_EQ(message("[1, 2]"),
            "m.json:1:1: error: this is not a JSON object\n"
            "  [1, 2]\n"
            "  ^\n"
            "  hint: the text must start with '{'");
  EXPECT_EQ(message("{}"),
            "m.json:1:1: error: the key \"costs\" is missing\n"
            "  {}\n"
            "  ^");
  EXPECT_EQ(
      message("{"),
      "m.json:1:1: error: the text does not end with the '}' that closes the '{' at its beginning\n"
      "  {\n"
      "  ^\n"
      "  hint: is the file cut off, or a bracket not closed?");
  EXPECT_EQ(message("(define (domain x))"),
            "m.json:1:1: error: this is not a JSON object\n"
            "  (define (domain x))\n"
            "  ^\n"
            "  hint: the text must start with '{'");
  EXPECT_EQ(message("// a model\n{}"),
            "m.json:1:1: error: JSON has no comments\n"
            "  // a model\n"
            "  ^\n"
            "  hint: remove the comment");
  EXPECT_EQ(message("{ \"format\": \"cssp\", \"costs\": [\"a\xff\"] }"),
            "m.json:1:33: error: this is not UTF-8 text\n"
            "  { \"format\": \"cssp\", \"costs\": [\"a?\"] }\n"
            "                                  ^");
  EXPECT_EQ(message("\xff\xfe{"),
            "m.json:1:1: error: this is not UTF-8 text\n"
            "  ??{\n"
            "  ^");
  EXPECT_EQ(message("{ \"a\": \xc3\xa4 }"),
            "m.json:1:1: error: the key \"costs\" is missing\n"
            "  { \"a\": ?? }\n"
            "  ^");
  EXPECT_EQ(message("\xef\xbb\xbf"), "m.json: error: the file is empty");
}

TEST(JsonSyntaxError, TheFirstWrongCharacterCounts) {
  EXPECT_EQ(message("{ \"a\xff\": 1 } // x"),
            "m.json:1:5: error: this is not UTF-8 text\n"
            "  { \"a?\": 1 } // x\n"
            "      ^");
  EXPECT_EQ(message("{ // x\n \"a\xff\": 1 }"),
            "m.json:1:3: error: JSON has no comments\n"
            "  { // x\n"
            "    ^\n"
            "  hint: remove the comment");
}

TEST(JsonSyntaxError, LongKeysAreCut) {
  const std::string key(1000, 'k');
  const std::string text = message(edited("\"bounds\"", "\"" + key + "\""));
  EXPECT_NE(text.find("at " + std::string(60, 'k') + "…: unknown key"), std::string::npos) << text;
  EXPECT_LT(text.size(), 500U);
}

TEST(JsonSyntaxError, LongNamesAreCut) {
  const std::string name = "\"" + std::string(1000, 'n') + "\"";
  for (const std::string_view old : {R"("cssp")", R"("s0")"}) {
    const std::string text = message(edited(old, name));
    EXPECT_NE(text.find(std::string(60, 'n') + "…"), std::string::npos) << text;
    EXPECT_LT(text.size(), 500U);
  }
}

TEST(JsonSyntaxError, DeepNestsAreWrongTypesOrUnclosed) {
  std::string nest;
  for (int i = 0; i < 100'000; ++i)
    nest += "{\"actions\":";
  EXPECT_NE(message(nest).find("does not end with the '}'"), std::string::npos);
  EXPECT_NE(message(std::string(1'000'000, '[')).find("this is not a JSON object"),
            std::string::npos);
  EXPECT_NE(message(edited("[1, 0]", std::string(100'000, '[') + std::string(100'000, ']')))
                .find("at actions[0].cost[0]: this must be a number, but it is an array"),
            std::string::npos);
}

TEST(JsonSyntaxError, GarbageIsReportedOnce) {
  SplitMix64 random(1);
  std::string garbage(1'000'000, ' ');
  for (char& c : garbage)
    c = static_cast<char>(random.below(256));
  EXPECT_LT(message(garbage).size(), 300U);
  EXPECT_LT(message("{" + garbage).size(), 300U);
  for (char& c : garbage)
    c = static_cast<char>(' ' + random.below(95));
  EXPECT_LT(message("{" + garbage + "}").size(), 400U);
}

TEST(JsonSyntaxError, EveryTruncationIsAnError) {
  for (std::size_t length = 0; length + 2 < good.size(); ++length)
    EXPECT_NE(message(std::string(good.substr(0, length))), "fine") << length;
}

TEST(JsonSyntaxError, NoSingleWrongByteBreaksTheReader) {
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char c : {'"', '\\', '{', '}', '[', ']', ',', ':', '0', '\0', '\n', '\x80'}) {
      std::string text(good);
      text[i] = c;
      EXPECT_FALSE(message(text).empty());
      text = good;
      text.insert(i, 1, c);
      EXPECT_FALSE(message(text).empty());
    }
  }
}

}  // namespace
}  // namespace carl::io
