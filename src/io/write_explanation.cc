#include "carl/io.h"
#include "io/json_writer.h"
#include "io/problem_json.h"

namespace carl {
namespace {

using io::JsonWriter;

class ExplanationWriter {
 public:
  ExplanationWriter(const Cssp& cssp, const Explanation& explanation, std::ostream& out)
      : cssp_(cssp), explanation_(explanation), json_(out, JsonWriter::Layout::indented) {}

  void write() {
    json_.object([&] {
      json_.member("format", "carl-explanation");
      json_.member("version", 1);
      json_.member("status", to_string(explanation_.status));
      json_.member_if_any("note", explanation_.note);
      io::write_rewards(json_, cssp_);
      if (explanation_.costs.empty()) return;
      json_.object("costs", [&] { costs(explanation_.costs); });
      json_.array("states", [&] {
        for (const StateExplanation& state : explanation_.states)
          json_.object([&] { write_state(state); });
      });
      write_prices();
      write_spending();
    });
  }

 private:
  const std::string& bound_name(std::size_t b) const {
    return cssp_.cost_names()[cssp_.bounds()[b].cost];
  }

  void costs(const std::vector<double>& numbers) {
    for (std::size_t c = 0; c < numbers.size(); ++c)
      json_.member(cssp_.cost_names()[c], numbers[c]);
  }

  void write_state(const StateExplanation& state) {
    io::write_state(json_, "state", cssp_, state.state);
    json_.member("visits", state.visits);
    json_.array("actions", [&] {
      for (const Alternative& action : state.actions)
        json_.object([&] {
          json_.member("name", cssp_.action_name(action.action));
          json_.member("probability", action.probability);
          json_.member("loss", action.loss);
          json_.member("loss_without_bounds", action.loss_without_bounds);
          if (action.costs) json_.object("costs", [&] { costs(*action.costs); });
        });
    });
    if (state.without_bounds)
      json_.member("without_bounds", cssp_.action_name(*state.without_bounds));
    json_.object("decisive", [&] {
      for (const auto& [bound, action] : state.decisive)
        json_.member(bound_name(bound), cssp_.action_name(action));
    });
  }

  void write_prices() {
    json_.array("prices", [&] {
      for (std::size_t b = 0; b < explanation_.multipliers.size(); ++b)
        json_.object([&] {
          json_.member("cost", bound_name(b));
          json_.member("bound", cssp_.bounds()[b].upper);
          json_.member("price", explanation_.multipliers[b]);
          for (const PriceRange& range : explanation_.ranges) {
            if (range.bound != b) continue;
            json_.member("from", range.from);
            json_.member("to", range.to);  // null: for ever
          }
        });
    });
  }

  void write_spending() {
    json_.object("spending", [&] {
      for (std::size_t c = 0; c < explanation_.spending.size(); ++c)
        json_.array(cssp_.cost_names()[c], [&] {
          for (const Spending& spent : explanation_.spending[c])
            json_.object([&] {
              io::write_state(json_, "state", cssp_, spent.state);
              json_.member("visits", spent.visits);
              json_.member("amount", spent.amount);
            });
        });
    });
  }

  const Cssp& cssp_;
  const Explanation& explanation_;
  JsonWriter json_;
};

}  // namespace

void write_explanation(const Cssp& cssp, const Explanation& explanation, std::ostream& out) {
  ExplanationWriter(cssp, explanation, out).write();
  out << '\n';
}

}  // namespace carl
