#include "cluster/borders.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cluster/agreement.h"

namespace carl::cluster {

Borders::Borders(std::span<const std::int64_t> states, std::span<const std::int64_t> first,
                 const Ranks& ranks, std::size_t most)
    : communicator_(ranks.communicator()) {
  const auto place = [&](std::int64_t state) {
    return static_cast<std::size_t>(std::lower_bound(states.begin(), states.end(), state) -
                                    states.begin());
  };
  own_begin_ = place(first[ranks.index()]);
  std::vector<std::vector<std::uint64_t>> outbox(ranks.count());
  for (std::size_t r = 0; r < ranks.count(); ++r)
    if (r != ranks.index())
      outbox[r].assign(states.begin() + static_cast<std::ptrdiff_t>(place(first[r])),
                       states.begin() + static_cast<std::ptrdiff_t>(place(first[r + 1])));
  std::vector<std::size_t> counts;
  const std::vector<std::uint64_t> wanted = ranks.exchange(outbox, counts);
  auto next = wanted.begin();
  for (std::size_t r = 0; r < ranks.count(); ++r) {
    if (r == ranks.index()) continue;
    Neighbour neighbour{static_cast<int>(r), place(first[r]), place(first[r + 1]), {}};
    for (std::size_t i = 0; i < counts[r]; ++i)
      neighbour.wanted.push_back(
          static_cast<std::uint32_t>(place(static_cast<std::int64_t>(*next++))));
    if (neighbour.begin == neighbour.end && neighbour.wanted.empty()) continue;
    (r < ranks.index() ? below_ : above_).push_back(std::move(neighbour));
  }
  check_messages(ranks, most);
}

/// What one rank sends another waits for, so that it is enough to look at one of them.
void Borders::check_messages(const Ranks& ranks, std::size_t most) const {
  together(ranks, [&] {
    for (const Neighbours* neighbours : {&below_, &above_})
      for (const Neighbour& neighbour : *neighbours)
        if (neighbour.wanted.size() > most)
          throw TooLarge(
              fmt::format("two ranks have {} states on their border, and {} at most can "
                          "be in a message: use more ranks",
                          neighbour.wanted.size(), most));
  });
}

void Borders::send(int rank, int round, std::vector<double> text) {
  Message& message = under_way_.emplace_back();
  message.text = std::move(text);
  MPI_Isend(message.text.data(), static_cast<int>(message.text.size()), MPI_DOUBLE, rank, round,
            communicator_, &message.request);
}

void Borders::receive(int rank, int round, std::span<double> text) const {
  MPI_Recv(text.data(), static_cast<int>(text.size()), MPI_DOUBLE, rank, round, communicator_,
           MPI_STATUS_IGNORE);
}

void Borders::send_values(Side to, int round, std::span<const double> value) {
  for (const Neighbour& neighbour : on(to)) {
    if (neighbour.wanted.empty()) continue;
    std::vector<double> text;
    text.reserve(neighbour.wanted.size());
    for (const std::uint32_t i : neighbour.wanted)
      text.push_back(value[i]);
    send(neighbour.rank, round, std::move(text));
  }
}

void Borders::receive_values(Side from, int round, std::span<double> value) const {
  for (const Neighbour& neighbour : on(from))
    if (neighbour.begin != neighbour.end)
      receive(neighbour.rank, round,
              value.subspan(neighbour.begin, neighbour.end - neighbour.begin));
}

void Borders::send_sums(Side to, int round, std::span<const double> value) {
  for (const Neighbour& neighbour : on(to))
    if (neighbour.begin != neighbour.end)
      send(neighbour.rank, round,
           {value.begin() + static_cast<std::ptrdiff_t>(neighbour.begin),
            value.begin() + static_cast<std::ptrdiff_t>(neighbour.end)});
}

void Borders::receive_sums(Side from, int round, std::span<double> value) {
  for (const Neighbour& neighbour : on(from)) {
    if (neighbour.wanted.empty()) continue;
    scratch_.resize(neighbour.wanted.size());
    receive(neighbour.rank, round, scratch_);
    for (std::size_t i = 0; i < scratch_.size(); ++i)
      value[neighbour.wanted[i]] += scratch_[i];
  }
}

void Borders::finish() {
  for (Message& message : under_way_)
    MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  under_way_.clear();
}

}  // namespace carl::cluster
