// What one rank knows, another may ask: many small questions, each for one rank, all at once.
#ifndef CARL_CLUSTER_QUESTIONS_H
#define CARL_CLUSTER_QUESTIONS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cluster/agreement.h"
#include "cluster/ranks.h"

namespace carl::cluster {

/// Questions of a fixed number of words, in the order in which they are added.
class Questions {
 public:
  Questions(std::size_t num_words, const Ranks& ranks)
      : num_words_(num_words), ranks_(ranks), words_(ranks.count()) {}

  void add(std::size_t rank, const std::uint64_t* words) {
    to_.push_back(static_cast<std::uint32_t>(rank));
    words_[rank].insert(words_[rank].end(), words, words + num_words_);
  }

  /// Collective, and throws what `answer` throws on all ranks. There answer(words) is one word. What
  /// was said to the own questions, in their order.
  template <class Answer>
  std::vector<std::uint64_t> ask(Answer answer) {
    std::vector<std::size_t> counts;
    const std::vector<std::uint64_t> asked = ranks_.exchange(words_, counts);
    std::vector<std::vector<std::uint64_t>> answers(ranks_.count());
    together(ranks_, [&] {
      std::size_t at = 0;
      for (std::size_t r = 0; r < ranks_.count(); ++r)
        for (const std::size_t end = at + counts[r]; at < end; at += num_words_)
          answers[r].push_back(answer(asked.data() + at));
    });
    const std::vector<std::uint64_t> said = ranks_.exchange(answers, counts);
    std::vector<std::size_t> next(ranks_.count(), 0);
    for (std::size_t r = 0; r + 1 < ranks_.count(); ++r)
      next[r + 1] = next[r] + counts[r];
    std::vector<std::uint64_t> result;
    result.reserve(to_.size());
    for (const std::uint32_t rank : to_)
      result.push_back(said[next[rank]++]);
    return result;
  }

 private:
  std::size_t num_words_;
  const Ranks& ranks_;
  std::vector<std::uint32_t> to_;
  std::vector<std::vector<std::uint64_t>> words_;  // by rank
};

}  // namespace carl::cluster

#endif
