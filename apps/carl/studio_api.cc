#include "studio_api.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "carl/error.h"
#include "carl/explain.h"
#include "carl/problem.h"
#include "carl/simulate.h"
#include "studio_job.h"
#include "studio_json.h"

namespace carl::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_files = 4;
constexpr std::size_t longest_name = 200;
constexpr std::size_t most_explained = 30;
constexpr std::size_t first_runs = 500;

[[noreturn]] void misunderstood(const std::string& what) {
  throw InputError(fmt::format("the question is not understood: {}", what));
}

std::string text_in(const Json& json, const char* key) {
  if (!json.contains(key) || !json[key].is_string())
    misunderstood(fmt::format("'{}' must be a text", key));
  return json[key].get<std::string>();
}

std::size_t whole_number_in(const Json& json, const char* key, std::size_t most) {
  if (!json.contains(key) || !json[key].is_number_unsigned())
    misunderstood(fmt::format("'{}' must be a whole number", key));
  return std::min(most, json[key].get<std::size_t>());
}

double number_in(const Json& json, const char* key) {
  if (!json.contains(key) || !json[key].is_number())
    misunderstood(fmt::format("'{}' must be a number", key));
  return json[key].get<double>();
}

/// A bound for each cost that is named, null for none; of others, what the text says.
Budgets budgets_in(const Json& question, const Cssp& cssp, Budgets budgets) {
  if (!question.contains("bounds")) return budgets;
  if (!question["bounds"].is_object()) misunderstood("'bounds' must be an object");
  const auto& names = cssp.cost_names();
  for (const auto& [name, bound] : question["bounds"].items()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() || found == names.begin())
      misunderstood(fmt::format("there is no cost '{}' to bound", name));
    if (!bound.is_null() && (!bound.is_number() || !(bound.get<double>() >= 0)))
      misunderstood(fmt::format("the bound on '{}' must be a number from 0 on, or null", name));
    budgets[static_cast<std::size_t>(found - names.begin())] =
        bound.is_null() ? std::numeric_limits<double>::infinity() : bound.get<double>();
  }
  return budgets;
}

std::vector<ModelText> files_in(const Json& question) {
  const Json files = question.value("files", Json());
  if (!files.is_array() || files.empty() || files.size() > most_files)
    misunderstood(fmt::format("'files' must be a list of 1 to {} files", most_files));
  std::vector<ModelText> texts;
  for (const Json& file : files) {
    if (!file.is_object()) misunderstood("a file must be an object");
    texts.push_back({text_in(file, "name"), text_in(file, "text")});
    if (texts.back().name.empty() || texts.back().name.size() > longest_name)
      misunderstood("the name of a file is missing or too long");
  }
  return texts;
}

}  // namespace

class StudioApi::Implementation {
 public:
  Implementation(StudioLimits limits, std::vector<StudioExample> examples,
                 const std::atomic<bool>& interrupt)
      : limits_(limits),
        examples_(std::move(examples)),
        interrupt_(interrupt),
        models_(limits.models) {}

  const StudioLimits& limits() const { return limits_; }

  std::shared_ptr<StudioModel> open(const StudioProblem& problem, Monitor& monitor) {
    make_room();
    LoadOptions load = problem.load;
    load.has_goal = !problem.property;
    std::shared_ptr<Model> model = load_model_texts(problem.texts, monitor, nullptr, load);
    if (problem.property) model = ask_property(std::move(model), *problem.property, monitor);
    if (has_cvar(*model, problem.options))
      throw InputError("studio does not know of CVaR, which is a search of its own",
                       "'carl solve' does; other guarantees are fine here");
    return models_.add(problem, Solver(make_problem(std::move(model), problem.options, monitor)));
  }

  StudioReply hello() const {
    Json models = Json::array();
    for (const auto& model : models_.all())
      models.push_back({{"id", model->id()}, {"title", model->title()}});
    Json examples = Json::array();
    for (const StudioExample& example : examples_)
      examples.push_back({{"name", example.name}, {"about", example.about}});
    return {200,
            "application/json",
            Json({{"version", CARL_VERSION}, {"models", models}, {"examples", examples}})
                .dump(-1, ' ', false, Json::error_handler_t::replace),
            {}};
  }

