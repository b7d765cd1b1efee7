// A policy as a picture of Graphviz: a box for each state with its facts, an arrow for each action,
// which forks at a dot where chance decides, double boxes for goals. Dashed is what the policy does
// not meet.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <vector>

#include "carl/io.h"
#include "policy/findings.h"
#include "policy/policy_chain.h"

namespace carl {
namespace {

using policy::PolicyChain;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result;
}

std::string share(double probability) {
  return fmt::format("{:.4g}", probability);
}

class DotWriter {
 public:
  DotWriter(Cssp& cssp, const Policy& policy, const PolicyDetails& details, std::ostream& out,
            Monitor& monitor)
      : cssp_(cssp), policy_(policy), details_(details), out_(out), monitor_(monitor) {}

  void write() {
    const policy::WalkedPolicy walked =
        policy::walk(cssp_, policy_, {}, monitor_, policy::Starts::all_entries);
    policy::require_sound(walked.findings);
    const PolicyChain& chain = walked.chain;
    fmt::print(out_, "digraph policy {{\n  node [shape=box];\n");
    for (std::size_t node = 0; node < chain.size(); ++node) {
      monitor_.check();
      write_state(chain, node);
      for (std::size_t c = chain.first_choice(node); c < chain.first_choice(node + 1); ++c)
        write_choice(chain, node, c);
    }
    if (chain.size() == 0) write_goal(cssp_.initial_state());
    fmt::print(out_, "}}\n");
  }

 private:
  std::string label(StateId state) const {
    std::string text;
    for (const std::string& fact : cssp_.state_facts(state))
      text += (text.empty() ? "" : "\\n") + escaped(fact);
    return text;
  }

  void write_state(const PolicyChain& chain, std::size_t node) {
    const Policy::Entry entry = policy_[chain.entry(node)];
    std::string text = label(chain.state(node));
    if (!details_.values.empty())
      for (std::size_t k = 0; k < cssp_.num_costs(); ++k)
        text += fmt::format("\\n{} {:.6g}", escaped(cssp_.cost_label(k)),
                            details_.values[chain.entry(node) * cssp_.num_costs() + k]);
    const char* style = node == 0                      ? ", style=bold"
                        : entry.visits.value_or(1) > 0 ? ""
                                                       : ", style=dashed";
    fmt::print(out_, "  s{} [label=\"{}\"{}];\n", node, text, style);
  }

  void write_choice(const PolicyChain& chain, std::size_t node, std::size_t choice) {
    std::string action = escaped(cssp_.action_name(chain.action(choice)));
    if (chain.probability(choice) < 1) action += "\\n" + share(chain.probability(choice));
    const auto transitions = chain.transitions(choice);
    if (transitions.size() == 1) {
      const std::string to = target(transitions[0]);
      fmt::print(out_, "  s{} -> {} [label=\"{}\"];\n", node, to, action);
      return;
    }
    fmt::print(out_, "  a{} [shape=point];\n  s{} -> a{} [label=\"{}\", arrowhead=none];\n", choice,
               node, choice, action);
    for (const PolicyChain::Transition& t : transitions) {
      const std::string to = target(t);
      fmt::print(out_, "  a{} -> {} [label=\"{}\"];\n", choice, to, share(t.probability));
    }
  }

  /// The name of a node; a goal is described when it is met for the first time.
  std::string target(const PolicyChain::Transition& transition) {
    if (transition.to != PolicyChain::goal) return fmt::format("s{}", transition.to);
    return write_goal(transition.state);
  }

  std::string write_goal(StateId state) {
    if (state == Cssp::given_up) {
      if (!gave_up_) fmt::print(out_, "  given_up [label=\"given up\", shape=ellipse];\n");
      gave_up_ = true;
      return "given_up";
    }
    if (is_known_goal_.size() <= state.index())
      is_known_goal_.resize(std::max(cssp_.num_states(), state.index() + 1), false);
    if (!is_known_goal_[state.index()])
      fmt::print(out_, "  g{} [label=\"{}\", peripheries=2];\n", state.index(), label(state));
    is_known_goal_[state.index()] = true;
    return fmt::format("g{}", state.index());
  }

  Cssp& cssp_;
  const Policy& policy_;
  const PolicyDetails& details_;
  std::ostream& out_;
  Monitor& monitor_;
  std::vector<bool> is_known_goal_;  // by state
  bool gave_up_ = false;
};

}  // namespace

void write_policy_dot(Cssp& cssp, const Policy& policy, std::ostream& out, Monitor& monitor,
                      const PolicyDetails& details) {
  DotWriter(cssp, policy, details, out, monitor).write();
}

}  // namespace carl
