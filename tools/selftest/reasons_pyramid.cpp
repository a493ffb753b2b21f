// Survivors of the energy pyramids.
#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kOneOrder = "the mean of four in another order: the same sums";
constexpr const char* kAllLanes = "all lanes of the square hold the same texel: any may store it, or give it";
constexpr const char* kLowBits = "the low six bits of the item are shifted away";
constexpr const char* kExchange = "both ways of exchanging give the same texels, or in halves and codes what the bound allows";
constexpr const char* kNoWeight = "what is added or read has no weight";
constexpr const char* kNoNumber = "what is added has no weight; but on a device memory that nobody wrote may hold what is no number";
constexpr const char* kOverwritten = "the next line sets it where it has weight";
constexpr const char* kLast = "pictures beyond the last level are bound to the last";
constexpr const char* kEstimate = "the estimate may be one off: the next lines make up for it";
constexpr const char* kBeyondWindow =
    "ofNine takes the texels of the window alone; the others lie in the tile's memory too, and are not used";
constexpr const char* kNine = "what lies behind the last row is made too, and not used";
constexpr const char* kWide = "sums of 64 bits give the same codes";

constexpr Reason kReasons[] = {
    {kSame, "operator", "", "pyramid_exact.glsl", "uvec4 unpacked", "OpShiftRightArithmetic", 9, kMasked},
    {kSame, "rounding", "", "pyramid_exact.glsl", "textureGather", "OpConvertSToF", 3, kNeverNegative},
    {kSame, "operands", "", "pyramid_exact.glsl", "return Quad(", "OpCompositeConstruct", 2, kOneOrder},
    {kSame, "operator", "", "pyramid_exact.glsl", "& kHalves", "OpShiftRightArithmetic", 8, kMasked},
    // The float forms' texels.
    {kSame, "rounding", "", "pyramid_float.glsl", "vec2(2u * at + 1u) / vec2(push.size)", "OpConvertSToF", 17, kNeverNegative},
    {kSame, "operands", "", "pyramid_float.glsl", "return Quad(", "OpCompositeConstruct", 7, kOneOrder},
    {kSame, "operator", "", "pyramid_float.glsl", "vec4 codesOf", "OpShiftRightArithmetic", 6, kMasked},
    {kSame, "rounding", "", "pyramid_float.glsl", "uvec4 c = uvec4(codes)", "OpConvertFToS", 7, kNeverNegative},
    {kSame, "comparison", "", "pyramid_float.glsl", "vec3(0.04045)", "OpFOrdLessThan", 6, "no code lies there: 0.04045 * 255 is 10.3"},
    {kSame, "comparison", "", "pyramid_float.glsl", "vec3(0.0031308)", "OpFOrdLessThan", 6,
     "there the curve's two parts differ by less than a rounding"},
    {kSame, "constant", "", "pyramid_float.glsl", "vec4 code = clamp(value", "1 becomes 1.5", 28, kNotAbove},
    {kSame, "constant", "", "pyramid_float.glsl", "clamp(255.0 * code + 0.5", "255 becomes 382.5", 28,
     "the code is at most 255.5, which is cut to 255"},
    {kBeyond, "constant", "bilinear", "pyramid_float.glsl", "clamp(255.0 * code + 0.5", "in OpCompositeConstruct", 8,
     "a code: inside the bound of a filter's weights"},
    {kBeyond, "operator", "bilinear", "pyramid_float.glsl", "clamp(255.0 * code + 0.5", "OpFAdd becomes OpFSub", 1,
     "a code: inside the bound of a filter's weights"},
    {kSame, "constant", "r32f_half", "pyramid_float.glsl", "uint keep(float value)", "0 becomes 1", 2,
     "the second half of the word is not read"},
    {kSame, "operator", "", "pyramid_float.glsl", "& kHalves", "OpShiftRightArithmetic", 12, kMasked},
    // The general pipeline.
    {kSame, "index", "", "pyramid_general.comp", "STORE(1, at, texelAbove(at))", "1 becomes 2", 8, kLast},
    {kSame, "index", "", "pyramid_general.comp", "STORE(2, at, reduceWindow", "2 becomes 3", 8, kLast},
    {kBeyond, "comparison", "", "pyramid_general.comp", "if (group >= push.tiles) return;", "OpUGreaterThan", 8,
     "more groups than tiles: only where 65535 of an axis do not do"},
    {kSame, "operands", "", "pyramid_general.comp", "at = begin + place", "OpCompositeConstruct", 8,
     "another invocation for each texel, one for each of them"},
    {kSame, "rounding", "", "pyramid_window.glsl", "return Axis(", "OpConvertSToF", 7, kNeverNegative},
    {kSame, "rounding", "", "pyramid_window.glsl", "uint code = uint(float(sum)", "OpConvertUToF becomes OpConvertSToF", 1, kNeverNegative},
    {kSame, "rounding", "", "pyramid_window.glsl", "uint code = uint(float(sum)", "OpConvertFToU becomes OpConvertFToS", 1, kNeverNegative},
    {kSame, "constant", "", "pyramid_window.glsl", "uint code = uint(float(sum)", "in OpFAdd 0.5 becomes 0.75", 1, kEstimate},
    {kSame, "rounding", "", "pyramid_window.glsl", "1.0 / float(divisor)", "OpConvertSToF", 1, kNeverNegative},
    {kSame, "index", "", "pyramid_window.glsl", "uint best = n.texel[0]", "0 becomes 1", 1,
     "the second texel is one of the nine, or the first again"},
    {kSame, "comparison", "", "pyramid_window.glsl", "x.sum * y.sum <= (kSrgb", "OpULessThan", 1, kWide},
    {kSame, "comparison", "", "pyramid_window.glsl", "y.count > 1u", "OpUGreaterThanEqual", 15, kNoWeight},
    {kSame, "comparison", "", "pyramid_window.glsl", "y.count > 2u", "OpUGreaterThanEqual", 31, kNoWeight},
    {kBeyond, "comparison", "", "pyramid_window.glsl", "x.count > 1u", "OpUGreaterThanEqual", 8, kNoNumber},
    {kBeyond, "comparison", "", "pyramid_window.glsl", "x.count > 2u", "OpUGreaterThanEqual", 16, kNoNumber},
    {kSame, "store dropped", "", "pyramid_window.glsl", "p.left = p.right = readQuad(at)", "OpStore is left out", 8, kOverwritten},
    {kSame, "store dropped", "", "pyramid_window.glsl", "Pair p = pairAt(j, x), q = p", "OpStore is left out", 7, kOverwritten},
    {kSame, "comparison", "", "pyramid_window.glsl", "for (uint i = 0u; i < 3u; ++i) pairs[i]", "OpULessThan", 8,
     "a fourth, which the next line replaces"},
    {kSame, "constant", "", "pyramid_window.glsl", "for (uint i = 0u; i < 3u; ++i) pairs[i]", "OpULessThan", 8,
     "a fourth, which the next line replaces"},
    {kSame, "index", "", "pyramid_window.glsl", "pairs[3] = pairs[2]", "in OpAccessChain", 7, kOverwritten},
    {kSame, "store dropped", "", "pyramid_window.glsl", "pairs[3] = pairs[2]", "OpStore is left out", 7, kOverwritten},
    {kSame, "operator", "", "pyramid_window.glsl", "uint count = min(3u, nextSize", "OpISub becomes OpIAdd", 1, kNine},
    {kSame, "operands", "", "pyramid_window.glsl", "uint count = min(3u, nextSize", "of OpISub change places", 1, kNine},
    {kSame, "operator", "", "pyramid_window.glsl", "n.texel[i] = waitingAt", "OpISub becomes OpIAdd", 1, kBeyondWindow},
    {kSame, "operands", "", "pyramid_window.glsl", "n.texel[i] = waitingAt", "of OpISub change places", 1, kBeyondWindow},
    {kSame, "store dropped", "", "pyramid_window.glsl", "second = first, third = first", "OpStore is left out", 16, kOverwritten},
    // The fast pipeline.
    {kSame, "operator", "_fast", "pyramid_fast.comp", "", "OpShiftRightLogical becomes OpShiftRightArithmetic", 61, kNeverNegative},
    {kSame, "comparison", "_fast", "pyramid_fast.comp", "gl_SubgroupSize >= 16u", "OpUGreaterThanEqual becomes OpUGreaterThan", 4,
     kExchange},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "gl_SubgroupSize >= 16u", "in OpUGreaterThanEqual", 4, kExchange},
    {kSame, "operator", "_fast", "pyramid_fast.comp", "kept(exchange[n ^ step])", "OpBitwiseOr", 36,
     "only what the first of the four gets is used, whose bits there are 0"},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "return (n | n >> 4) & 0xffu", "4 becomes 5", 11,
     "the number has eight bits: nothing is left to move"},
    {kSame, "operands", "_fast", "pyramid_fast.comp", "return Place(corner", "OpCompositeConstruct", 12,
     "the tile mirrored at its diagonal: the same four texels meet"},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "VALUE value = VALUE(0)", "0 becomes 1", 5,
     "what a lane outside starts with is used by lanes outside"},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "p.inside && (n & ", "in OpIEqual 0 becomes 1", 37, kAllLanes},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "value = nextOf(value, 4u, n)", "4 becomes 5", 13, kAllLanes},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "if ((n & 15u) == 0u) waiting", "in OpIEqual 0 becomes 1", 12, kAllLanes},
    {kSame, "constant", "_fast", "pyramid_fast.comp", "placeOf(groupHere() * LOCAL + 16u * m)", "16 becomes 17", 12, kLowBits},
    {kBeyond, "constant", "_fast", "pyramid_fast.comp", "placeOf(groupHere() * LOCAL + 16u * m)", "becomes", 11,
     "differs from the 64th group on, which pyramid_fast has: the same line"},
};

}  // namespace

std::span<const Reason> pyramidReasons() {
  return kReasons;
}

}  // namespace lanewise
