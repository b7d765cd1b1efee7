// A model whose states are Python objects. They are numbered in the order in which they are
// discovered, in a Python dictionary, so whatever can be a key there can be a state. Goals are asked
// for once, when a state is discovered: the searches ask far more often.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "carl/user_model.h"
#include "models.h"

namespace carl::python {
namespace {

/// Exceptions of the user's code go on as they are, with a note of where they happened.
void add_note(const py::error_already_set& error, const char* doing, py::handle state) {
  try {
    const py::str note = py::str("while asking for {} of state {!r}").format(doing, state);
    error.value().attr("add_note")(note);
  } catch (py::error_already_set&) {
    // An exception that cannot take notes, or a state without a repr(): better none than another.
  }
}

[[noreturn]] void rethrow_with_note(py::error_already_set& error, const char* doing,
                                    py::handle state) {
  add_note(error, doing, state);
  throw error;
}

class PythonModel final : public UserModelBase {
 public:
  PythonModel(py::object description, CostModel costs)
      : UserModelBase(std::move(costs)),
        held_{description.attr("is_goal"),
              description.attr("actions"),
              description.attr("initial"),
              py::getattr(description, "state_name", py::none()),
              py::tuple(py::cast(cost_model().costs)),
              py::dict(),
              py::list()} {}
  ~PythonModel() override {
    const py::gil_scoped_acquire lock;
    held_ = {};
  }

  StateId initial_state() override {
    const py::gil_scoped_acquire lock;
    return id(held_.initial());
  }
  bool is_goal(StateId state) const override { return goals_[state.index()]; }
  std::size_t num_states() const override { return goals_.size(); }
  std::vector<std::string> state_facts(StateId state) const override {
    const py::gil_scoped_acquire lock;
    const py::object object = this->state(state);
    return {py::str(held_.state_name.is_none() ? object : held_.state_name(object))};
  }
  std::size_t state_bytes() const override {
    constexpr std::size_t entry = 104;  // of a dictionary, with an integer that is its value
    return goals_.size() * (entry + sizeof(void*));
  }
  py::object state(StateId id) const {
    const auto index = static_cast<py::ssize_t>(id.index());
    return py::reinterpret_borrow<py::object>(PyList_GET_ITEM(held_.states.ptr(), index));
  }

 private:
  struct Outcome {
    double probability = 0;
    StateId successor;
    std::vector<double> cost;  // empty: that of the action
  };

  std::size_t num_costs() const { return cost_model().costs.size(); }

  StateId id(py::handle state) {
    if (PyObject* known = PyDict_GetItemWithError(held_.ids.ptr(), state.ptr()))
      return StateId(PyLong_AsSize_t(known));
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    const StateId id(goals_.size());
    bool goal = false;
    try {
      goal = held_.is_goal(state).cast<bool>();
    } catch (py::error_already_set& error) {
      rethrow_with_note(error, "is_goal()", state);
    } catch (const py::cast_error&) {
      throw py::type_error(std::string(py::str("is_goal({!r}) must be a bool").format(state)));
    }
    held_.ids[state] = id.index();
    PyList_Append(held_.states.ptr(), state.ptr());
    goals_.push_back(goal);
    return id;
  }

  void list_actions(StateId state) override {
    const py::gil_scoped_acquire lock;
    const py::object object = this->state(state);
    try {
      for (const py::handle action : held_.actions(object))
        add_action(action);
    } catch (py::error_already_set& error) {
      rethrow_with_note(error, "actions()", object);
    } catch (const py::builtin_exception& raised) {
      raised.set_error();
      py::error_already_set error;
      add_note(error, "actions()", object);
      throw error;
    }
  }

