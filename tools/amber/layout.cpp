#include "tools/amber/layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "golden/image/half.h"
#include "tools/run/typed_values.h"

namespace lanewise::amber {
namespace {

struct Named {
  const char* name;
  NumberKind kind;
  std::uint8_t bits;
};
constexpr Named kNumbers[] = {{"int8", NumberKind::kSint, 8},    {"int16", NumberKind::kSint, 16},  {"int32", NumberKind::kSint, 32},
                              {"int64", NumberKind::kSint, 64},  {"uint8", NumberKind::kUint, 8},   {"uint16", NumberKind::kUint, 16},
                              {"uint32", NumberKind::kUint, 32}, {"uint64", NumberKind::kUint, 64}, {"float16", NumberKind::kFloat, 16},
                              {"float", NumberKind::kFloat, 32}, {"double", NumberKind::kFloat, 64}};

std::optional<DataType> numberNamed(std::string_view text) {
  for (const Named& n : kNumbers)
    if (text == n.name) return DataType{.number = n.kind, .bits = n.bits, .members = {}};
  return {};
}

// 2, 3 or 4; else 0.
std::uint8_t dimension(char c) {
  return c >= '2' && c <= '4' ? static_cast<std::uint8_t>(c - '0') : std::uint8_t{0};
}

// "vec3<float>", "mat2x3<float>", "float".
std::optional<DataType> valueNamed(std::string_view text) {
  const bool vector = text.starts_with("vec"), matrix = text.starts_with("mat");
  const std::size_t open = vector ? 4 : 6;
  if (!vector && !matrix) return numberNamed(text);
  if (text.size() < open + 2 || text[open] != '<' || !text.ends_with('>')) return {};
  std::optional<DataType> type = numberNamed(text.substr(open + 1, text.size() - open - 2));
  if (!type) return {};
  type->rows = dimension(text[vector ? 3 : 5]);
  if (matrix) type->columns = text[4] == 'x' ? dimension(text[3]) : std::uint8_t{0};
  if (type->rows == 0 || type->columns == 0) return {};
  return type;
}

constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

// Of one value, not of an array of it.
std::uint64_t alignmentOf(const DataType& type, bool std140) {
  if (type.kind == DataType::Kind::kStructure) return std140 ? type.alignment140 : type.alignment430;
  if (type.kind == DataType::Kind::kFormat) return formatInfo(type.format)->texelBytes;
  const std::uint64_t vector = type.bits / 8u * (type.rows == 3 ? 4u : type.rows);
  return type.columns > 1 && std140 ? roundUp(vector, 16) : vector;
}

std::uint64_t placeOfMember(const DataType& type, bool std140) {
  const std::uint64_t alignment = alignmentOf(type, std140);
  return type.array && std140 ? roundUp(alignment, 16) : alignment;
}

std::uint64_t numbersOf(const DataType& type) {
  const std::uint64_t one = type.kind == DataType::Kind::kStructure ? type.numbers
                            : type.kind == DataType::Kind::kFormat  ? layoutOfFormat(type.format).fields.size()
                                                                    : std::uint64_t{type.rows} * type.columns;
  return one * std::max<std::uint64_t>(1, type.array ? type.count : 1);
}

// Adds the fields of a type; each function returns the bytes from its position to the end of its last field.
class Layouter {
 public:
  Layouter(bool std140, Layout& out) : std140_(std140), out_(out) {}

  std::uint64_t add(const DataType& type, std::uint64_t at, std::uint32_t arrayStride = 0, std::uint32_t matrixStride = 0) {
    if (!type.array) return addOne(type, at, matrixStride);
    const std::uint64_t size = addOne(type, at, matrixStride);
    const std::uint64_t stride = arrayStride != 0 ? arrayStride : roundUp(size, placeOfMember(type, std140_));
    for (std::uint32_t i = 1; i < type.count; ++i) addOne(type, at + i * stride, matrixStride);
    return stride * std::max(1u, type.count);
  }

