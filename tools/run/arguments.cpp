#include "tools/run/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace lanewise {
namespace {

Error bad(std::string_view option, std::string what, std::string hint) {
  return {Outcome::kBadInput, std::move(what), std::string(option), std::move(hint)};
}

bool parseNumber(std::string_view text, std::uint32_t& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

constexpr const char* kSlotHint = "SET:BINDING, SET:BINDING:ELEMENT or the binding's name, e.g. 0:1=data.bin";

}  // namespace

Expected<Slot> parseSlot(std::string_view option, std::string_view whole) {
  std::string text(whole);
  if (text.ends_with(']'))
    if (const std::size_t open = text.find('['); open != std::string::npos) {
      text[open] = ':';
      text.pop_back();
    }
  const Error wrong = bad(option, fmt::format("'{}' is no binding", whole), kSlotHint);
  std::vector<std::string_view> parts;
  Slot slot;
  std::size_t from = 0;
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    if (!parseNumber(std::string_view(text).substr(0, slash), slot.dispatch) || slot.dispatch == 0) return wrong;
    --slot.dispatch;
    from = slash + 1;
  }
  while (from <= text.size()) {
    const std::size_t colon = std::min(text.find(':', from), text.size());
    parts.push_back(std::string_view(text).substr(from, colon - from));
    from = colon + 1;
  }
  if (parts[0].empty()) return wrong;
  if (!isDigit(parts[0][0])) {
    slot.name = parts[0];
    if (parts.size() > 2 || (parts.size() == 2 && !parseNumber(parts[1], slot.element))) return wrong;
    return slot;
  }
  if (parts.size() < 2 || parts.size() > 3) return wrong;
  if (!parseNumber(parts[0], slot.set) || !parseNumber(parts[1], slot.binding)) return wrong;
  if (parts.size() == 3 && !parseNumber(parts[2], slot.element)) return wrong;
  return slot;
}

