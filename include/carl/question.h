// What a property asks of a model, part by part, and where the answers are found among the costs of
// the problem that it has become: see docs/properties.md.
#ifndef CARL_QUESTION_H
#define CARL_QUESTION_H

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carl/model.h"
#include "carl/monitor.h"

namespace carl {

/// One part: a probability or an expected reward, to be optimised or bounded.
struct Objective {
  enum class Sense { minimise, maximise, at_most, at_least };

  std::string text;     // as it was asked: P>=0.95 [F "safe"]
  std::string formula;  // without what is wanted of it: P[F "safe"]
  Sense sense = Sense::minimise;
  double bound = 0;      // of at_most and at_least
  std::size_t cost = 0;  // its number among the costs of the problem
  /// The cost is the probability of the contrary.
  bool complement = false;

  bool is_bound() const { return sense == Sense::at_most || sense == Sense::at_least; }
  double value(double cost_value) const { return complement ? 1 - cost_value : cost_value; }
};

struct Question {
  enum class Kind {
    optimise,  // one part is optimised, the others are bounded
    achieve,   // all are bounded: is there a policy?
    front      // two parts or more are optimised: all trade-offs
  };

  Kind kind = Kind::optimise;
  std::string text;
  std::vector<Objective> objectives;
  /// What is not as it was asked, for people.
  std::vector<std::string> notes = {};

  /// What is optimised, if it is one thing only.
  const Objective* optimised() const {
    if (kind != Kind::optimise) return nullptr;
    for (const Objective& objective : objectives)
      if (!objective.is_bound()) return &objective;
    return nullptr;
  }
};

/// True if going round for ever at no cost is allowed and never better than what ends: loops at no
/// cost are then no error, and their states count as one. So it is where the goal need not be
/// reached, and where a property asks.
bool allows_free_loops(const Model& model);

/// A property, or a file of them, in PRISM's language.
struct PropertyText {
  std::string file;  // for messages
  std::string text;
  /// Which of them, if there are several.
  std::string name = {};
  /// Names and values of constants that it leaves open.
  std::vector<std::pair<std::string, std::string>> constants = {};
};

/// The model of what a property asks of this one. What the text of the model says of goals, bounds
/// and giving up does not count. Throws InputError, OptionError, LimitReached.
std::shared_ptr<Model> ask_property(std::shared_ptr<Model> model, const PropertyText& property,
                                    Monitor& monitor);

}  // namespace carl

#endif
