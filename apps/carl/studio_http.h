// The HTTP side of `carl studio`: who may ask, how much they may send and how long they may take.
// What is asked and answered is the business of studio_api.h. cpp-httplib is included by
// studio_http.cc alone.
//
// The server is for the browser of whoever started it, and for nobody else:
//  - it listens on the loopback address only;
//  - every address begins with a random token, compared in constant time;
//  - `Host` must be the loopback address, so that no name of somebody else's can be made to point
//    here (DNS rebinding); `Origin` and `Sec-Fetch-Site`, where there are any, must be this page's.
//    There are no CORS headers;
//  - a connection is for one request, which has a few seconds to arrive, and is not read beyond its
//    head before it is known to be allowed.
#ifndef CARL_APPS_STUDIO_HTTP_H
#define CARL_APPS_STUDIO_HTTP_H

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace carl::app {

/// What is sent piece by piece while it becomes known: server-sent events.
class EventStream {
 public:
  virtual ~EventStream() = default;
  /// `json` is one event's data; false if nobody listens any more.
  virtual bool send(std::string_view event, const std::string& json) = 0;
  virtual bool has_listener() = 0;
};

/// An answer: a text, or events if there is somebody to send them.
struct StudioReply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::function<void(EventStream&)> events;
};

struct StudioRequest {
  bool is_post = false;
  std::string path;  // after the token: "", "api/solve"
  std::string body;
};

using StudioHandler = std::function<StudioReply(const StudioRequest&)>;

/// 128 bits from the system, in hexadecimal. Throws InputError if there are none to be had.
std::string random_token();

class StudioServer {
 public:
  /// `policy` is the content security policy of the page.
  StudioServer(std::string token, std::string policy, std::size_t max_body, StudioHandler handler);
  ~StudioServer();
  StudioServer(const StudioServer&) = delete;
  StudioServer& operator=(const StudioServer&) = delete;

  /// To this port, or if it is 0 to any that is free. Throws InputError if it is taken.
  void bind(int port);
  /// "http://127.0.0.1:PORT/TOKEN/"
  std::string address() const;
  /// Answers until stop() is called, from another thread.
  void serve();
  void stop();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
  std::atomic<bool> over_ = false;
};

}  // namespace carl::app

#endif
