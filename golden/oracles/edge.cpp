#include "golden/oracles/edge.h"

#include <algorithm>

namespace lanewise::golden {
namespace {

constexpr std::string_view kNames[] = {"clamp", "mirror", "mirror-101", "zero"};

// The remainder that is never negative.
std::int64_t floorMod(std::int64_t a, std::int64_t b) {
  const std::int64_t r = a % b;
  return r < 0 ? r + b : r;
}

}  // namespace

std::string_view edgeName(Edge edge) {
  return kNames[static_cast<std::size_t>(edge)];
}

std::optional<Edge> edgeByName(std::string_view name) {
  for (Edge edge : kEdges)
    if (edgeName(edge) == name) return edge;
  return std::nullopt;
}

std::optional<std::int64_t> foldIndex(std::int64_t index, std::int64_t n, Edge edge) {
  if (index >= 0 && index < n) return index;
  switch (edge) {
    case Edge::kClamp:
      return std::clamp<std::int64_t>(index, 0, n - 1);
    case Edge::kMirror: {
      const std::int64_t at = floorMod(index, 2 * n);
      return at < n ? at : 2 * n - 1 - at;
    }
    case Edge::kMirror101: {
      if (n == 1) return 0;
      const std::int64_t at = floorMod(index, 2 * n - 2);
      return at < n ? at : 2 * n - 2 - at;
    }
    case Edge::kZero:
      break;
  }
  return std::nullopt;
}

}  // namespace lanewise::golden
