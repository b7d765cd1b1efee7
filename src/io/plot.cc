#include "io/plot.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

namespace carl::io {

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

Axis::Axis(double from, double to, double begin, double end) : begin_(begin), end_(end) {
  const double span = to > from ? to - from : std::max(1.0, std::abs(from));
  const double rough = span / 6;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  tick_ = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  from_ = std::floor(from / tick_) * tick_;
  to_ = std::max(std::ceil(to / tick_) * tick_, from_ + tick_);
}

std::vector<double> Axis::ticks() const {
  std::vector<double> result;
  for (int i = 0; from_ + i * tick_ <= to_ + tick_ / 2; ++i)
    result.push_back(from_ + i * tick_);
  return result;
}

void begin_picture(std::ostream& out, const std::string& title) {
  fmt::print(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
             "height=\"{1}\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\" "
             "fill=\"#808080\">\n<title>{2}</title>\n",
             width, height, escaped(title));
}

void write_axes(std::ostream& out, const Axis& x, const std::string& x_name, const Axis& y,
                const std::string& y_name) {
  for (const double tick : x.ticks())
    fmt::print(out,
               "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#808080\" "
               "stroke-opacity=\"0.25\"/><text x=\"{0:.1f}\" y=\"{3}\" "
               "text-anchor=\"middle\">{4:.6g}</text>\n",
               x(tick), top, height - bottom, height - bottom + 20, tick);
  for (const double tick : y.ticks())
    fmt::print(out,
               "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#808080\" "
               "stroke-opacity=\"0.25\"/><text x=\"{3}\" y=\"{4:.1f}\" "
               "text-anchor=\"end\">{5:.6g}</text>\n",
               left, y(tick), width - right, left - 8, y(tick) + 4, tick);
  fmt::print(out,
             "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
             "<text x=\"{}\" y=\"{}\">{}</text>\n",
             (left + width - right) / 2, height - 12, escaped(x_name), left - 60, top - 12,
             escaped(y_name));
}

}  // namespace carl::io
