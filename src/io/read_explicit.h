// Reads a model that is written out state by state, as JSON:
//
//   { "format": "cssp", "version": 1,
//     "costs": ["time", "price"], "bounds": { "price": 15 },
//     "initial": "s0", "goals": ["g"], "give_up": { "time": 500 },
//     "actions": [ { "state": "s0", "name": "walk", "cost": [1, 0],
//                    "outcomes": { "s1": 0.5, "g": 0.5 } },
//                  { "state": "s1", "name": "taxi", "cost": [1, 20],
//                    "outcomes": [ { "state": "g", "probability": 0.5, "cost": [1, 10] },
//                                  { "state": "g", "probability": 0.5, "cost": [1, 30] } ] } ] }
//
// The list tells outcomes apart that differ in cost; the cost of the action is the expectation.
#ifndef CARL_IO_READ_EXPLICIT_H
#define CARL_IO_READ_EXPLICIT_H

#include <memory>
#include <string>

#include "carl/io.h"

namespace carl::io {

/// `name` is the file name for messages, `minimise` as in LoadOptions. Throws InputError; polls `limits`. A text that has room
/// for some 64 bytes more is not copied.
std::shared_ptr<Model> read_explicit(const std::string& name, std::string text, Monitor& monitor,
                                     const std::string& minimise = {});
/// The same, timed.
std::shared_ptr<Model> read_explicit(ModelText text, const std::string& minimise, Monitor& monitor,
                                     LoadTimes& times);

}  // namespace carl::io

#endif