namespace {

// Splits "WHERE=REST".
Expected<Slot> takeSlot(std::string_view option, std::string_view& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return bad(option, fmt::format("'{}' has no '='", text), kSlotHint);
  Expected<Slot> slot = parseSlot(option, text.substr(0, equals));
  text = text.substr(equals + 1);
  if (slot && text.empty()) return bad(option, fmt::format("nothing after '{}='", slot->text()), kSlotHint);
  return slot;
}

// "64x64", "16x16x16", "7".
std::optional<Extent3> parseExtent(std::string_view text) {
  Extent3 e;
  std::uint32_t* const axes[] = {&e.x, &e.y, &e.z};
  std::size_t n = 0;
  for (std::size_t from = 0; from <= text.size(); ++n) {
    const std::size_t cross = std::min(text.find('x', from), text.size());
    if (n == 3 || !parseNumber(text.substr(from, cross - from), *axes[n]) || *axes[n] == 0) return {};
    from = cross + 1;
  }
  return n >= 2 ? std::optional(e) : std::nullopt;
}

bool takeKey(std::string_view token, std::string_view key, std::optional<std::uint32_t>& value, std::uint32_t least) {
  if (!token.starts_with(key)) return false;
  std::uint32_t number = 0;
  if (!parseNumber(token.substr(key.size()), number) || number < least) return false;
  value = number;
  return true;
}

// A word about an image's shape.
bool takeShape(std::string_view token, ImageShape& shape) {
  if (const auto extent = parseExtent(token)) {
    shape.extent = extent;
    return true;
  }
  if (takeKey(token, "levels=", shape.levels, 1) || takeKey(token, "layers=", shape.layers, 1) ||
      takeKey(token, "samples=", shape.samples, 1) || takeKey(token, "level=", shape.level, 0) ||
      takeKey(token, "view-levels=", shape.viewLevels, 1) || takeKey(token, "layer=", shape.layer, 0) ||
      takeKey(token, "view-layers=", shape.viewLayers, 1))
    return true;
  if (token.starts_with("view=")) {
    shape.view = parseFormat(token.substr(5));
    return shape.view.has_value();
  }
  if (token == "cube") return shape.cube = true;
  if (token == "1d" || token == "2d" || token == "3d") {
    shape.dimensions = static_cast<std::uint32_t>(token[0] - '0');
    return true;
  }
  if (const auto format = parseFormat(token)) {
    shape.format = format;
    return true;
  }
  return false;
}

// Cuts words off the end of "FILE:a:b" while `take` knows them.
template <class Take>
void takeFromEnd(std::string_view& text, Take take) {
  for (std::size_t colon; (colon = text.rfind(':')) != std::string_view::npos;) {
    if (!take(text.substr(colon + 1))) return;
    text = text.substr(0, colon);
  }
}

Expected<Source> parseSource(std::string_view option, std::string_view text) {
  Source source;
  source.text = text;
  if (text.starts_with('@')) {
    source.text = text.substr(1);
  } else if (text.starts_with("same:")) {
    source.kind = Source::Kind::kSame;
    const Expected<Slot> same = parseSlot(option, text.substr(5));
    if (!same) return same.error();
    source.same = *same;
  } else if (looksLikeValues(text)) {
    source.kind = Source::Kind::kValues;
  }
  if (source.text.empty()) return bad(option, "a file without a name", kSlotHint);
  return source;
}

std::optional<std::byte> parseByte(std::string_view text) {
  const Expected<std::uint64_t> value = parseValue("", {ValueType::Kind::kUnsigned, 1}, text);
  return value ? std::optional(static_cast<std::byte>(*value)) : std::nullopt;
}

bool isFill(std::string_view text, Source& source) {
  source.kind = Source::Kind::kFill;
  if (text == "zeros") return true;
  source.fill = kPoisonByte;
  if (text == "poison") return true;
  const auto byte = text.starts_with("fill:") || text.starts_with("fill=") ? parseByte(text.substr(5)) : std::nullopt;
  if (byte) source.fill = *byte;
  return byte.has_value();
}

// The name of a format has letters and then a number: r8g8b8a8_uscaled. Data behind its key never begins with a letter, but that of hex:.
bool looksLikeFormat(std::string_view token) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !token.empty() && letter(static_cast<unsigned char>(token.front())) && std::ranges::any_of(token, digit) &&
         std::ranges::all_of(token, [&](unsigned char c) { return letter(c) || digit(c) || c == '_'; });
}

}  // namespace

std::string Slot::text() const {
  std::string out = dispatch == 0 ? "" : fmt::format("{}/", dispatch + 1);
  out += name.empty() ? fmt::format("{}:{}", set, binding) : name;
  if (element != 0) out += fmt::format(":{}", element);
  return out;
}

