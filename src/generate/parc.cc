// PARC printer, PARC(f, u): print a few sheets, some black, some in colour, on a printer with
// unreliable components. At most f expected failures, at most u expected uses of the first
// finisher. The seed plays no part.
#include <fmt/format.h>

#include "generate/domain_texts.h"
#include "generate/generator.h"
#include "generate/problem_text.h"

namespace carl::generators {
namespace {

constexpr std::size_t most_sheets = 100;

const std::string& checked_sheets(const Arguments& arguments) {
  const std::string& sheets = arguments.text("sheets");
  if (sheets.empty() || sheets.size() > most_sheets ||
      sheets.find_first_not_of("BC") != std::string::npos)
    throw arguments.error(
        "sheets",
        fmt::format("must be 1 to {} letters, each B (black) or C (colour)", most_sheets));
  return sheets;
}

std::string problem_text(const Arguments& arguments, std::uint64_t /*seed*/) {
  const std::string& sheets = checked_sheets(arguments);
  const Rational most(1000);

  ProblemText text(arguments.summary(), "parc-printer");
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= sheets.size(); ++i)
    names.push_back(fmt::format("sheet{}", i));
  text.objects(names, "sheet");
  text.init("(uninitialized) (stacked stack-bottom)");
  for (std::size_t i = 0; i < names.size(); ++i)
    text.init(fmt::format("(at {0} feeder-tray) (blank {0}) ({1} {0}) (follows {0} {2})", names[i],
                          sheets[i] == 'B' ? "black-image" : "color-image",
                          i == 0 ? "stack-bottom" : names[i - 1]));
  for (const std::string& name : names)
    text.goal(fmt::format("(stacked {0}) (printed {0})", name));
  text.minimize("(total-cost)");
  text.bound("(failures)", arguments.number("f", 0, most));
  if (arguments.text("u") != "inf") text.bound("(finisher1-uses)", arguments.number("u", 0, most));
  text.give_up("(total-cost)", 10'000'000);
  text.give_up("(failures)", 3);
  text.give_up("(finisher1-uses)", 4);
  return text.str();
}

}  // namespace

Generator parc_generator() {
  return {{"parc",
           "PARC printer: print sheets with unreliable components, few failures",
           {{"f", "0.2", "bound on the expected number of failures"},
            {"u", "1", "bound on the expected uses of the first finisher; 'inf': none"},
            {"sheets", "BBCC", "one letter per sheet: B for a black image, C for a colour one"}},
           false},
          parc_domain_text,
          problem_text};
}

}  // namespace carl::generators
