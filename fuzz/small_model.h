// What policies and certificates of any bytes are checked against: a bound, giving up, a way round
// and an action that leads nowhere.
#ifndef CARL_FUZZ_SMALL_MODEL_H
#define CARL_FUZZ_SMALL_MODEL_H

#include "carl/cssp.h"
#include "carl/monitor.h"
#include "io/read_explicit.h"

namespace fuzz {

inline carl::Cssp small_model(carl::Monitor& monitor) {
  carl::CsspOptions options;
  options.remove_forbidden_actions = false;
  return carl::Cssp(carl::io::read_explicit("model.json",
                                            R"({ "format": "cssp", "version": 1,
      "costs": ["time", "fuel"], "bounds": { "fuel": 2 }, "give_up": { "time": 9 },
      "initial": "s", "goals": ["g"], "actions": [
        { "state": "s", "name": "a", "cost": [1, 1], "outcomes": { "s": 0.5, "t": 0.3, "g": 0.2 } },
        { "state": "s", "name": "b", "cost": [2, 0], "outcomes": { "t": 1 } },
        { "state": "t", "name": "a", "cost": [1, 0], "outcomes": { "s": 0.9, "g": 0.1 } },
        { "state": "t", "name": "b", "cost": [0, 0], "outcomes": { "t": 1 } } ] })",
                                            monitor),
                    options);
}

}  // namespace fuzz

#endif
