#include "studio_http.h"

#include <fmt/format.h>
#include <httplib.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "carl/error.h"

namespace carl::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_head = 32 * 1024;  // bytes of request line and headers
constexpr std::size_t max_path = 160;
constexpr auto request_time = std::chrono::seconds(10);  // to arrive, all of it
constexpr int write_time = 10'000;                       // ms without progress
constexpr int backlog = 256;
constexpr std::size_t connections = 32;  // at a time; others wait

/// Takes as long for a wrong token as for the right one, wherever they begin to differ.
bool equal_in_constant_time(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const char c = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(c) ^ static_cast<unsigned char>(secret[i]);
  }
  return difference == 0;
}

/// A connection of which no more is read than may be, and no later.
class LimitedStream : public httplib::Stream {
 public:
  explicit LimitedStream(socket_t socket)
      : socket_(socket), deadline_(Clock::now() + request_time) {}

  /// The request may have a body.
  void allow(std::size_t bytes) { left_ += bytes; }

  bool is_readable() const override { return wait_for(POLLIN, 0); }
  bool is_writable() const override { return wait_for(POLLOUT, write_time) && has_peer(); }
  ssize_t read(char* to, std::size_t size) override {
    // httplib asks for single bytes of a head: they come from here.
    if (first_ == end_ && !fill()) return -1;
    const std::size_t taken = std::min(size, end_ - first_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(first_), taken, to);
    first_ += taken;
    return static_cast<ssize_t>(taken);
  }
  ssize_t write(const char* from, std::size_t size) override {
    if (!is_writable()) return -1;
    return ::send(socket_, from, size, MSG_NOSIGNAL);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  socket_t socket() const override { return socket_; }

 private:
  bool wait_for(short what, int milliseconds) const {
    pollfd look{socket_, what, 0};
    int found = 0;
    do
      found = ::poll(&look, 1, milliseconds);
    while (found < 0 && errno == EINTR);
    return found > 0 && (look.revents & what) != 0;
  }
  /// The other side has not hung up.
  bool has_peer() const {
    char byte = 0;
    const ssize_t got = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
  }
  bool fill() {
    const auto time =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    if (left_ == 0 || time.count() <= 0 || !wait_for(POLLIN, static_cast<int>(time.count())))
      return false;
    const ssize_t got = ::recv(socket_, buffer_.data(), std::min(left_, buffer_.size()), 0);
    if (got <= 0) return false;
    left_ -= static_cast<std::size_t>(got);
    first_ = 0;
    end_ = static_cast<std::size_t>(got);
    return true;
  }

  socket_t socket_;
  Clock::time_point deadline_;
  std::size_t left_ = max_head;
  std::array<char, 16 * 1024> buffer_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

class SinkStream : public EventStream {
 public:
  explicit SinkStream(httplib::DataSink& sink) : sink_(sink) {}
  bool send(std::string_view event, const std::string& json) override {
    // A line break would end the event; in JSON there is none but between tokens.
    std::string text = fmt::format("event: {}\ndata: ", event);
    text.reserve(text.size() + json.size() + 2);
    for (const char c : json)
      text += c == '\n' || c == '\r' ? ' ' : c;
    text += "\n\n";
    return sink_.write(text.data(), text.size());
  }
  bool has_listener() override { return sink_.is_writable(); }

 private:
  httplib::DataSink& sink_;
};

}  // namespace

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw InputError(
        "the system has no random numbers, and without a secret address studio is "
        "not safe");
  std::string token;
  for (const unsigned char byte : bytes)
    token += fmt::format("{:02x}", byte);
  return token;
}

