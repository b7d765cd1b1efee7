#include "interpreter.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include "carl/certificate.h"
#include "carl/error.h"
#include "carl/options.h"

namespace carl::python {
namespace {

// How long Ctrl-C and progress may wait.
constexpr std::chrono::milliseconds patience{50};

py::dict as_dictionary(const Progress& progress) {
  py::dict result;
  result["phase"] = progress.phase;
  result["states"] = progress.states;
  result["iterations"] = progress.iterations;
  result["backups"] = progress.backups;
  result["lower_bound"] = progress.lower_bound ? py::cast(*progress.lower_bound) : py::none();
  result["upper_bound"] = progress.upper_bound ? py::cast(*progress.upper_bound) : py::none();
  return result;
}

/// The work under way, as seen by the thread that waits for it.
class Worker {
 public:
  Worker(const std::function<void(Monitor&)>& work, Monitor& monitor, bool listens)
      : monitor_(monitor) {
    if (listens)
      monitor_.set_listener([this](const Progress& progress) {
        const std::lock_guard lock(mutex_);
        progress_ = progress;
      });
    thread_ = std::thread([this, &work] { run(work); });
  }
  ~Worker() { thread_.join(); }

  /// True once the work is done; false after a while.
  bool wait() {
    std::unique_lock lock(mutex_);
    return finished_.wait_for(lock, patience, [this] { return is_done_; });
  }
  void wait_until_done() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return is_done_; });
  }
  /// What has been reported since the last call.
  std::optional<Progress> news() {
    const std::lock_guard lock(mutex_);
    return std::exchange(progress_, std::nullopt);
  }
  std::exception_ptr error() const { return error_; }

 private:
  void run(const std::function<void(Monitor&)>& work) {
    try {
      // Python's state of this thread is made once, not for every call of a user's model.
      const py::gil_scoped_acquire known_to_python;
      const py::gil_scoped_release others_go_on;
      work(monitor_);
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    finished_.notify_all();
  }

  Monitor& monitor_;
  std::mutex mutex_;
  std::condition_variable finished_;
  bool is_done_ = false;
  std::optional<Progress> progress_;
  std::exception_ptr error_;
  std::thread thread_;
};

/// Waits with the interpreter's lock given up, except to look for signals and to report.
bool attend(Worker& worker, Monitor& monitor, const py::object& listener,
            std::exception_ptr& own_error) {
  bool interrupted = false;
  const py::gil_scoped_release others_go_on;
  while (!worker.wait()) {
    const py::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const std::optional<Progress> news = worker.news();
      if (news && !listener.is_none()) listener(as_dictionary(*news));
    } catch (py::error_already_set& error) {
      monitor.interrupt();
      if (error.matches(PyExc_KeyboardInterrupt)) {
        interrupted = true;
      } else {
        own_error = std::current_exception();
      }
      const py::gil_scoped_release while_it_ends;
      worker.wait_until_done();
    }
  }
  return interrupted;
}

void raise(const char* name, const std::exception& error) {
  const py::object type = py::module_::import("carl.errors").attr(name);
  py::object instance;
  if (const auto* input = dynamic_cast<const InputError*>(&error)) {
    const SourcePosition& place = input->position();
    instance =
        type(input->what(), input->message(), input->hint(), place.file, place.line, place.column);
  } else {
    instance = type(error.what());
  }
  PyErr_SetObject(type.ptr(), instance.ptr());
}

}  // namespace

bool run_interruptibly(const Call& call, const std::function<void(Monitor&)>& work) {
  constexpr double no_limit = std::numeric_limits<double>::infinity();
  constexpr double megabyte = 1e6;
  Monitor monitor(call.time_limit.value_or(no_limit),
                  static_cast<std::size_t>(call.memory_limit.value_or(0) * megabyte));
  std::exception_ptr error;
  bool interrupted = false;
  {
    Worker worker(work, monitor, !call.progress.is_none());
    interrupted = attend(worker, monitor, call.progress, error);
    if (!error) error = worker.error();
  }
  if (error) std::rethrow_exception(error);
  return interrupted;
}

void translate_exceptions() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const OptionError& error) {
      raise("OptionError", error);
    } catch (const InputError& error) {
      raise("InputError", error);
    } catch (const LimitReached& error) {
      raise("LimitReached", error);
    } catch (const NoCertificate& error) {
      raise("NoCertificate", error);
    }
  });
}

}  // namespace carl::python
