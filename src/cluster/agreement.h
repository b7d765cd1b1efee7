// What one rank cannot do, none does. Ranks wait for each other, so that an error that only one of them
// meets must become the error of all: at the next point where they meet, with the words of the first
// rank that has failed.
#ifndef CARL_CLUSTER_AGREEMENT_H
#define CARL_CLUSTER_AGREEMENT_H

#include <exception>
#include <string>
#include <utility>

#include "carl/error.h"
#include "carl/monitor.h"
#include "cluster/ranks.h"

namespace carl::cluster {

/// More of something than can be counted; ends a solve as the memory limit does.
class TooLarge : public LimitReached {
 public:
  explicit TooLarge(std::string text) : LimitReached(LimitKind::memory), text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Collective. Throws `own`, an InputError or LimitReached, or what another rank has met if any has.
void throw_on_all(const Ranks& ranks, const std::exception_ptr& own);

/// Collective, though the function need not be. What it throws otherwise means the end of all ranks, at
/// once, and is up to the program.
template <class Function>
void together(const Ranks& ranks, Function function) {
  std::exception_ptr failure;
  try {
    function();
  } catch (const InputError&) {
    failure = std::current_exception();
  } catch (const LimitReached&) {
    failure = std::current_exception();
  }
  throw_on_all(ranks, failure);
}

}  // namespace carl::cluster

#endif
