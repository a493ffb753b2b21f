// What is asked and answered by HTTP, and the interface of lanewise-http.so, which listens.
//
// That part needs cpp-httplib, and with it OpenSSL and Brotli, which take several ms to load. It is a module beside the program, opened by
// serve.cpp. Both sides are built together by one compiler and pass C++ values. `version` is Lanewise's; a module of another version is not
// used. No exception leaves the module.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise::web {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;
  std::string path;               // decoded, without what stands behind "?"
  std::vector<std::string> host;  // every field of this name
  std::optional<std::string> origin;
  std::string type;        // Content-Type
  bool isChunked = false;  // its length is not known
  std::string body = {};   // when `refuse` is asked, not read yet
};

struct HttpAnswer {
  int status = 200;
  std::string type, body;
  Fields fields = {};
};

struct HttpSite {
  Fields fields;             // of every answer
  std::size_t mostBody = 0;  // in bytes; more is refused with 413
  std::function<void(std::uint16_t port)> listening;
  std::function<bool()> isOver;                                         // asked often
  std::function<std::optional<HttpAnswer>(const HttpRequest&)> refuse;  // nothing: `answer` is asked
  std::function<HttpAnswer(const HttpRequest&)> answer;                 // from several threads
};

struct HttpModule {
  const char* version;
  // Listens on 127.0.0.1 alone until it is over; port 0: any that is free. Errors: kIoError.
  Status (*serve)(std::uint16_t port, const HttpSite& site);
};

constexpr const char* kHttpModule = "lanewise-http.so";
constexpr const char* kHttpModuleSymbol = "lanewiseHttpModule";  // of type HttpModule

}  // namespace lanewise::web
