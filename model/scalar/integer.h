// Integer instructions on 8-, 16-, 32- and 64-bit scalars: division, shifts, bit fields, bit counts, extended arithmetic, GLSL.std.450
// integer functions, and dot products.
//
// Each function takes any integer type and reads its bits as signed (s..) or unsigned (u..), as the instruction says, whatever the type's
// own signedness; arithmetic wraps. Where SPIR-V leaves a result undefined the function still returns the same value on every host, and the
// header says which. Of divisions and shifts is..Defined() says where there is a result.
// Source: SPIR-V 1.6, 3.52 "Arithmetic", "Bit"; GLSL.std.450; SPV_KHR_integer_dot_product.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "model/scalar/mode.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Signed = std::make_signed_t<T>;
// Unsigned and not promoted by C++: wraps without undefined behaviour.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, Unsigned<T>>;
template <class T>
inline constexpr unsigned kWidth = sizeof(T) * 8;

// The two members of OpIAddCarry (sum, carry), OpISubBorrow (difference, borrow), OpUMulExtended and OpSMulExtended (low, high).
template <class T>
struct Pair {
  T first;
  T second;
};

// --- Where there is a result ----------------------------------------------------------------------------------------------------------

// Operands of `width` bits, zero-extended if the instruction reads them as unsigned, else sign-extended.
constexpr bool isShiftDefined(std::uint64_t amount, unsigned width) noexcept {
  return amount < width;
}
constexpr bool isUnsignedDivisionDefined(std::uint64_t divisor) noexcept {
  return divisor != 0;
}
constexpr bool isSignedDivisionDefined(std::int64_t a, std::int64_t b, unsigned width) noexcept {
  const std::int64_t smallest = static_cast<std::int64_t>(~std::uint64_t{0} << (width - 1));  // NOLINT: at least 8
  return b != 0 && !(a == smallest && b == -1);
}
// OpSRem, OpSMod: Vulkan defines neither of a negative operand.
constexpr bool isSignedModuloDefined(std::int64_t a, std::int64_t b) noexcept {
  return a >= 0 && b > 0;
}

// --- Arithmetic -----------------------------------------------------------------------------------------------------------------------

template <class T>
constexpr T iAdd(T a, T b) noexcept {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}
template <class T>
constexpr T iSub(T a, T b) noexcept {
  return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}
template <class T>
constexpr T iMul(T a, T b) noexcept {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}
template <class T>
constexpr T sNegate(T a) noexcept {
  return iSub(T{0}, a);
}

namespace detail {

// a / b truncated, b not 0 and not both a the minimum and b -1. Up to 32 bits the quotient of binary64 is exact enough: a fraction is at
// least 1/|a| of the quotient below the next integer; and it is vector code where integer division is not.
template <class T>
constexpr T divide(T a, T b) noexcept {
  if constexpr (sizeof(T) <= 2) {
    return static_cast<T>(static_cast<std::int32_t>(static_cast<float>(a) / static_cast<float>(b)));
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<T>(static_cast<double>(a) / static_cast<double>(b));
  } else {
    return static_cast<T>(a / b);
  }
}

}  // namespace detail

// Division by zero: DivideByZero.
template <DivideByZero Z = DivideByZero::kAllOnes, class T>
constexpr T uDiv(T a, T b) noexcept {
  using U = Unsigned<T>;
  const U divisor = static_cast<U>(b);
  const U safe = divisor != 0 ? divisor : U{1};
  const U q = detail::divide(static_cast<U>(a), safe);
  const U byZero = Z == DivideByZero::kDivisorAllOnes ? U{static_cast<U>(a) == static_cast<U>(-1)} : static_cast<U>(-1);
  return static_cast<T>(divisor != 0 ? q : byZero);
}

template <DivideByZero Z = DivideByZero::kAllOnes, class T>
constexpr T uMod(T a, T b) noexcept {
  const T r = iSub(a, iMul(uDiv<DivideByZero::kDivisorAllOnes>(a, b), b == 0 ? static_cast<T>(-1) : b));
  return Z != DivideByZero::kDivisorAllOnes && b == 0 ? static_cast<T>(-1) : r;
}

