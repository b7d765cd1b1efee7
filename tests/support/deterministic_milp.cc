#include "support/deterministic_milp.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "graph/proper_region.h"
#include "graph/search_graph.h"
#include "lp/integer_program.h"
#include "ssp/policy_evaluation.h"

namespace carl::testing {
namespace {

using graph::PairId;
using graph::SearchGraph;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Of indicators, M and bounds.
constexpr double tolerance = 1e-6;

class DeterministicMilp {
 public:
  DeterministicMilp(Cssp& cssp, std::optional<double> upper_bound)
      : cssp_(cssp), upper_bound_(upper_bound), graph_(cssp) {
    Monitor unlimited;
    graph_.expand_all(unlimited);
    region_ = graph::proper_region(graph_, unlimited);
  }

  std::optional<MilpAnswer> solve(double seconds) {
    if (!region_.contains(graph_.initial_state()) || !add_rows()) return std::nullopt;
    for (const StateId s : states_)
      for (const PairId p : graph_.pairs(s))
        if (region_.allows(graph_, p)) add_columns(s, p);
    const lp::IntegerProgram::Answer found = program_.solve(seconds);
    using Status = lp::IntegerProgram::Answer::Status;
    MilpAnswer answer{found.status == Status::optimal, found.status == Status::infeasible,
                      std::nullopt, found.nodes, 2 * pairs_.size()};
    if (!found.values.empty()) answer.optimum = cost_of(found.values);
    return answer;
  }

 private:
  /// The least that a visit of the state costs, of each kind, bounds how many there can be.
  double most_visits(StateId s) const {
    double most = infinity;
    const auto bound_by = [&](std::size_t cost, double upper) {
      double least = infinity;
      for (const PairId p : graph_.pairs(s))
        if (region_.allows(graph_, p)) least = std::min(least, graph_.cost(p)[cost]);
      if (least > 0) most = std::min(most, upper * (1 + tolerance) / least);
    };
    if (upper_bound_) bound_by(0, *upper_bound_);
    for (const Bound& bound : cssp_.constraints())
      bound_by(bound.cost, bound.upper);
    return most;
  }

  bool add_rows() {
    flow_row_.assign(graph_.num_states(), -1);
    choice_row_ = flow_row_;
    for (std::size_t s = 0; s < graph_.num_states(); ++s) {
      if (!region_.member[s] || graph_.is_goal(StateId(s))) continue;
      states_.emplace_back(s);
      if (most_visits(StateId(s)) == infinity) return false;
      const double inflow = StateId(s) == graph_.initial_state() ? 1 : 0;
      flow_row_[s] = static_cast<int>(program_.add_row(inflow, inflow));
      choice_row_[s] = static_cast<int>(program_.add_row(-infinity, 1));
    }
    for (const Bound& bound : cssp_.constraints())
      bound_row_.push_back(static_cast<int>(program_.add_row(-infinity, bound.upper)));
    return true;
  }

  void add_columns(StateId s, PairId p) {
    const int link = static_cast<int>(program_.add_row(-infinity, 0));
    std::vector<int> rows{flow_row_[s.index()], link};
    std::vector<double> coefficients{1, 1};
    for (std::size_t k = 0; k < graph_.successors(p).size(); ++k) {
      const int row = flow_row_[graph_.successors(p)[k].index()];
      if (row < 0) continue;
      rows.push_back(row);
      coefficients.push_back(-graph_.probabilities(p)[k]);
    }
    for (std::size_t i = 0; i < bound_row_.size(); ++i) {
      const double cost = graph_.cost(p)[cssp_.constraints()[i].cost];
      if (cost == 0) continue;
      rows.push_back(bound_row_[i]);
      coefficients.push_back(cost);
    }
    program_.add_column(graph_.cost(p)[0], 0, infinity, rows, coefficients);
    program_.add_binary_column(std::vector<int>{choice_row_[s.index()], link},
                               std::vector<double>{1, -most_visits(s)});
    pairs_.push_back(p);
  }

  std::optional<double> cost_of(const std::vector<double>& values) const {
    std::vector<PairId> choice = region_.choice;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (values[2 * i + 1] > 0.5) choice[graph_.state(pairs_[i]).index()] = pairs_[i];
    const ssp::Policy policy = ssp::deterministic_envelope(graph_, graph_.initial_state(), choice);
    const ssp::Evaluation evaluation = ssp::evaluate(graph_, policy);
    if (!evaluation.proper) return std::nullopt;
    for (const Bound& bound : cssp_.constraints())
      if (evaluation.costs[bound.cost] > bound.upper * (1 + tolerance)) return std::nullopt;
    return evaluation.costs[0];
  }

  Cssp& cssp_;
  std::optional<double> upper_bound_;
  SearchGraph graph_;
  graph::ProperRegion region_;
  lp::IntegerProgram program_;
  std::vector<StateId> states_;
  std::vector<int> flow_row_;  // by state, -1 if it has none
  std::vector<int> choice_row_;
  std::vector<int> bound_row_;
  std::vector<PairId> pairs_;
};

}  // namespace

std::optional<MilpAnswer> solve_deterministic_milp(Cssp& cssp, std::optional<double> upper_bound,
                                                   double seconds) {
  return DeterministicMilp(cssp, upper_bound).solve(seconds);
}

}  // namespace carl::testing