 private:
  std::uint64_t addOne(const DataType& type, std::uint64_t at, std::uint32_t matrixStride) {
    if (type.kind == DataType::Kind::kStructure) return addStructure(type, at);
    if (type.kind == DataType::Kind::kFormat) return addFormat(type.format, at);
    const std::uint64_t number = type.bits / 8;
    const std::uint64_t stride = matrixStride != 0 ? matrixStride : alignmentOf(type, std140_);
    for (std::uint8_t c = 0; c < type.columns; ++c)
      for (std::uint8_t r = 0; r < type.rows; ++r)
        out_.fields.push_back({.offset = at + c * stride + r * number, .bits = type.bits, .kind = type.number, .component = r});
    return type.columns > 1 ? stride * type.columns : number * type.rows;
  }

  std::uint64_t addStructure(const DataType& type, std::uint64_t at) {
    std::uint64_t end = 0;
    for (const Member& m : type.members) {
      const std::uint64_t from = m.offset ? *m.offset : roundUp(end, placeOfMember(m.type, std140_));
      const std::uint64_t size = add(m.type, at + from, m.arrayStride, m.matrixStride);
      // What follows a structure begins where an array of it would go on.
      const bool padded = m.type.kind == DataType::Kind::kStructure && !m.type.array;
      end = from + (padded ? roundUp(size, alignmentOf(m.type, std140_)) : size);
    }
    return type.stride != 0 ? type.stride : roundUp(end, alignmentOf(type, std140_));
  }

  std::uint64_t addFormat(Format format, std::uint64_t at) {
    const Layout texel = layoutOfFormat(format);
    for (Field f : texel.fields) {
      f.offset += at;
      out_.fields.push_back(f);
    }
    return texel.stride;
  }

  bool std140_;
  Layout& out_;
};

Format formatOfNumbers(const DataType& type) {
  if (type.kind == DataType::Kind::kFormat) return type.format;
  if (type.kind != DataType::Kind::kNumber || type.columns != 1 || type.rows == 3) return Format::UNDEFINED;
  static constexpr const char* kLetters = "RGBA";
  std::string name;
  for (int i = 0; i < type.rows; ++i) name += kLetters[i] + std::to_string(type.bits);
  return formatByName(name + (type.number == NumberKind::kFloat ? "_SFLOAT" : type.number == NumberKind::kSint ? "_SINT" : "_UINT"));
}

std::optional<std::uint64_t> integerBits(std::string_view text, std::uint8_t bits) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (code != std::errc() || end != text.data() + text.size()) return {};
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (negative && value > (mask >> 1) + 1) return {};
  if (!negative && value > mask) return {};
  return (negative ? ~value + 1 : value) & mask;
}

std::optional<double> decimal(const std::string& text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size()) return value;
  if (const std::optional<std::uint64_t> hex = integerBits(text, 64)) return static_cast<double>(*hex);
  return {};
}

bool isNormalised(NumberKind kind) {
  return kind == NumberKind::kUnorm || kind == NumberKind::kSnorm || kind == NumberKind::kSrgb;
}

double greatestCode(NumberKind kind, std::uint8_t bits) {
  return std::ldexp(1.0, kind == NumberKind::kSnorm ? bits - 1 : bits) - 1;
}

// Floats of 10 and 11 bits have five bits of exponent, as those of 16.
std::uint64_t floatBitsOf(double value, const std::string& text, std::uint8_t bits) {
  if (bits == 64) return std::bit_cast<std::uint64_t>(value);
  if (bits == 32) {
    float f = static_cast<float>(value);
    std::from_chars(text.data(), text.data() + text.size(), f);  // rounded once where it is decimal
    return std::bit_cast<std::uint32_t>(f);
  }
  const std::uint16_t half = golden::halfFromDouble(value);
  return bits == 16 ? half : (half & 0x8000u) != 0 ? 0u : (half & 0x7fffu) >> (15 - bits);
}

}  // namespace

