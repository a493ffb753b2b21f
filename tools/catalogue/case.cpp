// Cases as text: printing and parsing, in the fixed order of docs/contracts.md 13.
#include <fmt/format.h>

#include <charconv>

#include "model/base/text.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

constexpr std::string_view kPicture = "picture:";

Error badInput(std::string what, std::string where = {}, std::string hint = {}) {
  return {Outcome::kBadInput, std::move(what), std::move(where), std::move(hint)};
}

// Reads a decimal number of 32 bits; false for anything else.
bool readNumber(std::string_view text, std::uint32_t& value) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  return ec == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t from = text.find_first_not_of(' ');
    if (from == std::string_view::npos) break;
    const std::size_t to = std::min(text.find(' ', from), text.size());
    words.push_back(text.substr(from, to - from));
    text.remove_prefix(to);
  }
  return words;
}

// The part of a case's name after the kernel's.
std::string pointText(const Case& c) {
  std::string out = sizeText(c.size);
  for (std::size_t i = 0; i < c.kernel->parameters.size(); ++i)
    out += fmt::format(" {}={}", c.kernel->parameters[i].name, c.kernel->parameters[i].text(c.values[i]));
  return out + " input=" + c.input;
}

Status assign(Case& c, std::string_view key, std::string_view value, std::string_view where) {
  if (key == "input") {
    c.input = value;
    return {};
  }
  if (key == "subgroup") {
    const Expected<std::uint32_t> size = parseSubgroupSize(value);
    if (!size) return size.error();
    c.subgroupSize = *size;
    return {};
  }
  for (std::size_t i = 0; i < c.kernel->parameters.size(); ++i) {
    if (c.kernel->parameters[i].name != key) continue;
    const Expected<std::uint32_t> parsed = c.kernel->parameters[i].parse(value);
    if (!parsed) return parsed.error();
    c.values[i] = *parsed;
    return {};
  }
  return badInput(fmt::format("{} has no parameter '{}'", c.kernel->name, key), std::string(where));
}

}  // namespace

KernelRef::KernelRef(const Kernel* kernel) : kernel_(kernel), held_(kernel != nullptr ? kernel->self.lock() : nullptr) {}

std::string sizeText(Size size) {
  return fmt::format("{}x{}", size.width, size.height);
}

Expected<Size> parseSize(std::string_view text) {
  const std::size_t x = text.find('x');
  Size size;
  const bool read = x != std::string_view::npos && readNumber(text.substr(0, x), size.width) && readNumber(text.substr(x + 1), size.height);
  if (!read || size.width < 1 || size.height < 1 || size.width > 65535 || size.height > 65535)
    return badInput(fmt::format("not a size: '{}'", text), {}, "WIDTHxHEIGHT, each from 1 to 65535, e.g. 33x65");
  return size;
}

Expected<std::uint32_t> parseSubgroupSize(std::string_view text) {
  std::uint32_t size = 0;
  if (!readNumber(text, size) || size > 128 || !std::has_single_bit(size))
    return badInput(fmt::format("not a subgroup size: '{}'", text), {}, "a power of two from 1 to 128");
  return size;
}

std::string Parameter::text(std::uint32_t value) const {
  return value < choices.size() ? choices[value] : std::to_string(value);
}

Expected<std::uint32_t> Parameter::parse(std::string_view text) const {
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i] == text) return static_cast<std::uint32_t>(i);
  if (!choices.empty())
    return badInput(fmt::format("no such {}: '{}'", name, text), {}, fmt::format("one of {}", fmt::join(choices, ", ")));
  std::uint32_t value = 0;
  if (!readNumber(text, value) || value < lowest || value > highest)
    return badInput(fmt::format("not a {}: '{}'", name, text), {}, fmt::format("a number from {} to {}", lowest, highest));
  return value;
}

std::string Case::picture() const {
  if (!input.starts_with(kPicture)) return {};
  std::string file;
  for (std::size_t i = kPicture.size(); i < input.size(); ++i) {
    const std::string_view three = std::string_view(input).substr(i, 3);
    const bool space = three == "%20", percent = three == "%25";
    file += space ? ' ' : input[i];
    if (space || percent) i += 2;
  }
  return file;
}

std::string pictureInput(std::string_view file) {
  std::string input(kPicture);
  for (const char c : file) input += c == ' ' ? "%20" : c == '%' ? "%25" : std::string(1, c);
  return input;
}

std::uint32_t Case::value(std::string_view parameter) const {
  for (std::size_t i = 0; i < kernel->parameters.size(); ++i)
    if (kernel->parameters[i].name == parameter) return values[i];
  return 0;
}

std::string Case::name() const {
  std::string out = kernel->name + " @ " + pointText(*this);
  if (subgroupSize != 0) out += fmt::format(" subgroup={}", subgroupSize);
  return out;
}

std::string Case::goldenKey() const {
  return kernel->contract.name + " @ " + pointText(*this);
}

CaseName splitCaseName(std::string_view name) {
  constexpr std::string_view kAt = " @ ";
  const std::size_t at = name.find(kAt);
  return at == std::string_view::npos ? CaseName{name, {}} : CaseName{name.substr(0, at), name.substr(at + kAt.size())};
}

Expected<Case> parseCase(std::string_view text) {
  const std::vector<std::string_view> words = wordsOf(text);
  if (words.size() < 3 || words[1] != "@")
    return badInput(fmt::format("not a case: '{}'", text), {}, "KERNEL @ WIDTHxHEIGHT [radius=N] [edge=NAME] [input=NAME] ...");
  const Kernel* kernel = findKernel(words[0]);
  if (kernel == nullptr) return badInput(fmt::format("no such kernel: '{}'", words[0]), {}, "see `lanewise list`");
  return parsePoint(*kernel, trimmed(text.substr(text.find('@') + 1)));
}

Expected<Case> parsePoint(const Kernel& kernel, std::string_view text) {
  const std::vector<std::string_view> words = wordsOf(text);
  Case c;
  c.kernel = &kernel;
  const Expected<Size> size = parseSize(words.empty() ? "" : words[0]);
  if (!size) return size.error();
  c.size = *size;
  c.input = kPlainInput;
  for (const Parameter& p : c.kernel->parameters) c.values.push_back(p.fallback);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string_view::npos) return badInput(fmt::format("not KEY=VALUE: '{}'", words[i]), std::string(text));
    if (Status bad = assign(c, words[i].substr(0, equals), words[i].substr(equals + 1), text)) return *bad;
  }
  return c;
}

}  // namespace lanewise
