#include "tools/dap/message.h"

#include <fmt/format.h>

#include <charconv>

namespace lanewise::dap {
namespace {

Error bad(std::string what) {
  return {Outcome::kBadInput, std::move(what), "", ""};
}

// The length that a header names.
std::optional<std::size_t> lengthIn(std::string_view header) {
  constexpr std::string_view kName = "Content-Length:";
  std::optional<std::size_t> length;
  while (!header.empty()) {
    std::string_view line = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(header.size(), line.size() + 2));
    if (!line.starts_with(kName)) continue;
    line.remove_prefix(kName.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::size_t n = 0;
    const auto [end, wrong] = std::from_chars(line.data(), line.data() + line.size(), n);
    if (wrong != std::errc{} || end != line.data() + line.size() || length) return {};
    length = n;
  }
  return length;
}

// True for a field that the protocol does not have, as in a request of HTTP. A page in a browser may send those, with anything after them.
bool isForeign(std::string_view header) {
  for (std::size_t at = 0; at < header.size(); at = std::min(header.find("\r\n", at), header.size() - 2) + 2) {
    const std::string_view line = header.substr(at, header.find("\r\n", at) - at);
    if (line.find(':') != std::string_view::npos && !line.starts_with("Content-Length:") && !line.starts_with("Content-Type:")) return true;
  }
  return false;
}

// Lists in lists without end would take long to read, and longer to forget.
bool isTooDeep(std::string_view text) {
  constexpr int kMostDeep = 64;
  int depth = 0;
  bool inText = false;
  for (std::size_t i = 0; i < text.size() && depth <= kMostDeep; ++i) {
    if (text[i] == '"') inText = !inText;
    if (text[i] == '\\' && inText) ++i;
    if (inText) continue;
    depth += text[i] == '[' || text[i] == '{' ? 1 : text[i] == ']' || text[i] == '}' ? -1 : 0;
  }
  return depth > kMostDeep;
}

}  // namespace

std::optional<Expected<Json>> MessageReader::next() {
  if (isLost_) return {};
  const std::size_t end = waiting_.find("\r\n\r\n");
  if (std::min(end, waiting_.size()) > kMaxHeader) {
    isLost_ = true;
    return bad(fmt::format("a header has more than {} bytes", kMaxHeader));
  }
  if (end == std::string::npos) return {};
  if (isForeign(std::string_view(waiting_).substr(0, end))) {
    isLost_ = true;
    return bad("a header with a field of another protocol");
  }
  const std::size_t begin = end + 4;
  const std::optional<std::size_t> length = lengthIn(std::string_view(waiting_).substr(0, end));
  if (!length) {
    waiting_.erase(0, begin);
    return bad("a header without one Content-Length that is a number");
  }
  if (*length > kMaxMessage) {
    isLost_ = true;
    return bad(fmt::format("a message of {} bytes: at most {} are read", *length, kMaxMessage));
  }
  if (waiting_.size() - begin < *length) return {};
  const std::string text = waiting_.substr(begin, *length);
  waiting_.erase(0, begin + *length);
  return parseObject(text);
}

Expected<Json> parseObject(std::string_view text) {
  if (isTooDeep(text)) return bad("a message with too many lists in lists");
  Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded()) return bad("a message that is no JSON");
  if (!message.is_object()) return bad("a message that is no object");
  return message;
}

std::string framed(const Json& message) {
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
}

}  // namespace lanewise::dap
