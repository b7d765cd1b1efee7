// A question that is worked on by a thread of its own while another one tells the browser how it is
// going, and finds out whether it still wants to know.
#ifndef CARL_APPS_STUDIO_JOB_H
#define CARL_APPS_STUDIO_JOB_H

#include <atomic>
#include <functional>
#include <string>

#include "carl/monitor.h"
#include "studio_http.h"

namespace carl::app {

/// Puts an event into the stream: its name, and its data as JSON.
using Emit = std::function<void(std::string event, std::string json)>;
using StudioWork = std::function<void(Monitor&, const Emit&)>;

/// Ends with `done`, or with `error` if the work throws.
void run_studio_job(EventStream& stream, double seconds, std::size_t bytes,
                    const std::atomic<bool>& interrupt, const StudioWork& work);

}  // namespace carl::app

#endif