  /// Null if there is no such question.
  StudioWork work_for(const std::string& path, Json question) {
    using Member = void (Implementation::*)(const Json&, Monitor&, const Emit&);
    constexpr std::pair<const char*, Member> questions[] = {
        {"api/open", &Implementation::answer_open},
        {"api/model", &Implementation::answer_model},
        {"api/solve", &Implementation::answer_solve},
        {"api/sweep", &Implementation::answer_sweep},
        {"api/simulate", &Implementation::answer_simulate},
        {"api/trace", &Implementation::answer_trace},
        {"api/explain", &Implementation::answer_explain}};
    for (const auto& [name, member] : questions)
      if (path == name)
        return
            [this, member = member, question = std::move(question)](
                Monitor& monitor, const Emit& emit) { (this->*member)(question, monitor, emit); };
    return {};
  }

  void run(EventStream& stream, const StudioWork& work) {
    run_studio_job(stream, limits_.seconds, limits_.bytes, interrupt_, work);
  }

  /// Counts the questions that are worked on.
  std::shared_ptr<void> place() {
    if (questions_.fetch_add(1) >= limits_.questions) {
      questions_.fetch_sub(1);
      return nullptr;
    }
    return {this, [](Implementation* self) { self->questions_.fetch_sub(1); }};
  }

 private:
  void make_room() {
    while (static_cast<double>(resident_memory()) > 0.8 * static_cast<double>(limits_.bytes) &&
           models_.close_oldest()) {
    }
  }

  std::shared_ptr<StudioModel> model_in(const Json& question) {
    std::shared_ptr<StudioModel> model = models_.find(text_in(question, "model"));
    if (!model)
      throw InputError("this model is no longer open",
                       "too many others have been opened since; open it again");
    return model;
  }

  void answer_open(const Json& question, Monitor& monitor, const Emit& emit) {
    StudioProblem problem;
    if (question.contains("example")) {
      const std::string name = text_in(question, "example");
      const auto found = std::find_if(examples_.begin(), examples_.end(),
                                      [&](const auto& example) { return example.name == name; });
      if (found == examples_.end()) misunderstood("there is no such example");
      problem.texts = found->texts;
    } else {
      // A text that was edited is asked the same of as before.
      if (question.contains("like")) {
        const auto like = models_.find(text_in(question, "like"));
        if (like) problem = like->problem();
      }
      problem.texts = files_in(question);
    }
    tell_of(*open(problem, monitor), monitor, emit);
  }

  void answer_model(const Json& question, Monitor& monitor, const Emit& emit) {
    tell_of(*model_in(question), monitor, emit);
  }

  static void tell_of(StudioModel& model, Monitor& monitor, const Emit& emit) {
    const StudioModel::Use use(model, monitor);
    emit("model", model_json(model, use.problem(), use.written()));
  }

  void answer_solve(const Json& question, Monitor& monitor, const Emit& emit) {
    make_room();
    const std::shared_ptr<StudioModel> model = model_in(question);
    StudioModel::Use use(*model, monitor);
    const auto solution = solution_for(use, question, monitor);
    Cssp cssp = use.problem();
    // What a limit has left is shown; only the limit itself is no reason not to.
    Monitor unlimited;
    emit("result", solution_json(*model, cssp, *solution, 0, unlimited));
    if (solution->status == Status::infeasible || solution->status == Status::no_proper_policy)
      emit("result",
           solution_json(*model, cssp, *solution_for(use, question, monitor, Reasons::wanted), 0,
                         unlimited));
    if (question.value("policy", true) && solution->costs)
      emit("policy", solution_json(*model, cssp, *solution, limits_.states, monitor));
  }

  static std::shared_ptr<const Solution> solution_for(StudioModel::Use& use, const Json& question,
                                                      Monitor& monitor,
                                                      Reasons reasons = Reasons::unwanted) {
    const Cssp cssp = use.problem();
    return use.solve(budgets_in(question, cssp, use.written()), monitor, reasons);
  }

  void answer_sweep(const Json& question, Monitor& monitor, const Emit& emit) {
    const std::shared_ptr<StudioModel> model = model_in(question);
    StudioModel::Use use(*model, monitor);
    const Cssp cssp = use.problem();
    const double from = number_in(question, "from");
    const double to = number_in(question, "to");
    if (!(from >= 0 && to > from && std::isfinite(to)))
      misunderstood("'from' and 'to' must be numbers, the second one greater");
    const Sweep sweep = use.sweep(budgets_in(question, cssp, use.written()),
                                  {text_in(question, "cost"), from, to, to - from}, monitor);
    std::ostringstream out;
    write_sweep(cssp, sweep, out);
    emit("curve", out.str());
  }