std::optional<Format> parseFormat(std::string_view text) {
  if (text.empty()) return {};
  std::string lower(text), upper(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  if (upper.starts_with("VK_FORMAT_")) upper.erase(0, 10);
  for (const std::string& name : {lower, upper})
    if (const Format format = formatByName(name); format != Format::UNDEFINED) return format;
  return {};
}

Expected<BufferArgument> parseBufferArgument(std::string_view option, std::string_view text) {
  BufferArgument out;
  const Expected<Slot> slot = takeSlot(option, text);
  if (!slot) return slot.error();
  out.slot = *slot;
  const auto count = [](std::string_view token, std::string_view key, std::uint64_t& into) {
    if (!token.starts_with(key)) return false;
    const std::optional<std::uint64_t> value = parseByteCount(token.substr(key.size()));
    if (value) into = *value;
    return value.has_value();
  };
  // A number that may belong to the list or the name does belong to it.
  const bool takesBytes = !looksLikeValues(text) && !text.starts_with('@') && !text.starts_with("same:");
  takeFromEnd(text, [&](std::string_view token) {
    if (count(token, "offset=", out.offset) || count(token, "size=", out.size)) return true;
    if (const auto format = parseFormat(token)) {
      out.format = format;
      return true;
    }
    std::uint64_t bytes = 0;
    if (!takesBytes || !count(token, "", bytes)) return false;
    out.bytes = bytes;
    return true;
  });
  if (const std::size_t colon = text.rfind(':');
      looksLikeValues(text) && text.find(':') != colon && looksLikeFormat(text.substr(colon + 1)))
    return bad(option, fmt::format("'{}' is no format of texels that this program has", text.substr(colon + 1)),
               "such as rgba8, r32f or R8G8B8A8_UNORM");
  const Expected<Source> source = parseSource(option, text);
  if (!source) return source.error();
  out.source = *source;
  return out;
}

Expected<ImageArgument> parseImageArgument(std::string_view text) {
  constexpr std::string_view kOption = "--image";
  ImageArgument out;
  const Expected<Slot> slot = takeSlot(kOption, text);
  if (!slot) return slot.error();
  out.slot = *slot;
  if (!text.starts_with('@')) takeFromEnd(text, [&](std::string_view token) { return takeShape(token, out.shape); });
  if (isFill(text, out.source)) return out;
  const Expected<Source> source = parseSource(kOption, text);
  if (!source) return source.error();
  out.source = *source;
  return out;
}

Expected<SamplerArgument> parseSamplerArgument(std::string_view text) {
  constexpr std::string_view kOption = "--sampler";
  const Expected<Slot> slot = takeSlot(kOption, text);
  if (!slot) return slot.error();
  const Expected<SamplerState> state = samplerByText(text);
  if (!state) return bad(kOption, state.error().what, state.error().hint);
  return SamplerArgument{*slot, *state};
}

Expected<OutArgument> parseOutArgument(std::string_view text) {
  constexpr std::string_view kOption = "--out";
  OutArgument out;
  const Expected<Slot> slot = takeSlot(kOption, text);
  if (!slot) return slot.error();
  out.slot = *slot;
  std::string_view again;  // a word that is given twice
  const auto take = [&](std::string_view token, auto& member, auto value) {
    if (member) again = token;
    member = value;
  };
  takeFromEnd(text, [&](std::string_view token) {
    if (const auto type = valueTypeByName(token)) {
      take(token, out.type, type);
    } else if (const auto bytes = parseByteCount(token)) {
      take(token, out.bytes, bytes);
    } else if (token == "zeros" || token == "poison") {
      take(token, out.start, token == "zeros" ? std::byte{0} : kPoisonByte);
    } else if (const auto byte = token.starts_with("fill=") ? parseByte(token.substr(5)) : std::nullopt) {
      take(token, out.start, byte);
    } else {
      return takeShape(token, out.shape);
    }
    return true;
  });
  if (!again.empty()) return bad(kOption, fmt::format("'{}' and another of its kind", again), "one number of bytes, one type, one fill");
  const bool asItIs = text.starts_with('@');
  out.file = asItIs ? text.substr(1) : text;
  if (out.file.empty()) return bad(kOption, "a file without a name", "e.g. 0:3=sums.bin:1024, 0:2=result.exr:64x64:r32f or 0:3=-:u32");
  if (const std::size_t colon = out.file.rfind(':'); colon != std::string::npos && !asItIs)
    return bad(kOption, fmt::format("'{}' is no number of bytes, type or shape", out.file.substr(colon + 1)),
               "e.g. sums.bin:1024; a file with a colon in its name is written @NAME");
  return out;
}

Expected<Extent3> parseGroups(std::string_view option, std::string_view text) {
  std::uint32_t at[3] = {1, 1, 1};
  std::size_t n = 0;
  for (std::size_t from = 0; from <= text.size(); ++n) {
    const std::size_t cut = std::min(text.find_first_of(",x", from), text.size());
    if (n == 3 || !parseNumber(text.substr(from, cut - from), at[n]))
      return bad(option, fmt::format("not a number of workgroups: '{}'", text), "X, X,Y or X,Y,Z: 8,8,1");
    from = cut + 1;
  }
  return Extent3{at[0], at[1], at[2]};
}

}  // namespace lanewise
