#include <fmt/format.h>
#include <fmt/ostream.h>

#include "carl/io.h"
#include "io/csv.h"

namespace carl {

void write_policy_csv(const Cssp& cssp, const Policy& policy, std::ostream& out,
                      const PolicyDetails& details) {
  out << "state,action,probability,visits";
  if (!details.values.empty())
    for (const std::string& cost : cssp.cost_names())
      out << ',' << io::csv_quoted(cost);
  out << '\n';
  for (std::size_t i = 0; i < policy.size(); ++i) {
    const Policy::Entry entry = policy[i];
    const std::string state = io::csv_quoted(cssp.state_name(entry.state));
    for (const Policy::Choice choice : entry.choices) {
      fmt::print(out, "{},{},{},", state, io::csv_quoted(cssp.action_name(choice.action)),
                 choice.probability);
      if (entry.visits) fmt::print(out, "{}", *entry.visits);
      for (std::size_t k = 0; k < cssp.num_costs() && !details.values.empty(); ++k)
        fmt::print(out, ",{}", details.values[i * cssp.num_costs() + k]);
      out << '\n';
    }
  }
}

}  // namespace carl
