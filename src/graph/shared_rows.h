// What equal state-action pairs share. A ground action has the same costs and nearly always the
// same probabilities in every state, and ground actions of one kind have them in common, so a graph
// of millions of pairs has a handful of cost vectors and distributions: each is stored once. They
// are equal if their bits are.
//
// Hashing is for what is new. What an action was given last is looked at first.
#ifndef CARL_GRAPH_SHARED_ROWS_H
#define CARL_GRAPH_SHARED_ROWS_H

#include <cstdint>
#include <span>
#include <vector>

#include "carl/ids.h"
#include "model/intern_table.h"

namespace carl::graph {

class SharedRows {
 public:
  /// Where the costs and the probabilities of a pair are.
  struct Row {
    std::uint32_t cost = 0;
    std::uint32_t first_probability = 0;
  };

  explicit SharedRows(std::size_t num_costs) : stride_(num_costs), row_(num_costs + 1, 0.0) {
    row_.back() = 1;  // repeats
    costs_.append_apart(row_);
  }

  /// The costs of the first row, give_up_row, which nothing else shares.
  void set_give_up(std::span<const double> penalties);
  /// A row for which it is known that no other is equal.
  void append(std::span<const double> cost, double repeats);

  /// Costs are per use of the action; the row has them times `repeats`. `cost` is called if they
  /// are needed. Throws LimitReached(memory) when numbers run out.
  template <class Cost>
  Row share(ActionId action, double repeats, std::span<const double> probabilities, Cost cost) {
    Used& used = used_last(action);
    if (used.action != action || this->repeats(used.row.cost) != repeats) {
      used.row.cost = intern_costs(cost(action), repeats);
      used.action = action;
    }
    if (!holds(used, probabilities)) {
      used.row.first_probability = intern_probabilities(probabilities);
      used.num_probabilities = static_cast<std::uint32_t>(probabilities.size());
    }
    return used.row;
  }

  std::size_t num_cost_rows() const { return costs_.size(); }
  std::span<const double> cost(std::size_t row) const {
    return costs_.elements().subspan(row * (stride_ + 1), stride_);
  }
  double repeats(std::size_t row) const { return costs_.elements()[row * (stride_ + 1) + stride_]; }
  const double* all_probabilities() const { return distributions_.elements().data(); }
  std::size_t bytes() const {
    return costs_.bytes() + distributions_.bytes() + used_.size() * sizeof(Used);
  }

 private:
  struct Used {
    ActionId action;
    Row row;
    std::uint32_t num_probabilities = 0;
  };

  Used& used_last(ActionId action) {
    // Models that are written out have an action of its own for every pair.
    constexpr std::size_t most = std::size_t{1} << 14;
    const std::size_t place = action.index() % most;
    if (place >= used_.size()) used_.resize(place + 1);
    return used_[place];
  }
  bool holds(const Used& used, std::span<const double> probabilities) const {
    if (used.num_probabilities != probabilities.size()) return false;
    const double* known = distributions_.elements().data() + used.row.first_probability;
    for (const double p : probabilities)
      if (p != *known++) return false;
    return true;
  }
  void make_row(std::span<const double> cost, double repeats);
  std::uint32_t intern_costs(std::span<const double> cost, double repeats);
  std::uint32_t intern_probabilities(std::span<const double> probabilities);

  std::size_t stride_;
  VectorTable costs_;  // rows of stride_ costs and repeats
  VectorTable distributions_;
  std::vector<Used> used_;
  std::vector<double> row_;  // scratch
};

}  // namespace carl::graph

#endif
