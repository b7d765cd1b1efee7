#include "policy_output.h"

namespace carl::app {

const std::vector<std::string>& policy_formats() {
  static const std::vector<std::string> names{"json", "csv", "dot"};
  return names;
}

std::string policy_format_of(const std::string& path) {
  if (path.ends_with(".json")) return "json";
  if (path.ends_with(".csv")) return "csv";
  if (path.ends_with(".dot") || path.ends_with(".gv")) return "dot";
  return "";
}

void write_policy_as(const std::string& format, Cssp& cssp, const Policy& policy,
                     const PolicyDetails& details, std::ostream& out, Monitor& monitor) {
  if (format == "csv")
    write_policy_csv(cssp, policy, out, details);
  else if (format == "dot")
    write_policy_dot(cssp, policy, out, monitor, details);
  else
    write_policy(cssp, policy, out, details);
}

}  // namespace carl::app
