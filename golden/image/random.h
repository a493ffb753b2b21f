// SplitMix64, from its published recurrence (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). The state
// grows by the golden gamma, and an output is the mixed state. Any output of a stream can be computed directly, so inputs do not depend on
// an order.
#pragma once

#include <cstdint>

namespace lanewise::golden {

// Output number `index` (from 0) of the stream that starts at `seed`.
constexpr std::uint64_t splitMix64(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace lanewise::golden
