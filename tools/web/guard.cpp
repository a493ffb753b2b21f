#include "tools/web/guard.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>

namespace lanewise::web {
namespace {

HttpAnswer plain(int status, const char* text) {
  return {status, "text/plain", text};
}

}  // namespace

Expected<std::string> makeToken() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    return Error{Outcome::kIoError, "the system has no random numbers", "", ""};
  std::string out;
  for (const unsigned char b : bytes) out += fmt::format("{:02x}", b);
  return out;
}

std::string Guard::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port_, token_);
}

bool Guard::isOurs(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

// Takes as long wherever the first wrong digit is.
bool Guard::hasToken(const std::string& path) const {
  if (path.size() < token_.size() + 2) return false;
  unsigned wrong = path[0] != '/' || path[token_.size() + 1] != '/' ? 1 : 0;
  for (std::size_t i = 0; i < token_.size(); ++i)
    wrong |= static_cast<unsigned>(static_cast<unsigned char>(path[i + 1]) ^ static_cast<unsigned char>(token_[i]));
  return wrong == 0;
}

std::optional<HttpAnswer> Guard::refuse(const HttpRequest& r) const {
  constexpr std::string_view kHttp = "http://";
  const bool isHost = r.host.size() == 1 && isOurs(r.host[0]);
  const bool isOrigin = !r.origin || (r.origin->starts_with(kHttp) && isOurs(r.origin->substr(kHttp.size())));
  if (!isHost || !isOrigin || !hasToken(r.path)) return plain(403, "This needs the address that `lanewise debug --web` printed.\n");
  if (r.method != "GET" && r.method != "POST") return plain(405, "GET and POST alone.\n");
  if (r.isChunked) return plain(411, "The length is missing.\n");
  if (r.method == "POST" && r.type != "application/json") return plain(415, "Only application/json is read.\n");
  return {};
}

Fields safeFields() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
           "form-action 'none'; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cache-Control", "no-store"}};
}

}  // namespace lanewise::web