  /// (name, cost, outcomes). Without a cost the outcomes say what they cost.
  void add_action(py::handle action) {
    constexpr const char* shape = "an action is (name, cost, outcomes)";
    const py::tuple parts = as_tuple(action, shape);
    if (parts.size() != 3) throw py::type_error(shape);
    read_outcomes(parts[2]);
    if (parts[1].is_none())
      expect_outcome_costs();
    else
      read_cost(parts[1], cost_);
    const std::size_t number = begin_action(std::string(py::str(parts[0])), cost_);
    for (const Outcome& outcome : outcomes_)
      add_outcome(number, outcome.probability, outcome.successor, outcome.cost);
  }

  /// {state: probability}, or (probability, state) and (probability, state, cost) one after the
  /// other.
  void read_outcomes(py::handle outcomes) {
    constexpr const char* shape =
        "an outcome is (probability, state) or (probability, state, cost)";
    outcomes_.clear();
    if (py::isinstance<py::dict>(outcomes)) {
      for (const auto& [successor, probability] : py::reinterpret_borrow<py::dict>(outcomes))
        outcomes_.push_back({as_number(probability), id(successor), {}});
      return;
    }
    for (const py::handle outcome : outcomes) {
      const py::tuple parts = as_tuple(outcome, shape);
      if (parts.size() != 2 && parts.size() != 3) throw py::type_error(shape);
      outcomes_.push_back({as_number(parts[0]), id(parts[1]), {}});
      if (parts.size() == 3) read_cost(parts[2], outcomes_.back().cost);
    }
  }

  void expect_outcome_costs() {
    cost_.assign(num_costs(), 0.0);
    for (const Outcome& outcome : outcomes_) {
      if (outcome.cost.empty())
        throw py::type_error("without a cost of the action every outcome needs one");
      for (std::size_t i = 0; i < cost_.size(); ++i)
        cost_[i] += outcome.probability * outcome.cost[i];
    }
  }

  /// A number if there is one cost, a dictionary, or a sequence.
  void read_cost(py::handle value, std::vector<double>& cost) const {
    cost.clear();
    if (py::isinstance<py::dict>(value)) {
      read_named_costs(py::reinterpret_borrow<py::dict>(value), cost);
    } else if (PyNumber_Check(value.ptr()) != 0 && PySequence_Check(value.ptr()) == 0) {
      cost.push_back(as_number(value));
    } else {
      for (const py::handle number : py::iter(value))
        cost.push_back(as_number(number));
    }
    if (cost.size() != num_costs())
      throw py::value_error(std::string(py::str("expected {} costs, {}, but got {}")
                                            .format(num_costs(), held_.cost_names, cost.size())));
  }
  void read_named_costs(const py::dict& value, std::vector<double>& cost) const {
    std::size_t used = 0;
    for (const py::handle name : held_.cost_names) {
      cost.push_back(value.contains(name) ? as_number(value[name]) : 0.0);
      used += value.contains(name) ? 1 : 0;
    }
    if (used != value.size())
      throw py::value_error(std::string(
          py::str("the costs are {}, not {}").format(held_.cost_names, py::list(value))));
  }

  static py::tuple as_tuple(py::handle value, const char* shape) {
    if (PyTuple_Check(value.ptr()) != 0) return py::reinterpret_borrow<py::tuple>(value);
    if (PySequence_Check(value.ptr()) == 0) throw py::type_error(shape);
    return py::tuple(py::reinterpret_borrow<py::object>(value));
  }
  static double as_number(py::handle value) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return number;
  }

  // All that belongs to Python, so that it can be let go of while the lock is held.
  struct Held {
    py::object is_goal;
    py::object actions;
    py::object initial;
    py::object state_name;
    py::object cost_names;  // a tuple
    py::object ids;         // a dictionary
    py::object states;      // a list
  };
  Held held_;
  std::vector<bool> goals_;
  // Of the action being read.
  std::vector<double> cost_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

std::shared_ptr<Model> make_python_model(py::object description, CostModel costs) {
  return std::make_shared<PythonModel>(std::move(description), std::move(costs));
}

py::object python_state(const Model& model, StateId state) {
  const auto* own = dynamic_cast<const PythonModel*>(&model);
  return own != nullptr ? own->state(state) : py::none();
}

}  // namespace carl::python
