// Converts halves of sixteen lanes to floats and back, rounded to the nearest even; and operations on halves that are one operation on
// floats in between. Uses the host's conversions if it has them. The bits are those of model/scalar/half.h and, in the strict mode,
// round.h.
#pragma once

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "model/operations/elementwise.h"
#include "model/scalar/half.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

#if defined(__AVX512F__)
// gcc 12 warns about the unmasked forms, for a value that they do not read.
inline constexpr __mmask16 kAll = 0xffff;
#endif

// A lane has a half in its low 16 bits.
inline void halvesToFloats(const std::uint32_t* lanes, float* out) {
#if defined(__AVX512F__)
  _mm512_storeu_ps(out, _mm512_maskz_cvtph_ps(kAll, _mm512_maskz_cvtepi32_epi16(kAll, _mm512_loadu_si512(lanes))));
#elif defined(__F16C__) && defined(__AVX2__)
  for (std::uint32_t k = 0; k < kGroup; k += 8) {
    const __m256i words = _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(lanes + k)), _mm256_set1_epi32(0xffff));
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(words, words), 0x08);
    _mm256_storeu_ps(out + k, _mm256_cvtph_ps(_mm256_castsi256_si128(packed)));
  }
#else
  for (std::uint32_t k = 0; k < kGroup; ++k) out[k] = scalar::toFloat(scalar::Half{static_cast<std::uint16_t>(lanes[k])});
#endif
}

// Sixteen halves side by side.
inline void halvesToFloats(const std::uint16_t* halves, float* out) {
#if defined(__AVX512F__)
  _mm512_storeu_ps(out, _mm512_maskz_cvtph_ps(kAll, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves))));
#elif defined(__F16C__) && defined(__AVX2__)
  for (std::uint32_t k = 0; k < kGroup; k += 8)
    _mm256_storeu_ps(out + k, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + k))));
#else
  for (std::uint32_t k = 0; k < kGroup; ++k) out[k] = scalar::toFloat(scalar::Half{halves[k]});
#endif
}

inline void floatsToHalves(const float* in, std::uint32_t* lanes) {
#if defined(__AVX512F__)
  const __m256i halves = _mm512_maskz_cvtps_ph(kAll, _mm512_loadu_ps(in), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  _mm512_storeu_si512(lanes, _mm512_maskz_cvtepu16_epi32(kAll, halves));
#elif defined(__F16C__) && defined(__AVX2__)
  for (std::uint32_t k = 0; k < kGroup; k += 8) {
    const __m128i packed = _mm256_cvtps_ph(_mm256_loadu_ps(in + k), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes + k), _mm256_cvtepu16_epi32(packed));
  }
#else
  for (std::uint32_t k = 0; k < kGroup; ++k) lanes[k] = scalar::halfFromFloat(in[k]).bits;
#endif
}

// An operation on two halves. F is the operation on floats.
template <class F>
const Instr* binaryHalves(const Instr* ip, Batch& s) {
  do {
    auto* d = s.slot<std::uint32_t>(ip->dst);
    const auto* a = s.slot<std::uint32_t>(ip->a);
    const auto* b = s.slot<std::uint32_t>(ip->b);
    for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g) {
      alignas(64) float x[kGroup], y[kGroup];
      halvesToFloats(a, x);
      halvesToFloats(b, y);
      for (std::uint32_t k = 0; k < kGroup; ++k) x[k] = scalar::canonical(F{}(x[k], y[k]));
      floatsToHalves(x, d);
      d += kGroup;
      a += ip->stepA * kGroup;
      b += ip->stepB * kGroup;
    }
    ++ip;
  } while (ip->run == &binaryHalves<F> && !s.singleStep);
  return ip;
}
template <class F>
void halfRow(OpTable& table, spv::Op op, F) {
  table.add({ir::core(op), Scalar::kF16, Scalar::kF16}, &binaryHalves<F>);
}

template <bool ToHalf>
const Instr* convertHalves(const Instr* ip, Batch& s) {
  do {
    const std::uint32_t step = ip->stepA * kGroup;
    for (std::uint32_t g = 0, groups = groupsOf(ip, s); g < groups; ++g) {
      if constexpr (ToHalf)
        floatsToHalves(s.slot<float>(ip->a) + std::size_t{g} * step, s.slot<std::uint32_t>(ip->dst) + std::size_t{g} * kGroup);
      else
        halvesToFloats(s.slot<std::uint32_t>(ip->a) + std::size_t{g} * step, s.slot<float>(ip->dst) + std::size_t{g} * kGroup);
    }
    ++ip;
  } while (ip->run == &convertHalves<ToHalf> && !s.singleStep);
  return ip;
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
