// Exploding blocks world, ExBW(id): fixed towers and goals. Ids 1 to 9 have five to eight blocks;
// t2 to t4 are tiny ones for tests. With id=random the seed draws towers and a goal for as many
// blocks as one likes; elsewhere it plays no part. The bound c on the expected number of destroyed
// blocks can be changed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "generate/domain_texts.h"
#include "generate/generator.h"
#include "generate/problem_text.h"
#include "util/random.h"

namespace carl::generators {
namespace {

using Block = unsigned;
constexpr Block table = 0;

using Towers = std::vector<std::vector<Block>>;  // each from bottom to top

struct GoalLiteral {
  Block block = 0;
  Block below = table;
};

struct Instance {
  std::string_view id;
  std::string_view bound;
  Towers towers;
  std::vector<GoalLiteral> goal;
};

std::vector<Instance> instances() {
  constexpr Block T = table;
  return {
      {"1", "0.1", {{5, 4, 1}, {2, 3}}, {{4, T}, {2, 4}}},
      {"2", "0.07", {{4, 5, 3, 1, 2}}, {{5, T}, {2, 5}, {4, 2}}},
      {"3", "0.91", {{4, 6, 5, 1}, {3, 2}}, {{3, 4}, {5, T}, {6, T}}},
      {"4", "0.16", {{4, 2, 5, 1, 3, 6}}, {{3, T}, {4, T}, {5, 4}, {6, 3}}},
      {"5", "0.01", {{1, 2, 7}, {4, 3, 5}, {6}}, {{1, T}, {2, 1}, {7, 2}, {3, 6}, {5, 3}}},
      {"6", "0.3", {{1, 8, 4}, {3, 2, 6, 7, 5}}, {{1, T}, {3, T}, {4, T}, {5, 2}, {6, 4}, {7, 1}}},
      {"7",
       "0.5",
       {{5, 4, 1}, {2}, {8, 3, 7}, {6}},
       {{8, T}, {2, T}, {7, T}, {1, 8}, {3, 2}, {6, 3}, {4, 7}, {5, 4}}},
      {"8",
       "0.63",
       {{6, 4, 3, 2}, {8, 7, 1, 5}},
       {{5, T}, {1, 5}, {3, 1}, {6, 3}, {8, 6}, {4, 8}, {7, 4}, {2, 7}}},
      {"9",
       "0.4",
       {{2, 1, 3, 6}, {5}, {7, 4}, {8}},
       {{1, T}, {4, T}, {7, T}, {3, 4}, {5, 7}, {8, 5}, {2, 8}, {6, 2}}},
      {"t2", "0.05", {{2, 1}}, {{1, T}, {2, 1}}},
      {"t3", "0.05", {{3, 2, 1}}, {{2, T}, {3, T}, {1, 2}}},
      {"t4", "0.05", {{1, 4, 3, 2}}, {{1, T}, {4, T}, {3, 1}, {2, 3}}},
  };
}

/// The blocks in random order, each on the table or on one of the towers there are, all places
/// alike.
Towers draw_towers(std::size_t count, SplitMix64& random) {
  std::vector<Block> blocks;
  for (std::size_t i = 1; i <= count; ++i)
    blocks.push_back(static_cast<Block>(i));
  random.shuffle(blocks);
  Towers towers;
  for (const Block block : blocks) {
    const std::size_t place = random.below(towers.size() + 1);
    if (place == towers.size()) towers.emplace_back();
    towers[place].push_back(block);
  }
  return towers;
}

/// The order of the random draws is part of the instance's definition: seeds name instances.
Instance draw(std::size_t count, std::uint64_t seed) {
  SplitMix64 random(seed);
  Instance instance{"random", "0.3", draw_towers(count, random), {}};
  for (const std::vector<Block>& tower : draw_towers(count, random)) {
    Block below = table;
    for (const Block block : tower) {
      instance.goal.push_back({block, below});
      below = block;
    }
  }
  return instance;
}

Instance find_instance(const Arguments& arguments, std::uint64_t seed) {
  if (arguments.text("id") == "random")
    return draw(arguments.text("blocks") == "id" ? 9 : arguments.integer("blocks", 1, 1000), seed);
  if (arguments.text("blocks") != "id")
    throw arguments.error("blocks", "needs id=random: the other ids have blocks of their own");
  std::vector<std::string_view> known{"random"};
  for (Instance& instance : instances()) {
    if (instance.id == arguments.text("id")) return std::move(instance);
    known.push_back(instance.id);
  }
  throw arguments.error("id", "is no known instance",
                        fmt::format("one of {}", fmt::join(known, ", ")));
}

std::string position(Block block, Block below) {
  return below == table ? fmt::format("(on-table b{})", block)
                        : fmt::format("(on b{} b{})", block, below);
}

/// One line per tower, from the table up.
std::string tower_facts(const std::vector<Block>& tower) {
  std::string facts;
  Block below = table;
  for (const Block block : tower) {
    facts += position(block, below) + " ";
    below = block;
  }
  return facts + fmt::format("(clear b{})", tower.back());
}

std::string title(const Instance& instance, std::size_t blocks, const Rational& bound,
                  std::uint64_t seed) {
  const std::string drawn =
      instance.id == "random" ? fmt::format(" blocks={} seed={}", blocks, seed) : std::string();
  return fmt::format("exbw id={}{} c={}", instance.id, drawn, number_text(bound));
}

std::string problem_text(const Arguments& arguments, std::uint64_t seed) {
  const Instance instance = find_instance(arguments, seed);
  std::size_t count = 0;
  for (const std::vector<Block>& tower : instance.towers)
    count += tower.size();
  const Rational bound = arguments.text("c") == "id" ? parse_rational(instance.bound).value()
                                                     : arguments.number("c", 0, Rational(count));

  ProblemText text(title(instance, count, bound, seed), "exploding-blocksworld");
  std::vector<std::string> blocks;
  for (std::size_t block = 1; block <= count; ++block)
    blocks.push_back(fmt::format("b{}", block));
  text.objects(blocks, "block");
  text.init("(hand-empty) (table-intact)");
  for (const std::vector<Block>& tower : instance.towers)
    text.init(tower_facts(tower));
  for (const std::string& block : blocks)
    text.init(fmt::format("(intact {0}) (armed {0})", block));
  for (const auto& [block, below] : instance.goal)
    text.goal(position(block, below));
  text.minimize("(total-cost)");
  text.bound("(destroyed-blocks)", bound);
  text.give_up("(total-cost)", 500);
  text.give_up("(destroyed-blocks)", Rational(count));
  return text.str();
}

}  // namespace

Generator exbw_generator() {
  return {{"exbw",
           "exploding blocks world: build towers and destroy few blocks in doing so",
           {{"id", "1", "which towers and goal: 1 to 9, the tiny t2, t3, t4, or random"},
            {"blocks", "id", "how many, with id=random; 'id': 9 then"},
            {"c", "id", "bound on the expected number of destroyed blocks; 'id': that of the id"}},
           false},
          exbw_domain_text,
          problem_text};
}

}  // namespace carl::generators
