#include "tools/run/typed_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "golden/image/half.h"
#include "model/contract/device.h"
#include "model/spirv/scalar_text.h"

namespace lanewise {
namespace {

using Kind = ValueType::Kind;

struct TypeName {
  std::string_view name;
  ValueType type;
};

// The first name of a type is the one that is printed.
constexpr TypeName kTypes[] = {
    {"u8", {Kind::kUnsigned, 1}},       {"u16", {Kind::kUnsigned, 2}},   {"u32", {Kind::kUnsigned, 4}},
    {"u64", {Kind::kUnsigned, 8}},      {"i8", {Kind::kSigned, 1}},      {"i16", {Kind::kSigned, 2}},
    {"i32", {Kind::kSigned, 4}},        {"i64", {Kind::kSigned, 8}},     {"f16", {Kind::kFloat, 2}},
    {"f32", {Kind::kFloat, 4}},         {"f64", {Kind::kFloat, 8}},      {"uint8_t", {Kind::kUnsigned, 1}},
    {"uint16_t", {Kind::kUnsigned, 2}}, {"uint", {Kind::kUnsigned, 4}},  {"uint32_t", {Kind::kUnsigned, 4}},
    {"uint64_t", {Kind::kUnsigned, 8}}, {"int8_t", {Kind::kSigned, 1}},  {"int16_t", {Kind::kSigned, 2}},
    {"int", {Kind::kSigned, 4}},        {"int32_t", {Kind::kSigned, 4}}, {"int64_t", {Kind::kSigned, 8}},
    {"float16_t", {Kind::kFloat, 2}},   {"half", {Kind::kFloat, 2}},     {"float", {Kind::kFloat, 4}},
    {"float32_t", {Kind::kFloat, 4}},   {"double", {Kind::kFloat, 8}},   {"float64_t", {Kind::kFloat, 8}},
    {"s8", {Kind::kSigned, 1}},         {"s16", {Kind::kSigned, 2}},     {"s32", {Kind::kSigned, 4}},
    {"s64", {Kind::kSigned, 8}},
};

Error badData(std::string_view where, std::string what, std::string hint = "") {
  return {Outcome::kBadInput, std::move(what), std::string(where), std::move(hint)};
}

std::uint64_t mask(ValueType type) {
  return type.bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * type.bytes)) - 1;
}

// An unsigned integer in base 10, 16 or 2. `plain` is set to whether it is in base 10.
std::optional<std::uint64_t> parseUnsigned(std::string_view text, bool& plain) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  plain = base == 10;
  if (base != 10) text.remove_prefix(2);
  while (!text.empty() && (text.back() == 'u' || text.back() == 'U') && base == 10) text.remove_suffix(1);  // as GLSL writes them
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<std::uint64_t> parseInteger(ValueType type, std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  bool plain = true;
  const std::optional<std::uint64_t> value = parseUnsigned(text, plain);
  if (!value) return {};
  const std::uint64_t most = type.kind == Kind::kSigned && (plain || minus) ? mask(type) >> 1 : mask(type);
  if (minus) {
    if (type.kind == Kind::kUnsigned ? *value != 0 : *value > most + 1) return {};
    return (0 - *value) & mask(type);
  }
  if (*value > most) return {};
  return value;
}

template <class T>
std::optional<T> parseDecimal(std::string_view text) {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('-') || text.empty()) return {};
  auto format = std::chars_format::general;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    format = std::chars_format::hex;
  } else if (text.back() == 'f' && text.size() > 1 && text != "inf") {
    text.remove_suffix(1);  // as GLSL writes them
  }
  T value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (end != text.data() + text.size() || code == std::errc::invalid_argument) return {};
  if (code == std::errc::result_out_of_range) {  // too great or too small: rounded, as a compiler does
    const std::string copy = (format == std::chars_format::hex ? "0x" : "") + std::string(text);
    if constexpr (sizeof(T) == 4)
      value = std::strtof(copy.c_str(), nullptr);
    else
      value = std::strtod(copy.c_str(), nullptr);
  }
  return minus ? -value : value;
}

