#include <fmt/format.h>
#include <fmt/ostream.h>

#include "carl/io.h"
#include "io/csv.h"
#include "io/json_writer.h"
#include "io/problem_json.h"

namespace carl {
namespace {

using io::JsonWriter;

class FrontWriter {
 public:
  FrontWriter(const Cssp& cssp, const ParetoFront& front, std::ostream& out)
      : cssp_(cssp), front_(front), json_(out, JsonWriter::Layout::indented) {}

  void write() {
    json_.object([&] {
      json_.member("format", "carl-front");
      json_.member("version", 1);
      json_.member("status", to_string(front_.status));
      json_.array("costs", [&] {
        for (const std::size_t c : front_.costs)
          json_.element(name(c));
      });
      io::write_rewards(json_, cssp_);
      json_.member_if_any("note", front_.note);
      json_.member("distance", front_.distance);
      if (!front_.scale.empty()) json_.object("scale", [&] { of_front(front_.scale); });
      if (!front_.lifted.empty()) write_lifted();
      write_vertices();
      write_joined();
      json_.array("lines", [&] {
        for (const ParetoLine& line : front_.lines)
          json_.object([&] {
            json_.object("weights", [&] { of_front(line.weights); });
            json_.member("least", line.least);
          });
      });
      json_.object("effort", [&] {
        json_.member("scalarised_ssps", front_.statistics.scalarised_ssps);
        json_.member("seconds", front_.statistics.seconds.total);
      });
    });
  }

 private:
  const std::string& name(std::size_t cost) const { return cssp_.cost_names()[cost]; }

  /// Members: a number for each cost of the front.
  void of_front(const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      json_.member(name(front_.costs[i]), numbers[i]);
  }

  void write_lifted() {
    json_.object("lifted", [&] {
      for (const Bound& bound : front_.lifted)
        json_.member(name(bound.cost), bound.upper);
    });
  }

  void write_vertices() {
    json_.array("vertices", [&] {
      for (const ParetoVertex& vertex : front_.vertices)
        json_.object([&] {
          json_.object("costs", [&] {
            for (std::size_t c = 0; c < vertex.costs.size(); ++c)
              json_.member(name(c), vertex.costs[c]);
          });
          json_.member("deterministic", vertex.deterministic);
          if (!vertex.policy.empty()) write_policy_of(vertex);
        });
    });
  }

  void write_policy_of(const ParetoVertex& vertex) {
    json_.array("states", [&] {
      for (const Policy::Entry entry : vertex.policy)
        json_.object([&] { io::write_entry(json_, cssp_, entry); });
    });
  }

  void write_joined() {
    json_.array("edges", [&] {
      for (const auto& [from, to] : front_.edges)
        json_.element(std::vector<std::size_t>{from, to});
    });
    json_.array("faces", [&] {
      for (const std::vector<std::size_t>& face : front_.faces)
        json_.element(face);
    });
  }

  const Cssp& cssp_;
  const ParetoFront& front_;
  JsonWriter json_;
};

}  // namespace

void write_front(const Cssp& cssp, const ParetoFront& front, std::ostream& out) {
  FrontWriter(cssp, front, out).write();
  out << '\n';
}

void write_front_csv(const Cssp& cssp, const ParetoFront& front, std::ostream& out) {
  out << "vertex";
  for (std::size_t c = 0; c < cssp.num_costs(); ++c)
    out << ',' << io::csv_quoted(cssp.cost_label(c));
  out << ",deterministic\n";
  for (std::size_t i = 0; i < front.vertices.size(); ++i) {
    out << i + 1;
    for (const double cost : front.vertices[i].costs)
      fmt::print(out, ",{}", cost);
    out << (front.vertices[i].deterministic ? ",yes\n" : ",no\n");
  }
}

}  // namespace carl