std::optional<DataType> dataTypeNamed(const std::string& text, const Structures& structures) {
  std::string_view name = text;
  bool array = false;
  std::uint32_t count = 0;
  if (const std::size_t open = name.find('['); open != std::string_view::npos) {
    const std::string_view inside = name.substr(open + 1);
    if (!inside.ends_with(']')) return {};
    if (inside.size() > 1) {
      const auto [end, code] = std::from_chars(inside.data(), inside.data() + inside.size() - 1, count);
      if (code != std::errc() || end != inside.data() + inside.size() - 1 || count == 0) return {};
    }
    array = true;
    name = name.substr(0, open);
  }
  std::optional<DataType> type = valueNamed(name);
  if (!type)
    if (const auto found = structures.find(std::string(name)); found != structures.end()) type = found->second;
  if (!type)
    if (const Format format = formatByName(name); format != Format::UNDEFINED && formatInfo(format)->name == name)
      type = DataType{.kind = DataType::Kind::kFormat, .format = format, .members = {}};
  if (!type) return {};
  type->array = array;
  type->count = count;
  return type;
}

bool finishStructure(DataType& s) {
  s.kind = DataType::Kind::kStructure;
  s.numbers = 0;
  s.alignment430 = s.alignment140 = 1;
  for (const Member& m : s.members) {
    s.numbers += numbersOf(m.type);
    s.alignment430 = std::max(s.alignment430, placeOfMember(m.type, false));
    s.alignment140 = std::max(s.alignment140, placeOfMember(m.type, true));
    if (s.numbers > kMostFields) return false;
  }
  s.alignment140 = roundUp(s.alignment140, 16);
  return !s.members.empty();
}

std::optional<Layout> layoutOf(const DataType& type, bool std140) {
  if (numbersOf(type) > kMostFields) return {};
  Layout out;
  const std::uint64_t size = Layouter(std140, out).add(type, 0);
  out.stride = type.kind == DataType::Kind::kStructure && type.stride != 0 ? type.stride : roundUp(size, placeOfMember(type, std140));
  for (const Field& f : out.fields) out.stride = std::max(out.stride, f.offset + (f.shift + f.bits + 7u) / 8u);
  if (out.stride > 0xffffffff) return {};
  out.format = type.array ? Format::UNDEFINED : formatOfNumbers(type);
  if (type.kind == DataType::Kind::kFormat && !type.array) out.colours = layoutOfFormat(type.format).colours;
  return out;
}

Layout layoutOfFormat(Format format) {
  Layout out;
  const FormatInfo& info = *formatInfo(format);
  out.stride = info.texelBytes;
  out.format = format;
  constexpr std::pair<NumericFormat, NumberKind> kKinds[] = {
      {NumericFormat::kUnorm, NumberKind::kUnorm},  {NumericFormat::kSnorm, NumberKind::kSnorm},
      {NumericFormat::kUint, NumberKind::kUint},    {NumericFormat::kSint, NumberKind::kSint},
      {NumericFormat::kSfloat, NumberKind::kFloat}, {NumericFormat::kUfloat, NumberKind::kFloat},
      {NumericFormat::kSrgb, NumberKind::kSrgb}};
  NumberKind kind = NumberKind::kUint;
  for (const auto& [numeric, as] : kKinds)
    if (info.numeric == numeric) kind = as;
  if (info.numeric == NumericFormat::kSharedExponent) {
    out.fields.push_back({});
    return out;
  }
  for (std::uint8_t c = 0; c < 4; ++c) {
    if (info.layout.bits[c] == 0) continue;
    const NumberKind own = kind == NumberKind::kSrgb && c == 3 ? NumberKind::kUnorm : kind;
    out.fields.push_back({.shift = info.layout.shift[c], .bits = info.layout.bits[c], .kind = own, .component = c});
  }
  // In the order of the format's name: a packed one begins with its highest bits.
  const bool packed = info.name.find("_PACK") != std::string_view::npos;
  std::ranges::sort(out.fields, [&](const Field& a, const Field& b) { return packed ? a.shift > b.shift : a.shift < b.shift; });
  if (packed) {
    out.colours = std::move(out.fields);
    out.fields = {{.bits = static_cast<std::uint8_t>(8 * info.texelBytes)}};
  }
  return out;
}

