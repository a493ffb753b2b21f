// Texels that the lanes of each half of a group take, in any order, from eight neighbours of a row: at an edge where places are clamped or
// mirrored, or where a picture is enlarged. The eight are loaded together, and each lane picks its own.
#pragma once

#include "model/operations/texel_group.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// Where each lane takes one or two columns.
struct Near {
  std::uint32_t first[2];                   // of the eight neighbours of each half
  alignas(64) std::uint32_t at[2][kGroup];  // by column: which of the sixteen texels of both halves
};

// False where the lanes name others in a row of `width` texels. `x`: the first columns of all lanes, then the second ones.
inline bool findNear(const std::uint32_t* x, std::uint32_t columns, std::uint32_t width, Near& near) {
  if (width < kHalf) return false;
  static constexpr Words kHigh = {0, 0, 0, 0, 0, 0, 0, 0, kHalf, kHalf, kHalf, kHalf, kHalf, kHalf, kHalf, kHalf};
  const auto lesser = [](const Words& a, const Words& b) { return a < b ? a : b; };
  const auto wordsOf = [x](std::uint32_t c) { return wordsAt(reinterpret_cast<const std::byte*>(x + std::size_t{c} * kGroup)); };
  Words least = lesser(wordsOf(0), Words{} + (width - kHalf));
  for (std::uint32_t c = 1; c < columns; ++c) least = lesser(least, wordsOf(c));
  least = lesser(least, __builtin_shufflevector(least, least, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
  least = lesser(least, __builtin_shufflevector(least, least, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
  least = lesser(least, __builtin_shufflevector(least, least, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
  near.first[0] = least[0];
  near.first[1] = least[kHalf];
  Words all{};
  for (std::uint32_t c = 0; c < columns; ++c) {
    const Words from = wordsOf(c) - least;
    all |= from;
    putWords(from + kHigh, near.at[c]);
  }
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(all), _mm512_set1_epi32(~static_cast<int>(kHalf - 1))) == 0;
#else
  std::uint32_t any = 0;
  for (std::uint32_t k = 0; k < kGroup; ++k) any |= all[k];
  return any < kHalf;
#endif
}

// The columns of each lane, from the neighbours that begin at `low` and `high`.
template <std::uint32_t Bytes>
inline void loadNear(const std::byte* low, const std::byte* high, const Near& near, std::uint32_t columns, ReadTexels* t) {
  TexelGroup row;
  loadRuns<Bytes>(low, high, row);
  for (std::uint32_t c = 0; c < columns; ++c) {
    std::fill(t[c].inside, t[c].inside + kGroup, 0xffffffffu);
    for (std::uint32_t w = 0; w < (Bytes + 3) / 4; ++w) pickWords(row.word[w], near.at[c], t[c].texels.word[w]);
  }
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
