// The frame of a PPDDL problem file. Generators fill in lines; the order and layout of the sections
// is the same for all of them, so that generated problems read alike.
#ifndef CARL_GENERATE_PROBLEM_TEXT_H
#define CARL_GENERATE_PROBLEM_TEXT_H

#include <string>
#include <string_view>
#include <vector>

#include "util/rational.h"

namespace carl::generators {

/// A decimal if there is a finite one, else a fraction; exact either way.
std::string number_text(const Rational& value);

class ProblemText {
 public:
  /// `title` becomes the first line, a comment, and with its marks flattened the problem's name.
  ProblemText(std::string_view title, std::string_view domain_name);

  /// Objects of one type; no line if there are none.
  void objects(const std::vector<std::string>& names, std::string_view type);
  /// One line of facts.
  void init(std::string facts) { init_.push_back(std::move(facts)); }
  void goal(std::string literal) { goal_.push_back(std::move(literal)); }
  void minimize(std::string cost) { metric_ = std::move(cost); }
  void bound(std::string_view cost, const Rational& upper);
  void give_up(std::string_view cost, const Rational& penalty);

  std::string str() const;

 private:
  std::string title_;
  std::string domain_name_;
  std::vector<std::string> objects_;
  std::vector<std::string> init_;
  std::vector<std::string> goal_;
  std::string metric_;
  std::vector<std::string> bounds_;
  std::vector<std::string> give_up_;
};

}  // namespace carl::generators

#endif
