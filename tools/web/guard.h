// Who may ask: only who has the address with the token, from this host and from the page itself.
//
// A page of another site cannot ask: it knows no token, its Origin is another one, and where its name was made to mean this host (DNS
// rebinding), the Host field says so. Everybody else gets 403, and learns nothing of what there is.
#pragma once

#include "tools/web/http.h"

namespace lanewise::web {

// 128 bits of the system's randomness, as 32 digits. Errors: kIoError.
Expected<std::string> makeToken();

class Guard {
 public:
  Guard(std::string token, std::uint16_t port) : token_(std::move(token)), port_(port) {}

  // "http://127.0.0.1:8080/TOKEN/".
  std::string address() const;
  // 403; then, of who may ask, 405, 411 and 415 for what no page of ours sends.
  std::optional<HttpAnswer> refuse(const HttpRequest& request) const;
  // What stands behind the token: "", "page.js", "ask/state".
  std::string inside(const std::string& path) const { return path.substr(token_.size() + 2); }

 private:
  bool isOurs(const std::string& host) const;
  bool hasToken(const std::string& path) const;

  std::string token_;
  std::uint16_t port_;
};

// Fields of every answer: nothing from elsewhere is loaded, nobody else may embed or read it, and nothing is kept.
Fields safeFields();

}  // namespace lanewise::web
