// What the page of `carl studio` can ask for. A question is a POST of a small JSON object, its
// answer a stream of events: `progress` while it is worked on, then what it is about, then `done` or
// `error`. A question that nobody listens to any more is no longer worked on: that is how the page
// cancels one.
//
//   api/open      files or the name of an example -> model
//   api/model     an open model -> the same
//   api/solve     model and budgets -> result, policy
//   api/sweep     model, budgets, a cost and a range -> curve
//   api/simulate  model, budgets, number of runs -> runs, several times, each with more of them
//   api/trace     model, budgets, number of a run -> trace
//   api/explain   model, budgets, states -> explanation
//
// A GET of api/hello says which models are open, and which examples there are.
#ifndef CARL_APPS_STUDIO_API_H
#define CARL_APPS_STUDIO_API_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "carl/io.h"
#include "studio_http.h"
#include "studio_models.h"

namespace carl::app {

struct StudioExample {
  std::string name;
  std::string about;
  std::vector<ModelText> texts;
};

struct StudioLimits {
  double seconds = 600;               // for one question
  std::size_t bytes = 2'000'000'000;  // of memory, the whole program
  std::size_t body = 8'000'000;       // bytes of one request
  std::size_t models = 8;             // open at a time
  std::size_t questions = 12;         // worked on or waiting at a time
  std::size_t runs = 200'000;         // of a simulation
  std::size_t trace_steps = 2'000;
  std::size_t states = 6'000;  // of a policy, in the page
};

class StudioApi {
 public:
  /// `interrupt` ends whatever is worked on.
  StudioApi(StudioLimits limits, std::vector<StudioExample> examples,
            const std::atomic<bool>& interrupt);
  ~StudioApi();
  StudioApi(const StudioApi&) = delete;
  StudioApi& operator=(const StudioApi&) = delete;

  /// Reads a problem before there is anybody to ask. Throws InputError, LimitReached.
  void open(const StudioProblem& problem, Monitor& monitor);
  StudioReply answer(const StudioRequest& request);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace carl::app

#endif
