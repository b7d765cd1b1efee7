#include "cluster/ranks.h"

#include <algorithm>

namespace carl::cluster {
namespace {

template <class Number>
Number reduced(Number number, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator) {
  Number result{};
  MPI_Allreduce(&number, &result, 1, type, operation, communicator);
  return result;
}

/// Where each of the messages begins; the last entry is where they end.
template <class Number>
std::vector<Number> offsets_of(const std::vector<Number>& counts) {
  std::vector<Number> offsets{0};
  for (const Number count : counts)
    offsets.push_back(offsets.back() + count);
  return offsets;
}

/// The next piece of each of these, as MPI counts; `done` words of each have been sent.
std::vector<int> pieces_of(const std::vector<std::uint64_t>& counts, std::uint64_t done,
                           std::uint64_t most) {
  std::vector<int> pieces;
  for (const std::uint64_t count : counts)
    pieces.push_back(static_cast<int>(std::min(count - std::min(done, count), most)));
  return pieces;
}

}  // namespace

Ranks::Ranks(MPI_Comm communicator, std::size_t most_words)
    : communicator_(communicator), most_words_(most_words) {
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

template <class Number>
void Ranks::reduce_pieces(std::vector<Number>& numbers, MPI_Datatype type, MPI_Op operation) const {
  for (std::size_t at = 0; at < numbers.size(); at += most_words_)
    MPI_Allreduce(MPI_IN_PLACE, numbers.data() + at,
                  static_cast<int>(std::min(most_words_, numbers.size() - at)), type, operation,
                  communicator_);
}

void Ranks::sum(std::vector<std::uint64_t>& numbers) const {
  reduce_pieces(numbers, MPI_UINT64_T, MPI_SUM);
}

void Ranks::sum(std::vector<double>& numbers) const {
  reduce_pieces(numbers, MPI_DOUBLE, MPI_SUM);
}

void Ranks::min(std::vector<double>& numbers) const {
  reduce_pieces(numbers, MPI_DOUBLE, MPI_MIN);
}

std::vector<std::uint64_t> Ranks::sum_before(const std::vector<std::uint64_t>& numbers) const {
  std::vector<std::uint64_t> before(numbers.size(), 0);
  for (std::size_t at = 0; at < numbers.size(); at += most_words_)
    MPI_Exscan(numbers.data() + at, before.data() + at,
               static_cast<int>(std::min(most_words_, numbers.size() - at)), MPI_UINT64_T, MPI_SUM,
               communicator_);
  if (is_first()) before.assign(numbers.size(), 0);  // MPI leaves it open
  return before;
}

std::vector<std::uint64_t> Ranks::gather_to_all(std::uint64_t number) const {
  std::vector<std::uint64_t> all(count());
  MPI_Allgather(&number, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, communicator_);
  return all;
}

template <class Word>
void Ranks::broadcast_pieces(std::vector<Word>& words, MPI_Datatype type, int root) const {
  std::uint64_t size = words.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, root, communicator_);
  words.resize(size);
  for (std::size_t at = 0; at < size; at += most_words_)
    MPI_Bcast(words.data() + at, static_cast<int>(std::min(most_words_, size - at)), type, root,
              communicator_);
}

void Ranks::broadcast(std::vector<double>& numbers, int root) const {
  broadcast_pieces(numbers, MPI_DOUBLE, root);
}

void Ranks::broadcast(std::vector<std::uint64_t>& words, int root) const {
  broadcast_pieces(words, MPI_UINT64_T, root);
}

double Ranks::broadcast(double number, int root) const {
  MPI_Bcast(&number, 1, MPI_DOUBLE, root, communicator_);
  return number;
}

std::vector<std::uint64_t> Ranks::gather(const std::vector<std::uint64_t>& words) const {
  std::vector<std::vector<std::uint64_t>> outbox(count());
  outbox.front() = words;
  return exchange(outbox);
}

std::vector<std::uint64_t> Ranks::exchange(std::vector<std::vector<std::uint64_t>>& outbox) const {
  std::vector<std::size_t> from;
  return exchange(outbox, from);
}

std::vector<std::uint64_t> Ranks::exchange(std::vector<std::vector<std::uint64_t>>& outbox,
                                           std::vector<std::size_t>& from) const {
  std::vector<std::uint64_t> sent;
  for (const std::vector<std::uint64_t>& message : outbox)
    sent.push_back(message.size());
  std::vector<std::uint64_t> received(count());
  MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, communicator_);
  from.assign(received.begin(), received.end());
  const std::vector<std::uint64_t> place = offsets_of(received);
  const std::uint64_t longest = max(*std::max_element(sent.begin(), sent.end()));
  const std::uint64_t most = std::max<std::uint64_t>(1, most_words_ / count());
  std::vector<std::uint64_t> all;
  for (std::uint64_t done = 0; done < longest; done += most) {
    const std::vector<int> out_counts = pieces_of(sent, done, most);
    const std::vector<int> in_counts = pieces_of(received, done, most);
    const std::vector<int> out_offsets = offsets_of(out_counts);
    const std::vector<int> in_offsets = offsets_of(in_counts);
    std::vector<std::uint64_t> out;
    out.reserve(static_cast<std::size_t>(out_offsets.back()));
    for (std::size_t r = 0; r < count(); ++r) {
      if (out_counts[r] == 0) continue;
      const auto begin = outbox[r].begin() + static_cast<std::ptrdiff_t>(done);
      out.insert(out.end(), begin, begin + out_counts[r]);
      if (done + most >= sent[r]) outbox[r] = std::vector<std::uint64_t>();
    }
    std::vector<std::uint64_t> in(static_cast<std::size_t>(in_offsets.back()));
    MPI_Alltoallv(out.data(), out_counts.data(), out_offsets.data(), MPI_UINT64_T, in.data(),
                  in_counts.data(), in_offsets.data(), MPI_UINT64_T, communicator_);
    if (longest <= most) return in;
    all.resize(place.back());
    for (std::size_t r = 0; r < count(); ++r)
      std::copy_n(
          in.begin() + in_offsets[r], in_counts[r],
          all.begin() + static_cast<std::ptrdiff_t>(place[r] + std::min(done, received[r])));
  }
  return all;
}

}  // namespace carl::cluster
