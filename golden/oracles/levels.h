// How many levels a pyramid has (docs/contracts.md, 4). Level sizes are levelExtent's: max(1, D >> l).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "golden/image/image.h"

namespace lanewise::golden {

enum class LevelCount : std::uint8_t {
  kFull,  // floor(log2(max(W, H))) + 1: down to 1x1
  kSpd,   // AMD's: floor(log2(max(W, H))) generated levels, 12 at most, and the base
  kCeil,  // ceil(log2(max(W, H))) with the base, the Metal post's: no 1x1 where the greater side is a power of two
};

inline constexpr LevelCount kLevelCounts[] = {LevelCount::kFull, LevelCount::kSpd, LevelCount::kCeil};

// "full", "spd", "ceil".
std::string_view levelCountName(LevelCount convention);
std::optional<LevelCount> levelCountByName(std::string_view name);

// Levels of the whole chain, the base among them. kCeil gives 0 for 1x1: there is no chain.
std::uint32_t levelCount(Extent base, LevelCount convention);

}  // namespace lanewise::golden
