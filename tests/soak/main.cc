// The differential soak: random problems, all algorithms, an exact judge. What was done is appended
// to a file, a line of JSON per problem, from which a later run goes on; a problem during which the
// program crashed or hung is recorded when it goes on. tests/soak/run builds and starts it.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "soak/cpu_watch.h"
#include "soak/judge.h"
#include "soak/problem.h"
#include "soak/shrink.h"

namespace carl::soak {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t problems = 30'000;
  std::string file = "soak.jsonl";
  double seconds = 1;
  double shrink_seconds = 20;
  std::size_t shrink_per_kind = 2;
  std::optional<std::uint64_t> only;
};

class Totals {
 public:
  void add(const Json& line) {
    ++problems_;
    solves_ += line.value("solves", 0);
    ++truths_[line.value("truth", "?")];
    ++forms_[line.value("form", "?")];
    for (const Json& limit : line.value("limits", Json::array()))
      ++monitor_[limit.value("group", "") + ": " + limit.value("note", "")];
    for (const Json& wrong : line.value("wrong", Json::array()))
      ++wrong_[wrong.value("group", "") + ": " + wrong.value("code", "")];
  }

  void print() const {
    const auto sum = [](const auto& counts) {
      std::size_t total = 0;
      for (const auto& [name, count] : counts)
        total += count;
      return total;
    };
    fmt::print("{} problems, {} solves, {} limits ({:.3f}%), {} disagreements\n", problems_,
               solves_, sum(monitor_),
               100.0 * static_cast<double>(sum(monitor_)) /
                   static_cast<double>(std::max<std::size_t>(1, solves_)),
               sum(wrong_));
    const auto list = [](const char* title, const auto& counts) {
      for (const auto& [name, count] : counts)
        fmt::print("  {} {:7} {}\n", title, count, name);
    };
    list("form    ", forms_);
    list("truth   ", truths_);
    list("limit   ", monitor_);
    list("wrong   ", wrong_);
    std::fflush(stdout);
  }

  bool any_wrong() const { return !wrong_.empty(); }

 private:
  std::size_t problems_ = 0;
  std::size_t solves_ = 0;
  std::map<std::string, std::size_t> forms_;
  std::map<std::string, std::size_t> truths_;
  std::map<std::string, std::size_t> monitor_;
  std::map<std::string, std::size_t> wrong_;
};

class Soak {
 public:
  explicit Soak(const Options& options) : options_(options), mark_(options.file + ".mark") {}

  int run() {
    if (options_.only) {
      verbose_ = true;
      solve_all(*options_.only);
      return 0;
    }
    std::uint64_t next = resume();
    std::ofstream out(options_.file, std::ios::app);
    for (; next < options_.seed + options_.problems; ++next) {
      const Json line = solve_all(next);
      if (watch_.stopped()) break;  // what it was at is done again
      out << line.dump() << std::endl;
      totals_.add(line);
      if (next % 1000 == 999) totals_.print();
    }
    std::filesystem::remove(mark_);
    totals_.print();
    if (watch_.stopped()) return 2;
    return totals_.any_wrong() ? 1 : 0;
  }

 private:
  /// Reads what was done; returns the next problem.
  std::uint64_t resume() {
    std::uint64_t next = options_.seed;
    std::ifstream in(options_.file);
    for (std::string text; std::getline(in, text);) {
      const Json line = Json::parse(text);
      totals_.add(line);
      for (const Json& wrong : line.value("wrong", Json::array()))
        ++seen_[wrong.value("group", "") + ": " + wrong.value("code", "")];
      for (const Json& limit : line.value("limits", Json::array()))
        ++seen_[limit.value("group", "") + ": " + limit.value("note", "")];
      next = line["problem"].get<std::uint64_t>() + 1;
    }
    in.close();
    std::ifstream mark(mark_);
    std::uint64_t marked = 0;
    std::string rest;
    if (!(mark >> marked) || marked != next) return next;
    std::getline(mark, rest);
    const Json line{{"problem", next},
                    {"wrong", {{{"group", rest}, {"code", "crash or hang"}, {"options", rest}}}}};
    std::ofstream(options_.file, std::ios::app) << line.dump() << std::endl;
    totals_.add(line);
    fmt::print("problem {}: crash or hang,{}\n", next, rest);
    return next + 1;
  }

