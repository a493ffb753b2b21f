// Survivors of the single-pass pyramids.
#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kHalfSwap = "the macro exchanges twice: of the first exchange only the lower half is used";
constexpr const char* kOtherOrder = "the same texels in another order: each is still taken once";
constexpr const char* kMoreTiles = "a pass or tiles more than there are: what they make has no place and is not stored";
constexpr const char* kNobodys =
    "a texel beyond its level weighs in none that is stored, and reads clamp to the level below: any value will do";
constexpr const char* kNotFelt =
    "2 * at has a texel after it or is 0, and 2 * at + 1 lies inside but on an axis of 1: the bound is not felt";
constexpr const char* kInside =
    "lowerTexel is called inside the level: 2 * at + 1 lies below the bound, but on an axis of 1, where the bound is 0 either way";
constexpr const char* kSixtyFour = "one invocation more reduces, and all from the 64th on end before their result is used";
constexpr const char* kLastTap = "the last of an even axis is the second tap: it is read twice";
constexpr const char* kShiftedAway = "the bit is 0, or shifted out of the word";
constexpr const char* kPicture = "no level has that number: pictures beyond the last level are the last's";
constexpr const char* kRoundMore = "a round more, in which every texel lies beyond the end";

constexpr Reason kReasons[] = {
    {kBeyond, "store dropped", "", "spd.glsl", "atomicStore(counters", "OpAtomicStore is left out", 10,
     "a counter that is not 0 is seen by the next dispatch alone, which these plans have not; the plans of pyramid/mean2x2 have it"},
    {kSame, "index", "quads_f16", "spd_tile.glsl", "kept(subgroupQuadSwap", "index 2 of OpVectorShuffle becomes 3", 4, kHalfSwap},
    {kSame, "index", "quads_f16", "spd_tile.glsl", "kept(subgroupQuadSwap", "index 3 of OpVectorShuffle becomes 2", 4, kHalfSwap},
    // The entry point.
    {kSame, "comparison", "", "spd_main.glsl", "if (base + 1u >= push.levels)", "OpUGreaterThan", 12, kMoreTiles},
    {kSame, "operator", "", "spd_main.glsl", "if (base + 1u >= push.levels)", "OpISub", 12, kMoreTiles},
    {kSame, "operator", "", "spd_main.glsl", "uvec2 tiles =", "OpISub becomes OpIAdd", 12, kMoreTiles},
    {kSame, "constant", "", "spd_main.glsl", "uvec2 tiles =", "in OpCompositeConstruct 64 becomes 65", 20, kMoreTiles},
    {kSame, "comparison", "", "spd_main.glsl", "t < tiles.x * tiles.y", "OpULessThanEqual", 12, kMoreTiles},
    {kBeyond, "operator", "", "spd_main.glsl", "t < tiles.x * tiles.y", "OpIMul becomes OpIAdd", 12,
     "fewer tiles than there are from 3x3 of them on: pictures of 8193x8193"},
    {kSame, "comparison", "", "spd_main.glsl", "push.levels <= kLevels + 1u", "OpULessThanEqual becomes OpULessThan", 12,
     "with no level left the tail returns at once"},
    {kSame, "operands", "", "spd_main.glsl", "continueFrom(", "OpBranchConditional", 10, "with no level left the tail returns at once"},
    {kSame, "operator", "quads", "spd_main.glsl", "NUMBER == 0u", "OpIAdd becomes OpISub", 5, "the difference is 0 where the sum is"},
    // Tiles.
    {kSame, "operator", "quads", "spd_tile.glsl", "uint n = NUMBER", "OpIAdd becomes OpISub", 5, kOtherOrder},
    {kSame, "operator", "quads", "spd_tile.glsl", "bool right =", "OpIAdd becomes OpISub", 5, "sum and difference have the same last bit"},
    {kSame, "comparison", "", "spd_tile.glsl", "if (any(equal(size", "OpINotEqual", 10,
     "the condition saves time: inside, each axis is asked again"},
    {kSame, "comparison", "", "spd_tile.glsl", "if (level < push.levels && all", "OpULessThanEqual", 10,
     "the level after the last is the last texel again, in the last's picture; a row or column more has no place"},
    {kSame, "constant", "", "spd_tile.glsl", "return base == 0u ? baseTexel", "0 becomes 1", 10, "the base stands in both pictures"},
    {kSame, "comparison", "", "spd_tile.glsl", "if (base != 0u && any(greaterThanEqual", "OpINotEqual becomes OpIEqual", 10, kNobodys},
    {kSame, "comparison", "", "spd_tile.glsl", "if (base != 0u && any(greaterThanEqual", "becomes OpUGreaterThan", 10, kNobodys},
    {kSame, "comparison", "", "spd_tile.glsl", "if (base != 0u && any(greaterThanEqual", "OpAny becomes OpAll", 10, kNobodys},
    {kSame, "constant", "", "spd_tile.glsl", "if (base != 0u && any(greaterThanEqual", "in OpINotEqual 0 becomes 1", 10, kNobodys},
    {kSame, "operator", "", "spd_tile.glsl", "if (base != 0u && any(greaterThanEqual", "OpIAdd becomes OpISub", 10,
     "level base - 1 has every texel of level base + 1: fewer are skipped, and those are nobody's"},
    {kSame, "comparison", "memory", "spd_tile.glsl", "if (NUMBER < 64u) r =", "OpULessThanEqual", 5, kSixtyFour},
    {kSame, "constant", "memory", "spd_tile.glsl", "if (NUMBER < 64u) r =", "64 becomes 65", 5, kSixtyFour},
    {kSame, "comparison", "", "spd_tile.glsl", "if (base + k >= push.levels) return;", "becomes OpUGreaterThan", 10, kMoreTiles},
    {kSame, "operands", "", "spd_exact.glsl", "most = levelSize(base) - 1u", "of OpISub change places", 2, kInside},
    {kSame, "operands", "", "spd_float.glsl", "most = levelSize(base) - 1u", "of OpISub change places", 8, kInside},
    {kSame, "store dropped", "memory", "spd_tile.glsl", "TEXEL r = v;", "OpStore is left out", 5,
     "the next line sets it for the first 64 invocations, and the others do not use it"},
    // Codes and floats.
    {kSame, "operator", "", "spd_codes.glsl", "uvec4 codesOf", "OpShiftRightArithmetic", 5, kMasked},
    {kSame, "operator", "", "spd_codes.glsl", "meanOfPairs(a >> 8", "OpShiftRightArithmetic", 20, kMasked},
    {kSame, "constant", "spd_exact_level", "spd_exact_level.comp", "ivec4 p = ivec4(min(2u * at", "in OpCompositeConstruct", 2, kNotFelt},
    {kSame, "operator", "spd_exact_level", "spd_exact_level.comp", "ivec4 p = ivec4(min(2u * at", "OpISub becomes OpIAdd", 1, kNotFelt},
    {kSame, "operands", "spd_exact_level", "spd_exact_level.comp", "ivec4 p = ivec4(min(2u * at", "of OpISub change places", 2, kNotFelt},
    {kSame, "operator", "f16", "spd_float.glsl", "return ((even >> 2)", "OpShiftRightArithmetic", 4, kMasked},
    {kSame, "constant", "f16", "spd_float.glsl", "return ((even >> 2)", "4278255360 becomes 4278255361", 4, kShiftedAway},
    {kSame, "constant", "f32", "spd_float.glsl", "floatBitsToUint(sum) &", "8355840 becomes 8355841", 14, kShiftedAway},
    // Depth.
    {kSame, "operands", "depth_spd", "depth_spd.comp", "return ivec4(", "OpCompositeConstruct", 2, kOtherOrder},
    {kSame, "operands", "depth_spd", "depth_spd.comp", "uvec2 copyPlace", "OpCompositeConstruct", 1, kOtherOrder},
    {kBeyond, "comparison", "depth_spd", "depth_spd.comp", "EACH(WRITE)", "OpULessThanEqual", 1,
     "a store outside of the picture, for sides that end in that quarter of a tile: the quick set has none"},
    {kSame, "constant", "depth_spd", "depth_spd.comp", "imageStore(levels[min(level, kPictures - 1u)]", "14 becomes 15", 1, kPicture},
    {kSame, "operands", "depth_spd", "depth_spd.comp", "uvec2 firstPlace", "OpCompositeConstruct", 1, kOtherOrder},
    {kSame, "constant", "depth_spd_window", "depth_spd_window.comp", "imageStore(levels[min(level, kPictures - 1u)]", "14 becomes 15", 1,
     kPicture},
    {kBeyond, "constant", "depth_spd_window", "depth_spd_window.comp", "ends[k - 1u] = max(", "in OpCompositeConstruct 1 becomes 2", 2,
     "a row or a column more than the level above takes; only where levels are odd to the last does it reach the next one's memory"},
    {kSame, "constant", "depth_spd_window", "depth_spd_window.comp", "endBelow(base, 1u, where)", "1 becomes 2", 1,
     "the ends of level 1 are found again, those of the base are not asked for"},
    {kBeyond, "store dropped", "depth_spd_window", "depth_spd_window.comp", "endBelow(base", "OpStore is left out", 2, kUnwritten},
    {kSame, "operands", "depth_spd_window", "depth_spd_window.comp", "uvec2(x, y) + gl_LocalInvocationID.xy", "OpCompositeConstruct", 1,
     kOtherOrder},
    {kSame, "operator", "depth_spd_window", "depth_spd_window.comp", "& 1u) == 0u) return best", "OpBitwiseOr", 2, kLastTap},
    {kSame, "comparison", "depth_spd_window", "depth_spd_window.comp", "origin.y + y < ends[k].y", "OpULessThanEqual", 1, kRoundMore},
    {kSame, "comparison", "depth_spd_window", "depth_spd_window.comp", "origin.x + x < ends[k].x", "OpULessThanEqual", 1, kRoundMore},
};

}  // namespace

std::span<const Reason> spdReasons() {
  return kReasons;
}

}  // namespace lanewise
