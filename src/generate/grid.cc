// A slippery square with walls, from the middle of its left edge to the middle of its right one.
// Moves to the four sides are eco (time 2, fuel 1, slipping with 0.05 to each side) or fast (time 1,
// fuel 3, slipping with 0.10 to each side); one that starts in the central block costs risk 1. All
// cells are one strongly connected component, and news of a value travels a cell at a time: what
// tells methods for large components apart.
#include <array>

#include "carl/model.h"
#include "generate/generator.h"
#include "generate/numbered_model.h"

namespace carl::generators {
namespace {

struct Mode {
  const char* name;
  double time;
  double fuel;
  double slip;
};
constexpr std::array<Mode, 2> modes{{{"eco", 2, 1, 0.05}, {"fast", 1, 3, 0.10}}};

struct Direction {
  const char* name;
  int dx;
  int dy;
};
constexpr std::array<Direction, 4> directions{
    {{"n", 0, 1}, {"s", 0, -1}, {"e", 1, 0}, {"w", -1, 0}}};

std::vector<std::string> action_names() {
  std::vector<std::string> names;
  for (const Mode& mode : modes)
    for (const Direction& direction : directions)
      names.push_back(std::string(mode.name) + "-" + direction.name);
  return names;
}

class Grid final : public NumberedModel {
 public:
  explicit Grid(std::size_t size)
      : NumberedModel({{"time", "fuel", "risk"},
                       {{1, 2.0 * static_cast<double>(size)}, {2, static_cast<double>(size) / 4}},
                       {}},
                      action_names(), size * size, size / 2, (size - 1) * size + size / 2),
        size_(size) {
    for (const double risk : {0.0, 1.0})
      for (const Mode& mode : modes)
        costs_.push_back({mode.time, mode.fuel, risk});
  }

  std::span<const double> cost(ActionId action) const override {
    const std::size_t state = action.index() / num_actions();
    const std::size_t mode = action.index() % num_actions() / directions.size();
    const bool risky = in_block(state / size_) && in_block(state % size_);
    return costs_[(risky ? modes.size() : 0) + mode];
  }

 private:
  bool is_applicable(std::size_t /*state*/, std::size_t /*action*/) const override { return true; }

  void add_outcomes(std::size_t state, std::size_t action, Expansion& out) const override {
    const Mode& mode = modes[action / directions.size()];
    const Direction& to = directions[action % directions.size()];
    out.add_outcome(1 - 2 * mode.slip, moved(state, to.dx, to.dy));
    out.add_outcome(mode.slip, moved(state, to.dy, to.dx));
    out.add_outcome(mode.slip, moved(state, -to.dy, -to.dx));
  }

  bool in_block(std::size_t place) const { return place >= size_ / 4 && place < size_ - size_ / 4; }
  std::size_t along(std::size_t place, int step) const {
    if (step < 0) return place == 0 ? 0 : place - 1;
    return step == 0 || place + 1 == size_ ? place : place + 1;
  }
  StateId moved(std::size_t state, int dx, int dy) const {
    return StateId(along(state / size_, dx) * size_ + along(state % size_, dy));
  }

  std::size_t size_;
  std::vector<std::vector<double>> costs_;
};

}  // namespace

ModelGenerator grid_generator() {
  return {{"grid",
           "explicit model: slippery grid, one component of n·n states",
           {{"n", "100", "cells along an edge, 2 … 23000"}},
           false},
          [](const Arguments& arguments, std::uint64_t /*seed*/) -> std::shared_ptr<Model> {
            return std::make_shared<Grid>(arguments.integer("n", 2, 23000));
          }};
}

}  // namespace carl::generators