// The minimum divided by -1 is the minimum.
template <DivideByZero Z = DivideByZero::kAllOnes, class T>
constexpr T sDiv(T a, T b) noexcept {
  using S = Signed<T>;
  const S divisor = static_cast<S>(b);
  const bool negates = divisor == -1 || (Z == DivideByZero::kDivisorAllOnes && divisor == 0);
  const S safe = divisor == 0 || divisor == -1 ? S{1} : divisor;
  const S q = detail::divide(static_cast<S>(a), safe);
  const S quotient = negates ? sNegate(static_cast<S>(a)) : q;
  const S byZero = Z == DivideByZero::kAllOnes ? S{-1} : Z == DivideByZero::kSignedZero ? S{0} : quotient;
  return static_cast<T>(divisor == 0 ? byZero : quotient);
}

// The sign of a.
template <DivideByZero Z = DivideByZero::kAllOnes, class T>
constexpr T sRem(T a, T b) noexcept {
  const T r = iSub(a, iMul(sDiv<DivideByZero::kDivisorAllOnes>(a, b), b == 0 ? static_cast<T>(-1) : b));
  return Z != DivideByZero::kDivisorAllOnes && b == 0 ? static_cast<T>(-1) : r;
}

// The sign of b (or, under kRemainder, sRem).
template <SignedModulo R = SignedModulo::kFloor, DivideByZero Z = DivideByZero::kAllOnes, class T>
constexpr T sMod(T a, T b) noexcept {
  using S = Signed<T>;
  const S r = static_cast<S>(sRem<Z>(a, b));
  const bool differ = (r < 0) != (static_cast<S>(b) < 0);
  return static_cast<T>(R == SignedModulo::kFloor && b != 0 && r != 0 && differ ? iAdd(r, static_cast<S>(b)) : r);
}

template <class T>
constexpr Pair<T> iAddCarry(T a, T b) noexcept {
  const T sum = iAdd(a, b);
  return {sum, static_cast<T>(static_cast<Unsigned<T>>(sum) < static_cast<Unsigned<T>>(a))};
}
template <class T>
constexpr Pair<T> iSubBorrow(T a, T b) noexcept {
  return {iSub(a, b), static_cast<T>(static_cast<Unsigned<T>>(a) < static_cast<Unsigned<T>>(b))};
}

template <class T>
constexpr Pair<T> uMulExtended(T a, T b) noexcept {
  using U = Unsigned<T>;
  if constexpr (sizeof(T) < 8) {
    using Wide = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::uint64_t>;
    const Wide p = Wide{static_cast<U>(a)} * static_cast<U>(b);
    return {static_cast<T>(p), static_cast<T>(p >> kWidth<T>)};
  } else {
    __extension__ using Wide = unsigned __int128;
    const Wide p = Wide{static_cast<U>(a)} * static_cast<U>(b);
    return {static_cast<T>(p), static_cast<T>(p >> 64)};
  }
}
template <class T>
constexpr Pair<T> sMulExtended(T a, T b) noexcept {
  using S = Signed<T>;
  if constexpr (sizeof(T) < 8) {
    // Not wider than needed: GCC 12 makes wrong vector code of the 64-bit product of 16-bit operands whose sign is reinterpreted.
    using Wide = std::conditional_t<(sizeof(T) < 4), std::int32_t, std::int64_t>;
    const Wide p = Wide{static_cast<S>(a)} * static_cast<S>(b);
    return {static_cast<T>(p), static_cast<T>(p >> kWidth<T>)};
  } else {
    __extension__ using Wide = __int128;
    const Wide p = Wide{static_cast<S>(a)} * static_cast<S>(b);
    return {static_cast<T>(p), static_cast<T>(p >> 64)};
  }
}

// --- GLSL.std.450 -----------------------------------------------------------------------------------------------------------------------