  /// For the case that this is the last thing the program does.
  void mark(std::uint64_t number, const std::string& what) {
    watch_.start(1e9);
    std::ofstream(mark_) << number << what << std::endl;
  }

  Json solve_all(std::uint64_t number) {
    const auto start = std::chrono::steady_clock::now();
    mark(number, " drawing");
    const Problem problem = draw_problem(number);
    const Judge judge(problem);
    Json line{{"problem", number},
              {"form", problem.form},
              {"features", problem.features},
              {"bounds", problem.placing},
              {"truth", judge.truth()}};
    std::size_t solves = 0;
    for (const Configuration& configuration : configurations(problem, number)) {
      if (watch_.stopped()) break;
      mark(number, configuration.command());
      const Verdict verdict = judge.verdict(configuration, watch_, options_.seconds);
      ++solves;
      if (verbose_)
        fmt::print("{:60} {} {}\n", configuration.command(), verdict.code, verdict.text);
      if (verdict.kind == Verdict::Kind::limit)
        line["limits"].push_back({{"group", configuration.group()},
                                  {"note", verdict.text},
                                  {"options", configuration.command()}});
      if (verdict.kind == Verdict::Kind::wrong)
        line["wrong"].push_back({{"group", configuration.group()},
                                 {"code", verdict.code},
                                 {"text", verdict.text},
                                 {"options", configuration.command()}});
      if (verdict.kind != Verdict::Kind::right) report(number, problem, configuration, verdict);
    }
    line["solves"] = solves;
    line["ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                     std::chrono::steady_clock::now() - start)
                     .count();
    return line;
  }

  /// Shrinks the first few of each kind and writes them to files.
  void report(std::uint64_t number, const Problem& problem, const Configuration& configuration,
              const Verdict& verdict) {
    const bool limit = verdict.kind == Verdict::Kind::limit;
    const std::string kind =
        fmt::format("{}: {}", configuration.group(), limit ? verdict.text : verdict.code);
    const bool shrunk_enough = ++seen_[kind] > options_.shrink_per_kind;
    Shrunk small{problem, configuration, verdict};
    if (!shrunk_enough)
      small = shrink(problem, configuration, verdict, watch_, options_.seconds,
                     options_.shrink_seconds);
    else if (!verbose_)
      return;
    const std::string file = fmt::format("{}.{}-{}.{}", options_.file, number, ++reports_,
                                         small.problem.factored ? "pddl" : "json");
    std::ofstream(file) << file_text(small.problem);
    fmt::print("problem {} ({}, {}, {})\n  {}\n  {}: {}\n  truth: {}\n", number, problem.form,
               problem.features, problem.placing, command(small.problem, small.configuration, file),
               small.verdict.code, small.verdict.text, Judge(small.problem).truth_in_numbers());
    std::fflush(stdout);
  }

  Options options_;
  std::string mark_;
  CpuWatch watch_;
  Totals totals_;
  std::map<std::string, std::size_t> seen_;
  std::size_t reports_ = 0;
  bool verbose_ = false;
};

int usage() {
  fmt::print(
      "Usage: soak [--problems N] [--seed S] [--resume FILE] [--seconds T] [--only NUMBER]\n\n"
      "Solves the random problems S … S+N-1 with all algorithms and compares with exact answers.\n"
      "What was done is appended to FILE (soak.jsonl); a run with the same FILE goes on after it.\n"
      "--only solves one problem and says what each algorithm answers.\n");
  return 2;
}

int run(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (i + 1 == arguments.size()) return usage();
    const std::string& value = arguments[i + 1];
    if (arguments[i] == "--problems")
      options.problems = std::stoull(value);
    else if (arguments[i] == "--seed")
      options.seed = std::stoull(value);
    else if (arguments[i] == "--resume")
      options.file = value;
    else if (arguments[i] == "--seconds")
      options.seconds = std::stod(value);
    else if (arguments[i] == "--only")
      options.only = std::stoull(value);
    else
      return usage();
  }
  return Soak(options).run();
}

}  // namespace
}  // namespace carl::soak

int main(int count, char** arguments) {
  return carl::soak::run({arguments + 1, arguments + count});
}
