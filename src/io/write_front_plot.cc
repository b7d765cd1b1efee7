// A front as a picture (see plot.h): of two costs a line with its vertices, of three the faces as
// they are seen from where all costs are equally far.

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carl/error.h"
#include "carl/io.h"
#include "io/plot.h"

namespace carl {
namespace {

struct Point {
  double x = 0;
  double y = 0;
};

class Picture {
 public:
  Picture(const Cssp& cssp, const ParetoFront& front, std::ostream& out)
      : cssp_(cssp), front_(front), out_(out) {
    for (std::size_t i = 0; i < front.costs.size(); ++i) {
      double least = std::numeric_limits<double>::infinity();
      double most = -least;
      for (const ParetoVertex& vertex : front.vertices) {
        least = std::min(least, vertex.costs[front.costs[i]]);
        most = std::max(most, vertex.costs[front.costs[i]]);
      }
      if (front.vertices.empty()) least = most = 0;
      least_.push_back(least);
      most_.push_back(most);
    }
  }

  void write() {
    std::string title = "Trade-off between";
    for (std::size_t i = 0; i < front_.costs.size(); ++i)
      title += (i == 0 ? " " : i + 1 < front_.costs.size() ? ", " : " and ") + label(i);
    io::begin_picture(out_, title);
    if (front_.costs.size() == 2)
      write_plane();
    else
      write_space();
    out_ << "</svg>\n";
  }

 private:
  std::string label(std::size_t i) const { return cssp_.cost_label(front_.costs[i]); }

  void write_plane() {
    const io::Axis x(least_[0], most_[0], io::left, io::width - io::right);
    const io::Axis y(least_[1], most_[1], io::height - io::bottom, io::top);
    io::write_axes(out_, x, label(0), y, label(1));
    std::vector<Point> points;
    for (const ParetoVertex& vertex : front_.vertices)
      points.push_back({x(vertex.costs[front_.costs[0]]), y(vertex.costs[front_.costs[1]])});
    out_ << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << io::colours[0]
         << "\" points=\"";
    for (const Point& point : points)
      fmt::print(out_, "{:.2f},{:.2f} ", point.x, point.y);
    out_ << "\"/>\n";
    write_vertices(points);
  }

  /// The cube that all vertices are in, its near corner the least of all costs.
  static Point seen(double x, double y, double z) {
    const double size = 200;
    return {io::width / 2 + size * std::cos(M_PI / 6) * (y - x),
            io::height / 2 + 8 + size * (0.5 * (x + y) - z)};
  }

  double share(std::size_t vertex, std::size_t i) const {
    const double span = most_[i] - least_[i];
    return span > 0 ? (front_.vertices[vertex].costs[front_.costs[i]] - least_[i]) / span : 0.0;
  }

  void write_space() {
    for (std::size_t i = 0; i < 3; ++i)
      write_axis(i);
    std::vector<Point> points;
    for (std::size_t v = 0; v < front_.vertices.size(); ++v)
      points.push_back(seen(share(v, 0), share(v, 1), share(v, 2)));
    for (const std::vector<std::size_t>& face : front_.faces)
      write_face(face, points);
    for (const auto& [from, to] : front_.edges)
      fmt::print(out_,
                 "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\"/>\n",
                 points[from].x, points[from].y, points[to].x, points[to].y, io::colours[0]);
    write_vertices(points);
  }

  void write_axis(std::size_t i) {
    const Point from = seen(0, 0, 0);
    const Point to = seen(i == 0, i == 1, i == 2);
    fmt::print(out_,
               "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#808080\"/>"
               "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{} {:.6g} to "
               "{:.6g}</text>\n",
               from.x, from.y, to.x, to.y, to.x, to.y + (i == 2 ? -8 : 20), io::escaped(label(i)),
               least_[i], most_[i]);
  }

  /// A convex polygon whose corners come in no order.
  void write_face(std::vector<std::size_t> face, const std::vector<Point>& points) {
    Point middle;
    for (const std::size_t v : face) {
      middle.x += points[v].x / static_cast<double>(face.size());
      middle.y += points[v].y / static_cast<double>(face.size());
    }
    const auto angle = [&](std::size_t v) {
      return std::atan2(points[v].y - middle.y, points[v].x - middle.x);
    };
    std::sort(face.begin(), face.end(),
              [&](std::size_t a, std::size_t b) { return angle(a) < angle(b); });
    out_ << "<polygon fill=\"" << io::colours[0] << "\" fill-opacity=\"0.15\" points=\"";
    for (const std::size_t v : face)
      fmt::print(out_, "{:.2f},{:.2f} ", points[v].x, points[v].y);
    out_ << "\"/>\n";
  }

  void write_vertices(const std::vector<Point>& points) {
    for (std::size_t v = 0; v < points.size(); ++v) {
      std::string title = fmt::format("{}:", v + 1);
      for (std::size_t i = 0; i < front_.costs.size(); ++i)
        title += fmt::format(" {} {:.6g}", label(i), front_.vertices[v].costs[front_.costs[i]]);
      fmt::print(
          out_,
          "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"{}\"><title>{}</title></circle>\n",
          points[v].x, points[v].y, io::colours[0], io::escaped(title));
    }
  }

  const Cssp& cssp_;
  const ParetoFront& front_;
  std::ostream& out_;
  std::vector<double> least_;  // per cost of the front
  std::vector<double> most_;
};

}  // namespace

void write_front_plot(const Cssp& cssp, const ParetoFront& front, std::ostream& out) {
  Picture(cssp, front, out).write();
}

}  // namespace carl
