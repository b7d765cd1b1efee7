// Writes the slippery K×K grid as an explicit model, to see how solving scales with the number of
// states: bench_slippery_grid K > grid.json
//
// Moves N, S, E, W in two modes: eco (time 2, fuel 1, slips 0.05 to each side) and fast (time 1,
// fuel 3, slips 0.10 to each side); walls clamp. A move that starts inside the central block costs
// risk 1. From the middle of the left edge to the middle of the right one; least time with fuel ≤
// 2K and risk ≤ K/4.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

struct Mode {
  const char* name;
  int time;
  int fuel;
  double slip;
};

struct Direction {
  const char* name;
  int dx;
  int dy;
};

constexpr Mode modes[] = {{"eco", 2, 1, 0.05}, {"fast", 1, 3, 0.10}};
constexpr Direction directions[] = {{"n", 0, 1}, {"s", 0, -1}, {"e", 1, 0}, {"w", -1, 0}};

class Grid {
 public:
  explicit Grid(int size) : size_(size) {}

  void write() const {
    fmt::print(
        "{{ \"format\": \"cssp\", \"version\": 1,\n  \"costs\": [\"time\", \"fuel\", \"risk\"],\n");
    fmt::print("  \"bounds\": {{ \"fuel\": {}, \"risk\": {} }},\n", 2 * size_, size_ / 4.0);
    fmt::print("  \"initial\": {}, \"goals\": [{}],\n  \"actions\": [", cell(0, size_ / 2),
               cell(size_ - 1, size_ / 2));
    const char* separator = "\n";
    for (int x = 0; x < size_; ++x)
      for (int y = 0; y < size_; ++y) {
        if (cell(x, y) == cell(size_ - 1, size_ / 2)) continue;
        for (const Mode& mode : modes)
          for (const Direction& direction : directions) {
            fmt::print("{}    {}", separator, action(x, y, mode, direction));
            separator = ",\n";
          }
      }
    fmt::print("\n  ] }}\n");
  }

 private:
  int cell(int x, int y) const {
    return std::clamp(x, 0, size_ - 1) * size_ + std::clamp(y, 0, size_ - 1);
  }
  bool is_risky(int x, int y) const {
    const int low = size_ / 4;
    const int high = size_ - 1 - size_ / 4;
    return x >= low && x <= high && y >= low && y <= high;
  }
  std::string action(int x, int y, const Mode& mode, const Direction& d) const {
    std::map<int, double> outcomes;
    outcomes[cell(x + d.dx, y + d.dy)] += 1 - 2 * mode.slip;
    outcomes[cell(x + d.dy, y + d.dx)] += mode.slip;
    outcomes[cell(x - d.dy, y - d.dx)] += mode.slip;
    std::string list;
    for (const auto& [to, probability] : outcomes)
      list += fmt::format("{}\"{}\": {}", list.empty() ? "" : ", ", to, probability);
    return fmt::format(
        "{{ \"state\": {}, \"name\": \"{}-{}\", \"cost\": [{}, {}, {}], \"outcomes\": {{ {} }} }}",
        cell(x, y), mode.name, d.name, mode.time, mode.fuel, is_risky(x, y) ? 1 : 0, list);
  }

  int size_;
};

}  // namespace

int main(int argc, char** argv) {
  const int size = argc == 2 ? std::atoi(argv[1]) : 0;
  if (size < 2) {
    std::fputs("usage: bench_slippery_grid K > FILE.json\n", stderr);
    return 2;
  }
  Grid(size).write();
  return 0;
}
