// Elevators, Elev(e, w, h): e lifts in a building of ten floors, w persons waiting and h hidden
// ones who are yet to press the button. Every person has its own bounds on waiting and on riding,
// so the number of constraints grows with the number of persons. Hidden persons may be undecided
// between two destinations until they appear.
#include <fmt/format.h>

#include <algorithm>

#include "generate/domain_texts.h"
#include "generate/generator.h"
#include "generate/problem_text.h"
#include "util/random.h"

namespace carl::generators {
namespace {

constexpr std::size_t floors = 10;

struct Person {
  std::uint64_t origin = 0;
  std::uint64_t destination = 0;
  std::uint64_t alternative = 0;  // 0: decided
};

struct Instance {
  std::vector<std::uint64_t> lift_floors;
  std::vector<Person> persons;  // the waiting ones first
};

/// One of the floors other than those given, which differ.
std::uint64_t other_floor(SplitMix64& random, std::vector<std::uint64_t> taken) {
  std::uint64_t floor = 1 + random.below(floors - taken.size());
  std::sort(taken.begin(), taken.end());
  for (const std::uint64_t lower : taken)
    if (floor >= lower) ++floor;
  return floor;
}

/// The order of the random draws is part of the instance's definition: seeds name instances.
/// Alternatives come last, so that everything else is the same with and without them.
Instance draw(std::size_t lifts, std::size_t persons, std::size_t undecided, std::uint64_t seed) {
  SplitMix64 random(seed);
  Instance instance;
  for (std::size_t i = 0; i < lifts; ++i)
    instance.lift_floors.push_back(1 + random.below(floors));
  for (std::size_t i = 0; i < persons; ++i) {
    Person person;
    person.origin = 1 + random.below(floors);
    person.destination = other_floor(random, {person.origin});
    instance.persons.push_back(person);
  }
  for (std::size_t i = persons - undecided; i < persons; ++i) {
    Person& person = instance.persons[i];
    person.alternative = other_floor(random, {person.origin, person.destination});
  }
  return instance;
}

std::vector<std::string> numbered(std::string_view stem, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i)
    names.push_back(fmt::format("{}{}", stem, i));
  return names;
}

void write_building(ProblemText& text, const std::vector<std::string>& agents) {
  for (std::size_t i = 0; i < agents.size(); ++i)
    text.init(fmt::format("(next {} {})", agents[i], agents[(i + 1) % agents.size()]));
  for (std::size_t floor = 1; floor < floors; ++floor)
    text.init(fmt::format("(above f{} f{})", floor + 1, floor));
}

void write_lift(ProblemText& text, const std::string& lift, std::uint64_t floor) {
  text.init(fmt::format("(lift-at {0} f{1}) (closed {0})", lift, floor));
  for (std::size_t f = 1; f <= floors; ++f)
    text.init(fmt::format("(not-open-at {} f{})", lift, f));
}

std::string person_facts(const std::string& name, const Person& person, bool waits) {
  const std::string origin = fmt::format("(origin {} f{})", name, person.origin);
  if (person.alternative != 0)
    return fmt::format("(undecided {} f{} f{}) {}", name, person.destination, person.alternative,
                       origin);
  return fmt::format("({1} {0}) {2} (destination {0} f{3})", name, waits ? "waiting" : "hidden",
                     origin, person.destination);
}

std::string problem_text(const Arguments& arguments, std::uint64_t seed) {
  const std::size_t e = arguments.integer("e", 1, 100);
  const std::size_t w = arguments.integer("w", 0, 1000);
  const std::size_t h = arguments.integer("h", 0, 1000);
  if (w + h == 0) throw arguments.error("w", "leaves nobody to carry: w + h must be at least 1");
  const bool decided = arguments.integer("destinations", 1, 2) == 1;
  const Instance instance = draw(e, w + h, decided ? 0 : h, seed);
  const std::vector<std::string> lifts = numbered("lift", e);
  const std::vector<std::string> persons = numbered("p", w + h);
  std::vector<std::string> agents = lifts;
  agents.insert(agents.end(), persons.begin(), persons.end());

  ProblemText text(fmt::format("elevators e={} w={} h={}{} seed={}", e, w, h,
                               decided ? "" : " destinations=2", seed),
                   "elevators");
  text.objects(lifts, "lift");
  text.objects(persons, "person");
  text.objects(numbered("f", floors), "floor");
  text.init(fmt::format("(turn {})", lifts.front()));
  write_building(text, agents);
  for (std::size_t i = 0; i < e; ++i)
    write_lift(text, lifts[i], instance.lift_floors[i]);
  for (std::size_t i = 0; i < persons.size(); ++i)
    text.init(person_facts(persons[i], instance.persons[i], i < w));
  text.goal(fmt::format("(turn {})", lifts.front()));
  for (const std::string& person : persons)
    text.goal(fmt::format("(served {})", person));
  text.minimize("(turns)");
  // A lift that serves k persons takes about 2k steps for its doors.
  const std::size_t doors = 2 * ((w + h + e - 1) / e);
  for (const std::string& person : persons) {
    text.bound(fmt::format("(waiting-time {})", person), Rational(6 + doors));
    text.bound(fmt::format("(riding-time {})", person), Rational(8 + doors));
  }
  return text.str();
}

}  // namespace

Generator elevators_generator() {
  return {{"elevators",
           "elevators: serve everybody soon, bounded waiting and riding for each person",
           {{"e", "1", "number of lifts"},
            {"w", "1", "number of persons who wait from the start"},
            {"h", "1", "number of hidden persons, who appear with probability 0.75 per step"},
            {"destinations", "1", "of a hidden person: 1, or 2 that are drawn from on appearing"}},
           true},
          elevators_domain_text,
          problem_text};
}

}  // namespace carl::generators
