// The number of levels of a pyramid (docs/contracts.md, 4). levelExtent gives their sizes: max(1, D >> l).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "golden/image/image.h"

namespace lanewise::golden {

enum class LevelCount : std::uint8_t {
  kFull,  // floor(log2(max(W, H))) + 1: down to 1x1
  kSpd,   // AMD's: the base and floor(log2(max(W, H))) levels above it, at most 12
  kCeil,  // the Metal post's: ceil(log2(max(W, H))) with the base; no 1x1 if the greater side is a power of two
};

inline constexpr LevelCount kLevelCounts[] = {LevelCount::kFull, LevelCount::kSpd, LevelCount::kCeil};

// "full", "spd", "ceil".
std::string_view levelCountName(LevelCount convention);
std::optional<LevelCount> levelCountByName(std::string_view name);

// The number of levels of the whole chain, with the base. kCeil gives 0 for 1x1: there is no chain.
std::uint32_t levelCount(Extent base, LevelCount convention);

}  // namespace lanewise::golden
