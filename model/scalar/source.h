// How a subgroup operation says which lane of its subgroup a lane reads (SPIR-V 1.6, 3.42.24; SPV_KHR_subgroup_rotate). withSource
// (shuffle.h) has the formulas.
#pragma once

#include <cstdint>

namespace lanewise::scalar {

enum class Source : std::uint8_t {
  kNone,  // it reads none in particular
  kLane,  // by its number
  kXor,   // by what differs in the numbers
  kBelow,
  kAbove,
  kOfQuad,    // by its number in the quad
  kQuadSwap,  // 0 horizontal, 1 vertical, 2 diagonal
  kRotated    // so many above, in a ring of the cluster
};

}  // namespace lanewise::scalar