std::optional<std::uint64_t> parseFloat(ValueType type, std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex && text.find_first_of("pP.") == std::string_view::npos) {
    bool plain = false;
    const std::optional<std::uint64_t> value = parseUnsigned(text, plain);
    return value && *value <= mask(type) ? value : std::nullopt;
  }
  if (type.bytes == 4) {
    const std::optional<float> value = parseDecimal<float>(text);
    if (!value) return {};
    return std::bit_cast<std::uint32_t>(*value);
  }
  const std::optional<double> value = parseDecimal<double>(text);
  if (!value) return {};
  return type.bytes == 8 ? std::bit_cast<std::uint64_t>(*value) : golden::halfFromDouble(*value);
}

void append(std::vector<std::byte>& out, ValueType type, std::uint64_t bits) {
  const auto* p = reinterpret_cast<const std::byte*>(&bits);
  out.insert(out.end(), p, p + type.bytes);
}

std::uint64_t floatBits(ValueType type, double value) {
  if (type.bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return type.bytes == 8 ? std::bit_cast<std::uint64_t>(value) : golden::halfFromDouble(value);
}

// SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t splitMix(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

constexpr std::string_view kValueHint = "e.g. u32:1,2,3 or f32:0.5,-1 or u32:0..9 or u32:64*0 or hex:00ff or zeros:64";

// Reads one list; the position moves from item to item.
class ListReader {
 public:
  ListReader(std::string_view where, std::string_view text, std::size_t most) : where_(where), text_(text), most_(most) {}

  Expected<ParsedValues> run() {
    std::size_t from = 0;
    while (from <= text_.size()) {
      const std::size_t comma = std::min(text_.find(',', from), text_.size());
      if (Status wrong = item(text_.substr(from, comma - from))) return *wrong;
      from = comma + 1;
    }
    return ParsedValues{std::move(out_), std::move(addresses_)};
  }

 private:
  Status tooMany() const { return badData(where_, fmt::format("more than {} bytes", most_), "put them into a file"); }

  Status item(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
      const std::string_view word = text.substr(0, colon), rest = text.substr(colon + 1);
      if (word == "hex") return hexBytes(rest);
      if (word == "zeros" || word == "pad") return filled(0, rest);
      if (word == "poison") return filled(std::to_integer<std::uint8_t>(kPoisonByte), rest);
      if (word == "fill") return fill(rest);
      if (word == "addr") return address(rest);
      if (word == "noise") return noise(rest);
      type_ = valueTypeByName(word);
      if (!type_)
        return badData(where_, fmt::format("'{}' is no type", word),
                       "u8 to u64, i8 to i64, f16, f32, f64, hex, zeros, fill, poison, addr, noise");
      text = rest;
      if (text.empty()) return std::nullopt;  // "u32:" begins an empty list
      if (text.starts_with("noise:")) return noise(text.substr(6));
    }
    if (!type_) return badData(where_, fmt::format("'{}' has no type before it", text), std::string(kValueHint));
    return value(text);
  }

  Status value(std::string_view text) {
    std::uint64_t times = 1;
    if (const std::size_t star = text.find('*'); star != std::string_view::npos) {
      bool plain = true;
      const std::optional<std::uint64_t> count = parseUnsigned(text.substr(0, star), plain);
      if (!count) return badData(where_, fmt::format("'{}' is no count and value", text), "3*7 is 7 three times");
      times = *count;
      text = text.substr(star + 1);
    }
    if (const std::size_t dots = text.find(".."); dots != std::string_view::npos && type_->kind != Kind::kFloat)
      return row(text.substr(0, dots), text.substr(dots + 2), times);
    const Expected<std::uint64_t> bits = parseValue(where_, *type_, text);
    if (!bits) return bits.error();
    if (times > (most_ - out_.size()) / type_->bytes) return tooMany();
    for (; times > 0; --times) append(out_, *type_, *bits);
    return std::nullopt;
  }

  Status row(std::string_view first, std::string_view last, std::uint64_t times) {
    const Expected<std::uint64_t> a = parseValue(where_, *type_, first), b = parseValue(where_, *type_, last);
    if (!a) return a.error();
    if (!b) return b.error();
    if (Status falls = falling(*a, *b)) return falls;
    const std::uint64_t count = (*b - *a) & mask(*type_);
    const std::uint64_t room = (most_ - out_.size()) / type_->bytes;
    if (count >= room || (times != 0 && count + 1 > room / times)) return tooMany();
    for (; times > 0; --times)
      for (std::uint64_t i = 0; i <= count; ++i) append(out_, *type_, *a + i);
    return std::nullopt;
  }

  // A range of integers begins with the least.
  Status falling(std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t sign = type_->kind == Kind::kSigned ? mask(*type_) / 2 + 1 : 0;
    if ((first ^ sign) <= (last ^ sign)) return std::nullopt;
    return badData(where_, fmt::format("a range that goes down, from {} to {}", valueText(*type_, first), valueText(*type_, last)),
                   "the smaller number first: 0..9");
  }

  // "64", "64:0..9", with the type before it.
  Status noise(std::string_view text) {
    const std::string_view all = text;
    const std::size_t colon = std::min(text.find(':'), text.size());
    bool plain = true;
    const std::optional<std::uint64_t> count = parseUnsigned(text.substr(0, colon), plain);
    if (!type_ || !count) return badData(where_, fmt::format("'noise:{}' is no type and count", all), "u32:noise:64, f32:noise:64:-1..1");
    if (*count > (most_ - out_.size()) / type_->bytes) return tooMany();
    std::uint64_t least = 0, most = type_->kind == Kind::kFloat ? 0 : mask(*type_);
    double low = 0, high = 1;
    if (colon < text.size()) {
      const std::string_view range = text.substr(colon + 1);
      const std::size_t dots = std::min(range.find(".."), range.size());
      const Expected<std::uint64_t> a = parseValue(where_, *type_, range.substr(0, dots));
      const Expected<std::uint64_t> b = parseValue(where_, *type_, range.substr(std::min(dots + 2, range.size())));
      if (!a) return a.error();
      if (!b) return b.error();
      if (Status falls = type_->kind == Kind::kFloat ? std::nullopt : falling(*a, *b)) return falls;
      least = *a;
      most = (*b - *a) & mask(*type_);
      if (type_->kind == Kind::kFloat) {
        low = parseDecimal<double>(range.substr(0, dots)).value_or(0);
        high = parseDecimal<double>(range.substr(dots + 2)).value_or(1);
      }
    }
    std::uint64_t state = 14695981039346656037u;  // FNV-1a of the text
    for (const char c : all) state = (state ^ static_cast<unsigned char>(c)) * 1099511628211u;
    for (std::uint64_t i = 0; i < *count; ++i) {
      const std::uint64_t bits = splitMix(state);
      if (type_->kind == Kind::kFloat)
        append(out_, *type_, floatBits(*type_, low + (high - low) * static_cast<double>(bits >> 40) * 0x1p-24));
      else
        append(out_, *type_, least + (most == ~std::uint64_t{0} ? bits : (bits >> 11) % (most + 1)));
    }
    return std::nullopt;
  }

  Status hexBytes(std::string_view text) {
    if (text.starts_with("0x")) text.remove_prefix(2);
    if (text.size() % 2 != 0) return badData(where_, "an odd number of hexadecimal digits", "two digits a byte: hex:00ff10");
    if (text.size() / 2 > most_ - out_.size()) return tooMany();
    for (std::size_t i = 0; i < text.size(); i += 2) {
      std::uint8_t byte = 0;
      const auto [end, code] = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
      if (code != std::errc() || end != text.data() + i + 2)
        return badData(where_, fmt::format("'{}' are no hexadecimal digits", text.substr(i, 2)), "two digits a byte: hex:00ff10");
      out_.push_back(std::byte{byte});
    }
    return std::nullopt;
  }

  Status fill(std::string_view text) {
    const std::size_t colon = text.find(':');
    bool plain = true;
    const std::optional<std::uint64_t> byte = parseUnsigned(text.substr(0, colon), plain);
    if (colon == std::string_view::npos || !byte || *byte > 255)
      return badData(where_, fmt::format("'fill:{}' is no byte and count", text), "fill:0xA7:64 is the byte A7 64 times");
    return filled(static_cast<std::uint8_t>(*byte), text.substr(colon + 1));
  }

  Status address(std::string_view text) {
    AddressValue value{out_.size(), std::string(text), 0};
    if (const std::size_t plus = text.rfind('+'); plus != std::string_view::npos) {
      const std::optional<std::uint64_t> offset = parseByteCount(text.substr(plus + 1));
      if (!offset) return badData(where_, fmt::format("'{}' is no number of bytes", text.substr(plus + 1)), "addr:0:1+16");
      value.whose = text.substr(0, plus);
      value.offset = *offset;
    }
    if (value.whose.empty()) return badData(where_, "an address of nothing", "addr:0:1 is the address of buffer 0:1");
    addresses_.push_back(std::move(value));
    return filled(0, "8");
  }

  Status filled(std::uint8_t byte, std::string_view text) {
    const std::optional<std::uint64_t> count = parseByteCount(text);
    if (!count) return badData(where_, fmt::format("'{}' is no number of bytes", text), "4096, 0x1000, 64K; at most 1024G");
    if (*count > most_ - out_.size()) return tooMany();
    out_.insert(out_.end(), *count, std::byte{byte});
    return std::nullopt;
  }

  std::string_view where_, text_;
  std::size_t most_;
  std::optional<ValueType> type_;
  std::vector<std::byte> out_;
  std::vector<AddressValue> addresses_;
};

}  // namespace

