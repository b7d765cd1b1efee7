#include "cssp/occupation_lp.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <limits>

namespace carl::cssp {
namespace {

using graph::PairId;
using graph::ProperRegion;
using graph::SearchGraph;

constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();
// Bounds below this are taken for this when the cost rows are scaled.
constexpr double least_row_scale = 1e-6;

template <class Visit>
void for_each_member(const SearchGraph& graph, const ProperRegion& region, Visit visit) {
  for (std::size_t s = 0; s < graph.num_states(); ++s)
    if (region.member[s] && !graph.is_goal(StateId(s))) visit(StateId(s));
}

}  // namespace

OccupationLp::OccupationLp(const SearchGraph& graph, const ProperRegion& region, Kind kind,
                           const std::vector<bool>* columns, std::size_t objective)
    : graph_(graph),
      region_(region),
      row_of_(graph.num_states(), -1),
      column_of_(graph.num_pairs(), no_column) {
  const auto& constraints = graph.cssp().constraints();
  for_each_member(graph, region, [&](StateId s) {
    const double inflow = s == graph.initial_state() ? 1 : 0;
    row_of_[s.index()] = static_cast<int>(lp_.add_row(inflow, inflow));
  });
  first_cost_row_ = lp_.num_rows();
  for (const Bound& bound : constraints) {
    row_scale_.push_back(std::max(bound.upper, least_row_scale));
    lp_.add_row(-lp::infinity, bound.upper / row_scale_.back());
  }

  std::vector<int> rows;
  std::vector<double> coefficients;
  for_each_member(graph, region, [&](StateId s) {
    for (const PairId p : graph.pairs(s)) {
      if (columns != nullptr && !(*columns)[p.index()]) continue;
      if (!region.allows(graph, p)) continue;
      rows.assign({row_of_[s.index()]});
      coefficients.assign({1.0});
      const auto successors = graph.successors(p);
      const auto probabilities = graph.probabilities(p);
      for (std::size_t k = 0; k < successors.size(); ++k) {
        if (row_of_[successors[k].index()] < 0) continue;  // a goal
        rows.push_back(row_of_[successors[k].index()]);
        coefficients.push_back(-probabilities[k]);
      }
      const auto cost = graph.cost(p);
      for (std::size_t i = 0; i < constraints.size(); ++i) {
        if (cost[constraints[i].cost] == 0) continue;
        rows.push_back(static_cast<int>(first_cost_row_ + i));
        coefficients.push_back(cost[constraints[i].cost] / row_scale_[i]);
      }
      column_of_[p.index()] = lp_.add_column(kind == Kind::optimise ? cost[objective] : 0.0, 0.0,
                                             lp::infinity, rows, coefficients);
      pair_of_.push_back(p);
    }
  });
  if (kind == Kind::optimise) return;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    rows.assign({static_cast<int>(first_cost_row_ + i)});
    coefficients.assign({-1.0});
    lp_.add_column(1.0, 0.0, lp::infinity, rows, coefficients);
  }
}

std::size_t OccupationLp::bytes_needed(const SearchGraph& graph, const ProperRegion& region) {
  const std::size_t constraints = graph.cssp().constraints().size();
  std::size_t rows = constraints;
  std::size_t columns = 0;
  std::size_t entries = 0;
  for_each_member(graph, region, [&](StateId s) {
    ++rows;
    for (const PairId p : graph.pairs(s)) {
      if (!region.allows(graph, p)) continue;
      ++columns;
      entries += 1 + graph.successors(p).size() + constraints;
    }
  });
  return lp::LinearProgram::bytes_needed(rows, columns, entries);
}

void OccupationLp::start_from(const std::vector<PairId>& pair_of_state) {
  lp_.start_basis();
  for_each_member(graph_, region_, [&](StateId s) {
    lp_.make_column_basic(column_of_[pair_of_state[s.index()].index()]);
    lp_.make_row_nonbasic(static_cast<std::size_t>(row_of_[s.index()]));
  });
}

