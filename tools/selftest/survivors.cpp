// Why a mutant may survive: changes that no conforming run can tell from the kernel as it is, and changes that only a checker of races can
// tell. A row names the rule, a part of the module's name, the place and a part of the change, and says why. A survivor without a row is a
// hole in the quick set.
#include "tools/selftest/selftest.h"

namespace lanewise {
namespace {

struct Reason {
  const char* rule;    // empty: any
  const char* module;  // a part of its name; empty: any
  const char* place;   // the whole of it; empty: any
  const char* change;  // a part; empty: any
  const char* why;
};

constexpr const char* kStoredOutside =
    "more invocations go on, and what they store lies outside the image, where nothing is stored (Vulkan, texel input validation)";
constexpr const char* kReadOutside = "one more texel or element is read, which lies outside, reads 0 and adds nothing (robust access)";
constexpr const char* kBeyondArray =
    "one element more, beyond the array: undefined, and without effect on the model; for a checker of bounds";
constexpr const char* kLockstep =
    "what is added twice or too early is read by nobody, unless invocations of a batch run apart: for a checker of races";
constexpr const char* kSmall = "the values are far below 2^31, where both operations give the same";
constexpr const char* kExactRoot = "the model's square root is exact; this step corrects devices whose root is off by one";
constexpr const char* kManyTexels = "reached only from 4.2 million texels of output on: more than a quick set can hold";

constexpr Reason kReasons[] = {
    {"barrier weakened", "", "", "", "order that only a checker of races sees: the model runs barriers and atomics in one order of memory"},
    {"barrier dropped", "", "", "", "the invocations that it orders run in one batch of the model: for a checker of races"},
    {"atomic made plain", "", "", "", "the other adders are in workgroups that the model runs before or after: for a checker of races"},
    // Box blur.
    {"", "box_blur_naive", "box_blur_naive.comp:13", "", kStoredOutside},
    {"", "box_blur", "box_blur.glsl:62", "OpIAdd becomes OpISub", "the window is symmetric: the same texels in the other order"},
    {"", "box_blur_accumulated", "box_blur_accumulated.comp:18", "", kStoredOutside},
    {"", "box_blur_accumulated", "box_blur_accumulated.comp:31", "OpSLessThanEqual", kStoredOutside},
    {"", "box_blur_accumulated", "box_blur_accumulated.comp:31", "OpULessThan", kSmall},
    {"operands", "box_blur_naive", "box_blur.glsl:50", "0 and 1 of OpCompositeConstruct",
     "the second pass changes the channels back again"},
    {"", "box_blur", "edges.glsl:26", "", "edge zero: what lies outside the picture reads 0 anyway (Vulkan, texel input validation)"},
    {"", "box_blur", "box_blur.glsl:55", "OpULessThan", "edge zero: what lies outside the picture reads 0 anyway"},
    {"", "box_blur", "box_blur.glsl:76", "OpShiftRightArithmetic", kSmall},
    {"", "box_blur_linear", "box_blur_linear.comp:77", "", kStoredOutside},
    {"", "box_blur_linear", "box_blur_linear.comp:34", "0.5 becomes", "the sum is a whole number: a fraction more is cut off"},
    {"", "box_blur_linear", "box_blur_linear.comp:34", "OpConvertFToS", kSmall},
    {"", "box_blur_linear", "box_blur_linear.comp:39", "OpShiftRightArithmetic", kSmall},
    {"", "box_blur_linear", "box_blur_linear.comp:39", "OpConvertSToF", kSmall},
    {"", "box_blur_linear", "", "OpULessThan", kSmall},
    {"", "box_blur_linear", "box_blur_linear.comp:78", "OpConvertUToF", kSmall},
    // Checksum.
    {"", "checksum_shuffle", "checksum_shuffle.comp:29", "OpULessThanEqual", kReadOutside},
    {"", "checksum_shuffle", "checksum_shuffle.comp:39", "OpULessThanEqual", "one round more, whose partners are not in the subgroup"},
    {"", "checksum_shuffle", "checksum_shuffle.comp:41", "OpBitwiseOr", "only lane 0's sum is used, and its partners have that bit clear"},
    {"constant", "checksum_shuffle", "checksum_shuffle.comp:54", "96 becomes 97", kBeyondArray},
    {"", "checksum_shuffle", "checksum_shuffle.comp:54", "", kLockstep},
    {"constant", "checksum_shuffle", "checksum_shuffle.comp:57", "0 becomes 1", "any one invocation of the workgroup may add its sum"},
    {"", "checksum_shuffle", "checksum_shuffle.comp:59", "OpAtomicUMax", "a second carry needs 8.4 million texels of 255"},
    // Photo statistics: what they share.
    {"", "photo_saturation_sums", "photo.glsl:18", "", kReadOutside},
    {"", "photo_cosine", "photo.glsl:18", "", kReadOutside},
    {"", "photo_bilinear", "photo.glsl:18", "", kStoredOutside},
    {"", "photo_saturation", "photo.glsl:18", "", kStoredOutside},
    {"", "photo_fingerprint", "fingerprint.glsl:8", "OpBitwiseXor", "the parts of the bucket's number have no bit in common"},
    {"", "photo_fingerprint", "fingerprint.glsl:8", "OpShiftRightArithmetic", kSmall},
    {"", "photo_fingerprint_workgroup", "photo_fingerprint_workgroup.comp:19", "", kBeyondArray},
    {"", "photo_fingerprint_workgroup", "photo_fingerprint_workgroup.comp:27", "", kBeyondArray},
    {"", "photo_saturation_sums", "sums.glsl:7", "",
     "a carry needs 16.8 million texels of one maximum; photo_sobel shares this code and has one"},
    {"", "photo_saturation_sums", "sums.glsl:8", "",
     "a carry needs 16.8 million texels of one maximum; photo_sobel shares this code and has one"},
    {"", "photo_sobel", "sums.glsl:8", "OpAtomicUMax", "a second carry needs a picture of twice the size"},
    // Bilinear scale.
    {"", "photo_bilinear", "photo_bilinear.comp:21", "OpULessThanEqual", "at the first texel's centre both sides give that texel"},
    {"", "photo_bilinear", "photo_bilinear.comp:22", "OpISub",
     "left of the first centre both taps are the first texel, whatever their weights"},
    {"", "photo_bilinear", "photo_bilinear.comp:30", "", kStoredOutside},
    {"", "photo_bilinear", "photo_bilinear.comp:36", "OpULessThan", kSmall},
    {"", "photo_bilinear", "photo_bilinear.comp:36", "", kBeyondArray},
    {"", "photo_bilinear", "wide.glsl:28", "OpShiftRightArithmetic", kSmall},
    {"", "photo_bilinear", "wide.glsl:4", "", kManyTexels},
    {"", "photo_bilinear", "wide.glsl:5", "", kManyTexels},
    {"", "photo_bilinear", "wide.glsl:10", "", kManyTexels},
    {"", "photo_bilinear", "wide.glsl:11", "", kManyTexels},
    {"", "photo_bilinear", "wide.glsl:16", "", kManyTexels},
    {"", "photo_bilinear", "wide.glsl:19", "", kManyTexels},
    {"", "photo_bilinear", "wide.glsl:21", "", kManyTexels},
    // Cosine: a sum passes 2^96 from 2^32 elements on.
    {"", "photo_cosine", "photo_cosine.comp:19", "", "a carry into the third word of two partial sums: from 2^32 elements on"},
    {"", "photo_cosine", "photo_cosine.comp:20", "", "a carry into the third word of two partial sums: from 2^32 elements on"},
    {"", "photo_cosine", "photo_cosine.comp:37", "", "a carry out of the fourth word: from 2^64 elements on"},
    {"", "photo_cosine", "photo_cosine.comp:38", "", "the fourth word is 0 but for a carry from 2^32 elements on"},
    {"", "photo_cosine", "photo_cosine.comp:39", "", "a carry over a word of all ones in three words: not met by any quick picture"},
    {"", "photo_cosine", "photo_cosine.comp:46", "", kReadOutside},
    {"", "photo_cosine", "photo_cosine.comp:52", "OpShiftRightArithmetic", kSmall},
    {"", "photo_cosine", "photo_cosine.comp:53", "", kLockstep},
    {"", "photo_cosine", "photo_cosine.comp:54", "", kBeyondArray},
    {"", "photo_cosine", "photo_cosine.comp:58", "", kBeyondArray},
    // Saturation.
    {"", "photo_saturation", "photo_saturation.comp:17", "OpULessThanEqual",
     "a quotient that is a power of two comes out the same either way"},
    {"", "photo_saturation", "photo_saturation.comp:21", "",
     "no quotient of numbers up to 255 is a tie at 24 bits, and the quick set has them all"},
    {"", "photo_saturation", "photo_saturation.comp:27", "", kStoredOutside},
    {"", "photo_saturation_sums", "photo_saturation_sums.comp:16", "", kBeyondArray},
    {"", "photo_saturation_sums", "photo_saturation_sums.comp:19", "", kReadOutside},
    {"", "photo_saturation_sums", "photo_saturation_sums.comp:24", "", kBeyondArray},
    // Sobel.
    {"rounding", "photo_sobel", "photo_sobel.comp:23", "", kSmall},
    {"", "photo_sobel", "photo_sobel.comp:24", "", kExactRoot},
    {"", "photo_sobel", "photo_sobel.comp:25", "", kExactRoot},
    {"operands", "photo_sobel", "photo_sobel.comp:33", "OpISub", "the difference is squared: its sign does not matter"},
};

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

std::string survivorReason(const MutantResult& m) {
  for (const Reason& r : kReasons)
    if (holds(m.rule, r.rule) && holds(m.module, r.module) && (*r.place == '\0' || m.place == r.place) && holds(m.change, r.change))
      return r.why;
  return {};
}

}  // namespace lanewise