class StudioServer::Implementation : public httplib::Server {
 public:
  Implementation(std::string token, std::string policy, std::size_t max_body, StudioHandler handler)
      : token_(std::move(token)),
        policy_(std::move(policy)),
        max_body_(max_body),
        handler_(std::move(handler)) {
    new_task_queue = [] { return new httplib::ThreadPool(connections); };
    // Nobody else may listen on the same port.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    set_tcp_nodelay(true);
    set_payload_max_length(max_body);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      const int refusal = refusal_of(request);
      if (refusal == 0) return HandlerResponse::Unhandled;
      refuse(response, refusal);
      return HandlerResponse::Handled;
    });
    const auto answer = [this](const httplib::Request& request, httplib::Response& response) {
      this->answer(request, response);
    };
    Get(".*", answer);
    Post(".*", answer);
    set_exception_handler([this](const httplib::Request&, httplib::Response& response,
                                 const std::exception_ptr&) { refuse(response, 500); });
    set_error_handler([this](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) refuse(response, response.status);
    });
  }

  void bind(int port) {
    if (port == 0)
      port_ = bind_to_any_port("127.0.0.1");
    else if (bind_to_port("127.0.0.1", port))
      port_ = port;
    if (port_ <= 0)
      throw InputError(fmt::format("port {} of 127.0.0.1 is taken, or not for you", port),
                       "without --port a free one is found");
    ::listen(svr_sock_, backlog);  // httplib's own queue is short
  }

  std::string address() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, token_); }

 private:
  bool process_and_close_socket(socket_t socket) override {
    LimitedStream stream(socket);
    bool closed = true;
    const bool done = process_request(stream, true, closed, [&](httplib::Request& request) {
      if (refusal_of(request) == 0) stream.allow(max_body_);
    });
    // What was not read would turn the end of the answer into a reset.
    ::shutdown(socket, SHUT_WR);
    std::array<char, 4096> rest;
    for (int i = 0; i < 64 && ::recv(socket, rest.data(), rest.size(), MSG_DONTWAIT) > 0; ++i) {
    }
    ::close(socket);
    return done;
  }

  bool is_own(std::string_view authority) const {
    return authority == fmt::format("127.0.0.1:{}", port_) ||
           authority == fmt::format("localhost:{}", port_);
  }

  static std::string_view token_in(std::string_view path) {
    if (path.empty() || path.front() != '/') return {};
    path.remove_prefix(1);
    return path.substr(0, path.find('/'));
  }

  /// The status to refuse a request with, by its head alone; 0 if it is allowed.
  int refusal_of(const httplib::Request& request) const {
    // The token first: who does not know it learns nothing else.
    if (!equal_in_constant_time(token_in(request.path), token_)) return 403;
    if (request.get_header_value_count("Host") != 1 || !is_own(request.get_header_value("Host")))
      return 403;
    if (request.has_header("Origin")) {
      constexpr std::string_view scheme = "http://";
      const std::string origin = request.get_header_value("Origin");
      if (request.get_header_value_count("Origin") != 1 || !origin.starts_with(scheme) ||
          !is_own(std::string_view(origin).substr(scheme.size())))
        return 403;
    }
    if (request.has_header("Sec-Fetch-Site")) {
      const std::string site = request.get_header_value("Sec-Fetch-Site");
      if (site != "same-origin" && site != "none") return 403;
    }
    if (request.path.size() > max_path) return 414;
    if (request.method != "GET" && request.method != "POST") return 405;
    // Parts of an answer, and bodies that grow when they are unpacked, are of no use here.
    if (request.has_header("Range") || request.has_header("Content-Encoding")) return 400;
    if (request.method == "POST" && request.get_header_value("Content-Type") != "application/json")
      return 415;
    return 0;
  }

  static void set_headers(httplib::Response& response, const std::string& policy) {
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"Cache-Control", "no-store"},
             {"Content-Security-Policy", policy},
             {"Cross-Origin-Opener-Policy", "same-origin"},
             {"Cross-Origin-Resource-Policy", "same-origin"},
             {"Referrer-Policy", "no-referrer"},
             {"X-Content-Type-Options", "nosniff"},
             {"X-Frame-Options", "DENY"}})
      response.set_header(name, value);
  }

  void refuse(httplib::Response& response, int status) const {
    response.status = status;
    set_headers(response, "default-src 'none'");
    response.set_content(fmt::format("{}\n", status), "text/plain");
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    StudioReply reply = handler_(
        {request.method == "POST",
         request.path.substr(std::min(request.path.size(), token_.size() + 2)), request.body});
    const bool is_page = reply.type.starts_with("text/html");
    set_headers(response, is_page ? policy_ + "; frame-ancestors 'none'" : "default-src 'none'");
    response.status = reply.status;
    if (!reply.events) {
      response.set_content(std::move(reply.body), reply.type);
      return;
    }
    response.set_chunked_content_provider(
        "text/event-stream",
        [events = std::move(reply.events)](std::size_t /*offset*/, httplib::DataSink& sink) {
          SinkStream stream(sink);
          events(stream);
          sink.done();
          return true;
        });
  }

  std::string token_;
  std::string policy_;
  std::size_t max_body_;
  StudioHandler handler_;
  int port_ = 0;
};

StudioServer::StudioServer(std::string token, std::string policy, std::size_t max_body,
                           StudioHandler handler)
    : implementation_(std::make_unique<Implementation>(std::move(token), std::move(policy),
                                                       max_body, std::move(handler))) {}
StudioServer::~StudioServer() = default;

void StudioServer::bind(int port) {
  implementation_->bind(port);
}

std::string StudioServer::address() const {
  return implementation_->address();
}

void StudioServer::serve() {
  implementation_->listen_after_bind();
  over_ = true;
}

void StudioServer::stop() {
  // httplib's stop() does nothing before its loop has begun.
  while (!implementation_->is_running() && !over_)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  if (!over_) implementation_->stop();
}

}  // namespace carl::app
