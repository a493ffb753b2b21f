#include "model/base/text.h"

#include <algorithm>
#include <cstdint>

namespace lanewise {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? "" : std::string(text.substr(first, text.find_last_not_of(kBlank) + 1 - first));
}

std::string_view withoutDot(std::string_view file) {
  while (file.starts_with("./")) file.remove_prefix(std::min(file.find_first_not_of('/', 1), file.size()));
  return file;
}

std::string eitherOf(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

bool endsWithFile(std::string_view path, std::string_view file) {
  if (!path.ends_with(file)) return false;
  path.remove_suffix(file.size());
  return path.empty() || path.ends_with('/');
}

std::string shellWord(const std::string& word) {
  if (word.find_first_of(" \t\n*'\"\\$&|;<>()?[]{}`!#~") == std::string::npos && !word.empty()) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string base64(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (i + j < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) out += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
  std::vector<std::byte> out;
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return {};
  std::uint32_t bits = 0, count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    out.push_back(static_cast<std::byte>(bits >> count));
  }
  return out;
}

}  // namespace lanewise
