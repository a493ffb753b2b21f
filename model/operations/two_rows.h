// Sixteen lanes in two rows of eight, in each of which all are equally far apart: a row of a picture is often eight invocations wide.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstring>

#include "model/operations/elementwise.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

inline constexpr std::uint32_t kHalf = kGroup / 2;

// Whether `at` is at[0] + k * stride in the lower half, and at[kHalf] + k * stride in the higher.
[[gnu::always_inline]] inline bool isTwoRows(const std::uint32_t* at, std::uint32_t stride) {
  alignas(64) static constexpr std::uint32_t kInHalf[kGroup] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
#if defined(__AVX512F__)
  const __m512i row = _mm512_mullo_epi32(_mm512_set1_epi32(static_cast<int>(stride)), _mm512_load_si512(kInHalf));
  const __m512i first = _mm512_mask_set1_epi32(_mm512_set1_epi32(static_cast<int>(at[0])), 0xFF00, static_cast<int>(at[kHalf]));
  return _mm512_cmpneq_epu32_mask(_mm512_loadu_si512(at), _mm512_add_epi32(first, row)) == 0;
#else
  alignas(64) static constexpr std::uint32_t kIsHigh[kGroup] = {0, 0, 0, 0, 0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
  const std::uint32_t low = at[0], between = at[kHalf] - low;
  std::uint32_t apart = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) apart |= at[k] ^ (low + (between & kIsHigh[k]) + kInHalf[k] * stride);
  return apart == 0;
#endif
}

// Whether all sixteen are: at[0] + k * stride.
[[gnu::always_inline]] inline bool isOneRow(const std::uint32_t* at, std::uint32_t stride) {
  return at[kHalf] == at[0] + kHalf * stride && isTwoRows(at, stride);
}

// Whether the addresses of kRunGroups groups are all neighbours: at[0] + k * stride.
inline constexpr std::uint32_t kRunGroups = 4, kRun = kRunGroups * kGroup;
[[gnu::always_inline]] inline bool isLongRun(const std::uint32_t* at, std::uint32_t stride) {
  if (at[kRun - 1] != at[0] + (kRun - 1) * stride) return false;
  std::uint32_t apart = 0;
#if defined(__AVX512F__)
  const __m512i row = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i all = _mm512_setzero_si512();
  for (std::uint32_t g = 0; g < kRunGroups; ++g) {
    const __m512i first = _mm512_set1_epi32(static_cast<int>(at[0] + g * kGroup * stride));
    const __m512i place = _mm512_add_epi32(first, _mm512_mullo_epi32(row, _mm512_set1_epi32(static_cast<int>(stride))));
    all = _mm512_or_si512(all, _mm512_xor_si512(_mm512_loadu_si512(at + g * kGroup), place));
  }
  apart = _mm512_test_epi32_mask(all, all);
#else
  for (std::uint32_t k = 0; k < kRun; ++k) apart |= at[k] ^ (at[0] + k * stride);
#endif
  return apart == 0;
}

// Words of 32 bits from the host's memory, put together in a register: whoever loads the row next would wait for stores of single words.
using Words = std::uint32_t __attribute__((vector_size(kGroup * 4)));

// One from each place for all lanes of its row.
[[gnu::always_inline]] inline void loadTwoWords(std::uint32_t* d, const std::byte* low, const std::byte* high) {
  std::uint32_t a, b;
  std::memcpy(&a, low, sizeof(a));
  std::memcpy(&b, high, sizeof(b));
  const Words words = {a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b};
  std::memcpy(d, &words, sizeof(words));
}

// Eight neighbours from each place on.
[[gnu::always_inline]] inline void loadTwoRuns(std::uint32_t* d, const std::byte* low, const std::byte* high) {
  using HalfWords = std::uint32_t __attribute__((vector_size(kHalf * 4)));
  HalfWords first, second;
  std::memcpy(&first, low, sizeof(first));
  std::memcpy(&second, high, sizeof(second));
  const Words words = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::memcpy(d, &words, sizeof(words));
}

// Eight from each place on, every second one: what stands behind the last of them is not read.
[[gnu::always_inline]] inline void loadEverySecond(std::uint32_t* d, const std::byte* low, const std::byte* high) {
  using HalfWords = std::uint32_t __attribute__((vector_size(kHalf * 4)));
  const auto half = [](const std::byte* at) {
    HalfWords first, last;
    std::memcpy(&first, at, sizeof(first));
    std::memcpy(&last, at + 7 * 4, sizeof(last));
    return __builtin_shufflevector(first, last, 0, 2, 4, 6, 9, 11, 13, 15);
  };
  const Words words = __builtin_shufflevector(half(low), half(high), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::memcpy(d, &words, sizeof(words));
}

// One from each place.
template <class Place>
[[gnu::always_inline]] inline void loadWords(std::uint32_t* d, const Place& place) {
  const auto at = [&](std::uint32_t k) {
    std::uint32_t word;
    std::memcpy(&word, place(k), sizeof(word));
    return word;
  };
  const Words words = {at(0), at(1), at(2),  at(3),  at(4),  at(5),  at(6),  at(7),
                       at(8), at(9), at(10), at(11), at(12), at(13), at(14), at(15)};
  std::memcpy(d, &words, sizeof(words));
}

// to[k] = from[at[k]], of sixteen words, which are not those of `to`.
[[gnu::always_inline]] inline void pickWords(const std::uint32_t* from, const std::uint32_t* at, std::uint32_t* to) {
#if defined(__AVX512F__)
  _mm512_storeu_si512(to, _mm512_maskz_permutexvar_epi32(0xFFFF, _mm512_loadu_si512(at), _mm512_loadu_si512(from)));
#else
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) to[k] = from[at[k]];
#endif
}
// The same of 32 words.
[[gnu::always_inline]] inline void pickOfTwo(const std::uint32_t* from, const std::uint32_t* at, std::uint32_t* to) {
#if defined(__AVX512F__)
  const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + kGroup);
  _mm512_storeu_si512(to, _mm512_permutex2var_epi32(low, _mm512_loadu_si512(at), high));
#else
#pragma GCC ivdep
  for (std::uint32_t k = 0; k < kGroup; ++k) to[k] = from[at[k]];
#endif
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