std::optional<std::uint64_t> bitsOfNumber(const std::string& text, NumberKind kind, std::uint8_t bits) {
  const std::optional<double> value = decimal(text);
  if (!value) return {};
  if (kind == NumberKind::kFloat) return floatBitsOf(*value, text, bits);
  if (const std::optional<std::uint64_t> integer = integerBits(text, bits)) return integer;
  if (isNormalised(kind)) {
    if (!(std::abs(*value) <= 1) || (*value < 0 && kind != NumberKind::kSnorm)) return {};
    return integerBits(std::to_string(std::llround(*value * greatestCode(kind, bits))), bits);
  }
  // "4.0" of an integer.
  if (*value != std::trunc(*value) || std::abs(*value) > 9e15) return {};
  return integerBits(std::to_string(static_cast<long long>(*value)), bits);
}

bool isNumber(const std::string& text) {
  return decimal(text).has_value();
}

std::uint64_t readField(const Field& f, const std::byte* element) {
  const std::byte* at = element + f.offset + f.shift / 8;
  const unsigned shift = f.shift % 8u, bytes = (shift + f.bits + 7u) / 8u;
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes && i < 8; ++i) value |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  value >>= shift;
  return f.bits == 64 ? value : value & ((std::uint64_t{1} << f.bits) - 1);
}

void writeField(const Field& f, std::byte* element, std::uint64_t bits) {
  for (unsigned i = 0; i < f.bits; ++i) {
    std::byte& byte = element[f.offset + (f.shift + i) / 8];
    const std::byte one{static_cast<unsigned char>(1u << ((f.shift + i) % 8))};
    byte = (bits >> i & 1) != 0 ? byte | one : byte & ~one;
  }
}

double numberOf(const Field& f, std::uint64_t bits) {
  if (f.kind == NumberKind::kFloat) {
    if (f.bits == 64) return std::bit_cast<double>(bits);
    if (f.bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return golden::halfToDouble(static_cast<std::uint16_t>(f.bits == 16 ? bits : bits << (15 - f.bits)));
  }
  const bool negative = (f.kind == NumberKind::kSint || f.kind == NumberKind::kSnorm) && (bits >> (f.bits - 1) & 1) != 0;
  if (!negative) return static_cast<double>(bits);
  return static_cast<double>(f.bits == 64 ? static_cast<std::int64_t>(bits)
                                          : static_cast<std::int64_t>(bits) - (std::int64_t{1} << f.bits));
}

double valueOf(const Field& f, std::uint64_t bits) {
  const double number = numberOf(f, bits);
  if (!isNormalised(f.kind)) return number;
  const double value = std::max(-1.0, number / greatestCode(f.kind, f.bits));
  if (f.kind != NumberKind::kSrgb) return value;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

std::string numberText(const Field& f, std::uint64_t bits) {
  using Kind = ValueType::Kind;
  if (f.kind != NumberKind::kFloat) {
    const bool isSigned = f.kind == NumberKind::kSint || f.kind == NumberKind::kSnorm;
    return isSigned ? std::to_string(static_cast<long long>(static_cast<std::int64_t>(bits << (64 - f.bits)) >> (64 - f.bits)))
                    : std::to_string(bits);
  }
  if (f.bits >= 16) return valueText({Kind::kFloat, static_cast<std::uint8_t>(f.bits / 8)}, bits);
  return valueText({Kind::kFloat, 4}, std::bit_cast<std::uint32_t>(static_cast<float>(numberOf(f, bits))));
}

}  // namespace lanewise::amber
