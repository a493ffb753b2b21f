// Typed values as the command line writes them, and bytes as typed values: "u32:1,2,3,f32:0.5".
//
// A list has items separated by commas. An item may begin with a type and a colon; the type then holds for the items after it too. Types:
// u8 to u64, i8 to i64, f16, f32, f64, and GLSL's names (uint, int, float, double, int64_t, float16_t ...). Values:
//   5, -5, 0xff, 0b101           integers; a hexadecimal one may also give the bits of a negative one
//   0.5, 1e-3, 0x1p-3, inf, nan  floats; 0x3f800000 (without p) gives a float's bits
//   3*7                          7 three times
//   0..9                         integers in a row
//   noise:64, noise:64:0..9      that many pseudo-random values, of all of the type (floats: from 0 to 1) or from a range; the same for
//                                equal texts
//   hex:00ff10                   bytes as they are; zeros:N, fill:0xA7:N, poison:N are N bytes
//   addr:WHERE, addr:WHERE+16    the 8 bytes of a buffer's device address; the caller says what WHERE may be
// Bytes are little-endian, without gaps. A value that does not fit its type is bad input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise {

struct ValueType {
  enum class Kind : std::uint8_t { kUnsigned, kSigned, kFloat };
  Kind kind = Kind::kUnsigned;
  std::uint8_t bytes = 4;
  friend bool operator==(const ValueType&, const ValueType&) = default;
};

// Empty if no type has this name.
std::optional<ValueType> valueTypeByName(std::string_view name);
std::string valueTypeName(ValueType type);  // "u32"

// Whether the text is a list of values, and not the name of a file, by its beginning.
bool looksLikeValues(std::string_view text);

// The position in a list of a buffer's device address; its bytes are zeros.
struct AddressValue {
  std::uint64_t at = 0;
  std::string whose;
  std::uint64_t offset = 0;
};

struct ParsedValues {
  std::vector<std::byte> bytes;
  std::vector<AddressValue> addresses;
};

// `where` names the option in errors. More than `most` bytes are an error.
Expected<ParsedValues> parseValues(std::string_view where, std::string_view text, std::size_t most = std::size_t{1} << 32);
// One value, as its bits.
Expected<std::uint64_t> parseValue(std::string_view where, ValueType type, std::string_view text);
// "4096", "0x1000", "64K", "1M", "1G".
std::optional<std::uint64_t> parseByteCount(std::string_view text);

// The shortest text that reads back as the same bits: a decimal, "inf", "nan", or the bits of another NaN ("0x7fc00001").
std::string valueText(ValueType type, std::uint64_t bits);
std::uint64_t valueBits(ValueType type, const std::byte* at);

}  // namespace lanewise
