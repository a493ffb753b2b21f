// Survivors of the checksum and of the photo statistics; and of the wide numbers that a pyramid shares with them.
#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kNoTie =
    "a quotient of two numbers up to 255 is a tie at 24 bits only if it is a power of two, and the quick set has all";
constexpr const char* kManyTexels = "a carry of 16.8 million texels of one maximum; photo_sobel runs this very code with a carry";
constexpr const char* kRoot = "needs a device whose square root is not exact, as Vulkan allows; the model's is";
constexpr const char* kHugeVectors = "a carry into the third word needs 2^32 elements, one out of the fourth 2^64";
constexpr const char* kWideSums = "sums of 2^31: sides whose product passes 8.4 million; photo_bilinear runs this very code";

constexpr Reason kReasons[] = {
    // Checksum.
    {kSame, "comparison", "checksum_shuffle", "checksum_shuffle.comp", "mask < gl_SubgroupSize", "OpULessThanEqual", 1,
     "one round more, whose partners are not in the subgroup"},
    {kSame, "operator", "checksum_shuffle", "checksum_shuffle.comp", "gl_SubgroupInvocationID ^ mask", "OpBitwiseOr", 1,
     "only lane 0's sum is used, and its partners have that bit clear"},
    {kSame, "constant", "checksum_shuffle", "checksum_shuffle.comp", "if (here == 0u)", "0 becomes 1", 1, kAnyOne},
    {kBeyond, "operator", "checksum_shuffle", "checksum_shuffle.comp", "atomicAdd(total.high", "OpAtomicUMax", 1,
     "a second carry needs 8.4 million texels of 255"},
    // Photo statistics.
    {kSame, "index", "photo_fingerprint_workgroup", "photo_fingerprint_workgroup.comp", "at.y += gl_WorkGroupSize.y",
     "of OpCompositeExtract", 1, "groups that take several texels are 16 by 16: width and height are the same"},
    {kSame, "comparison", "photo_cosine", "photo.glsl", "bool isInside", "OpULessThanEqual", 1,
     "the elements are one row: 0 is below its height either way"},
    {kBeyond, "comparison", "photo_saturation_sums", "sums.glsl", "before + value < before", "OpULessThan becomes OpULessThanEqual", 1,
     kManyTexels},
    {kBeyond, "operator", "photo_saturation_sums", "sums.glsl", "before + value < before", "OpIMul becomes OpIAdd", 1, kManyTexels},
    {kBeyond, "constant", "photo_saturation_sums", "sums.glsl", "before + value < before", "in OpIMul", 1, kManyTexels},
    {kBeyond, "operator", "photo_saturation_sums", "sums.glsl", "before + value < before", "OpIAdd becomes OpISub", 1, kManyTexels},
    {kBeyond, "constant", "photo_saturation_sums", "sums.glsl", "before + value < before", "in OpIAdd", 1, kManyTexels},
    {kBeyond, "operator", "photo_saturation_sums", "sums.glsl", "before + value < before", "OpAtomicIAdd becomes OpAtomicUMax", 1,
     kManyTexels},
    {kBeyond, "constant", "photo_saturation_sums", "sums.glsl", "before + value < before", "in OpAtomicIAdd", 1, kManyTexels},
    {kBeyond, "operator", "photo_sobel", "sums.glsl", "before + value < before", "OpAtomicUMax", 1,
     "a second carry needs a picture of twice the size"},
    {kSame, "comparison", "photo_bilinear", "photo_bilinear.comp", "bool before = doubled < to", "OpULessThanEqual", 1,
     "at the first centre both sides give that texel"},
    {kSame, "operator", "photo_bilinear", "photo_bilinear.comp", "uint ahead", "OpISub", 1,
     "left of the first centre both taps are the first texel, whatever their weights"},
    {kBeyond, "operator", "photo_cosine", "photo_cosine.comp", "a.z + b.z + second + third", "OpIAdd becomes OpISub", 1, kHugeVectors},
    {kBeyond, "comparison", "photo_cosine", "photo_cosine.comp", "for (uint i = 1u; i < 4u; ++i)", "OpULessThan becomes OpULessThanEqual",
     1, kHugeVectors},
    {kBeyond, "constant", "photo_cosine", "photo_cosine.comp", "for (uint i = 1u; i < 4u; ++i)", "in OpULessThan", 1, kHugeVectors},
    {kSame, "comparison", "photo_saturation", "photo_saturation.comp", "(n << apart) < d", "OpULessThanEqual", 1,
     "a quotient that is a power of two comes out the same either way"},
    {kSame, "comparison", "photo_saturation", "photo_saturation.comp", "if (rest > d || (rest == d",
     "OpUGreaterThan becomes OpUGreaterThanEqual", 1, kNoTie},
    {kSame, "operator", "photo_saturation", "photo_saturation.comp", "if (rest > d || (rest == d", "OpBitwiseAnd becomes OpBitwiseOr", 1,
     kNoTie},
    {kSame, "constant", "photo_saturation", "photo_saturation.comp", "if (rest > d || (rest == d", "in OpBitwiseAnd", 1, kNoTie},
    {kSame, "comparison", "photo_saturation", "photo_saturation.comp", "if (rest > d || (rest == d", "OpINotEqual becomes OpIEqual", 1,
     kNoTie},
    {kSame, "constant", "photo_saturation", "photo_saturation.comp", "if (rest > d || (rest == d", "in OpINotEqual", 1, kNoTie},
    {kSame, "rounding", "photo_sobel", "photo_sobel.comp", "uint(sqrt(float(n)))", "OpConvertUToF becomes OpConvertSToF", 1,
     kNeverNegative},
    {kSame, "rounding", "photo_sobel", "photo_sobel.comp", "uint(sqrt(float(n)))", "OpConvertFToU becomes OpConvertFToS", 1,
     kNeverNegative},
    {kBeyond, "operator", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "OpIMul becomes OpIAdd", 1, kRoot},
    {kBeyond, "comparison", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "OpUGreaterThan becomes OpUGreaterThanEqual",
     1, kRoot},
    {kBeyond, "operands", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "of OpBranchConditional change places", 1,
     kRoot},
    {kBeyond, "operator", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "OpISub becomes OpIAdd", 1, kRoot},
    {kBeyond, "operands", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "of OpISub change places", 1, kRoot},
    {kBeyond, "constant", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "in OpISub", 1, kRoot},
    {kBeyond, "store dropped", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "OpStore is left out", 1, kRoot},
    {kBeyond, "constant", "photo_sobel", "photo_sobel.comp", "<= n) ++root", "in OpIAdd", 3, kRoot},
    {kBeyond, "comparison", "photo_sobel", "photo_sobel.comp", "<= n) ++root", "OpULessThanEqual becomes OpULessThan", 1, kRoot},
    {kBeyond, "operator", "photo_sobel", "photo_sobel.comp", "<= n) ++root", "OpIAdd becomes OpISub", 1, kRoot},
    {kBeyond, "store dropped", "photo_sobel", "photo_sobel.comp", "<= n) ++root", "OpStore is left out", 1, kRoot},
    {kSame, "operands", "photo_sobel", "photo_sobel.comp", "int right = c + 2 * f + i", "OpISub", 2,
     "the difference is squared: its sign does not matter"},
    // Numbers of 64 bits.
    {kSame, "operator", "photo_bilinear", "wide.glsl", "product.y + a.y * b", "OpISub", 1,
     "the divisor is at most 4 * 16384^2 = 2^30: its high word is 0"},
    {kSame, "operator", "pyramid_general", "wide.glsl", "product.y + a.y * b", "OpISub", 1, "the divisor's high word is 0"},
    {kBeyond, "operator", "pyramid_general", "wide.glsl", "uvec2 wideDouble", "OpShiftLeftLogical becomes OpShiftRightLogical", 1,
     kWideSums},
    {kBeyond, "constant", "pyramid_general", "wide.glsl", "uvec2 wideDouble", "in OpShiftLeftLogical", 1, kWideSums},
    {kBeyond, "index", "pyramid_general", "wide.glsl", "uvec2 wideDouble", "in OpAccessChain", 1, kWideSums},
    {kBeyond, "operator", "pyramid_general", "wide.glsl", "uvec2 wideDouble", "OpShiftRightLogical becomes OpShiftRightArithmetic", 1,
     kWideSums},
    {kBeyond, "operator", "pyramid_general", "wide.glsl", "uvec2 wideDouble", "OpBitwiseOr becomes OpBitwiseAnd", 1, kWideSums},
};

}  // namespace

std::span<const Reason> photoReasons() {
  return kReasons;
}

}  // namespace lanewise
