// The types of a script's data, and where the numbers of an element lie in memory: std430 or std140.
//
// A type may be a number (uint8 ... double), vecN<T>, matCxR<T>, an array T[] or T[n], a structure, or a texel format. All are a list of
// fields in the order in which a script writes their values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/contract/format.h"

namespace lanewise::amber {

enum class NumberKind : std::uint8_t { kUint, kSint, kFloat, kUnorm, kSnorm, kSrgb };

// One number. Floats of 10 and 11 bits have no sign.
struct Field {
  std::uint64_t offset = 0;  // of the byte with its first bit
  std::uint8_t shift = 0;    // of that bit, from the byte on
  std::uint8_t bits = 32;
  NumberKind kind = NumberKind::kUint;
  std::uint8_t component = 0;  // of its vector or column; of a format 0 to 3: red, green, blue, alpha
};

struct Layout {
  std::vector<Field> fields{};
  std::vector<Field> colours{};       // the components of a packed format (_PACK32), whose texel is one number in a script; else empty
  std::uint64_t stride = 0;           // from element to element
  Format format = Format::UNDEFINED;  // as a texel; UNDEFINED where there is none

  const std::vector<Field>& components() const { return colours.empty() ? fields : colours; }
};

struct Member;
struct DataType {
  enum class Kind : std::uint8_t { kNumber, kStructure, kFormat } kind = Kind::kNumber;
  NumberKind number = NumberKind::kUint;
  std::uint8_t bits = 32;
  std::uint8_t rows = 1, columns = 1;
  bool array = false;
  std::uint32_t count = 0;  // of an array; 0: an element is one value of it, as far from the next as in an array
  Format format = Format::UNDEFINED;
  std::vector<Member> members;
  std::uint32_t stride = 0;  // of a structure; 0: as the rules have it
  // Of a structure, made by finishStructure().
  std::uint64_t numbers = 0, alignment430 = 1, alignment140 = 16;
};
struct Member {
  DataType type;
  std::string name;
  std::optional<std::uint32_t> offset{};
  std::uint32_t arrayStride = 0, matrixStride = 0;
};

using Structures = std::map<std::string, DataType>;

// More numbers in an element are refused.
inline constexpr std::size_t kMostFields = 1u << 16;
// Fills in what is made from its members. False: there are none, or too many numbers.
bool finishStructure(DataType& structure);

// "vec3<float>", "mat2x3<float16>", "uint32[]", "float[3]", "R8G8B8A8_UNORM" or the name of a structure. Nothing: it is none of these.
std::optional<DataType> dataTypeNamed(const std::string& text, const Structures& structures);

// Nothing: too many numbers.
std::optional<Layout> layoutOf(const DataType& type, bool std140);
Layout layoutOfFormat(Format format);

// The bits of a number written in decimal or hexadecimal. Nothing: it is no number, or does not fit. For a normalised field a number
// with a point is the value from 0 to 1 or -1 to 1, and one without the code.
std::optional<std::uint64_t> bitsOfNumber(const std::string& text, NumberKind kind, std::uint8_t bits);
bool isNumber(const std::string& text);

std::uint64_t readField(const Field& field, const std::byte* element);
void writeField(const Field& field, std::byte* element, std::uint64_t bits);
// The number as it is: of a normalised field the code.
double numberOf(const Field& field, std::uint64_t bits);
// What a shader reads: of a normalised field from 0 to 1, of an sRGB one linear.
double valueOf(const Field& field, std::uint64_t bits);
// "-5", "0.25": reads back as the same.
std::string numberText(const Field& field, std::uint64_t bits);

}  // namespace lanewise::amber
