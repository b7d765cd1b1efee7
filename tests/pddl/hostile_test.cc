// Texts that are meant to break the reader, or that are merely huge: each ends in one clear error
// or at a limit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "pddl/reading.h"
#include "pddl/s_expression.h"
#include "support/source_path.h"
#include "util/random.h"

namespace carl::pddl {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string message(const std::string& text) {
  std::string result = message_of({{"x.pddl", text}});
  EXPECT_LT(result.size(), 1000U);
  return result;
}

std::string repeat(const std::string& text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (; times > 0; --times)
    result += text;
  return result;
}

std::string problem_with(const std::string& objects, const std::string& init) {
  return "(define (domain d) (:predicates (p ?x)))(define (problem p) (:domain d) (:objects " +
         objects + ") (:init " + init + ") (:goal (and)))";
}

TEST(Hostile, BytesThatAreNotText) {
  EXPECT_EQ(message("(define (domain caf\xc3\xa9))"),
            "x.pddl:1:20: error: a character outside ASCII (byte 0xc3)\n"
            "  (define (domain caf\?\?))\n"
            "                     ^\n"
            "  hint: names are made of ASCII letters, digits, '-' and '_'; comments may contain "
            "anything");
  EXPECT_EQ(message(std::string("(a \0)", 5)),
            "x.pddl:1:4: error: a control character (byte 0x00)\n"
            "  (a ?)\n"
            "     ^\n"
            "  hint: is this a text file?");
}

TEST(Hostile, TenMegabytesOfGarbage) {
  SplitMix64 random(1);
  std::string bytes(10 << 20, ' ');
  for (char& c : bytes)
    c = static_cast<char>(random.below(256));
  EXPECT_THAT(message(bytes), StartsWith("x.pddl:1:"));
  EXPECT_THAT(message(std::string(10 << 20, 'x')), HasSubstr("expected '(' but found 'xxx"));
  EXPECT_THAT(message("(" + std::string(10 << 20, '1') + ")"), HasSubstr("expected (define ...)"));
  EXPECT_THAT(message("(define (domain " + std::string(10 << 20, '1') + "))"),
              HasSubstr("there is a domain but no problem"));
  EXPECT_THAT(message(repeat("() ", 3 << 20)), HasSubstr("expected (define ...)"));
  EXPECT_THAT(message(std::string(10 << 20, '\n')), HasSubstr("the text is empty"));
}

TEST(Hostile, DeepNestsOfParentheses) {
  EXPECT_THAT(message(std::string(1 << 20, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(message(repeat("(and ", 1 << 18) + std::string(1 << 18, ')')),
              HasSubstr("x.pddl:1:2501: error: nested too deeply: more than 500 parentheses"));
}

// Whatever is just not too deep must not overflow the stack in any part of the reader.
TEST(Hostile, TheDeepestNestsThatAreAllowed) {
  const auto nest = [](const std::string& open, const std::string& core, std::size_t outside) {
    const std::size_t depth = max_nesting - outside;
    return repeat(open, depth) + core + std::string(depth, ')');
  };
  const auto with = [](const std::string& part, const std::string& rest) {
    return "(define (domain d) (:predicates (p)) (:functions (f)) (:action a " + part +
           ")) (define (problem q) (:domain d) (:init) (:goal (p)) " + rest + ")";
  };
  EXPECT_EQ(message(with(":precondition " + nest("(not ", "(p)", 3), "")), "no error");
  EXPECT_EQ(message(with(":precondition " + nest("(exists (?x) ", "(p)", 3), "")), "no error");
  EXPECT_EQ(message(with(":effect " + nest("(and ", "(p)", 3), "")), "no error");
  EXPECT_EQ(message(with(":effect " + nest("(forall (?x) ", "(p)", 3), "")), "no error");
  EXPECT_EQ(message(with(":effect " + nest("(when (p) ", "(p)", 3), "")), "no error");
  EXPECT_EQ(message(with(":effect " + nest("(probabilistic 0.5 ", "(p)", 3), "")), "no error");
  EXPECT_EQ(message(with(":effect (increase (f) " + nest("(+ ", "1", 3) + ")", "")), "no error");
  EXPECT_EQ(message(with("", "(:metric minimize " + nest("(+ ", "(f)", 3) + ")")), "no error");
  EXPECT_EQ(message(with("", "(:constraints " + nest("(and ", "", 2) + ")")), "no error");
  EXPECT_EQ(message(with("", "(:constraints " + nest("(forall () ", "(and)", 3) + ")")),
            "no error");
  EXPECT_EQ(message(with("", "(:give-up " + nest("(and ", "", 2) + ")")), "no error");
}

TEST(Hostile, LongNumbers) {
  const std::string digits(1 << 20, '7');
  EXPECT_THAT(message("(define (domain d) (:action a :effect (probabilistic 0." + digits +
                      " ())))(define (problem p) (:domain d) (:init) (:goal ()))"),
              HasSubstr("expected a probability but found '0.777"));
}

TEST(Hostile, ManyObjectsAndFactsAreRead) {
  constexpr std::size_t count = 100000;
  std::string objects;
  std::string init;
  for (std::size_t i = 0; i < count; ++i) {
    objects += "o" + std::to_string(i) + " ";
    init += "(p o" + std::to_string(i) + ")\n";
  }
  const SyntaxTree tree = read_texts({problem_with(objects, init)});
  EXPECT_EQ(tree.objects.size(), count);
  EXPECT_EQ(tree.init.size(), count);
}

TEST(Hostile, LongChainsOfTypesAreRead) {
  std::string types = "t0";
  for (std::size_t i = 1; i < 20000; ++i)
    types += " - t" + std::to_string(i) + " t" + std::to_string(i);
  const std::string text = "(define (domain d) (:types " + types +
                           ") (:predicates (p ?x - t19999)))"
                           "(define (problem q) (:domain d) (:objects a - t0) (:init (p a)) "
                           "(:goal (and)))";
  EXPECT_EQ(message(text), "no error");
}

TEST(Hostile, LimitsEndTheReading) {
  const std::string text = problem_with(repeat("a", 10), "");
  Monitor time(0.0, 0, nullptr);
  EXPECT_THROW(read({{"x", text}}, time), LimitReached);
  std::atomic<bool> interrupt{true};
  Monitor interrupted(std::numeric_limits<double>::infinity(), 0, &interrupt);
  EXPECT_THROW(read({{"x", text}}, interrupted), LimitReached);
}

// Every prefix of a right text, and every text with one byte changed, is read or refused.
TEST(Hostile, CutAndDamagedTexts) {
  const std::string text =
      ";; CONSTR f <= 1 2\n(define (domain d) (:types b - (either a c) a c) (:constants k - b)"
      "(:predicates (p ?x - a)) (:functions (f) (g ?x)) (:action x :parameters (?y - b) "
      ":precondition (exists (?z - a) (imply (= ?z k) (p ?y))) :effect (and (increase (f) "
      "(* 2 (g ?y))) (probabilistic 1/2 (when (p ?y) (not (p ?y)))))))"
      "(define (problem q) (:domain d) (:init (= (g k) 1) (p k)) (:goal (p k)) "
      "(:metric minimize (+ (f) (* 2 (f)))) (:constraints (forall (?v) (<= (expected (f)) 4)))"
      "(:give-up (increase (f) 4)))";
  EXPECT_EQ(message(text), "no error");
  SplitMix64 random(2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    message(text.substr(0, i));
    std::string damaged = text;
    damaged[i] = static_cast<char>(random.below(128));
    message(damaged);
    message(text.substr(0, i) + text.substr(i + 1));
  }
}

// The seeds of the fuzzer must be right, or it would never get past the first error.
TEST(Hostile, SeedsOfTheFuzzerAreRead) {
  std::size_t seeds = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(tests::source_path("fuzz/seeds/ppddl"))) {
    std::ifstream input(entry.path());
    std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    std::vector<SourceText> sources;
    const std::size_t cut = text.find('\xff');
    sources.push_back({"1", text.substr(0, cut)});
    if (cut != std::string::npos) sources.push_back({"2", text.substr(cut + 1)});
    EXPECT_EQ(message_of(sources), "no error") << entry.path();
    ++seeds;
  }
  EXPECT_GE(seeds, 5U);
}

}  // namespace
}  // namespace carl::pddl
