// Exact numbers, each distinct value stored once: a problem has many amounts and probabilities, but
// few different ones.
#ifndef CARL_TASK_NUMBER_TABLE_H
#define CARL_TASK_NUMBER_TABLE_H

#include <map>
#include <vector>

#include "task/task.h"
#include "util/rational.h"

namespace carl::task {

class NumberTable {
 public:
  NumberId intern(const Rational& number) {
    const auto [entry, is_new] = ids_.try_emplace(number, numbers_.size());
    if (is_new) numbers_.push_back(number);
    return entry->second;
  }
  const Rational& operator[](NumberId id) const { return numbers_[id.index()]; }
  const std::vector<Rational>& numbers() const { return numbers_; }

 private:
  std::map<Rational, NumberId> ids_;
  std::vector<Rational> numbers_;
};

}  // namespace carl::task

#endif
