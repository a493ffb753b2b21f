// What the host's processor executes, of what loops are compiled for: the levels of x86-64's psABI.
#pragma once

#include <cstdint>

namespace lanewise {

// kV3 has AVX2, kV4 AVX-512.
enum class HostLevel : std::uint8_t { kBase, kV3, kV4 };

inline HostLevel hostLevel() {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) return HostLevel::kBase;
#ifndef __clang__  // whose version 14 does not know it
  if (!__builtin_cpu_supports("f16c")) return HostLevel::kBase;
#endif
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return wide ? HostLevel::kV4 : HostLevel::kV3;
#else
  return HostLevel::kBase;
#endif
}

}  // namespace lanewise
