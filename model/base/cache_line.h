// Lines of the cache: threads that write to one line take turns with it, so what each writes often has lines of its own.
#pragma once

#include <cstddef>

namespace lanewise {

inline constexpr std::size_t kCacheLine = 64;  // bytes, of all processors that this runs on

inline constexpr std::size_t wholeCacheLines(std::size_t bytes) {
  return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
}

}  // namespace lanewise
