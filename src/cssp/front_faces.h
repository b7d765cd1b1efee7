// Which vertices of a front are joined: its edges and faces, for whoever draws it.
#ifndef CARL_CSSP_FRONT_FACES_H
#define CARL_CSSP_FRONT_FACES_H

#include <utility>
#include <vector>

namespace carl::cssp {

struct FrontFaces {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::vector<std::vector<std::size_t>> faces;
};

/// Of the convex hull of `points`, all vertices of it, and everything above. Only what is bounded:
/// that is what no other point of the hull dominates.
FrontFaces front_faces(const std::vector<std::vector<double>>& points);

}  // namespace carl::cssp

#endif