// The minimum's absolute value is the minimum.
template <class T>
constexpr T sAbs(T a) noexcept {
  return static_cast<Signed<T>>(a) < 0 ? sNegate(a) : a;
}
template <class T>
constexpr T sSign(T a) noexcept {
  const auto s = static_cast<Signed<T>>(a);
  return static_cast<T>((s > 0) - (s < 0));
}
template <class T>
constexpr T uMin(T a, T b) noexcept {
  return static_cast<Unsigned<T>>(b) < static_cast<Unsigned<T>>(a) ? b : a;
}
template <class T>
constexpr T uMax(T a, T b) noexcept {
  return static_cast<Unsigned<T>>(a) < static_cast<Unsigned<T>>(b) ? b : a;
}
template <class T>
constexpr T sMin(T a, T b) noexcept {
  return static_cast<Signed<T>>(b) < static_cast<Signed<T>>(a) ? b : a;
}
template <class T>
constexpr T sMax(T a, T b) noexcept {
  return static_cast<Signed<T>>(a) < static_cast<Signed<T>>(b) ? b : a;
}
// min(max(x, low), high); "undefined if low > high", here then high.
template <class T>
constexpr T uClamp(T x, T low, T high) noexcept {
  return uMin(uMax(x, low), high);
}
template <class T>
constexpr T sClamp(T x, T low, T high) noexcept {
  return sMin(sMax(x, low), high);
}

// --- Shifts -----------------------------------------------------------------------------------------------------------------------------

// The amount is an unsigned integer of any width. At or above the width the result is undefined; here, as on every measured device, the
// amount is taken modulo the width.
template <class T, class A>
constexpr T shiftLeftLogical(T base, A amount) noexcept {
  const auto n = static_cast<unsigned>(amount) & (kWidth<T> - 1);
  return static_cast<T>(static_cast<Unsigned<T>>(base) << n);
}
template <class T, class A>
constexpr T shiftRightLogical(T base, A amount) noexcept {
  const auto n = static_cast<unsigned>(amount) & (kWidth<T> - 1);
  return static_cast<T>(static_cast<Unsigned<T>>(base) >> n);
}
template <class T, class A>
constexpr T shiftRightArithmetic(T base, A amount) noexcept {
  const auto n = static_cast<unsigned>(amount) & (kWidth<T> - 1);
  return static_cast<T>(static_cast<Signed<T>>(base) >> n);
}

// --- Bit fields and counts --------------------------------------------------------------------------------------------------------------

namespace detail {

// The bits [offset, offset + count) that exist; offset and count may be anything.
template <class T>
constexpr Unsigned<T> fieldMask(std::uint32_t offset, std::uint32_t count) noexcept {
  using U = Unsigned<T>;
  constexpr U ones = static_cast<U>(-1);
  const U low = count < kWidth<T> ? static_cast<U>(~static_cast<U>(ones << (count & (kWidth<T> - 1)))) : ones;
  return offset < kWidth<T> ? static_cast<U>(low << (offset & (kWidth<T> - 1))) : U{0};
}

}  // namespace detail

// Where undefined: bits outside the width are neither read nor written.
template <class T>
constexpr T bitFieldInsert(T base, T insert, std::uint32_t offset, std::uint32_t count) noexcept {
  using U = Unsigned<T>;
  const U mask = detail::fieldMask<T>(offset, count);
  const U placed = static_cast<U>(static_cast<U>(insert) << (offset & (kWidth<T> - 1)));
  return static_cast<T>((static_cast<U>(base) & static_cast<U>(~mask)) | (placed & mask));
}
// Where undefined: bits outside the width read as 0.
template <class T>
constexpr T bitFieldUExtract(T base, std::uint32_t offset, std::uint32_t count) noexcept {
  using U = Unsigned<T>;
  const U field = static_cast<U>(static_cast<U>(base) & detail::fieldMask<T>(offset, count));
  return static_cast<T>(static_cast<U>(field >> (offset & (kWidth<T> - 1))));
}
// As bitFieldUExtract, then the field's highest bit extended; a count of 0 gives 0.
template <class T>
constexpr T bitFieldSExtract(T base, std::uint32_t offset, std::uint32_t count) noexcept {
  using U = Unsigned<T>;
  const U field = static_cast<U>(bitFieldUExtract(base, offset, count));
  const U sign = static_cast<U>(detail::fieldMask<T>(0, count) & static_cast<U>(~(detail::fieldMask<T>(0, count) >> 1)));
  return static_cast<T>(static_cast<U>((field ^ sign) - sign));
}

