#include "tools/subject/comma_lists.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "golden/image/inputs.h"

namespace lanewise {
namespace {

// A longer list is a mistake: it would take too long to run.
constexpr std::uint64_t kMostItems = 1'000'000;

Error badList(std::string_view option, std::string what, std::string_view hint) {
  return {Outcome::kBadInput, std::move(what), std::string(option), std::string(hint)};
}

Error inOption(Error error, std::string_view option) {
  error.where = error.where.empty() ? std::string(option) : fmt::format("{}, {}", option, error.where);
  return error;
}

// Splits at commas; with `letters`, only at those before a letter.
std::vector<std::string_view> cut(std::string_view text, bool letters = false) {
  std::vector<std::string_view> parts;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool comma = i < text.size() && text[i] == ',';
    const bool ends = comma && (!letters || i + 1 == text.size() || std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0);
    if (!ends && i < text.size()) continue;
    parts.push_back(text.substr(from, i - from));
    from = i + 1;
  }
  return parts;
}

struct Range {
  std::uint32_t first = 0, last = 0;
};

bool parseNumber(std::string_view text, std::uint32_t& value) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  return ec == std::errc{} && end == text.data() + text.size();
}

// "7" or "0..63".
bool parseRange(std::string_view text, Range& range) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    if (!parseNumber(text, range.first)) return false;
    range.last = range.first;
    return true;
  }
  return parseNumber(text.substr(0, dots), range.first) && parseNumber(text.substr(dots + 2), range.last) && range.first <= range.last;
}

}  // namespace

Expected<std::vector<Size>> parseSizes(std::string_view option, std::string_view text) {
  constexpr std::string_view kHint = "WIDTHxHEIGHT, each from 1 to 65535 or a range, separated by commas: 33x65,1..8x1..8";
  std::vector<Size> sizes;
  for (const std::string_view part : cut(text)) {
    const std::size_t x = part.find('x');
    Range width, height;
    const bool read = x != std::string_view::npos && parseRange(part.substr(0, x), width) && parseRange(part.substr(x + 1), height);
    if (!read || width.first < 1 || height.first < 1 || width.last > 65535 || height.last > 65535)
      return badList(option, fmt::format("not a size: '{}'", part), kHint);
    if (sizes.size() + (width.last - width.first + 1ull) * (height.last - height.first + 1ull) > kMostItems)
      return badList(option, "more than a million sizes", "name fewer");
    for (std::uint32_t w = width.first; w <= width.last; ++w)
      for (std::uint32_t h = height.first; h <= height.last; ++h) sizes.push_back({w, h});
  }
  return sizes;
}

Expected<std::vector<std::string>> parseNumbers(std::string_view option, std::string_view text) {
  std::vector<std::string> numbers;
  for (const std::string_view part : cut(text)) {
    Range range;
    if (!parseRange(part, range))
      return badList(option, fmt::format("not a number or a range: '{}'", part), "numbers and ranges, separated by commas: 0,1,7 or 0..63");
    if (numbers.size() + (range.last - range.first + 1ull) > kMostItems)
      return badList(option, "more than a million numbers", "name fewer");
    for (std::uint64_t n = range.first; n <= range.last; ++n) numbers.push_back(std::to_string(n));
  }
  return numbers;
}

Expected<std::vector<std::string>> parseNames(std::string_view option, std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view part : cut(text)) {
    if (part.empty()) return badList(option, fmt::format("an empty name in '{}'", text), "names separated by commas");
    names.emplace_back(part);
  }
  return names;
}

Expected<std::vector<std::string>> parseInputs(std::string_view option, std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view part : cut(text, true)) {
    const Expected<golden::InputSpec> spec = golden::parseInput(part);
    if (!spec) return inOption(spec.error(), option);
    names.push_back(golden::inputName(*spec));
  }
  return names;
}

Expected<std::vector<std::uint32_t>> parseSubgroupSizes(std::string_view option, std::string_view text) {
  std::vector<std::uint32_t> sizes;
  for (const std::string_view part : cut(text)) {
    const Expected<std::uint32_t> size = parseSubgroupSize(part);
    if (!size) return inOption(size.error(), option);
    sizes.push_back(*size);
  }
  return sizes;
}

Expected<Extent3> parseInvocation(std::string_view option, std::string_view text) {
  const std::vector<std::string_view> parts = cut(text);
  std::uint32_t at[3] = {0, 0, 0};
  bool read = !parts.empty() && parts.size() <= 3;
  for (std::size_t i = 0; read && i < parts.size(); ++i) read = parseNumber(parts[i], at[i]);
  if (!read) return badList(option, fmt::format("not an invocation: '{}'", text), "X, X,Y or X,Y,Z as in gl_GlobalInvocationID");
  return Extent3{at[0], at[1], at[2]};
}

}  // namespace lanewise
