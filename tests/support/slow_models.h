// Explicit models whose policies take 10^3 to 10^6 steps, and most of whose actions cost nothing:
// values settle at that pace under sweeps, and a lower bound that is scaled down by what rounding
// errors violate is worthless as soon as a free action is among them. The same parameters give the
// same model on every machine.
#ifndef CARL_TESTS_SUPPORT_SLOW_MODELS_H
#define CARL_TESTS_SUPPORT_SLOW_MODELS_H

#include <cstdint>
#include <memory>
#include <string>

#include "carl/model.h"

namespace carl::testing {

/// A server with power modes and a queue. Every step has phases (decide, switch, arrive, serve),
/// most of which cost nothing, and the shift ends once in `steps`. Least energy, with at most
/// `losses` requests lost.
struct Queue {
  int length = 3;
  double steps = 6000;
  double losses = 50;
};
std::shared_ptr<Model> queue_model(const Queue& queue);

/// A walk on a line of `length` states to its end, one step to either side at a time: drifting
/// takes a step nearer with probability `drift`, pushing with probability `push`, which takes fuel.
/// Least time for so much fuel.
struct Walk {
  int length = 100;
  double drift = 0.5;
  double push = 0.55;
  double fuel = 50;
};
std::shared_ptr<Model> walk_model(const Walk& walk);

/// A line that is walked for ever, or until the shift ends once in `steps`: in every place one
/// chooses to work or to rest, at no cost; the step that follows is paid for, work by energy, and
/// the further from the beginning the more delay. Optimal policies have a threshold, which the next
/// λ moves. Least energy, with at most so much delay.
struct Threshold {
  int length = 50;
  double steps = 1e5;
  double delay = 20'000;
};
std::shared_ptr<Model> threshold_model(const Threshold& threshold);

/// A device with four modes, requests that come in bursts, and a queue: choosing the next mode is
/// free. Least power, with bounds on the sum of queue lengths and on requests lost.
struct PowerManager {
  int length = 5;
  double steps = 1e4;
  double waiting = 2e4;
  double losses = 100;
};
std::shared_ptr<Model> power_manager_model(const PowerManager& manager);

/// A rover that tries scientific tasks: planning one is free, doing one takes energy, mostly fails,
/// and once in a while uses up one of its batteries; it may turn back at any time. Least energy, with at most so
/// many tasks left undone.
struct Rover {
  int batteries = 10;
  int tasks = 20;
  double undone = 3;
};
std::shared_ptr<Model> rover_model(const Rover& rover);

/// One of the above with parameters drawn at random: few states, bounds that bind more often than
/// not.
std::shared_ptr<Model> random_slow_model(std::uint64_t seed);
/// What was drawn, for messages of failing tests.
std::string slow_model_text(std::uint64_t seed);

}  // namespace carl::testing

#endif
