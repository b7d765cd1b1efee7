// What the page of `carl studio` is told, as JSON texts.
#ifndef CARL_APPS_STUDIO_JSON_H
#define CARL_APPS_STUDIO_JSON_H

#include <cstddef>
#include <string>
#include <vector>

#include "carl/monitor.h"
#include "carl/simulate.h"
#include "carl/solution.h"
#include "carl/sweep.h"
#include "studio_models.h"

namespace carl::app {

/// Costs, the bounds that the text has, and the text.
std::string model_json(const StudioModel& model, const Cssp& cssp, const Budgets& written);
/// As a report has it; without the policy if `max_states` is 0.
std::string solution_json(const StudioModel& model, Cssp& cssp, const Solution& solution,
                          std::size_t max_states, Monitor& monitor);
/// Shares, averages and a histogram for each cost.
std::string simulation_json(const Cssp& cssp, const Simulation& simulation, std::size_t wanted);
std::string trace_json(Cssp& cssp, const std::vector<TraceStep>& steps, std::size_t run);

}  // namespace carl::app

#endif
