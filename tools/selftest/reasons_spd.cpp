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
constexpr const char* kShuffles = "spd_shuffles.comp";
constexpr const char* kPairs = "lanes that differ in lower bits alone have the same sum";
constexpr const char* kAllLanes = "every lane of the group has the value, and the same place for it";
constexpr const char* kEitherWay = "in one subgroup or in all of them: the same is made";
constexpr const char* kGoesOn = "who goes on finds that it is not the last, or no level to make";

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
    // Shuffles.
    {kSame, "operands", "", kShuffles, "uvec2 sumOf", "OpCompositeConstruct", 1, "a mean is a sum of sums: they change places twice"},
    {kSame, "operator", "", kShuffles, "return ((even >> 2)", "OpShiftRightArithmetic", 1, kMasked},
    {kSame, "constant", "", kShuffles, "return ((even >> 2)", "4278255360 becomes 4278255361", 1, kShiftedAway},
    {kSame, "operator", "", kShuffles, "uint even = w &", "OpShiftRightArithmetic", 1, kMasked},
    {kBeyond, "constant", "", kShuffles, "return uvec2(K(H(even | 0x64006400u)", "1677747200 becomes 1677747201", 2,
     "even codes of a channel are one greater: the mean of four stays inside the bound"},
    {kSame, "comparison", "", kShuffles, "if (level < kLevels && all", "OpULessThanEqual", 1,
     "the level after the last is the last texel again, in the last's picture; a row or column more has no place"},
    {kSame, "constant", "", kShuffles, "vec4 v = 255.0 * textureLod", "0 becomes 1", 1,
     "the picture has one layer, to which it is clamped"},
    {kSame, "constant", "", kShuffles, "n = (n & 0x99u)", "68 becomes 69", 1, kShiftedAway},
    {kSame, "constant", "", kShuffles, "reduceLanes(v, 1u, 2u, levelSize(8u))", "2 becomes 3", 1, kPairs},
    {kSame, "constant", "", kShuffles, "reduceLanes(v, 4u, 8u, levelSize(9u))", "4 becomes 5", 1, kPairs},
    {kSame, "constant", "", kShuffles, "reduceLanes(v, 4u, 8u, levelSize(9u))", "8 becomes 9", 1, kPairs},
    {kSame, "constant", "", kShuffles, "reduceLanes(v, 1u, 2u, levelSize(11u))", "2 becomes 3", 1, kPairs},
    {kBeyond, "store dropped", "", kShuffles, "reduceLanes(v, 1u, 2u, levelSize(11u))", "OpStore is left out", 2,
     "what lies beyond an axis of 1 is a copy of its texel, but in pictures of 4096x320 and more"},
    {kSame, "constant", "", kShuffles, "uvec2 six = reduceLanes", "4 becomes 5", 1, kPairs},
    {kSame, "constant", "", kShuffles, "if ((n & 3u) == 0u) store(9u", "0 becomes 1", 1, kAllLanes},
    {kSame, "constant", "", kShuffles, "if ((n & 15u) == 0u) store(10u", "0 becomes 1", 1, kAllLanes},
    {kSame, "constant", "", kShuffles, "if ((number() & 15u) == 0u) put(", "0 becomes 1", 1, kAllLanes},
    {kSame, "constant", "", kShuffles, "if (gl_SubgroupID == 0u) {", "0 becomes 1", 1, "any subgroup may do it"},
    {kSame, "comparison", "", kShuffles, "store(12u, where, v)", "OpINotEqual", 1, kAllLanes},
    {kSame, "constant", "", kShuffles, "store(12u, where, v)", "0 becomes 1", 1, kAllLanes},
    {kSame, "operands", "", kShuffles, "store(12u, where, v)", "OpBranchConditional", 1, kAllLanes},
    {kSame, "constant", "", kShuffles, "before = 0u", "in OpStore 0 becomes 1", 2, "invocation 0 alone uses it, and sets it before"},
    {kSame, "comparison", "", kShuffles, "bool alone =", "OpUGreaterThanEqual becomes OpUGreaterThan", 1, kEitherWay},
    {kSame, "constant", "", kShuffles, "bool alone =", "32 becomes 33", 1, kEitherWay},
    {kSame, "operator", "", kShuffles, "if (kLevels <= 7u", "OpCopyObject", 1, kGoesOn},
    {kSame, "operands", "", kShuffles, "if (kLevels <= 7u", "OpBranchConditional", 1, kGoesOn},
    {kBeyond, "store dropped", "", kShuffles, "atomicStore(counters", "OpAtomicStore is left out", 1,
     "a counter that is not 0 is seen by the next dispatch alone, which these plans have not"},
    {kBeyond, "operator", "", kShuffles, "t < tiles.x * tiles.y", "OpIMul becomes OpIAdd", 1,
     "fewer tiles than there are from 3x3 of them on: pictures of 8193x8193"},
    {kSame, "comparison", "", kShuffles, "t < tiles.x * tiles.y", "OpULessThanEqual", 1, kMoreTiles},
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