  void answer_simulate(const Json& question, Monitor& monitor, const Emit& emit) {
    const std::size_t runs =
        std::max<std::size_t>(1, whole_number_in(question, "runs", limits_.runs));
    const std::shared_ptr<StudioModel> model = model_in(question);
    StudioModel::Use use(*model, monitor);
    with_simulator(use, question, monitor, [&](Cssp& cssp, const Simulator& simulator) {
      SimulateOptions options;
      options.threads = 1;
      for (std::size_t now = std::min(first_runs, runs);; now = std::min(runs, 8 * now)) {
        options.runs = now;
        const Simulation simulation = simulator.run(options, monitor);
        if (simulation.runs > 0) emit("runs", simulation_json(cssp, simulation, runs));
        if (now == runs || monitor.reached_now()) break;
      }
    });
  }

  void answer_trace(const Json& question, Monitor& monitor, const Emit& emit) {
    const std::size_t run = whole_number_in(question, "run", 1'000'000'000);
    const std::shared_ptr<StudioModel> model = model_in(question);
    StudioModel::Use use(*model, monitor);
    with_simulator(use, question, monitor, [&](Cssp& cssp, const Simulator& simulator) {
      SimulateOptions options;
      options.max_steps = limits_.trace_steps;
      emit("trace", trace_json(cssp, simulator.trace(run, options), run));
    });
  }

  template <class Act>
  static void with_simulator(StudioModel::Use& use, const Json& question, Monitor& monitor,
                             const Act& act) {
    const auto solution = solution_for(use, question, monitor);
    if (!solution->costs) throw InputError("there is no policy to be executed");
    Cssp cssp = use.problem();
    const Simulator simulator(cssp, solution->policy, monitor);
    if (!simulator.findings().empty())
      throw InputError("this policy cannot be executed: " + simulator.findings().front().what);
    act(cssp, simulator);
  }

  void answer_explain(const Json& question, Monitor& monitor, const Emit& emit) {
    const std::shared_ptr<StudioModel> model = model_in(question);
    StudioModel::Use use(*model, monitor);
    const auto solution = solution_for(use, question, monitor);
    if (!solution->costs || solution->status != Status::optimal)
      throw InputError("there is no optimal policy to explain");
    ExplainRequest request;
    const Json states = question.value("states", Json());
    if (!states.is_array() || states.empty() || states.size() > most_explained)
      misunderstood(fmt::format("'states' must be a list of 1 to {} names", most_explained));
    for (const Json& state : states) {
      if (!state.is_string()) misunderstood("the name of a state must be a text");
      request.states.push_back(state.get<std::string>());
    }
    request.policy = solution->policy;
    request.multipliers = solution->multipliers;
    request.ranges = false;
    const Cssp cssp = use.problem();
    std::ostringstream out;
    write_explanation(cssp, explain(cssp, request, {}, monitor), out);
    emit("explanation", out.str());
  }

  StudioLimits limits_;
  std::vector<StudioExample> examples_;
  const std::atomic<bool>& interrupt_;
  StudioModels models_;
  std::atomic<std::size_t> questions_ = 0;
};

StudioApi::StudioApi(StudioLimits limits, std::vector<StudioExample> examples,
                     const std::atomic<bool>& interrupt)
    : implementation_(std::make_unique<Implementation>(limits, std::move(examples), interrupt)) {}
StudioApi::~StudioApi() = default;

void StudioApi::open(const StudioProblem& problem, Monitor& monitor) {
  implementation_->open(problem, monitor);
}

StudioReply StudioApi::answer(const StudioRequest& request) {
  const auto refusal = [](int status) {
    return StudioReply{status, "text/plain", std::to_string(status) + "\n", {}};
  };
  if (!request.is_post)
    return request.path == "api/hello" ? implementation_->hello() : refusal(404);
  Json question = Json::parse(request.body, nullptr, false);
  if (!question.is_object()) return refusal(400);
  StudioWork work = implementation_->work_for(request.path, std::move(question));
  if (!work) return refusal(404);
  std::shared_ptr<void> place = implementation_->place();
  if (!place) return refusal(503);
  StudioReply reply;
  reply.events = [implementation = implementation_.get(), work = std::move(work),
                  place = std::move(place)](EventStream& stream) {
    implementation->run(stream, work);
  };
  return reply;
}

}  // namespace carl::app