std::optional<ValueType> valueTypeByName(std::string_view name) {
  for (const TypeName& t : kTypes)
    if (t.name == name) return t.type;
  return std::nullopt;
}

std::string valueTypeName(ValueType type) {
  for (const TypeName& t : kTypes)
    if (t.type == type) return std::string(t.name);
  return "?";
}

bool looksLikeValues(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view word = text.substr(0, colon);
  return word == "hex" || word == "zeros" || word == "poison" || word == "fill" || word == "addr" || valueTypeByName(word).has_value();
}

Expected<ParsedValues> parseValues(std::string_view where, std::string_view text, std::size_t most) {
  return ListReader(where, text, most).run();
}

Expected<std::uint64_t> parseValue(std::string_view where, ValueType type, std::string_view text) {
  const std::optional<std::uint64_t> bits = type.kind == Kind::kFloat ? parseFloat(type, text) : parseInteger(type, text);
  if (!bits) return badData(where, fmt::format("'{}' is no {}", text, valueTypeName(type)), std::string(kValueHint));
  return *bits;
}

std::optional<std::uint64_t> parseByteCount(std::string_view text) {
  std::uint64_t unit = 1;
  if (text.ends_with('K') || text.ends_with('k')) unit = 1u << 10;
  if (text.ends_with('M')) unit = 1u << 20;
  if (text.ends_with('G')) unit = 1u << 30;
  if (unit != 1) text.remove_suffix(1);
  bool plain = true;
  const std::optional<std::uint64_t> count = parseUnsigned(text, plain);
  if (!count || *count > (std::uint64_t{1} << 40) / unit) return {};
  return *count * unit;
}

std::uint64_t valueBits(ValueType type, const std::byte* at) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, type.bytes);
  return bits;
}

std::string valueText(ValueType type, std::uint64_t bits) {
  constexpr Scalar kIntegers[] = {Scalar::kI8, Scalar::kI16, Scalar::kI32, Scalar::kI64};
  constexpr Scalar kFloats[] = {Scalar::kNone, Scalar::kF16, Scalar::kF32, Scalar::kF64};
  return scalarText((type.kind == Kind::kFloat ? kFloats : kIntegers)[std::countr_zero(type.bytes)], type.kind == Kind::kSigned, bits);
}

}  // namespace lanewise
