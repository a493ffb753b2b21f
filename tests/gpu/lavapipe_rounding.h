// lavapipe's floor, ceil, trunc and roundEven where a vector is wider than what the host's rounding instruction takes.
//
// Mesa (arch_rounding_available, 22.3 to 25.0) rounds a vector by the host's instruction if lanes times bits are 128 and the host has
// SSE4.1, 256 with AVX, 512 with AVX-512; it rounds other vectors through an integer and back. So the bytes depend on the host's processor:
// at 16 lanes of 32 bits, or 8 of 64, on AVX-512; 16 lanes of 64 bits are too wide everywhere. These functions give the result of the
// integer way. A value above 2^24 is left as it is, also a 64-bit one with a fraction.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace lanewise::lavapipe {

// Whether the lavapipe named "lavapipe-LANES" rounds components of `bits` through integers on this host.
inline bool roundsThroughIntegers(std::string_view device, unsigned bits) {
  if (!device.starts_with("lavapipe-")) return false;
  const unsigned width = bits * (device == "lavapipe-4" ? 4 : device == "lavapipe-8" ? 8 : 16);
  if (width == 128) return !__builtin_cpu_supports("sse4.1");
  if (width == 256) return !__builtin_cpu_supports("avx");
  return width != 512 || !__builtin_cpu_supports("avx512f");
}

namespace detail {
// Zero comes back without its sign.
template <class T>
T throughInteger(T x) {
  return static_cast<T>(static_cast<std::int64_t>(x));
}
template <class T>
bool kept(T x) {
  return !(std::abs(x) <= T{1 << 24});
}
}  // namespace detail

template <class T>
T trunc(T x) {
  return detail::kept(x) ? x : detail::throughInteger(x);
}
inline float floor(float x) {
  const float whole = trunc(x);
  return detail::kept(x) || whole <= x ? whole : whole - 1;
}
inline float ceil(float x) {
  const float whole = trunc(x);
  return detail::kept(x) || whole >= x ? whole : whole + 1;
}
// The 32-bit number below a half is added and the sum cut: a tie of 32 bits goes away from zero; of 64 bits a tie, and what is less than
// 2^-25 above one, goes towards zero.
template <class T>
T round(T x) {
  return detail::kept(x) ? x : detail::throughInteger(x + std::copysign(T{std::nextafter(0.5f, 0.0f)}, x));
}

}  // namespace lanewise::lavapipe
