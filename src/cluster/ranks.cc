#include "cluster/ranks.h"

#include <limits>

#include "carl/monitor.h"

namespace carl::cluster {
namespace {

/// Words of one message: MPI counts them in 31 bits.
int count_of(std::size_t words) {
  if (words > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw LimitReached(LimitKind::memory);
  return static_cast<int>(words);
}

template <class Number>
Number reduced(Number number, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator) {
  Number result{};
  MPI_Allreduce(&number, &result, 1, type, operation, communicator);
  return result;
}

/// Where each of the messages begins; the last entry is where they end.
std::vector<int> offsets_of(const std::vector<int>& counts) {
  std::size_t total = 0;
  std::vector<int> offsets{0};
  for (const int count : counts)
    offsets.push_back(count_of(total += static_cast<std::size_t>(count)));
  return offsets;
}

}  // namespace

Ranks::Ranks(MPI_Comm communicator) : communicator_(communicator) {
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &size_);
}

double Ranks::sum(double number) const {
  return reduced(number, MPI_DOUBLE, MPI_SUM, communicator_);
}
double Ranks::max(double number) const {
  return reduced(number, MPI_DOUBLE, MPI_MAX, communicator_);
}
double Ranks::min(double number) const {
  return reduced(number, MPI_DOUBLE, MPI_MIN, communicator_);
}
std::uint64_t Ranks::sum(std::uint64_t number) const {
  return reduced(number, MPI_UINT64_T, MPI_SUM, communicator_);
}
std::uint64_t Ranks::max(std::uint64_t number) const {
  return reduced(number, MPI_UINT64_T, MPI_MAX, communicator_);
}

void Ranks::sum(std::vector<std::uint64_t>& numbers) const {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count_of(numbers.size()), MPI_UINT64_T, MPI_SUM,
                communicator_);
}

void Ranks::sum(std::vector<double>& numbers) const {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count_of(numbers.size()), MPI_DOUBLE, MPI_SUM,
                communicator_);
}

void Ranks::min(std::vector<double>& numbers) const {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count_of(numbers.size()), MPI_DOUBLE, MPI_MIN,
                communicator_);
}

std::vector<std::uint64_t> Ranks::sum_before(const std::vector<std::uint64_t>& numbers) const {
  std::vector<std::uint64_t> before(numbers.size(), 0);
  MPI_Exscan(numbers.data(), before.data(), count_of(numbers.size()), MPI_UINT64_T, MPI_SUM,
             communicator_);
  if (is_first()) before.assign(numbers.size(), 0);  // MPI leaves it open
  return before;
}

std::vector<std::uint64_t> Ranks::gather_to_all(std::uint64_t number) const {
  std::vector<std::uint64_t> all(count());
  MPI_Allgather(&number, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, communicator_);
  return all;
}

void Ranks::broadcast(std::vector<double>& numbers, int root) const {
  std::uint64_t size = numbers.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, root, communicator_);
  numbers.resize(size);
  MPI_Bcast(numbers.data(), count_of(size), MPI_DOUBLE, root, communicator_);
}

void Ranks::broadcast(std::vector<std::uint64_t>& words, int root) const {
  std::uint64_t size = words.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, root, communicator_);
  words.resize(size);
  MPI_Bcast(words.data(), count_of(size), MPI_UINT64_T, root, communicator_);
}

double Ranks::broadcast(double number, int root) const {
  MPI_Bcast(&number, 1, MPI_DOUBLE, root, communicator_);
  return number;
}

std::vector<std::uint64_t> Ranks::gather(const std::vector<std::uint64_t>& words) const {
  const int own = count_of(words.size());
  std::vector<int> counts(count());
  MPI_Gather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator_);
  std::vector<int> offsets{0};
  if (is_first()) offsets = offsets_of(counts);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(offsets.back()));
  MPI_Gatherv(words.data(), own, MPI_UINT64_T, all.data(), counts.data(), offsets.data(),
              MPI_UINT64_T, 0, communicator_);
  return all;
}

std::vector<std::uint64_t> Ranks::exchange(std::vector<std::vector<std::uint64_t>>& outbox) const {
  std::vector<std::size_t> from;
  return exchange(outbox, from);
}

std::vector<std::uint64_t> Ranks::exchange(std::vector<std::vector<std::uint64_t>>& outbox,
                                           std::vector<std::size_t>& from) const {
  std::vector<int> sent;
  for (const std::vector<std::uint64_t>& message : outbox)
    sent.push_back(count_of(message.size()));
  std::vector<int> received(count());
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, communicator_);
  from.assign(received.begin(), received.end());
  const std::vector<int> sent_offsets = offsets_of(sent);
  const std::vector<int> received_offsets = offsets_of(received);
  std::vector<std::uint64_t> out;
  out.reserve(static_cast<std::size_t>(sent_offsets.back()));
  for (std::vector<std::uint64_t>& message : outbox) {
    out.insert(out.end(), message.begin(), message.end());
    message = std::vector<std::uint64_t>();
  }
  std::vector<std::uint64_t> in(static_cast<std::size_t>(received_offsets.back()));
  MPI_Alltoallv(out.data(), sent.data(), sent_offsets.data(), MPI_UINT64_T, in.data(),
                received.data(), received_offsets.data(), MPI_UINT64_T, communicator_);
  return in;
}

}  // namespace carl::cluster
