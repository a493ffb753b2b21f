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
    {kSame, "comparison", "checksum_shuffle", "checksum_shuffle.comp", "mask < gl_SubgroupSize", "OpULessThanEqual",
     "one round more, whose partners are not in the subgroup"},
    {kSame, "operator", "checksum_shuffle", "checksum_shuffle.comp", "gl_SubgroupInvocationID ^ mask", "OpBitwiseOr",
     "only lane 0's sum is used, and its partners have that bit clear"},
    {kSame, "constant", "checksum_shuffle", "checksum_shuffle.comp", "if (here == 0u)", "0 becomes 1", kAnyOne},
    {kBeyond, "operator", "checksum_shuffle", "checksum_shuffle.comp", "atomicAdd(total.high", "OpAtomicUMax",
     "a second carry needs 8.4 million texels of 255"},
    // Photo statistics.
    {kSame, "operator", "photo_fingerprint", "fingerprint.glsl", "(texel.r >> 5)", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "index", "photo_fingerprint_workgroup", "photo_fingerprint_workgroup.comp", "at.y += gl_WorkGroupSize.y", "",
     "groups that take several texels are 16 by 16: width and height are the same"},
    {kSame, "comparison", "photo_cosine", "photo.glsl", "bool isInside", "OpULessThanEqual",
     "the elements are one row: 0 is below its height either way"},
    {kBeyond, "", "photo_saturation_sums", "sums.glsl", "uint before = atomicAdd", "", kManyTexels},
    {kBeyond, "", "photo_saturation_sums", "sums.glsl", "before + value < before", "", kManyTexels},
    {kBeyond, "operator", "photo_sobel", "sums.glsl", "before + value < before", "OpAtomicUMax",
     "a second carry needs a picture of twice the size"},
    {kSame, "comparison", "photo_bilinear", "photo_bilinear.comp", "bool before = doubled < to", "OpULessThanEqual",
     "at the first centre both sides give that texel"},
    {kSame, "operator", "photo_bilinear", "photo_bilinear.comp", "uint ahead", "OpISub",
     "left of the first centre both taps are the first texel, whatever their weights"},
    {kSame, "comparison", "photo_bilinear", "photo_bilinear.comp", "for (int c = 0; c < 4; ++c)", "OpULessThan", kNeverNegative},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp", "uint middle = uaddCarry", "", kHugeVectors},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp", "a.z + b.z + second + third", "", kHugeVectors},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp", "for (uint i = 1u; i < 4u; ++i)", "", kHugeVectors},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp", "word = uaddCarry(word, carry, over)", "",
     "a carry over a word of all ones: no quick picture has one"},
    {kSame, "operator", "photo_cosine", "photo_cosine.comp", "step >>= 1", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "comparison", "photo_saturation", "photo_saturation.comp", "(n << apart) < d", "OpULessThanEqual",
     "a quotient that is a power of two comes out the same either way"},
    {kSame, "", "photo_saturation", "photo_saturation.comp", "if (rest > d || (rest == d", "", kNoTie},
    {kSame, "rounding", "photo_sobel", "photo_sobel.comp", "uint(sqrt(float(n)))", "", kNeverNegative},
    {kBeyond, "", "photo_sobel", "photo_sobel.comp", "if (root * root > n) --root", "", kRoot},
    {kBeyond, "", "photo_sobel", "photo_sobel.comp", "<= n) ++root", "", kRoot},
    {kSame, "operands", "photo_sobel", "photo_sobel.comp", "int right = c + 2 * f + i", "OpISub",
     "the difference is squared: its sign does not matter"},
    // Numbers of 64 bits.
    {kSame, "operator", "photo_bilinear", "wide.glsl", "product.y + a.y * b", "OpISub",
     "the divisor is at most 4 * 16384^2 = 2^30: its high word is 0"},
    {kSame, "operator", "", "wide.glsl", "bit >>= 1", "OpShiftRightArithmetic", kNeverNegative},
    {kBeyond, "", "pyramid_general", "wide.glsl", "uvec2 wideDouble", "", kWideSums},
};

}  // namespace

std::span<const Reason> photoReasons() {
  return kReasons;
}

}  // namespace lanewise
