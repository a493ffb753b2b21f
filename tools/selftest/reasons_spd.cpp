// Survivors of the single-pass pyramids.
#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kEnds = "the tile's own end lies within what the level above takes: the greater of the two is that";
constexpr const char* kNoBarrier =
    "the order of what is written to pictures; the barriers of workgroup memory keep the invocations together, and the model has no late "
    "stores";
constexpr const char* kOtherOrder = "the same texels in another order: each is still taken once";
constexpr const char* kOneLayer = "these plans have one layer, number 0, which is what the model reads where nothing was written";
constexpr const char* kMoreTiles = "a pass or tiles more than there are: what they make has no place and is not stored";
constexpr const char* kLastTap = "the last of an even axis is the second tap: it is read twice";
constexpr const char* kFourthRegion = "the fourth quarter of a tile of level 6: pictures of more than 2048x2048";
constexpr const char* kShiftedAway = "the bit is 0, or shifted out of the word";
constexpr const char* kThinTail = "a level 7 one texel wide above a level 6 of two or three, and a level 8: pictures of more than 255x127";
constexpr const char* kPicture = "no level has that number: pictures beyond the last level are the last's";
constexpr const char* kRoundMore = "a round more, in which every texel lies beyond the end";

constexpr Reason kReasons[] = {
    {kSame, "operator", "", "spd.glsl", "uvec2 levelSize", "OpShiftRightArithmetic", kNeverNegative},
    {kRace, "barrier dropped", "", "spd.glsl", "kEdge);", "", kNoBarrier},
    {kRace, "barrier dropped", "", "spd.glsl", "memoryBarrier(", "", kNoBarrier},
    {kBeyond, "store dropped", "", "spd.glsl", "uint layer = gl_WorkGroupID.z", "", kOneLayer},
    {kBeyond, "store dropped", "", "spd.glsl", "atomicStore(counters", "",
     "a counter that is not 0 is seen by the next dispatch alone, which these plans have not; the plans of pyramid/mean2x2 have it"},
    // The entry point.
    {kSame, "comparison", "", "spd_main.glsl", "if (base + 1u >= push.levels)", "OpUGreaterThan", kMoreTiles},
    {kSame, "operator", "", "spd_main.glsl", "if (base + 1u >= push.levels)", "OpISub", kMoreTiles},
    {kSame, "operator", "", "spd_main.glsl", "uvec2 tiles =", "OpISub becomes OpIAdd", kMoreTiles},
    {kSame, "constant", "", "spd_main.glsl", "uvec2 tiles =", "in OpCompositeConstruct 64 becomes 65", kMoreTiles},
    {kBeyond, "store dropped", "", "spd_main.glsl", "uvec2 tiles =", "", kUnwritten},
    {kSame, "comparison", "", "spd_main.glsl", "t < tiles.x * tiles.y", "OpULessThanEqual", kMoreTiles},
    {kBeyond, "operator", "", "spd_main.glsl", "t < tiles.x * tiles.y", "OpIMul becomes OpIAdd",
     "fewer tiles than there are from 3x3 of them on: pictures of 8193x8193"},
    {kSame, "comparison", "", "spd_main.glsl", "push.levels <= kLevels + 1u", "OpULessThanEqual becomes OpULessThan",
     "with no level left the tail returns at once"},
    {kSame, "operands", "", "spd_main.glsl", "continueFrom(", "OpBranchConditional", "with no level left the tail returns at once"},
    {kSame, "operator", "quads", "spd_main.glsl", "NUMBER == 0u", "OpIAdd becomes OpISub", "the difference is 0 where the sum is"},
    {kRace, "constant", "", "spd_main.glsl", "NUMBER == 0u", "0 becomes 1",
     "who has not stored the texel counts: the order of what is written to pictures, and the model has no late stores"},
    // Tiles.
    {kSame, "operator", "", "spd_tile.glsl", "return uvec2((n & 1u)", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "", "spd_tile.glsl", "((n >> 1) & 3u)", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "", "spd_tile.glsl", "store(base + k, where", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "quads", "spd_tile.glsl", "uint n = NUMBER", "OpIAdd becomes OpISub", kOtherOrder},
    {kSame, "operator", "quads", "spd_tile.glsl", "bool right =", "OpIAdd becomes OpISub", "sum and difference have the same last bit"},
    {kRace, "", "quads", "spd_tile.glsl", "uint firstSlot", "OpUDiv",
     "level 3 lies where others still read level 2, and the model's 64 invocations read before they write"},
    {kSame, "comparison", "", "spd_tile.glsl", "if (any(equal(size", "OpINotEqual",
     "the condition saves time: inside, each axis is asked again"},
    {kSame, "comparison", "", "spd_tile.glsl", "if (level < push.levels && all", "OpULessThanEqual",
     "the level after the last is the last texel again, in the last's picture; a row or column more has no place"},
    {kBeyond, "store dropped", "", "spd_tile.glsl", "if (level < push.levels && all", "", kOneLayer},
    {kSame, "constant", "", "spd_tile.glsl", "return base == 0u ? baseTexel", "0 becomes 1", "the base stands in both pictures"},
    {kBeyond, "store dropped", "", "spd_tile.glsl", "return base == 0u ? baseTexel", "", kOneLayer},
    {kBeyond, "store dropped", "", "spd_tile.glsl", "firstTexel(base, at + 16u)", "", kFourthRegion},
    {kSame, "store dropped", "memory", "spd_tile.glsl", "TEXEL r = v;", "",
     "the next line sets it for the first 64 invocations, and the others do not use it"},
    {kBeyond, "store dropped", "memory", "spd_tile.glsl", "= reduceRegion(base", "", kThinTail},
    // Codes and floats.
    {kSame, "operator", "", "spd_codes.glsl", "uvec4 codesOf", "OpShiftRightArithmetic", kMasked},
    {kSame, "operator", "", "spd_codes.glsl", ">> 2) & kPairs", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "", "spd_codes.glsl", "meanOfPairs(a >> 8", "OpShiftRightArithmetic", kMasked},
    {kSame, "rounding", "", "spd_exact.glsl", "textureGather", "OpConvertSToF", kNeverNegative},
    {kSame, "", "spd_exact_level", "spd_exact_level.comp", "ivec4 p = ivec4(min(2u * at", "",
     "2 * at has a texel after it or is 0, and 2 * at + 1 lies inside but on an axis of 1: the bound is not felt"},
    {kSame, "operator", "f16", "spd_float.glsl", "return ((even >> 2)", "OpShiftRightArithmetic", kMasked},
    {kSame, "constant", "f16", "spd_float.glsl", "return ((even >> 2)", "4278255360 becomes 4278255361", kShiftedAway},
    {kSame, "constant", "f32", "spd_float.glsl", "floatBitsToUint(sum) &", "8355840 becomes 8355841", kShiftedAway},
    {kSame, "operator", "f32", "spd_float.glsl", "return (codes.x >> 15)", "OpShiftRightArithmetic", kNeverNegative},
    {kBeyond, "store dropped", "", "spd_float.glsl", "int l = int(layer)", "", kOneLayer},
    {kSame, "rounding", "", "spd_float.glsl", "vec2(2u * at + 1u) / vec2(push.size)", "OpConvertSToF", kNeverNegative},
    // Depth.
    {kSame, "operands", "depth_spd", "depth_spd.comp", "return ivec4(", "OpCompositeConstruct", kOtherOrder},
    {kSame, "rounding", "depth_spd", "depth_spd.comp", "textureGather", "OpConvertSToF", kNeverNegative},
    {kSame, "operands", "depth_spd", "depth_spd.comp", "uvec2 copyPlace", "OpCompositeConstruct", kOtherOrder},
    {kBeyond, "comparison", "depth_spd", "depth_spd.comp", "EACH(WRITE)", "OpULessThanEqual",
     "a store outside of the picture, for sides that end in that quarter of a tile: the quick set has none"},
    {kSame, "constant", "depth_spd", "depth_spd.comp", "imageStore(levels[min(level, kPictures - 1u)]", "14 becomes 15", kPicture},
    {kSame, "operands", "depth_spd", "depth_spd.comp", "uvec2 firstPlace", "OpCompositeConstruct", kOtherOrder},
    {kBeyond, "store dropped", "depth_spd", "depth_spd.comp", "d = loadFour(base", "", kFourthRegion},
    {kSame, "constant", "depth_spd_window", "depth_spd_window.comp", "imageStore(levels[min(level, kPictures - 1u)]", "14 becomes 15",
     kPicture},
    {kSame, "operator", "depth_spd_window", "depth_spd_window.comp", "ends[k - 1u] = max(", "OpISub becomes OpIAdd", kEnds},
    {kBeyond, "constant", "depth_spd_window", "depth_spd_window.comp", "ends[k - 1u] = max(", "in OpCompositeConstruct 1 becomes 2",
     "a row or a column more than the level above takes; only where levels are odd to the last does it reach the next one's memory"},
    {kSame, "constant", "depth_spd_window", "depth_spd_window.comp", "endBelow(base, 1u, where)", "1 becomes 2",
     "the ends of level 1 are found again, those of the base are not asked for"},
    {kBeyond, "store dropped", "depth_spd_window", "depth_spd_window.comp", "ends[", "", kUnwritten},
    {kBeyond, "store dropped", "depth_spd_window", "depth_spd_window.comp", "endBelow(base", "", kUnwritten},
    {kBeyond, "store dropped", "depth_spd_window", "depth_spd_window.comp", "uvec2 origin = where", "", kUnwritten},
    {kSame, "operands", "depth_spd_window", "depth_spd_window.comp", "uvec2(x, y) + gl_LocalInvocationID.xy", "OpCompositeConstruct",
     kOtherOrder},
    {kSame, "operator", "depth_spd_window", "depth_spd_window.comp", "& 1u) == 0u) return best", "OpBitwiseOr", kLastTap},
    {kSame, "comparison", "depth_spd_window", "depth_spd_window.comp", "origin.y + y < ends[k].y", "OpULessThanEqual", kRoundMore},
    {kSame, "comparison", "depth_spd_window", "depth_spd_window.comp", "origin.x + x < ends[k].x", "OpULessThanEqual", kRoundMore},
};

}  // namespace

std::span<const Reason> spdReasons() {
  return kReasons;
}

}  // namespace lanewise
