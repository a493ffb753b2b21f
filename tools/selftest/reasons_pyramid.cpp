// Survivors of the energy pyramids.
#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kOneOrder = "the mean of four in another order: the same sums";
constexpr const char* kAllLanes = "all lanes of the square hold the same texel: any may store it, or give it";
constexpr const char* kSameValue = "several lanes then store one and the same value: a race without a difference";
constexpr const char* kLowBits = "the low six bits of the item are shifted away";
constexpr const char* kExchange = "both ways of exchanging give the same texels, or in halves and codes what the bound allows";
constexpr const char* kNoWeight = "what is added or read has no weight";
constexpr const char* kNoNumber = "what is added has no weight; but on a device memory that nobody wrote may hold what is no number";
constexpr const char* kOverwritten = "the next line sets it where it has weight";
constexpr const char* kLast = "pictures beyond the last level are bound to the last";
constexpr const char* kEstimate = "the estimate may be one off: the next lines make up for it";
constexpr const char* kNine = "what lies behind the last row is made too, and not used";
constexpr const char* kWide = "sums of 64 bits give the same codes";

constexpr Reason kReasons[] = {
    {kSame, "operator", "", "pyramid_exact.glsl", "uvec4 unpacked", "OpShiftRightArithmetic", kMasked},
    {kSame, "rounding", "", "pyramid_exact.glsl", "textureGather", "OpConvertSToF", kNeverNegative},
    {kSame, "operands", "", "pyramid_exact.glsl", "return Quad(", "OpCompositeConstruct", kOneOrder},
    {kSame, "operator", "", "pyramid_exact.glsl", "bit >>= 1", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "", "pyramid_exact.glsl", "(sum.a + 2u) >> 2", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "", "pyramid_exact.glsl", "& kHalves", "OpShiftRightArithmetic", kMasked},
    // The float forms' texels.
    {kSame, "rounding", "", "pyramid_float.glsl", "vec2(2u * at + 1u) / vec2(push.size)", "OpConvertSToF", kNeverNegative},
    {kSame, "operands", "", "pyramid_float.glsl", "return Quad(", "OpCompositeConstruct", kOneOrder},
    {kSame, "operator", "", "pyramid_float.glsl", "vec4 codesOf", "OpShiftRightArithmetic", kMasked},
    {kSame, "rounding", "", "pyramid_float.glsl", "vec4 codesOf", "OpConvertSToF", kNeverNegative},
    {kSame, "rounding", "", "pyramid_float.glsl", "uvec4 c = uvec4(codes)", "OpConvertFToS", kNeverNegative},
    {kSame, "comparison", "", "pyramid_float.glsl", "vec3(0.04045)", "OpFOrdLessThan", "no code lies there: 0.04045 * 255 is 10.3"},
    {kSame, "comparison", "", "pyramid_float.glsl", "vec3(0.0031308)", "OpFOrdLessThan",
     "there the curve's two parts differ by less than a rounding"},
    {kSame, "constant", "", "pyramid_float.glsl", "vec4 code = clamp(value", "1 becomes 1.5", kNotAbove},
    {kSame, "constant", "", "pyramid_float.glsl", "clamp(255.0 * code + 0.5", "255 becomes 382.5",
     "the code is at most 255.5, which is cut to 255"},
    {kBeyond, "", "bilinear", "pyramid_float.glsl", "clamp(255.0 * code + 0.5", "", "a code: inside the bound of a filter's weights"},
    {kSame, "constant", "r32f_half", "pyramid_float.glsl", "uint keep(float value)", "0 becomes 1",
     "the second half of the word is not read"},
    {kSame, "operator", "", "pyramid_float.glsl", "& kHalves", "OpShiftRightArithmetic", kMasked},
    {kSame, "operator", "", "pyramid_float.glsl", "odd >> 16) * (1.0 / 1020.0)", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "rounding", "", "pyramid_float.glsl", "odd >> 16) * (1.0 / 1020.0)", "OpConvertSToF", kNeverNegative},
    // The general pipeline.
    {kSame, "index", "", "pyramid_general.comp", "STORE(1, at, texelAbove(at))", "1 becomes 2", kLast},
    {kSame, "index", "", "pyramid_general.comp", "STORE(2, at, reduceWindow", "2 becomes 3", kLast},
    {kBeyond, "comparison", "", "pyramid_general.comp", "if (group >= push.tiles) return;", "OpUGreaterThan",
     "more groups than tiles: only where 65535 of an axis do not do"},
    {kSame, "constant", "", "pyramid_general.comp", "tiles = (second + kTile - 1u) / kTile", "1 becomes 2",
     "of eight texels and one, the first tile then stores the last's row too, the same"},
    {kBeyond, "operator", "", "pyramid_general.comp", "count = min(second - begin", "OpISub becomes OpIAdd",
     "stores outside of the picture, which observed runs of small pictures tell: this module's have too many texels"},
    {kSame, "operands", "", "pyramid_general.comp", "at = begin + place", "OpCompositeConstruct",
     "another invocation for each texel, one for each of them"},
    {kSame, "operator", "pyramid", "pyramid_window.glsl", "size >> 1", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "rounding", "", "pyramid_window.glsl", "return Axis(", "OpConvertSToF", kNeverNegative},
    {kSame, "rounding", "", "pyramid_window.glsl", "uint code = uint(float(sum)", "", kNeverNegative},
    {kSame, "constant", "", "pyramid_window.glsl", "uint code = uint(float(sum)", "in OpFAdd 0.5 becomes 0.75", kEstimate},
    {kBeyond, "operator", "", "pyramid_window.glsl", "uint code = uint(float(sum)", "OpFAdd becomes OpFSub",
     "two off where a quotient ends in 0.5 and its estimate is a hair less: first for an even side beside one of 41"},
    {kSame, "rounding", "", "pyramid_window.glsl", "1.0 / float(divisor)", "OpConvertSToF", kNeverNegative},
    {kSame, "comparison", "", "pyramid_window.glsl", "c < 4; ++c", "OpSLessThan becomes OpULessThan", kNeverNegative},
    {kSame, "comparison", "", "pyramid_window.glsl", "kSrgb && c < 3", "OpSLessThan becomes OpULessThan", kNeverNegative},
    {kSame, "index", "", "pyramid_window.glsl", "uint best = n.texel[0]", "0 becomes 1",
     "the second texel is one of the nine, or the first again"},
    {kSame, "comparison", "", "pyramid_window.glsl", "x.sum * y.sum <= (kSrgb", "OpULessThan", kWide},
    {kSame, "comparison", "", "pyramid_window.glsl", "y.count > 1u", "OpUGreaterThanEqual", kNoWeight},
    {kSame, "comparison", "", "pyramid_window.glsl", "y.count > 2u", "OpUGreaterThanEqual", kNoWeight},
    {kBeyond, "comparison", "", "pyramid_window.glsl", "x.count > 1u", "OpUGreaterThanEqual", kNoNumber},
    {kBeyond, "comparison", "", "pyramid_window.glsl", "x.count > 2u", "OpUGreaterThanEqual", kNoNumber},
    {kSame, "store dropped", "", "pyramid_window.glsl", "p.left = p.right = readQuad(at)", "", kOverwritten},
    {kSame, "store dropped", "", "pyramid_window.glsl", "Pair p = pairAt(j, x), q = p", "", kOverwritten},
    {kSame, "", "", "pyramid_window.glsl", "for (uint i = 0u; i < 3u; ++i) pairs[i]", "OpULessThan",
     "a fourth, which the next line replaces"},
    {kSame, "", "", "pyramid_window.glsl", "pairs[3] = pairs[2]", "", kOverwritten},
    {kSame, "", "", "pyramid_window.glsl", "uint count = min(3u, nextSize", "", kNine},
    {kSame, "store dropped", "", "pyramid_window.glsl", "second = first, third = first", "", kOverwritten},
    {kSame, "operator", "pyramid_traffic", "pyramid_traffic.comp", "", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "", "pyramid_traffic", "pyramid_traffic.comp", "push.count < 2u) return", "",
     "what lies outside has no place on any level: isAt asks again"},
    {kBeyond, "store dropped", "pyramid_traffic", "pyramid_traffic.comp", "WRITE(", "", kUnwritten},
    {kSame, "index", "pyramid_traffic", "pyramid_traffic.comp", "WRITE(14)", "14 becomes 15", kLast},
    {kSame, "", "pyramid_traffic", "pyramid_traffic.comp", "WRITE(14)", "OpCompositeConstruct 13 becomes 14",
     "both give 0: the side is 16384 at most"},
    {kSame, "operator", "pyramid_traffic", "pyramid_traffic.comp", "WRITE(14)", "OpShiftLeftLogical",
     "level 14 is one texel, made from texel 0: 0 either way"},
    // The fast pipeline.
    {kSame, "operator", "_fast", "pyramid_fast.comp", "", "OpShiftRightLogical becomes OpShiftRightArithmetic", kNeverNegative},
    {kSame, "", "_fast", "pyramid_fast.comp", "gl_SubgroupSize >= 16u", "", kExchange},
    {kSame, "operands", "_fast", "pyramid_fast.comp", "if (canShuffle())", "OpBranchConditional", kExchange},
    {kSame, "operator", "_fast", "pyramid_fast.comp", "kept(exchange[n ^ step])", "OpBitwiseOr",
     "only what the first of the four gets is used, whose bits there are 0"},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "return (n | n >> 4) & 0xffu", "4 becomes 5",
     "the number has eight bits: nothing is left to move"},
    {kSame, "operands", "_fast", "pyramid_fast.comp", "return Place(corner", "OpCompositeConstruct",
     "the tile mirrored at its diagonal: the same four texels meet"},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "VALUE value = VALUE(0)", "0 becomes 1",
     "what a lane outside starts with is used by lanes outside"},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "p.inside && (n & ", "in OpIEqual 0 becomes 1", kAllLanes},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "value = nextOf(value, 4u, n)", "4 becomes 5", kAllLanes},
    {kRace, "", "_fast", "pyramid_fast.comp", "if ((n & 15u) == 0u) waiting", "OpINotEqual", kSameValue},
    {kRace, "", "_fast", "pyramid_fast.comp", "if ((n & 15u) == 0u) waiting", "OpBranchConditional", kSameValue},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "if ((n & 15u) == 0u) waiting", "in OpIEqual 0 becomes 1", kAllLanes},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "placeOf(groupHere() * LOCAL + 16u * m)", "16 becomes 17", kLowBits},
    {kBeyond, "constant", "_fast", "pyramid_fast.comp", "placeOf(groupHere() * LOCAL + 16u * m)", "becomes",
     "differs from the 64th group on, which pyramid_fast has: the same line"},
};

}  // namespace

std::span<const Reason> pyramidReasons() {
  return kReasons;
}

}  // namespace lanewise