template <class T>
constexpr T bitReverse(T a) noexcept {
  using W = Wrapping<T>;
  W x = static_cast<Unsigned<T>>(a);
  const auto swap = [&x](unsigned n, std::uint64_t mask) {
    const W low = static_cast<W>(mask);
    x = ((x >> n) & low) | ((x & low) << n);
  };
  swap(1, 0x5555555555555555u);
  swap(2, 0x3333333333333333u);
  swap(4, 0x0f0f0f0f0f0f0f0fu);
  if constexpr (sizeof(T) > 1) swap(8, 0x00ff00ff00ff00ffu);
  if constexpr (sizeof(T) > 2) swap(16, 0x0000ffff0000ffffu);
  if constexpr (sizeof(T) > 4) swap(32, 0x00000000ffffffffu);
  return static_cast<T>(x);
}

// OpBitCount. In plain arithmetic, which is vector code on hosts without a vector count.
template <class T>
constexpr std::uint32_t bitCount(T a) noexcept {
  if constexpr (sizeof(T) == 8) {
    const auto u = static_cast<std::uint64_t>(a);
    return bitCount(static_cast<std::uint32_t>(u)) + bitCount(static_cast<std::uint32_t>(u >> 32));
  } else {
    std::uint32_t x = static_cast<Unsigned<T>>(a);
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (x * 0x01010101u) >> 24;
  }
}

// GLSL.std.450 FindILsb: the lowest set bit, -1 for 0.
template <class T>
constexpr std::int32_t findILsb(T a) noexcept {
  using U = Unsigned<T>;
  const U u = static_cast<U>(a);
  const U below = static_cast<U>(static_cast<U>(u - 1) & static_cast<U>(~u));
  return u != 0 ? static_cast<std::int32_t>(bitCount(below)) : -1;
}
// FindUMsb: the highest set bit, -1 for 0.
template <class T>
constexpr std::int32_t findUMsb(T a) noexcept {
  using U = Unsigned<T>;
  U u = static_cast<U>(a);
  if constexpr (kWidth<T> <= 32) {
    // A float's exponent, which vector units have an instruction for. Without the bit below the highest one it is never rounded up.
    const std::uint32_t top = std::uint32_t{u} & ~(std::uint32_t{u} >> 1);
    const auto exponent = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(static_cast<float>(top)) >> 23);
    return u != 0 ? exponent - 127 : -1;
  }
  for (unsigned n = 1; n < kWidth<T>; n *= 2) u = static_cast<U>(u | static_cast<U>(u >> n));
  return static_cast<std::int32_t>(bitCount(u)) - 1;
}
// FindSMsb: the highest bit that differs from the sign, -1 for 0 and -1.
template <class T>
constexpr std::int32_t findSMsb(T a) noexcept {
  using S = Signed<T>;
  const S s = static_cast<S>(a);
  return findUMsb(static_cast<Unsigned<T>>(s < 0 ? static_cast<S>(~s) : s));
}

// --- Dot products (SPV_KHR_integer_dot_product) ------------------------------------------------------------------------------------------

// a + b held inside the range, signed or unsigned as T is.
template <class T>
constexpr T addSaturating(T a, T b) noexcept {
  const T sum = iAdd(a, b);
  if constexpr (std::is_signed_v<T>) {
    const T end = a < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    return ((a ^ sum) & (b ^ sum)) < 0 ? end : sum;
  } else {
    return sum < a ? std::numeric_limits<T>::max() : sum;
  }
}

// OpSDot, OpUDot, OpSUDot: n components, signed or unsigned as A and B are, extended to the result's width; products and sums wrap
// ("undefined" if they overflow). The ..AccSat forms are addSaturating(dot(..), accumulator).
template <class R, class A, class B>
constexpr R dot(const A* a, const B* b, int n) noexcept {
  std::uint64_t sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<std::uint64_t>(a[i]) * static_cast<std::uint64_t>(b[i]);
  return static_cast<R>(sum);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
