// Which lane of its subgroup a lane reads in a broadcast, shuffle, rotation or quad operation.
//
// Source: SPIR-V 1.6, 3.42.24 "Non-Uniform Instructions"; SPV_KHR_subgroup_rotate.
#pragma once

#include <cstdint>

#include "model/scalar/integer.h"
#include "model/scalar/source.h"

namespace lanewise::scalar {
inline namespace LANEWISE_ISA {

inline constexpr std::uint32_t kNoSource = 0xffffffffu;

// Returns use(source), where source(lane in the subgroup, operand) is the lane that is read; `size` or more is none. `cluster`: of a
// rotation, the lanes that rotate together.
template <class Use>
auto withSource(Source source, std::uint32_t size, std::uint32_t cluster, const Use& use) {
  using U = std::uint32_t;
  switch (source) {
    case Source::kLane:
      return use([](U, U n) { return n; });
    case Source::kXor:
      return use([](U in, U n) { return in ^ n; });
    case Source::kBelow:
      return use([](U in, U n) { return n > in ? kNoSource : in - n; });
    case Source::kAbove:
      return use([size](U in, U n) { return n >= size ? kNoSource : in + n; });
    case Source::kOfQuad:
      return use([](U in, U n) { return (in & ~3u) + (n & 3); });
    case Source::kQuadSwap:
      return use([](U in, U n) { return in ^ (n + 1); });
    default:
      return use([last = cluster - 1](U in, U n) { return (in & ~last) + ((in + n) & last); });
  }
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise::scalar
