// Values along the borders of parts, from rank to rank. Ghosts (ghosts.h) are fetched by all ranks at once;
// here a rank sends when it is done and waits for those whose values it needs, so that ranks can work one
// after the other, or many such rounds behind each other.
#ifndef CARL_CLUSTER_BORDERS_H
#define CARL_CLUSTER_BORDERS_H

#include <mpi.h>

#include <cstdint>
#include <list>
#include <span>
#include <vector>

#include "cluster/ranks.h"

namespace carl::cluster {

class Borders {
 public:
  /// Which of the other ranks.
  enum class Side { below, above };

  /// Collective. `states`, ascending, are numbers of states over all ranks: all of this rank's part and
  /// some of others; rank r owns those from first[r] to first[r + 1]. The vectors below have an entry for
  /// each of them. Throws TooLarge, on all ranks, if a message had more numbers than MPI can count, or
  /// than `most`.
  Borders(std::span<const std::int64_t> states, std::span<const std::int64_t> first,
          const Ranks& ranks, std::size_t most = Ranks::most_of_mpi);
  ~Borders() { finish(); }
  Borders(const Borders&) = delete;
  Borders& operator=(const Borders&) = delete;

  std::size_t num_below() const { return own_begin_; }

  /// Own values, to the ranks on that side that have asked for them. `round` tells messages apart, and
  /// those who wait say the same.
  void send_values(Side to, int round, std::span<const double> value);
  /// Values of the states of the ranks on that side. Waits for them.
  void receive_values(Side from, int round, std::span<double> value) const;
  /// The other way round: the owners add up what others have at their states.
  void send_sums(Side to, int round, std::span<const double> value);
  void receive_sums(Side from, int round, std::span<double> value);
  /// When all has been sent.
  void finish();

 private:
  /// A rank that has states of this one, or of which this one has some.
  struct Neighbour {
    int rank = 0;
    std::size_t begin = 0;  // its states
    std::size_t end = 0;
    std::vector<std::uint32_t> wanted;  // own states that it has
  };
  using Neighbours = std::vector<Neighbour>;
  struct Message {
    std::vector<double> text;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  const Neighbours& on(Side side) const { return side == Side::below ? below_ : above_; }
  void check_messages(const Ranks& ranks, std::size_t most) const;
  void send(int rank, int round, std::vector<double> text);
  void receive(int rank, int round, std::span<double> text) const;

  MPI_Comm communicator_;
  std::size_t own_begin_ = 0;
  Neighbours below_;
  Neighbours above_;
  std::vector<double> scratch_;
  std::list<Message> under_way_;
};

}  // namespace carl::cluster

#endif
