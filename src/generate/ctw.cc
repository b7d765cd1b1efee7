// Constrained triangle tireworld, CTW(n, d, c): a triangular map of one-way roads whose short way
// is the risky one, and spares to be bought in c currencies with a budget each. In the plain
// variant all currencies are alike, and the budgets suffice only if purchases are spread over them;
// in variant q paying in currency k costs k, so that several budgets bind at a price. Variant free
// is the unconstrained triangle tireworld, where the goal must be reached with certainty. The seed
// plays no part.
#include <fmt/format.h>

#include "generate/domain_texts.h"
#include "generate/generator.h"
#include "generate/problem_text.h"

namespace carl::generators {
namespace {

struct Location {
  std::size_t row = 0;
  std::size_t column = 0;
};

std::string name(const Location& location) {
  return fmt::format("l-{}-{}", location.row, location.column);
}

/// The map with 2n+1 rows; row i has 2n+2-i locations.
class Triangle {
 public:
  explicit Triangle(std::size_t n) : rows_(2 * n + 1) {}

  std::size_t columns(std::size_t row) const { return rows_ + 1 - row; }
  bool contains(const Location& l) const {
    return l.row >= 1 && l.row <= rows_ && l.column >= 1 && l.column <= columns(l.row);
  }
  std::vector<Location> locations() const;
  std::vector<Location> roads_from(const Location& from) const;
  bool has_spare(const Location& l) const {
    if (l.row % 2 == 0) return true;
    return l.row > 1 && (l.column == 1 || l.column == columns(l.row));
  }

 private:
  std::size_t rows_;
};

std::vector<Location> Triangle::locations() const {
  std::vector<Location> result;
  for (std::size_t row = 1; row <= rows_; ++row)
    for (std::size_t column = 1; column <= columns(row); ++column)
      result.push_back({row, column});
  return result;
}

std::vector<Location> Triangle::roads_from(const Location& from) const {
  const auto [i, j] = from;
  std::vector<Location> targets;
  if (i % 2 == 1) {
    targets = {{i, j + 1}, {i + 1, j}};
    if (j % 2 == 1) targets.push_back({i - 1, j + 1});
  } else {
    targets = {{i - 1, j + 1}};
    if (j % 2 == 1) targets.push_back({i + 1, j});
  }
  std::erase_if(targets, [this](const Location& to) { return !contains(to); });
  return targets;
}

void write_map(ProblemText& text, const Triangle& triangle) {
  std::vector<std::string> names;
  for (const Location& location : triangle.locations())
    names.push_back(name(location));
  text.objects(names, "location");
  for (const Location& from : triangle.locations()) {
    std::string facts;
    for (const Location& to : triangle.roads_from(from))
      facts += fmt::format("{}(road {} {})", facts.empty() ? "" : " ", name(from), name(to));
    if (!facts.empty()) text.init(facts);
  }
  for (const Location& location : triangle.locations())
    if (triangle.has_spare(location)) text.init(fmt::format("(spare-in {})", name(location)));
}

std::string problem_text(const Arguments& arguments, std::uint64_t /*seed*/) {
  const std::size_t n = arguments.integer("n", 1, 50);
  const std::size_t d = arguments.integer("d", 0, 2 * n);
  const std::size_t c = arguments.integer("c", 1, 1000);
  const std::string& variant = arguments.text("variant");
  if (variant != "plain" && variant != "q" && variant != "free")
    throw arguments.error("variant", "is not known");
  const Triangle triangle(n);

  ProblemText text(arguments.summary(), "triangle-tireworld");
  text.init(fmt::format("(at {}) (not-flat) (no-spare-on-board)", name({2 * n + 1 - d, 1})));
  write_map(text, triangle);
  // The safe way, up the left edge and down the right one, has 2n + d moves, half of which end with
  // a flat tyre; the last one does no harm. All budgets together are one less than that half.
  Rational budget(2 * n + d - 2, 2 * c);
  budget.canonicalize();
  std::vector<std::string> currencies;
  for (std::size_t k = 1; k <= c; ++k) {
    currencies.push_back(fmt::format("k{}", k));
    text.init(fmt::format("(= (payment-cost k{}) {})", k, variant == "q" ? k : 1));
    if (variant != "free") text.bound(fmt::format("(spent k{})", k), budget);
  }
  text.objects(currencies, "currency");
  text.goal(fmt::format("(at {})", name({1, 2 * n + 1})));
  text.minimize("(total-cost)");
  if (variant == "free") return text.str();
  text.give_up("(total-cost)", 500);
  for (const std::string& currency : currencies)
    text.give_up(fmt::format("(spent {})", currency), 5);
  return text.str();
}

}  // namespace

Generator ctw_generator() {
  return {{"ctw",
           "constrained triangle tireworld: spare tyres from several limited budgets",
           {{"n", "4", "size of the map: 2n+1 rows"},
            {"d", "4", "how far down the left edge the journey starts, 0 to 2n"},
            {"c", "2", "number of currencies"},
            {"variant", "plain",
             "'plain'; 'q': paying in currency k costs k; 'free': no budgets and no giving up"}},
           false},
          ctw_domain_text,
          problem_text};
}

}  // namespace carl::generators
