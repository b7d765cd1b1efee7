// A sweep as a picture: SVG with its own few styles, on no background, in colours that can be told
// apart on white and on black, and by people who see fewer of them.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carl/io.h"

namespace carl {
namespace {

constexpr double width = 720;
constexpr double height = 440;
constexpr double left = 80;
constexpr double right = 24;
constexpr double top = 28;
constexpr double bottom = 56;
constexpr std::array colours{"#3b82c4", "#d9730d", "#2a9d6f", "#b5559b", "#8a7a2c", "#7a6fd0"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

/// From the data to the picture, with round ticks.
class Axis {
 public:
  Axis(double from, double to, double begin, double end) : begin_(begin), end_(end) {
    const double span = to > from ? to - from : std::max(1.0, std::abs(from));
    const double rough = span / 6;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    tick_ = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
    from_ = std::floor(from / tick_) * tick_;
    to_ = std::max(std::ceil(to / tick_) * tick_, from_ + tick_);
  }
  double operator()(double x) const {
    return begin_ + (x - from_) / (to_ - from_) * (end_ - begin_);
  }
  std::vector<double> ticks() const {
    std::vector<double> result;
    for (int i = 0; from_ + i * tick_ <= to_ + tick_ / 2; ++i)
      result.push_back(from_ + i * tick_);
    return result;
  }

 private:
  double from_, to_, begin_, end_, tick_;
};

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
    fmt::print(out_,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
               "height=\"{1}\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\" "
               "fill=\"#808080\">\n<title>{2} as the bound on {3} varies</title>\n",
               width, height, escaped(cssp_.cost_label(0)), escaped(sweep_.cost));
    axes();
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

  void axes() {
    for (const double tick : x_.ticks())
      fmt::print(out_,
                 "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#808080\" "
                 "stroke-opacity=\"0.25\"/><text x=\"{0:.1f}\" y=\"{3}\" "
                 "text-anchor=\"middle\">{4:.6g}</text>\n",
                 x_(tick), top, height - bottom, height - bottom + 20, tick);
    for (const double tick : y_.ticks())
      fmt::print(out_,
                 "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#808080\" "
                 "stroke-opacity=\"0.25\"/><text x=\"{3}\" y=\"{4:.1f}\" "
                 "text-anchor=\"end\">{5:.6g}</text>\n",
                 left, y_(tick), width - right, left - 8, y_(tick) + 4, tick);
    fmt::print(out_,
               "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">bound on {}</text>\n"
               "<text x=\"{}\" y=\"{}\">{}</text>\n",
               (left + width - right) / 2, height - 12, escaped(sweep_.cost), left - 60, top - 12,
               escaped(cssp_.cost_label(0)));
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
