// Survivors of the box blurs.
#include "tools/selftest/reasons.h"
#include "tools/selftest/rules.h"

namespace lanewise {
namespace {

constexpr const char* kTwice = "both passes change red and green: they change back";
constexpr const char* kStoreRounds =
    "the model's store rounds to the nearest code itself, and the second rounding finds a code; a device may truncate";
constexpr const char* kFewerTurns = "what a turn would take is then taken texel by texel: the same sums in the same order";
constexpr const char* kOneTurn = "a segment is one turn: the sum after its last texel is not used";
constexpr const char* kWideWindow =
    "turns that read beyond the line for radii above 32 alone: there the bound of sums in halves is wider than what they miss";
constexpr const char* kOnePart = "a segment is the whole line: both are its length";
constexpr const char* kPlaceIsOdd = "the place is odd, so never 32";
constexpr const char* kOwnPlaces =
    "after the zero: its writer alone reads it next; at a turn's end: each writes only what it alone has read";
constexpr const char* kEitherEnd = "a segment has the same texels from either end";
constexpr const char* kEitherRead = "texels inside of the picture are the same through either read";
constexpr const char* kAsksAgain = "what is inside asks again, or the condition around has asked";
constexpr const char* kFirstPair = "the first pair of rows of a turn is always read";
constexpr const char* kCuts = "only a device that cuts sums shows it, and the quick cases run with sums to nearest";
constexpr const char* kNotRead = "a place or a texel more than the tile's windows need: nobody reads it";

constexpr Reason kReasons[] = {
    {kSame, "operands", "box_blur", "box_blur.glsl", "SUM fetchTexel", "0 and 1 of OpCompositeConstruct", 16, kTwice},
    {kSame, "operator", "_u32", "box_blur.glsl", "sum += readTexel(line, i + j)", "OpIAdd becomes OpISub", 10,
     "the window is symmetric: the same texels in the other order"},
    {kBeyond, "operator", "box_blur", "box_blur.glsl", "sum += readTexel(line, i + j)", "OpIAdd becomes OpISub", 19,
     "the same texels in the other order: another sum of floats, inside the bound"},
    {kSame, "operands", "box_blur", "box_blur.glsl", "vec4 mean = vec4(sum", "0 and 1 of OpCompositeConstruct", 8, kTwice},
    {kBeyond, "operands", "box_blur", "box_blur.glsl", "vec4 mean = vec4(sum", "OpBranchConditional", 13, kStoreRounds},
    {kBeyond, "store dropped", "box_blur", "box_blur.glsl", "if (kCodes) mean = floor", "OpStore is left out", 20, kStoreRounds},
    {kSame, "constant", "box_blur", "box_blur.glsl", "if (kCodes) mean = floor", "1 becomes 1.5", 80, kNotAbove},
    {kBeyond, "constant", "f16", "box_blur.glsl", "if (kCodes) mean = floor", "in OpCompositeConstruct", 36,
     "a code: inside the bound of sums in halves, also where one texel is summed"},
    {kBeyond, "operator", "f16", "box_blur.glsl", "if (kCodes) mean = floor", "OpFAdd becomes OpFSub", 9,
     "a code: inside the bound of sums in halves, also where one texel is summed"},
    {kBeyond, "rounding", "f16", "box_blur.glsl", "if (kCodes) mean = floor", "GLSL.std.450 8 becomes 9", 9,
     "a code: inside the bound of sums in halves, also where one texel is summed"},
    {kSame, "operator", "box_blur", "box_blur.glsl", "high >> push.shift", "OpShiftRightArithmetic", 11, kNeverNegative},
    {kSame, "comparison", "box_blur", "edges.glsl", "i >= 0 && i < n", "OpSLessThan becomes OpULessThan", 34,
     "a negative index has failed the other half already"},
    {kSame, "comparison", "box_blur", "edges.glsl", "i >= 0 && i < n", "OpUGreaterThanEqual", 34,
     "a negative index is then given back as it is: below 0 too"},
    // A walk along a line.
    {kSame, "comparison", "_u32", "box_blur_accumulated.comp", "int end = min(", "39 becomes 42", 8, kOnePart},
    {kSame, "comparison", "_f32", "box_blur_accumulated.comp", "int end = min(", "39 becomes 42", 8, kOnePart},
    {kSame, "constant", "", "box_blur_accumulated.comp", "int lastTurn", "in OpISub", 42, kFewerTurns},
    {kSame, "operands", "", "box_blur_accumulated.comp", "int lastTurn", "of OpISub change places", 42, kFewerTurns},
    {kBeyond, "index", "_f16", "box_blur_accumulated.comp", "int lastTurn", "1 becomes 2", 7, kWideWindow},
    {kBeyond, "index", "_f16", "box_blur_accumulated.comp", "i <= lastTurn", "1 becomes 2", 7, kWideWindow},
    {kSame, "index", "_u32", "box_blur_accumulated.comp", "int lastTurn", "1 becomes 2", 7, kFewerTurns},
    {kSame, "index", "_f32", "box_blur_accumulated.comp", "int lastTurn", "1 becomes 2", 7, kFewerTurns},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "while (i < end)", "OpULessThan", 24, kNeverNegative},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "i <= lastTurn", "OpSGreaterThanEqual becomes OpSGreaterThan", 21, kFewerTurns},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "i <= lastTurn", "OpUGreaterThanEqual", 21, kNeverNegative},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "i <= lastTurn", "OpSLessThanEqual becomes OpSLessThan", 21, kFewerTurns},
    {kSame, "index", "_u32", "box_blur_accumulated.comp", "i <= lastTurn", "1 becomes 2", 7, kFewerTurns},
    {kSame, "index", "_f32", "box_blur_accumulated.comp", "i <= lastTurn", "1 becomes 2", 7, kFewerTurns},
    {kSame, "operator", "x32_f16", "box_blur_accumulated.comp", "EACH(", "OpIAdd becomes OpISub", 2, kOneTurn},
    {kSame, "constant", "x32_f16", "box_blur_accumulated.comp", "EACH(", "in OpIAdd", 2, kOneTurn},
    {kSame, "operator", "x32_f16", "box_blur_accumulated.comp", "EACH(", "OpISub becomes OpIAdd", 1, kOneTurn},
    {kSame, "store dropped", "x32_f16", "box_blur_accumulated.comp", "EACH(", "OpStore is left out", 3, kOneTurn},
    {kSame, "operator", "x32_f16", "box_blur_accumulated.comp", "EACH(", "OpFSub becomes OpFAdd", 1, kOneTurn},
    {kSame, "operands", "x32_f16", "box_blur_accumulated.comp", "EACH(", "of OpFSub change places", 1, kOneTurn},
    {kSame, "operator", "x32_f16", "box_blur_accumulated.comp", "EACH(", "OpFAdd becomes OpFSub", 1, kOneTurn},
    {kSame, "constant", "x32_f16", "box_blur_accumulated.comp", "i += UNROLL", "in OpIAdd", 1, kOneTurn},
    // Tiles of rows, then columns in turns of sixteen.
    {kSame, "comparison", "box_blur_rows", "box_blur_rows.comp", "distance < gl_SubgroupSize", "OpULessThanEqual", 1,
     "one round more, whose partners are not in the subgroup"},
    {kSame, "constant", "box_blur_rows", "box_blur_rows.comp", "count = kTile + window", "in OpIAdd", 1, kNotRead},
    {kSame, "comparison", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "OpSLessThanEqual", 5, kNotRead},
    {kSame, "constant", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "in OpStore 0 becomes 1", 5, kNotRead},
    {kSame, "constant", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "OpIAdd", 3,
     "the tile's own four runs lie before its end, one place on as well"},
    {kSame, "operator", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "OpIAdd", 2,
     "the tile's own four runs lie before its end, one place on as well"},
    {kSame, "comparison", "box_blur_rows", "box_blur_rows.comp", "min(kTile, push.size.x - start)", "OpULessThan", 1, kNeverNegative},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "EACH(TAKE)", "OpSLessThanEqual becomes OpSLessThan", 1,
     "a window has an odd number of texels: an odd step of a turn is never its last"},
    {kSame, "constant", "box_blur_columns", "box_blur_columns.comp", "EACH(TAKE)", "in OpStore 0 becomes 1", 1,
     "the first step of a turn is inside the window: the loop has asked"},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "y < end; y += UNROLL", "OpSLessThanEqual", 1,
     "a turn more, which stores nothing"},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "", "OpSLessThan becomes OpULessThan", 9, kNeverNegative},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "EACH(MOVE)", "OpSLessThanEqual", 5,
     "the texel after a segment gets its own value from both, or has no place"},
    {kSame, "operator", "box_blur", "box_blur_words.glsl", "uvec2 pairsOf", "OpShiftRightArithmetic", 2, kMasked},
    {kSame, "operator", "box_blur", "box_blur_words.glsl", "(high.y >> 24) << 24", "OpShiftRightArithmetic", 2, kMasked},
    // Strips in one pass.
    {kSame, "comparison", "box_blur_strips", "box_blur_strips.comp", "if (gl_NumSubgroups > 4u)", "OpUGreaterThanEqual", 1, kAsksAgain},
    {kSame, "operator", "box_blur_strips", "box_blur_strips.comp", "uvec4 channelsOf(", "OpShiftRightArithmetic", 1, kNeverNegative},
    {kSame, "store dropped", "box_blur_strips", "box_blur_strips.comp", "EACH(TAKE)", "OpStore is left out", 1, kFirstPair},
    {kSame, "index", "box_blur_strips", "box_blur_strips.comp", "EACH(TAKE)", "in OpAccessChain 0 becomes 1", 1, kFirstPair},
    {kBeyond, "constant", "box_blur_strips", "box_blur_strips.comp", "precise float more", "in OpFAdd 0.75 becomes 1.125", 1, kCuts},
    {kBeyond, "comparison", "box_blur_strips", "box_blur_strips.comp", "before = more > kWhole", "OpFOrdGreaterThanEqual", 1, kCuts},
    {kBeyond, "store dropped", "box_blur_strips", "box_blur_strips.comp", "before = more > kWhole", "OpStore is left out", 1, kCuts},
    {kBeyond, "index", "box_blur_strips", "box_blur_strips.comp", "before = more > kWhole", "in OpAccessChain", 1, kCuts},
    {kSame, "operator", "box_blur_strips", "box_blur_strips.comp", "if ((gl_WorkGroupID.y & 1u)", "OpBitwiseAnd becomes OpBitwiseOr", 1,
     kEitherEnd},
    {kSame, "comparison", "box_blur_strips", "box_blur_strips.comp", "if ((gl_WorkGroupID.y & 1u)", "OpIEqual becomes OpINotEqual", 1,
     kEitherEnd},
    {kSame, "index", "box_blur_strips", "box_blur_strips.comp", "if ((gl_WorkGroupID.y & 1u)", "in OpAccessChain 1 becomes 2", 1,
     kEitherEnd},
    {kSame, "constant", "box_blur_strips", "box_blur_strips.comp", "if ((gl_WorkGroupID.y & 1u)", "becomes", 2, kEitherEnd},
    {kSame, "operands", "box_blur_strips", "box_blur_strips.comp", "if ((gl_WorkGroupID.y & 1u)", "OpBranchConditional", 1, kEitherEnd},
    {kSame, "comparison", "box_blur_strips", "box_blur_strips.comp", "bool makes = kColumns * me < width", "OpSLessThanEqual", 1, kNoPlace},
    {kSame, "comparison", "box_blur_strips", "box_blur_strips.comp", "EACH(STORE)", "OpSLessThanEqual", 2,
     "columns 128 to 383 end a strip at the picture's edge alone: one beyond it is not stored"},
    {kSame, "comparison", "box_blur_strips", "box_blur_strips.comp", "", "OpSLessThan becomes OpULessThan", 11, kNeverNegative},
    {kSame, "operator", "box_blur_strips", "box_blur_strips.comp", "if (kEdge == kClamp ||", "OpLogicalNot", 1, kEitherRead},
    {kSame, "comparison", "box_blur_strips", "box_blur_strips.comp", "if (kEdge == kClamp ||", "OpSGreaterThan", 1, kEitherRead},
    {kSame, "operands", "box_blur_strips", "box_blur_strips.comp", "if (kEdge == kClamp ||", "OpBranchConditional", 1, kEitherRead},
    {kSame, "operator", "box_blur_strips", "box_blur_strips.comp", "uvec2 pairsOf", "OpShiftRightArithmetic", 1, kMasked},
    {kSame, "operator", "box_blur_strips", "box_blur_strips.comp", "EACH(BYTES)", "OpShiftRightArithmetic", 4, kMasked},
    {kSame, "comparison", "box_blur_strips", "box_blur_strips.comp", "SCAN(1u) SCAN(2u)", "OpUGreaterThanEqual", 5,
     "one round more, whose partners are not in the subgroup"},
    // Columns by a scan.
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp", "int slot(int i)", "in OpSDiv 16 becomes 17", 2,
     "still a place of its own for each"},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "step < kTurn; step *= 2", "OpSLessThan becomes OpSLessThanEqual", 2,
     "one round more, in which no place is inside"},
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp", "step < kTurn; step *= 2", "32 becomes 33", 2,
     "one round more, in which no place is inside"},
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp", "if (right < kTurn)", "32 becomes 33", 4, kPlaceIsOdd},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "if (right < kTurn)", "OpSLessThanEqual", 4, kPlaceIsOdd},
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp", "if (me == 0) scanned", "in OpIEqual", 2, kAnyOne},
    {kSame, "barrier dropped", "box_blur_scan", "box_blur_scan.comp", "barrier();", "OpControlBarrier is left out", 4, kOwnPlaces},
    {kSame, kBarrierWeakened, "box_blur_scan", "box_blur_scan.comp", "barrier();", "become none", 4, kOwnPlaces},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "line >= lineCount() || i >= lineLength()", "OpSGreaterThan", 2, kNoPlace},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "turn < lineLength(); turn += kTurn", "OpSLessThanEqual", 2, kNoPlace},
    // Through a filter.
    {kSame, "constant", "box_blur_linear", "box_blur_linear.comp", "SUM summed(", "0.5 becomes", 4,
     "the sum is a whole number: a fraction more is cut off"},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp", "SUM summed(", "OpConvertFToS", 1, kNeverNegative},
    {kSame, "operator", "box_blur_linear", "box_blur_linear.comp", "high >> push.shift", "OpShiftRightArithmetic", 1, kNeverNegative},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp", "high >> push.shift", "OpConvertSToF", 1, kNeverNegative},
    {kBeyond, "operands", "box_blur_linear_f32", "box_blur_linear.comp", "sum / float(push.divisor)", "OpBranchConditional", 1,
     kStoreRounds},
    {kSame, "constant", "box_blur_linear_f32", "box_blur_linear.comp", "return kCodes ? floor", "1 becomes 1.5", 4, kNotAbove},
    {kSame, "operands", "box_blur_linear_f32", "box_blur_linear.comp", "kVertical ? columnSum", "OpBranchConditional", 1,
     "both passes change direction: the same two, in the other order"},
};

}  // namespace

std::span<const Reason> blurReasons() {
  return kReasons;
}

}  // namespace lanewise
