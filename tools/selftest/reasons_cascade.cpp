// Survivors of the traffic pyramids.
#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kEdge = "what lies beyond the edge is read as the edge, which is the column or row that is missing";
constexpr const char* kLevel2 = "of level 2 a tile has as many texels as a workgroup has invocations";
constexpr const char* kLevel6 = "of level 6 a tile has one texel: the invocation's place in the workgroup is 0, 0";
constexpr const char* kLevel14 = "level 14 is made by the first workgroup alone: all that is made of its number is 0";
constexpr const char* kLastLevel =
    "the level after the last is the last texel again, in the last's picture; chains are cut after four levels or not";

constexpr Reason kReasons[] = {
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "if (more.x) best", "in OpCompositeConstruct 2 becomes 3", 1, kEdge},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "if (more.y) best", "in OpCompositeConstruct 2 becomes 3", 1, kEdge},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "if (all(more)) best", "in OpCompositeConstruct", 4, kEdge},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "OpULessThan becomes OpULessThanEqual", 2,
     "of level 2 a tile has as many texels as a workgroup has invocations; the level after level 4, where that is the last, is its one "
     "texel"},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "OpAll becomes OpAny", 1, kLevel2},
    {kSame, "index", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "index 0 of OpVectorShuffle becomes 1", 1, kLevel2},
    {kSame, "index", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "index 1 of OpVectorShuffle becomes 0", 1, kLevel6},
    {kSame, "operator", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "OpIAdd becomes OpISub", 1, kLevel6},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpULessThan becomes OpULessThanEqual", 8, kLastLevel},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpAll becomes OpAny", 1, kLevel14},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "in OpStore 14 becomes 15", 1,
     "level 15 would have one texel, as level 14 has"},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "in OpCompositeConstruct 8 becomes 9", 1, kLevel14},
    {kSame, "index", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "in OpAccessChain 14 becomes 15", 1,
     "pictures beyond the last level are bound to the last"},
    {kSame, "index", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "index 1 of OpVectorShuffle becomes 0", 1, kLevel14},
    {kSame, "operator", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpShiftRightLogical becomes OpShiftLeftLogical", 1,
     kLevel14},
    {kSame, "store dropped", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpStore is left out", 1, kLevel14},
};

}  // namespace

std::span<const Reason> cascadeReasons() {
  return kReasons;
}

}  // namespace lanewise
