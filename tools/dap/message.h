// Messages of the Debug Adapter Protocol as bytes: a header with the length, an empty line, and JSON.
//
// Source: the protocol's overview, "Base protocol". Promise: any bytes give messages or errors; what is kept of them is bounded.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/base/outcome.h"

namespace lanewise::dap {

using Json = nlohmann::json;

inline constexpr std::size_t kMaxHeader = 4096, kMaxMessage = 16 << 20;

class MessageReader {
 public:
  void add(std::string_view bytes) { waiting_ += bytes; }
  // The next message, or what is wrong with it (bad input). Nothing: more bytes are needed.
  std::optional<Expected<Json>> next();
  // What came cannot be cut into messages any more.
  bool isLost() const { return isLost_; }

 private:
  std::string waiting_;
  bool isLost_ = false;
};

// Bad input: no JSON, no object, or lists in lists without end.
Expected<Json> parseObject(std::string_view text);
std::string framed(const Json& message);

}  // namespace lanewise::dap
