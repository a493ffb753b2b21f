#include "model/ir/rows/definedness.h"

#include <bit>
#include <cmath>

#include "model/scalar/half.h"
#include "model/scalar/integer.h"

namespace lanewise::ir {
namespace {

// The operands, as numbers.
class Operands {
 public:
  Operands(std::span<const Scalar> types, std::span<const std::uint64_t> bits) : types_(types), bits_(bits) {}
  std::uint64_t u(std::size_t i) const { return bits_[i]; }
  std::int64_t s(std::size_t i) const {
    const std::uint32_t unused = 64 - width(i);
    return static_cast<std::int64_t>(bits_[i] << unused) >> unused;
  }
  double f(std::size_t i) const {
    if (types_[i] == Scalar::kF64) return std::bit_cast<double>(bits_[i]);
    if (types_[i] == Scalar::kF16) return scalar::toFloat(scalar::Half{static_cast<std::uint16_t>(bits_[i])});
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits_[i]));
  }
  std::uint32_t width(std::size_t i) const { return 8 * scalarBytes(types_[i]); }

 private:
  std::span<const Scalar> types_;
  std::span<const std::uint64_t> bits_;
};

// NaN fits nowhere.
bool fits(double x, Scalar result, bool isSigned) {
  const int width = static_cast<int>(8 * scalarBytes(result));
  const double end = std::ldexp(1.0, isSigned ? width - 1 : width), begin = isSigned ? -end : 0;
  return std::trunc(x) >= begin && x < end;
}

bool bitField(const Operands& o, std::size_t offset) {
  const std::uint64_t width = o.width(0);
  return o.u(offset) <= width && o.u(offset + 1) <= width && o.u(offset) + o.u(offset + 1) <= width;
}

bool scaled(const Operands& o, Scalar result) {
  const int greatest = result == Scalar::kF64 ? 1024 : result == Scalar::kF32 ? 128 : 16;
  if (o.s(1) > greatest) return false;
  return !std::isfinite(o.f(0)) ||
         std::abs(std::ldexp(o.f(0), static_cast<int>(std::max<std::int64_t>(o.s(1), -3000)))) < std::ldexp(1.0, greatest);
}

}  // namespace

bool isDefined(Definedness rule, Scalar result, std::span<const Scalar> types, std::span<const std::uint64_t> bits) {
  const Operands o(types, bits);
  switch (rule) {
    case Definedness::kAlways:
      return true;
    case Definedness::kShift:
      return scalar::isShiftDefined(o.u(1), o.width(0));
    case Definedness::kUnsignedDivision:
      return scalar::isUnsignedDivisionDefined(o.u(1));
    case Definedness::kSignedDivision:
      return scalar::isSignedDivisionDefined(o.s(0), o.s(1), o.width(0));
    case Definedness::kSignedModulo:
      return scalar::isSignedModuloDefined(o.s(0), o.s(1));
    case Definedness::kFloatRemainder:
    case Definedness::kDeterminant:
      return o.f(1) != 0;
    case Definedness::kToUnsigned:
    case Definedness::kToSigned:
      return fits(o.f(0), result, rule == Definedness::kToSigned);
    case Definedness::kBitFieldInsert:
      return bitField(o, 2);
    case Definedness::kBitFieldExtract:
      return bitField(o, 1);
    case Definedness::kUnsignedClamp:
      return o.u(1) <= o.u(2);
    case Definedness::kSignedClamp:
      return o.s(1) <= o.s(2);
    case Definedness::kFloatClamp:
      return !(o.f(1) > o.f(2));
    case Definedness::kSmoothStep:
      return !(o.f(0) >= o.f(1));
    case Definedness::kNotNegative:
      return !(o.f(0) < 0);
    case Definedness::kPositive:
      return !(o.f(0) <= 0);
    case Definedness::kUnitInterval:
      return !(std::abs(o.f(0)) > 1);
    case Definedness::kInsideUnit:
      return !(std::abs(o.f(0)) >= 1);
    case Definedness::kFromOne:
      return !(o.f(0) < 1);
    case Definedness::kPower:
      return !(o.f(0) < 0) && !(o.f(0) == 0 && o.f(1) <= 0);
    case Definedness::kNotBothZero:
      return o.f(0) != 0 || o.f(1) != 0;
    case Definedness::kFinite:
      return std::isfinite(o.f(0));
    case Definedness::kScaled:
      return scaled(o, result);
    default:
      break;
  }
  return true;
}

std::uint32_t operandsOf(Definedness rule) {
  switch (rule) {
    case Definedness::kAlways:
    case Definedness::kBitOfSubgroup:
    case Definedness::kAnyBit:
    case Definedness::kOneForSubgroup:
    case Definedness::kLaneOfQuad:
      return 0;
    case Definedness::kShift:
    case Definedness::kUnsignedDivision:
    case Definedness::kFloatRemainder:
    case Definedness::kDeterminant:
      return 2;
    case Definedness::kSignedDivision:
    case Definedness::kSignedModulo:
    case Definedness::kSmoothStep:
    case Definedness::kPower:
    case Definedness::kNotBothZero:
    case Definedness::kScaled:
      return 3;
    case Definedness::kBitFieldInsert:
      return 12;
    case Definedness::kBitFieldExtract:
    case Definedness::kUnsignedClamp:
    case Definedness::kSignedClamp:
    case Definedness::kFloatClamp:
      return 6;
    default:
      return 1;
  }
}

const char* undefinedText(Definedness rule) {
  switch (rule) {
    case Definedness::kAlways:
      return "";
    case Definedness::kShift:
      return "undefined for a shift by the width or more";
    case Definedness::kUnsignedDivision:
    case Definedness::kFloatRemainder:
      return "undefined for a divisor of 0";
    case Definedness::kDeterminant:
      return "undefined for a matrix whose determinant is 0";
    case Definedness::kSignedDivision:
      return "undefined for a divisor of 0, or the smallest number by -1";
    case Definedness::kSignedModulo:
      return "undefined for a divisor of 0 or a negative operand";
    case Definedness::kToUnsigned:
    case Definedness::kToSigned:
      return "undefined for a value that does not fit";
    case Definedness::kBitFieldInsert:
    case Definedness::kBitFieldExtract:
      return "undefined for bits beyond the width";
    case Definedness::kUnsignedClamp:
    case Definedness::kSignedClamp:
    case Definedness::kFloatClamp:
      return "undefined for low > high";
    case Definedness::kSmoothStep:
      return "undefined for edge0 >= edge1";
    case Definedness::kNotNegative:
      return "undefined for x < 0";
    case Definedness::kPositive:
      return "undefined for x <= 0";
    case Definedness::kUnitInterval:
      return "undefined for abs(x) > 1";
    case Definedness::kInsideUnit:
      return "undefined for abs(x) >= 1";
    case Definedness::kFromOne:
      return "undefined for x < 1";
    case Definedness::kPower:
      return "undefined for x < 0, and for x = 0 where y <= 0";
    case Definedness::kNotBothZero:
      return "undefined for 0 and 0";
    case Definedness::kFinite:
      return "undefined for an infinity or a NaN";
    case Definedness::kScaled:
      return "undefined for a result that is too large, and for an exponent that is";
    case Definedness::kBitOfSubgroup:
      return "undefined for a bit beyond the subgroup";
    case Definedness::kAnyBit:
      return "undefined where no bit is set";
    case Definedness::kOneForSubgroup:
      return "undefined where the lane, or the ballot, is not the same for all of a subgroup";
    case Definedness::kLaneOfQuad:
      return "undefined for an index above 3";
  }
  return "";
}

}  // namespace lanewise::ir