std::vector<double> OccupationLp::flow() const {
  std::vector<double> flow(graph_.num_pairs(), 0.0);
  const auto values = lp_.values();
  for (std::size_t i = 0; i < pair_of_.size(); ++i)
    flow[pair_of_[i].index()] = std::max(0.0, values[i]);
  return flow;
}

std::vector<double> OccupationLp::values() const {
  std::vector<double> values(graph_.num_states(), std::numeric_limits<double>::infinity());
  const auto duals = lp_.duals();
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (graph_.is_goal(StateId(s)))
      values[s] = 0;
    else if (row_of_[s] >= 0)
      values[s] = duals[static_cast<std::size_t>(row_of_[s])];
  }
  return values;
}

std::vector<double> OccupationLp::multipliers() const {
  std::vector<double> multipliers;
  const auto duals = lp_.duals();
  for (std::size_t i = 0; i < row_scale_.size(); ++i)
    multipliers.push_back(std::max(0.0, -duals[first_cost_row_ + i]) / row_scale_[i]);
  return multipliers;
}

void OccupationLp::set_upper(std::size_t constraint, double upper) {
  lp_.flush();
  lp_.set_row_bounds(first_cost_row_ + constraint, -lp::infinity, upper / row_scale_[constraint]);
}

void write_occupation_lp(const SearchGraph& graph, const ProperRegion& region, std::ostream& out) {
  // Names are x<state>_<k>, the k-th kept action of the state, and flow<state>, with states counted
  // from 1, so that nothing in a model's own names can upset a reader of the format.
  const auto number = [](StateId s) { return s.index() + 1; };
  std::vector<std::uint32_t> place(graph.num_pairs());
  for_each_member(graph, region, [&](StateId s) {
    std::uint32_t next = 0;
    for (const PairId p : graph.pairs(s))
      place[p.index()] = next++;
  });
  const auto name = [&](StateId s, PairId p) {
    return fmt::format("x{}_{}", number(s), place[p.index()]);
  };
  const auto write_costs = [&](std::size_t cost) {
    bool any = false;
    for_each_member(graph, region, [&](StateId s) {
      for (const PairId p : graph.pairs(s))
        if (region.allows(graph, p) && graph.cost(p)[cost] != 0) {
          fmt::print(out, "\n + {} {}", graph.cost(p)[cost], name(s, p));
          any = true;
        }
    });
    return any;
  };
  fmt::print(out,
             "\\ Occupation-measure LP. x<state>_<action>: expected number of times the state"
             " is left by the action.\n");
  for (const Bound& bound : graph.cssp().constraints())
    fmt::print(out, "\\ bound{}: {}\n", bound.cost, graph.cssp().cost_names()[bound.cost]);
  fmt::print(out, "Minimize\n cost:");
  write_costs(0);
  fmt::print(out, "\nSubject To\n");
  std::vector<std::vector<std::pair<std::string, double>>> inflow(graph.num_states());
  for_each_member(graph, region, [&](StateId s) {
    for (const PairId p : graph.pairs(s)) {
      if (!region.allows(graph, p)) continue;
      const auto successors = graph.successors(p);
      for (std::size_t k = 0; k < successors.size(); ++k)
        if (!graph.is_goal(successors[k]))
          inflow[successors[k].index()].emplace_back(name(s, p), graph.probabilities(p)[k]);
    }
  });
  for_each_member(graph, region, [&](StateId s) {
    fmt::print(out, " flow{}:", number(s));
    for (const PairId p : graph.pairs(s))
      if (region.allows(graph, p)) fmt::print(out, " + {}", name(s, p));
    for (const auto& [column, probability] : inflow[s.index()])
      fmt::print(out, "\n  - {} {}", probability, column);
    fmt::print(out, " = {}\n", s == graph.initial_state() ? 1 : 0);
  });
  for (const Bound& bound : graph.cssp().constraints()) {
    fmt::print(out, " bound{}:", bound.cost);
    if (!write_costs(bound.cost)) fmt::print(out, " 0 x{}_0", number(graph.initial_state()));
    fmt::print(out, " <= {}\n", bound.upper);
  }
  fmt::print(out, "End\n");
}

}  // namespace carl::cssp
