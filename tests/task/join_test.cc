#include "task/join.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "util/random.h"

namespace carl::task {
namespace {

using pddl::Term;

Term var(std::size_t slot) {
  return Term::variable(slot);
}
Term object(std::size_t number) {
  return Term::constant(pddl::ObjectId(number));
}

TEST(TupleTable, NumbersDistinctTuplesInOrder) {
  TupleTable table;
  const std::vector<std::uint32_t> a{1, 2};
  const std::vector<std::uint32_t> b{1};
  EXPECT_EQ(table.intern(a), 0U);
  EXPECT_EQ(table.intern(b), 1U);
  EXPECT_EQ(table.intern({}), 2U);
  EXPECT_EQ(table.intern(a), 0U);
  EXPECT_EQ(table.find(b), 1U);
  EXPECT_FALSE(table.find(std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(std::vector<std::uint32_t>(table[0].begin(), table[0].end()), a);
  const TupleTable moved = std::move(table);
  EXPECT_EQ(moved.find(b), 1U);
}

TEST(Relation, IndexesByAnyPositionsAndKeepsThemUpToDate) {
  Relation relation(2);
  const auto insert = [&](std::uint32_t a, std::uint32_t b) {
    relation.insert(std::vector<std::uint32_t>{a, b});
  };
  const auto count = [&](PositionMask mask, std::vector<std::uint32_t> key) {
    return relation.matches(mask, key).count;
  };
  insert(1, 2);
  insert(1, 3);
  EXPECT_EQ(count(1, {1}), 2U);
  EXPECT_EQ(count(2, {2}), 1U);
  insert(4, 2);
  EXPECT_EQ(count(2, {2}), 2U);
  EXPECT_EQ(count(0, {}), 3U);
  EXPECT_EQ(count(3, {4, 2}), 1U);
  EXPECT_EQ(count(3, {4, 3}), 0U);
  EXPECT_TRUE(relation.contains(std::vector<std::uint32_t>{1, 3}));
}

TEST(Relation, ComparesArgumentsBeyondTheIndexedOnes) {
  Relation relation(70);
  std::vector<std::uint32_t> row(70, 1);
  relation.insert(row);
  EXPECT_TRUE(relation.contains(row));
  row.back() = 2;
  EXPECT_FALSE(relation.contains(row));
}

/// A body over a few random tables, and all its bindings by brute force.
class RandomJoin {
 public:
  explicit RandomJoin(std::uint64_t seed) : random_(seed) {
    tables.relations.emplace_back(1);  // the type of all variables
    for (std::uint32_t i = 0; i < num_objects; ++i)
      tables.relations[0].insert(Tuple(&i, 1));
    for (std::size_t r = 0; r < 2; ++r)
      tables.relations.emplace_back(2);
    body.num_slots = 3;
    for (std::size_t i = 0; i < 3; ++i)
      body.present.push_back({0, {var(i)}});
    for (std::uint64_t i = 1 + random_.below(4); i > 0; --i)
      body.present.push_back(
          {static_cast<std::uint32_t>(1 + random_.below(2)), {any_term(), any_term()}});
    if (random_.below(2) == 0)
      body.comparisons.push_back({any_term(), any_term(), random_.below(2) == 0});
    if (random_.below(3) == 0) body.absent.push_back({1, {any_term(), any_term()}});
  }

  std::vector<std::uint32_t> any_row() {
    return {static_cast<std::uint32_t>(random_.below(num_objects)),
            static_cast<std::uint32_t>(random_.below(num_objects))};
  }

  std::set<Bindings> all_solutions() {
    std::set<Bindings> result;
    for (std::uint32_t a = 0; a < num_objects; ++a)
      for (std::uint32_t b = 0; b < num_objects; ++b)
        for (std::uint32_t c = 0; c < num_objects; ++c)
          if (holds({a, b, c})) result.insert({a, b, c});
    return result;
  }

  static constexpr std::uint32_t num_objects = 4;
  JoinTables tables;
  JoinBody body;

 private:
  Term any_term() {
    const std::uint64_t i = random_.below(7);
    return i < 6 ? var(i % 3) : object(random_.below(num_objects));
  }

  bool holds(const Bindings& bindings) {
    for (const JoinAtom& atom : body.present)
      if (!tables.relations[atom.relation].contains(arguments_of(atom.terms, bindings)))
        return false;
    for (const JoinAtom& atom : body.absent)
      if (tables.relations[atom.relation].contains(arguments_of(atom.terms, bindings)))
        return false;
    for (const Comparison& comparison : body.comparisons) {
      const Arguments sides = arguments_of({comparison.left, comparison.right}, bindings);
      if ((sides[0] == sides[1]) != comparison.equal) return false;
    }
    return true;
  }

  SplitMix64 random_;
};

TEST(Join, FindsEveryBindingOnce) {
  Monitor monitor;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomJoin join(seed);
    for (int i = 0; i < 14; ++i) {
      Relation& relation = join.tables.relations[1 + static_cast<std::size_t>(i) % 2];
      if (const auto row = join.any_row(); !relation.contains(row)) relation.insert(row);
    }
    Bindings bindings(3, unbound);
    std::set<Bindings> found;
    Join(join.body, join.tables, bindings, monitor).run([&] {
      EXPECT_TRUE(found.insert(bindings).second) << seed;
    });
    EXPECT_EQ(found, join.all_solutions()) << seed;
    EXPECT_EQ(bindings, Bindings(3, unbound));
  }
}

TEST(Join, FindsEveryBindingOnceAsRowsAreAdded) {
  Monitor monitor;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomJoin join(seed);
    join.body.absent.clear();  // what is absent must not change
    Bindings bindings(3, unbound);
    std::set<Bindings> found;
    for (int i = 0; i < 14; ++i) {
      const auto table = static_cast<std::uint32_t>(1 + i % 2);
      const auto row = join.any_row();
      if (join.tables.relations[table].contains(row)) continue;
      join.tables.relations[table].insert(row);
      for (std::size_t atom = 3; atom < join.body.present.size(); ++atom) {
        if (join.body.present[atom].relation != table) continue;
        Join(join.body, join.tables, bindings, monitor).run_for_newest(atom, [&] {
          EXPECT_TRUE(found.insert(bindings).second) << seed;
        });
      }
    }
    EXPECT_EQ(found, join.all_solutions()) << seed;
  }
}

TEST(Join, EndsWhenInterrupted) {
  std::atomic<bool> interrupt{true};
  Monitor monitor(1e9, 0, &interrupt);
  RandomJoin join(1);
  Bindings bindings(3, unbound);
  EXPECT_THROW(Join(join.body, join.tables, bindings, monitor).run([] {}), LimitReached);
}

}  // namespace
}  // namespace carl::task
