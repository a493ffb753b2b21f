// Why a mutant may survive. A row names the rule, a part of the module's name, the place and a part of the change, and says why and of
// which kind that is. A survivor without a row is a hole in the quick set.
#include "tools/selftest/selftest.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise {
namespace {

struct Reason {
  Fate fate;
  const char* rule;    // empty: any
  const char* module;  // a part of its name; empty: any
  const char* place;   // the whole of it; empty: any
  const char* change;  // a part; empty: any
  const char* why;
};

constexpr Fate kSame = Fate::kSameResult, kRace = Fate::kNeedsRaceChecker, kBeyond = Fate::kExplained;

constexpr const char* kOrder = "no schedule of the model makes stores visible late: a race, or the missing order itself, is for a checker";
constexpr const char* kApart = "a lost update needs another invocation between the load and the store: for a checker of races";
constexpr const char* kNeverNegative = "neither operand is ever negative, nor 2^31 or more: sizes, counts and positions inside a picture";
constexpr const char* kMasked = "the bits that the sign would fill are masked away";
constexpr const char* kAnyOne = "any one invocation of the workgroup may do it";
constexpr const char* kTwice = "both passes change red and green: they change back";
constexpr const char* kStoreRounds = "the store rounds to the nearest code itself, and the second rounding finds a code";
constexpr const char* kNotAbove = "a mean of codes does not pass the largest but by a rounding, and the store clamps";
constexpr const char* kNoTie =
    "a quotient of two numbers up to 255 is a tie at 24 bits only if it is a power of two, and the quick set has all";
constexpr const char* kManyTexels = "a carry of 16.8 million texels of one maximum; photo_sobel runs this very code with a carry";
constexpr const char* kRoot = "needs a device whose square root is not exact, as Vulkan allows; the model's is";
constexpr const char* kOneLevel = "this form makes single levels of one texel only; pyramid/energy-float/one-level runs this very code";
constexpr const char* kAllLanes = "all lanes of the square hold the same texel: any may store it, or give it";
constexpr const char* kEnds =
    "ends only bound what a tile makes: what is made beyond is not stored, and a window reaches as far as the tile itself";
constexpr const char* kLastTap = "the last of an even axis is the second tap: it is read twice";
constexpr const char* kMoreTiles = "a pass or tiles more than there are: what they make has no place and is not stored";
constexpr const char* kHugeVectors = "a carry into the third word needs 2^32 elements, one out of the fourth 2^64";

constexpr Reason kReasons[] = {
    {kRace, "barrier weakened", "", "", "", kOrder},
    {kRace, "atomic made plain", "", "", "", kApart},
    // Box blur.
    {kSame, "operands", "box_blur", "box_blur.glsl:50", "0 and 1 of OpCompositeConstruct", kTwice},
    {kSame, "operands", "box_blur", "box_blur.glsl:68", "0 and 1 of OpCompositeConstruct", kTwice},
    {kSame, "operator", "box_blur", "box_blur.glsl:62", "OpIAdd becomes OpISub",
     "the window is symmetric: the same texels in the other order"},
    {kSame, "rounding", "box_blur", "box_blur.glsl:68", "", kNeverNegative},
    {kSame, "operands", "box_blur", "box_blur.glsl:68", "OpBranchConditional", kStoreRounds},
    {kSame, "store dropped", "box_blur", "box_blur.glsl:69", "", kStoreRounds},
    {kSame, "constant", "box_blur", "box_blur.glsl:69", "1 becomes 1.5", kNotAbove},
    {kBeyond, "constant", "f16", "box_blur.glsl:69", "0.5 becomes 0.75", "a quarter of a code: inside the bound of sums in halves"},
    {kSame, "operator", "box_blur", "box_blur.glsl:76", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "comparison", "box_blur_naive", "box_blur_naive.comp:13", "OpUGreaterThanEqual", kNeverNegative},
    {kSame, "comparison", "box_blur_accumulated", "box_blur_accumulated.comp:31", "OpULessThan", kNeverNegative},
    {kSame, "comparison", "box_blur_accumulated", "box_blur_accumulated.comp:33", "OpSGreaterThanEqual becomes OpSGreaterThan",
     "what a turn would take is then taken texel by texel: the same sums in the same order"},
    {kSame, "comparison", "box_blur_accumulated", "box_blur_accumulated.comp:33", "OpUGreaterThanEqual", kNeverNegative},
    {kSame, "comparison", "box_blur", "edges.glsl:26", "OpSLessThan becomes OpULessThan",
     "a negative index has failed the other half already"},
    {kSame, "operator", "box_blur_rows", "box_blur_rows.comp:25", "OpISub becomes OpIAdd", "a longer run covers the tile as well"},
    {kSame, "comparison", "box_blur_rows", "", "OpSLessThan becomes OpULessThan", kNeverNegative},
    {kSame, "comparison", "box_blur_scan", "", "OpSLessThan becomes OpULessThan", kNeverNegative},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp:50", "OpUGreaterThan", kNeverNegative},
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp:43", "32 becomes 33", "the place is odd, so never 32"},
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp:52", "32 becomes 33", "the place is odd, so never 32"},
    {kSame, "constant", "box_blur_linear", "box_blur_linear.comp:34", "0.5 becomes",
     "the sum is a whole number: a fraction more is cut off"},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp:34", "OpConvertFToS", kNeverNegative},
    {kSame, "operator", "box_blur_linear", "box_blur_linear.comp:39", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp:39", "OpConvertSToF", kNeverNegative},
    {kSame, "comparison", "box_blur_linear", "", "OpULessThan", kNeverNegative},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp:78", "OpConvertUToF", kNeverNegative},
    // Checksum.
    {kSame, "comparison", "checksum_shuffle", "checksum_shuffle.comp:39", "OpULessThanEqual",
     "one round more, whose partners are not in the subgroup"},
    {kSame, "operator", "checksum_shuffle", "checksum_shuffle.comp:41", "OpBitwiseOr",
     "only lane 0's sum is used, and its partners have that bit clear"},
    {kSame, "constant", "checksum_shuffle", "checksum_shuffle.comp:57", "0 becomes 1", kAnyOne},
    {kBeyond, "operator", "checksum_shuffle", "checksum_shuffle.comp:59", "OpAtomicUMax", "a second carry needs 8.4 million texels of 255"},
    // Photo statistics.
    {kSame, "operator", "photo_fingerprint", "fingerprint.glsl:8", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "index", "photo_fingerprint_workgroup", "photo_fingerprint_workgroup.comp:24", "",
     "groups that take several texels are 16 by 16: width and height are the same"},
    {kBeyond, "", "photo_saturation_sums", "sums.glsl:7", "", kManyTexels},
    {kBeyond, "", "photo_saturation_sums", "sums.glsl:8", "", kManyTexels},
    {kBeyond, "operator", "photo_sobel", "sums.glsl:8", "OpAtomicUMax", "a second carry needs a picture of twice the size"},
    {kSame, "comparison", "photo_bilinear", "photo_bilinear.comp:21", "OpULessThanEqual", "at the first centre both sides give that texel"},
    {kSame, "operator", "photo_bilinear", "photo_bilinear.comp:22", "OpISub",
     "left of the first centre both taps are the first texel, whatever their weights"},
    {kSame, "comparison", "photo_bilinear", "photo_bilinear.comp:36", "OpULessThan", kNeverNegative},
    {kSame, "operator", "photo_bilinear", "wide.glsl:16", "OpISub", "the divisor is at most 4 * 16384^2 = 2^30: its high word is 0"},
    {kSame, "operator", "", "wide.glsl:28", "OpShiftRightArithmetic", kNeverNegative},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp:19", "", kHugeVectors},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp:20", "", kHugeVectors},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp:37", "", kHugeVectors},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp:38", "", kHugeVectors},
    {kBeyond, "", "photo_cosine", "photo_cosine.comp:39", "", "a carry over a word of all ones: no quick picture has one"},
    {kSame, "operator", "photo_cosine", "photo_cosine.comp:52", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "comparison", "photo_saturation", "photo_saturation.comp:17", "OpULessThanEqual",
     "a quotient that is a power of two comes out the same either way"},
    {kSame, "", "photo_saturation", "photo_saturation.comp:21", "", kNoTie},
    {kSame, "rounding", "photo_sobel", "photo_sobel.comp:23", "", kNeverNegative},
    {kBeyond, "", "photo_sobel", "photo_sobel.comp:24", "", kRoot},
    {kBeyond, "", "photo_sobel", "photo_sobel.comp:25", "", kRoot},
    {kSame, "operands", "photo_sobel", "photo_sobel.comp:33", "OpISub", "the difference is squared: its sign does not matter"},
    // Single-pass pyramids.
    {kSame, "operator", "spd", "spd.glsl:28", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "depth_spd", "depth_spd.comp:41", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operands", "depth_spd", "depth_spd.comp:41", "OpCompositeConstruct", "the same four texels in another order"},
    {kSame, "operands", "depth_spd", "depth_copy.glsl:5", "OpCompositeConstruct", "the same texels in another order"},
    {kSame, "constant", "depth_spd", "depth_spd.comp:35", "14 becomes 15", "no level has the number 15"},
    {kSame, "", "depth_spd_window", "depth_spd_window.comp:39", "", kEnds},
    {kSame, "store dropped", "depth_spd_window", "depth_spd_window.comp:43", "", kEnds},
    {kSame, "store dropped", "depth_spd_window", "depth_spd_window.comp:44", "", kEnds},
    {kSame, "operator", "depth_spd_window", "depth_spd_window.comp:71", "OpBitwiseOr", kLastTap},
    {kSame, "operator", "depth_spd_window", "depth_spd_window.comp:80", "OpBitwiseOr", kLastTap},
    {kBeyond, "barrier dropped", "depth_spd", "spd.glsl:41", "",
     "needs lanes apart on a picture of several tiles: the self-test runs lanes apart on small ones only"},
    {kSame, "store dropped", "depth_spd", "spd.glsl:46", "", "there is one layer, and what is not stored is 0"},
    {kSame, "", "spd", "spd_main.glsl:4", "", kMoreTiles},
    {kSame, "", "spd", "spd_main.glsl:5", "", kMoreTiles},
    {kSame, "comparison", "spd", "spd_main.glsl:6", "OpULessThanEqual", kMoreTiles},
    {kBeyond, "operator", "spd", "spd_main.glsl:6", "OpIMul becomes OpIAdd",
     "fewer tiles than there are from 3x3 of them on: pictures of 8193x8193"},
    {kSame, "constant", "spd", "spd.glsl:48", "0 becomes 1", kAnyOne},
    {kBeyond, "store dropped", "depth_spd", "spd.glsl:52", "",
     "a counter that is not 0 is seen by the next dispatch alone, which these plans have not; the plans of pyramid/mean2x2 have it"},
    {kSame, "comparison", "spd", "spd_main.glsl:15", "OpULessThanEqual becomes OpULessThan", "with no level left the tail returns at once"},
    {kSame, "operator", "spd", "spd_tile.glsl:35", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "constant", "spd", "spd_tile.glsl:38", "0 becomes 1", "the base stands in both pictures"},
    {kSame, "operator", "spd", "spd_codes.glsl:5", "OpShiftRightArithmetic", kMasked},
    {kSame, "operator", "spd", "spd_codes.glsl:15", "OpShiftRightArithmetic", kMasked},
    {kSame, "operator", "spd_exact_level", "spd_exact_level.comp:20", "OpISub becomes OpIAdd", "2 * at is inside, or 0 on an axis of 1"},
    // Energy pyramids.
    {kSame, "operator", "pyramid", "pyramid_exact.glsl:25", "OpShiftRightArithmetic", kMasked},
    {kSame, "operator", "pyramid", "pyramid_exact.glsl:41", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "pyramid", "pyramid_exact.glsl:49", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "constant", "pyramid_float", "", "in OpCompositeConstruct 1 becomes 1.5", kNotAbove},
    {kSame, "constant", "pyramid_float", "", "255 becomes 382.5", kNotAbove},
    {kSame, "operator", "pyramid_float", "pyramid_float.glsl:54", "OpShiftRightArithmetic", kMasked},
    {kSame, "", "pyramid", "pyramid_general.comp:60", "", "the first tap is texel 2 * j whatever the size"},
    {kBeyond, "", "_half", "pyramid_general.comp:32", "", kOneLevel},
    {kBeyond, "", "_half", "pyramid_general.comp:33", "", kOneLevel},
    {kBeyond, "", "_half", "pyramid_general.comp:34", "", kOneLevel},
    {kBeyond, "", "_half", "pyramid_general.comp:35", "OpStore", kOneLevel},
    {kBeyond, "", "_packed", "pyramid_general.comp:32", "", kOneLevel},
    {kBeyond, "", "_packed", "pyramid_general.comp:33", "", kOneLevel},
    {kBeyond, "", "_packed", "pyramid_general.comp:34", "", kOneLevel},
    {kSame, "index", "pyramid", "pyramid_general.comp:35", "1 becomes 2", "pictures beyond the last level are bound to the last"},
    {kBeyond, "comparison", "pyramid", "pyramid_general.comp:55", "OpUGreaterThan",
     "more groups than tiles: only where 65535 of an axis do not do"},
    {kSame, "constant", "r32f_half", "pyramid_float.glsl:57", "0 becomes 1", "the second half of the word is not read"},
    {kSame, "operator", "pyramid", "pyramid_window.glsl:19", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "_fast", "", "OpShiftRightLogical becomes OpShiftRightArithmetic", kNeverNegative},
    {kSame, "operator", "pyramid_traffic", "", "OpShiftRightLogical becomes OpShiftRightArithmetic", kNeverNegative},
    {kBeyond, "operands", "pyramid_fast", "pyramid_fast.comp:91", "OpBranchConditional",
     "subgroups that are not consecutive invocations: the model's are, unless a profile says otherwise"},
    {kSame, "constant", "pyramid_fast", "pyramid_fast.comp:93", "0 becomes 1", "what a lane outside starts with is used by lanes outside"},
    {kSame, "constant", "pyramid_fast", "", "in OpIEqual 0 becomes 1", kAllLanes},
    {kSame, "constant", "pyramid_fast", "pyramid_fast.comp:103", "4 becomes 5", kAllLanes},
    {kSame, "constant", "pyramid_fast", "pyramid_fast.comp:121", "4 becomes 5", kAllLanes},
    {kRace, "", "pyramid_fast", "pyramid_fast.comp:108", "",
     "several lanes then store one and the same value: a race without a difference"},
    {kSame, "constant", "pyramid_fast", "pyramid_fast.comp:112", "16 becomes 17", "the low six bits of the item are shifted away"},
    {kBeyond, "constant", "pyramid_fast", "pyramid_fast.comp:112", "becomes", "differs from the 64th group on: a million texels"},
    {kSame, "index", "pyramid", "pyramid_general.comp:65", "2 becomes 3", "pictures beyond the last level are bound to the last"},
    {kSame, "operator", "pyramid", "pyramid_window.glsl:13", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "rounding", "pyramid", "pyramid_window.glsl:28", "", kNeverNegative},
    {kBeyond, "", "pyramid_general", "wide.glsl:19", "",
     "sums of 2^31: sides whose product passes 8.4 million; photo_bilinear runs this very code"},
    {kSame, "", "pyramid_traffic", "pyramid_traffic.comp:25", "", "what lies outside has no place on any level: isAt asks again"},
};

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

bool applies(const Reason& r, const MutantResult& m) {
  return holds(m.rule, r.rule) && holds(m.module, r.module) && (*r.place == '\0' || m.place == r.place) && holds(m.change, r.change);
}

}  // namespace

void explainSurvivor(MutantResult& m) {
  for (const Reason& r : kReasons)
    if (applies(r, m)) {
      m.fate = r.fate;
      m.why = r.why;
      return;
    }
}

std::vector<std::string> unusedReasons(const SelftestResult& result) {
  std::vector<std::string> unused;
  for (const Reason& r : kReasons) {
    const auto used = [&](const MutantResult& m) { return m.fate == r.fate && m.why == r.why && applies(r, m); };
    if (std::none_of(result.mutants.begin(), result.mutants.end(), used))
      unused.push_back(fmt::format("{} {} {} {}", r.rule, r.module, r.place, r.change));
  }
  return unused;
}

}  // namespace lanewise
