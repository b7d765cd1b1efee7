// What pictures share: SVG with its own few styles, on no background, in colours that can be told
// apart on white and on black, and by people who see fewer of them.
#ifndef CARL_IO_PLOT_H
#define CARL_IO_PLOT_H

#include <array>
#include <ostream>
#include <string>
#include <vector>

namespace carl::io {

inline constexpr double width = 720;
inline constexpr double height = 440;
inline constexpr double left = 80;
inline constexpr double right = 24;
inline constexpr double top = 28;
inline constexpr double bottom = 56;
inline constexpr std::array colours{"#3b82c4", "#d9730d", "#2a9d6f",
                                    "#b5559b", "#8a7a2c", "#7a6fd0"};

/// For use as text of an element.
std::string escaped(const std::string& text);

/// From the data to the picture, with round ticks.
class Axis {
 public:
  Axis(double from, double to, double begin, double end);
  double operator()(double x) const {
    return begin_ + (x - from_) / (to_ - from_) * (end_ - begin_);
  }
  std::vector<double> ticks() const;

 private:
  double from_, to_, begin_, end_, tick_;
};

/// The element that all is in, to be closed in the end, and its title.
void begin_picture(std::ostream& out, const std::string& title);
/// A grid with numbers and the names of both axes.
void write_axes(std::ostream& out, const Axis& x, const std::string& x_name, const Axis& y,
                const std::string& y_name);

}  // namespace carl::io

#endif
