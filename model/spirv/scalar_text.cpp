#include "model/spirv/scalar_text.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "model/scalar/half.h"

namespace lanewise {
namespace {

template <class T>
std::string floatText(T value, std::uint64_t bits, std::uint64_t quietNan) {
  if (!std::isnan(value)) return fmt::format("{}", value);
  return bits == quietNan ? "nan" : fmt::format("{:#x}", bits);
}

}  // namespace

std::string scalarText(Scalar type, bool isSigned, std::uint64_t bits) {
  switch (type) {
    case Scalar::kBool:
      return bits != 0 ? "true" : "false";
    case Scalar::kF16:
      return floatText(scalar::toDouble(scalar::Half{static_cast<std::uint16_t>(bits)}), bits, 0x7e00);
    case Scalar::kF32:
      return floatText(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), bits, 0x7fc00000);
    case Scalar::kF64:
      return floatText(std::bit_cast<double>(bits), bits, 0x7ff8000000000000);
    default:
      break;
  }
  const std::uint32_t above = 64 - 8 * std::max(1u, scalarBytes(type));
  if (isSigned) return fmt::format("{}", static_cast<std::int64_t>(bits << above) >> above);
  return fmt::format("{}", bits << above >> above);
}

}  // namespace lanewise
