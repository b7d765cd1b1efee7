// The ranks of a parallel run, and what they say to each other beside values of states. All
// functions but the first few are collective: every rank calls them, in the same order.
#ifndef CARL_CLUSTER_RANKS_H
#define CARL_CLUSTER_RANKS_H

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carl::cluster {

class Ranks {
 public:
  /// MPI counts in 31 bits.
  static constexpr std::size_t most_of_mpi = 0x7fffffff;

  /// What is longer than `most_words` goes in pieces, of all ranks together no more than that for each
  /// of them.
  explicit Ranks(MPI_Comm communicator, std::size_t most_words = most_of_mpi);

  int rank() const { return rank_; }
  int size() const { return size_; }
  std::size_t index() const { return static_cast<std::size_t>(rank_); }
  std::size_t count() const { return static_cast<std::size_t>(size_); }
  /// The one that runs the outer search.
  bool is_first() const { return rank_ == 0; }
  MPI_Comm communicator() const { return communicator_; }

  double sum(double number) const;
  double max(double number) const;
  double min(double number) const;
  std::uint64_t sum(std::uint64_t number) const;
  std::uint64_t max(std::uint64_t number) const;
  /// Entry by entry.
  void sum(std::vector<std::uint64_t>& numbers) const;
  void sum(std::vector<double>& numbers) const;
  void min(std::vector<double>& numbers) const;
  /// The sums over the ranks before this one.
  std::vector<std::uint64_t> sum_before(const std::vector<std::uint64_t>& numbers) const;
  bool any(bool own) const { return max(std::uint64_t{own}) != 0; }
  bool all(bool own) const { return !any(!own); }
  /// One number of each rank.
  std::vector<std::uint64_t> gather_to_all(std::uint64_t number) const;

  /// What one rank has becomes what all have.
  void broadcast(std::vector<double>& numbers, int root = 0) const;
  void broadcast(std::vector<std::uint64_t>& words, int root = 0) const;
  double broadcast(double number, int root = 0) const;
  /// Of all ranks, one after the other; empty on all but the first.
  std::vector<std::uint64_t> gather(const std::vector<std::uint64_t>& words) const;
  /// outbox[r] goes to rank r. What has come, in the order of the ranks that sent it. Messages are
  /// large, so that no more of them are kept than need be: the outbox is empty afterwards.
  std::vector<std::uint64_t> exchange(std::vector<std::vector<std::uint64_t>>& outbox) const;
  /// The same, and how many words came from each rank.
  std::vector<std::uint64_t> exchange(std::vector<std::vector<std::uint64_t>>& outbox,
                                      std::vector<std::size_t>& from) const;

 private:
  template <class Word>
  void broadcast_pieces(std::vector<Word>& words, MPI_Datatype type, int root) const;
  template <class Number>
  void reduce_pieces(std::vector<Number>& numbers, MPI_Datatype type, MPI_Op operation) const;

  MPI_Comm communicator_;
  std::size_t most_words_;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace carl::cluster

#endif
