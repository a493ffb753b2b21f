#include "golden/oracles/levels.h"

#include <algorithm>
#include <bit>

namespace lanewise::golden {

std::string_view levelCountName(LevelCount convention) {
  constexpr std::string_view kNames[] = {"full", "spd", "ceil"};
  return kNames[static_cast<std::size_t>(convention)];
}

std::optional<LevelCount> levelCountByName(std::string_view name) {
  for (LevelCount convention : kLevelCounts)
    if (levelCountName(convention) == name) return convention;
  return std::nullopt;
}

std::uint32_t levelCount(Extent base, LevelCount convention) {
  const std::uint32_t greater = std::max({base.width, base.height, 1u});
  const auto floorLog = static_cast<std::uint32_t>(std::bit_width(greater)) - 1;
  switch (convention) {
    case LevelCount::kFull:
      return floorLog + 1;
    case LevelCount::kSpd:
      return std::min(floorLog, 12u) + 1;
    case LevelCount::kCeil:
      return std::has_single_bit(greater) ? floorLog : floorLog + 1;
  }
  return 0;
}

}  // namespace lanewise::golden
