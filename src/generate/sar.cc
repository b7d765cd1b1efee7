// Search and rescue, SAR(n, d, r): a drone over an n×n grid, one survivor known at distance d,
// other cells that may hold one with density r. Wind makes the price of speed differ from cell to
// cell; without it nearly all instances would share the same multiplier.
#include <fmt/format.h>

#include "generate/domain_texts.h"
#include "generate/generator.h"
#include "generate/problem_text.h"
#include "util/random.h"

namespace carl::generators {
namespace {

struct Cell {
  std::size_t x = 0;
  std::size_t y = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

constexpr std::size_t difference(std::size_t a, std::size_t b) {
  return a < b ? b - a : a - b;
}

std::size_t distance(const Cell& a, const Cell& b) {
  return difference(a.x, b.x) + difference(a.y, b.y);
}

std::string name(const Cell& cell) {
  return fmt::format("x{}-y{}", cell.x, cell.y);
}

/// A candidate cell with the chance, in percent, that it holds a survivor.
struct Candidate {
  Cell cell;
  unsigned percent = 0;
};

struct Instance {
  std::vector<Cell> cells;  // row by row
  Cell base;
  Cell known;
  std::vector<Candidate> candidates;
  std::vector<std::uint64_t> wind;  // parallel to cells
};

/// The order of the random draws is part of the instance's definition: seeds name instances.
Instance draw(std::size_t n, std::size_t d, const Rational& r, std::uint64_t seed) {
  SplitMix64 random(seed);
  Instance instance;
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x)
      instance.cells.push_back({x, y});

  std::vector<Cell> at_distance;
  while (at_distance.empty()) {
    instance.base = instance.cells[random.below(instance.cells.size())];
    for (const Cell& cell : instance.cells)
      if (distance(cell, instance.base) == d) at_distance.push_back(cell);
  }
  instance.known = at_distance[random.below(at_distance.size())];

  std::vector<Cell> others;
  for (const Cell& cell : instance.cells)
    if (cell != instance.base && cell != instance.known) others.push_back(cell);
  random.shuffle(others);
  const Rational rounded = r * Rational(others.size()) + Rational(1, 2);
  const mpz_class count = rounded.get_num() / rounded.get_den();
  others.resize(count.get_ui());
  for (const Cell& cell : others)
    instance.candidates.push_back({cell, 10 + 20 * static_cast<unsigned>(random.below(3))});

  for (std::size_t i = 0; i < instance.cells.size(); ++i)
    instance.wind.push_back(1 + random.below(4));
  return instance;
}

std::string neighbours(const Instance& instance, const Cell& from) {
  std::string facts;
  for (const Cell& to : {Cell{from.x + 1, from.y}, Cell{from.x, from.y + 1}}) {
    if (to.x > instance.cells.back().x || to.y > instance.cells.back().y) continue;
    if (!facts.empty()) facts += ' ';
    facts += fmt::format("(adjacent {0} {1}) (adjacent {1} {0})", name(from), name(to));
  }
  return facts;
}

void write_map(ProblemText& text, const Instance& instance) {
  std::vector<std::string> names;
  for (const Cell& cell : instance.cells)
    names.push_back(name(cell));
  text.objects(names, "cell");
  for (const Cell& cell : instance.cells)
    if (const std::string facts = neighbours(instance, cell); !facts.empty()) text.init(facts);
  for (std::size_t i = 0; i < names.size(); ++i)
    text.init(fmt::format("(= (wind {}) {})", names[i], instance.wind[i]));
}

std::string problem_text(const Arguments& arguments, std::uint64_t seed) {
  const std::size_t n = arguments.integer("n", 2, 200);
  const std::size_t d = arguments.integer("d", 1, 2 * (n - 1));
  const Instance instance = draw(n, d, arguments.number("r", 0, 1), seed);

  ProblemText text(fmt::format("{} seed={}", arguments.summary(), seed), "search-and-rescue");
  text.init(fmt::format("(at {}) (empty)", name(instance.base)));
  text.init(fmt::format("(known-survivor {})", name(instance.known)));
  for (const auto& [cell, percent] : instance.candidates)
    text.init(fmt::format("(unsearched {0}) (chance-{1} {0})", name(cell), percent));
  write_map(text, instance);
  text.goal("(loaded)");
  text.goal(fmt::format("(at {})", name(instance.base)));
  text.minimize("(time)");
  // Flying slowly to the known survivor and back takes 3d + 1, so every instance is feasible.
  text.bound("(fuel)", Rational(3 * d + 7));
  return text.str();
}

}  // namespace

Generator sar_generator() {
  return {{"sar",
           "search and rescue: bring one survivor home fast on limited fuel",
           {{"n", "4", "the grid is n by n cells"},
            {"d", "3", "steps from the base to the known survivor, at most 2(n-1)"},
            {"r", "0.75", "share of the other cells that may hold a survivor"}},
           true},
          sar_domain_text,
          problem_text};
}

}  // namespace carl::generators
