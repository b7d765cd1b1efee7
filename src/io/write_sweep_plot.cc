// A sweep as a picture (see plot.h).

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <limits>

#include "carl/io.h"
#include "io/plot.h"

namespace carl {
namespace {

using io::Axis;
using io::bottom;
using io::colours;
using io::escaped;
using io::height;
using io::left;
using io::right;
using io::top;
using io::width;

struct Corner {
  double bound = 0;
  double objective = 0;
};

/// What is known of a curve, from left to right.
std::vector<Corner> corners_of(const SweepCurve& curve) {
  std::vector<Corner> corners;
  for (const SweepPoint& point : curve.points)
    if (point.status == Status::optimal) corners.push_back({point.bound, *point.objective});
  for (const SweepBreakpoint& breakpoint : curve.breakpoints)
    corners.push_back({breakpoint.bound, breakpoint.objective});
  std::stable_sort(corners.begin(), corners.end(),
                   [](const Corner& a, const Corner& b) { return a.bound < b.bound; });
  return corners;
}

class Plot {
 public:
  Plot(const Cssp& cssp, const Sweep& sweep, std::ostream& out)
      : cssp_(cssp), sweep_(sweep), out_(out), x_(bounds_axis()), y_(objectives_axis()) {}

  void write() {
    io::begin_picture(
        out_, fmt::format("{} as the bound on {} varies", cssp_.cost_label(0), sweep_.cost));
    io::write_axes(out_, x_, "bound on " + sweep_.cost, y_, cssp_.cost_label(0));
    for (std::size_t i = 0; i < sweep_.curves.size(); ++i)
      curve(sweep_.curves[i], colours[i % colours.size()], i);
    out_ << "</svg>\n";
  }

 private:
  Axis bounds_axis() const {
    const auto& points = sweep_.curves.front().points;
    return {points.front().bound, points.back().bound, left, width - right};
  }

  Axis objectives_axis() const {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const SweepCurve& curve : sweep_.curves)
      for (const Corner& corner : corners_of(curve)) {
        least = std::min(least, corner.objective);
        most = std::max(most, corner.objective);
      }
    if (least > most) least = most = 0;
    return {least, most, height - bottom, top};
  }

  void curve(const SweepCurve& curve, const char* colour, std::size_t number) {
    out_ << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << colour << "\" points=\"";
    for (const Corner& corner : corners_of(curve))
      fmt::print(out_, "{:.2f},{:.2f} ", x_(corner.bound), y_(corner.objective));
    out_ << "\"/>\n";
    for (const SweepBreakpoint& breakpoint : curve.breakpoints)
      fmt::print(out_,
                 "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"{}\"><title>{:.6g}: "
                 "{:.6g}, then {:.6g} per unit</title></circle>\n",
                 x_(breakpoint.bound), y_(breakpoint.objective), colour, breakpoint.bound,
                 breakpoint.objective, breakpoint.slope);
    if (curve.second)
      fmt::print(out_,
                 "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"{}\">{} ≤ {:.6g}</text>\n",
                 width - right - 8, top + 16 + 16 * static_cast<double>(number), colour,
                 escaped(*sweep_.second_cost), *curve.second);
  }

  const Cssp& cssp_;
  const Sweep& sweep_;
  std::ostream& out_;
  Axis x_;
  Axis y_;
};

}  // namespace

void write_sweep_plot(const Cssp& cssp, const Sweep& sweep, std::ostream& out) {
  Plot(cssp, sweep, out).write();
}

}  // namespace carl
