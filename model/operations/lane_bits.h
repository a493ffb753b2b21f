// Conditions of lanes as bits.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "model/state/batch.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// Of 16 lanes that hold -1 or 0, a bit each. Of what nobody has written the upper bit counts, on every host.
inline std::uint32_t bitsOf(const std::uint32_t* condition) {
#if defined(__AVX512DQ__)
  return _mm512_movepi32_mask(_mm512_load_si512(condition));
#elif defined(__AVX2__)
  const auto eight = [](const std::uint32_t* at) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_load_ps(reinterpret_cast<const float*>(at))));
  };
  return eight(condition) | eight(condition + 8) << 8;
#else
  std::uint32_t bits = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) bits |= condition[k] >> 31 << k;
  return bits;
#endif
}

// The strand's lanes where the condition holds, whose groups are `step` bytes apart.
inline LaneMask lanesWhere(const Batch& s, const std::uint32_t* condition, std::uint32_t step = 64) {
  LaneMask m;
  for (std::uint32_t g = 0; g * kGroup < s.width; ++g)
    m.word[g / 4] |= std::uint64_t{bitsOf(condition + std::size_t{g} * step / sizeof(*condition))} << (g % 4 * kGroup);
  return m & s.mask;
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
