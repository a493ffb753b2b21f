// lanewise-http.so: see http.h.
#include <httplib.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "tools/web/http.h"

namespace lanewise::web {
namespace {

constexpr std::size_t kThreads = 16, kRequestsAConnection = 10'000;
constexpr time_t kSecondsIdle = 1, kSecondsToRead = 5;

HttpRequest requestOf(const httplib::Request& r) {
  HttpRequest out{r.method, r.path, {}, {}, r.get_header_value("Content-Type"), r.has_header("Transfer-Encoding"), r.body};
  const auto [first, last] = r.headers.equal_range("Host");  // get_header_value() takes other arguments in each version
  for (auto h = first; h != last; ++h) out.host.push_back(h->second);
  if (r.has_header("Origin")) out.origin = r.get_header_value("Origin");
  return out;
}

// By a provider: the library would compress what it is given whole, which takes longer than to send it.
void give(HttpAnswer&& answer, httplib::Response& out) {
  out.status = answer.status;
  for (const auto& [name, value] : answer.fields) out.set_header(name, value);
  const auto body = std::make_shared<const std::string>(std::move(answer.body));
  if (body->empty()) return out.set_content("", answer.type);
  out.set_content_provider(body->size(), answer.type, [body](std::size_t at, std::size_t length, httplib::DataSink& sink) {
    return sink.write(body->data() + at, length);
  });
}

void configure(httplib::Server& server, const HttpSite& site) {
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  // Not SO_REUSEPORT, the library's choice: another program could then listen there too.
  server.set_socket_options([](socket_t socket) {
    const int on = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  });
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(kRequestsAConnection);
  server.set_keep_alive_timeout(kSecondsIdle);
  server.set_read_timeout(kSecondsToRead);
  server.set_payload_max_length(site.mostBody);
  httplib::Headers fields;
  for (const auto& [name, value] : site.fields) fields.emplace(name, value);
  server.set_default_headers(fields);
  // Asked before a body is read.
  server.set_pre_routing_handler([&site](const httplib::Request& request, httplib::Response& response) {
    std::optional<HttpAnswer> refusal = site.refuse(requestOf(request));
    if (!refusal) return httplib::Server::HandlerResponse::Unhandled;
    give(std::move(*refusal), response);
    return httplib::Server::HandlerResponse::Handled;
  });
  const auto handler = [&site](const httplib::Request& request, httplib::Response& response) {
    give(site.answer(requestOf(request)), response);
  };
  server.Get(".*", handler);
  server.Post(".*", httplib::Server::Handler(handler));
}

Status serve(std::uint16_t port, const HttpSite& site) try {
  httplib::Server server;
  configure(server, site);
  const int bound = port == 0 ? server.bind_to_any_port("127.0.0.1") : server.bind_to_port("127.0.0.1", port) ? port : -1;
  if (bound < 0) return Error{Outcome::kIoError, std::strerror(errno), "port " + std::to_string(port), "port 0 takes any that is free"};
  site.listening(static_cast<std::uint16_t>(bound));
  std::atomic<bool> hasEnded = false;
  std::thread listens([&] {
    server.listen_after_bind();
    hasEnded = true;
  });
  // It can be stopped only once it runs.
  while (!hasEnded && !(site.isOver() && server.is_running())) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const bool isBroken = hasEnded;
  server.stop();
  listens.join();
  if (isBroken) return Error{Outcome::kIoError, "the port was closed", "", ""};
  return {};
} catch (const std::exception& e) {
  return Error{Outcome::kIoError, e.what(), "", ""};
}

}  // namespace
}  // namespace lanewise::web

extern "C" __attribute__((visibility("default"))) const lanewise::web::HttpModule lanewiseHttpModule;
extern "C" const lanewise::web::HttpModule lanewiseHttpModule = {LANEWISE_VERSION, lanewise::web::serve};
