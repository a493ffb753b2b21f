#include "golden/oracles/edge.h"

namespace lanewise::golden {

std::string_view edgeName(Edge edge) {
  constexpr std::string_view kNames[] = {"clamp", "mirror", "mirror-101", "zero"};
  return kNames[static_cast<std::size_t>(edge)];
}

std::optional<Edge> edgeByName(std::string_view name) {
  for (Edge edge : kEdges)
    if (edgeName(edge) == name) return edge;
  return std::nullopt;
}

}  // namespace lanewise::golden
