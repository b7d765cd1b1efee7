// What every model must satisfy, whatever it is built from. These checks know nothing of where a
// number was written: they throw an InputError that says what is wrong, and the caller that knows
// the place (a path in a JSON text, a state of a user's model) adds it.
#ifndef CARL_MODEL_VALIDITY_H
#define CARL_MODEL_VALIDITY_H

#include <span>
#include <string>
#include <string_view>

#include "carl/model.h"
#include "util/cost_limit.h"

namespace carl {

/// The name under which giving up appears in policies.
inline constexpr std::string_view give_up_name = "(give-up)";

/// A cost, a bound or a penalty (`what`): finite, not negative, not above `largest_cost`.
[[noreturn]] void fail_cost(std::string_view what, double value);
inline void check_cost(std::string_view what, double value) {
  if (!(value >= 0 && value <= largest_cost)) fail_cost(what, value);
}
/// One cost for each of `names`.
void check_cost_vector(std::span<const std::string> names, std::span<const double> costs);
/// The average cost of outcomes must be that of their action, up to 1e-9 (relatively).
void check_expected_cost(std::span<const std::string> names, std::span<const double> expected,
                         const OutcomeCosts& outcomes);
/// In [0, 1].
[[noreturn]] void fail_probability(double value);
inline void check_probability(double value) {
  if (!(value >= 0 && value <= 1)) fail_probability(value);
}
/// Probabilities are written in decimal, so their sum may be off by up to 1e-9. They are kept as
/// written if their doubles sum to one within 1e-15, otherwise scaled so that they do.
void normalise(std::span<double> probabilities);
void check_action_name(std::string_view name);
/// At least one cost, distinct names, at most one bound per cost, one penalty per cost.
void check_cost_model(const CostModel& costs);

}  // namespace carl

#endif
