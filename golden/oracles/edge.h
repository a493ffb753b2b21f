// The values outside of a picture (docs/contracts.md, 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanewise::golden {

enum class Edge : std::uint8_t {
  kClamp,      // the edge texel
  kMirror,     // the edge texel repeated: -1 reads 0, period 2n (Vulkan's MIRRORED_REPEAT)
  kMirror101,  // the edge texel not repeated: -1 reads 1, period 2n - 2; n == 1 reads 0 (what MPS calls mirror)
  kZero,       // 0 in every channel; the divisor of a mean stays the same
};

inline constexpr Edge kEdges[] = {Edge::kClamp, Edge::kMirror, Edge::kMirror101, Edge::kZero};

// "clamp", "mirror", "mirror-101", "zero".
std::string_view edgeName(Edge edge);
std::optional<Edge> edgeByName(std::string_view name);

}  // namespace lanewise::golden
