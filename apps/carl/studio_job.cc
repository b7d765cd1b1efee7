#include "studio_job.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "carl/error.h"
#include "carl/options.h"

namespace carl::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto look = std::chrono::milliseconds(50);   // for who has gone away
constexpr auto news = std::chrono::milliseconds(120);  // between two words on progress

struct Event {
  std::string name;
  std::string json;
};

/// What the two threads share.
class Outbox {
 public:
  void put(Event event) {
    {
      const std::lock_guard lock(mutex_);
      events_.push_back(std::move(event));
    }
    changed_.notify_one();
  }
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    changed_.notify_one();
  }
  /// The next event; none if there was none for a while, or none will come.
  std::optional<Event> take(bool& finished) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, look, [&] { return finished_ || !events_.empty(); });
    finished = finished_ && events_.empty();
    if (events_.empty()) return std::nullopt;
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  bool finished_ = false;
};

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json optional(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

class ProgressTeller {
 public:
  explicit ProgressTeller(Outbox& outbox) : outbox_(outbox) {}
  void operator()(const Progress& progress) {
    const auto now = Monitor::Clock::now();
    if (now < next_) return;
    next_ = now + news;
    outbox_.put({"progress", text({{"phase", progress.phase},
                                   {"states", progress.states},
                                   {"iterations", progress.iterations},
                                   {"lower_bound", optional(progress.lower_bound)},
                                   {"upper_bound", optional(progress.upper_bound)}})});
  }

 private:
  Outbox& outbox_;
  Monitor::Clock::time_point next_ = Monitor::Clock::now() + news;
};

/// Where and what, for the editor to underline.
Json error_of(const InputError& error) {
  const SourcePosition& at = error.position();
  Json json{{"message", error.message()}, {"hint", error.hint()}};
  if (at.line > 0) json.update({{"file", at.file}, {"line", at.line}, {"column", at.column}});
  return json;
}

Event failure() {
  try {
    throw;
  } catch (const InputError& error) {
    return {"error", text(error_of(error))};
  } catch (const LimitReached& limit) {
    return {"error", text({{"message", limit.what()}, {"limit", true}, {"hint", ""}})};
  } catch (const std::exception& error) {
    return {"error", text({{"message", error.what()}, {"hint", ""}})};
  }
}

}  // namespace

void run_studio_job(EventStream& stream, double seconds, std::size_t bytes,
                    const std::atomic<bool>& interrupt, const StudioWork& work) {
  Monitor monitor(seconds, bytes, &interrupt);
  Outbox outbox;
  ProgressTeller teller(outbox);
  monitor.set_listener([&](const Progress& progress) { teller(progress); });
  std::thread worker([&] {
    try {
      work(monitor, [&](std::string event, std::string json) {
        outbox.put({std::move(event), std::move(json)});
      });
      outbox.put({"done", "{}"});
    } catch (...) {
      outbox.put(failure());
    }
    outbox.finish();
  });
  for (bool finished = false, heard = true; !finished;) {
    const std::optional<Event> event = outbox.take(finished);
    if (!heard || finished) continue;
    heard = event ? stream.send(event->name, event->json) : stream.has_listener();
    if (!heard) monitor.interrupt();
  }
  worker.join();
}

}  // namespace carl::app
