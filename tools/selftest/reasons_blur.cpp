// Survivors of the box blurs.
#include "tools/selftest/reasons.h"

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
constexpr const char* kNotRead = "a place or a texel more than the tile's windows need: nobody reads it";

constexpr Reason kReasons[] = {
    {kSame, "operands", "box_blur", "box_blur.glsl", "SUM fetchTexel", "0 and 1 of OpCompositeConstruct", kTwice},
    {kSame, "operator", "_u32", "box_blur.glsl", "sum += readTexel(line, i + j)", "OpIAdd becomes OpISub",
     "the window is symmetric: the same texels in the other order"},
    {kBeyond, "operator", "box_blur", "box_blur.glsl", "sum += readTexel(line, i + j)", "OpIAdd becomes OpISub",
     "the same texels in the other order: another sum of floats, inside the bound"},
    {kSame, "operands", "box_blur", "box_blur.glsl", "vec4 mean = vec4(sum", "0 and 1 of OpCompositeConstruct", kTwice},
    {kSame, "rounding", "box_blur", "box_blur.glsl", "vec4 mean = vec4(sum", "", kNeverNegative},
    {kBeyond, "operands", "box_blur", "box_blur.glsl", "vec4 mean = vec4(sum", "OpBranchConditional", kStoreRounds},
    {kBeyond, "store dropped", "box_blur", "box_blur.glsl", "if (kCodes) mean = floor", "", kStoreRounds},
    {kSame, "constant", "box_blur", "box_blur.glsl", "if (kCodes) mean = floor", "1 becomes 1.5", kNotAbove},
    {kBeyond, "", "f16", "box_blur.glsl", "if (kCodes) mean = floor", "",
     "a code: inside the bound of sums in halves, also where one texel is summed"},
    {kSame, "operator", "box_blur", "box_blur.glsl", "high >> push.shift", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "comparison", "box_blur", "edges.glsl", "i >= 0 && i < n", "OpSLessThan becomes OpULessThan",
     "a negative index has failed the other half already"},
    {kSame, "comparison", "box_blur", "edges.glsl", "i >= 0 && i < n", "OpUGreaterThanEqual",
     "a negative index is then given back as it is: below 0 too"},
    {kSame, "comparison", "box_blur_naive", "box_blur_naive.comp", "at.x >= push.size.x", "OpUGreaterThanEqual", kNeverNegative},
    {kSame, "comparison", "box_blur_single", "box_blur_single.comp", "at.x >= push.size.x", "OpUGreaterThanEqual", kNeverNegative},
    // A walk along a line.
    {kSame, "comparison", "", "box_blur_accumulated.comp", "line >= lineCount()", "OpUGreaterThanEqual", kNeverNegative},
    {kBeyond, "store dropped", "", "box_blur_accumulated.comp", "int i = int(gl_WorkGroupID.y)", "", kUnwritten},
    {kSame, "comparison", "_u32", "box_blur_accumulated.comp", "int end = min(", "39 becomes 42", kOnePart},
    {kSame, "comparison", "_f32", "box_blur_accumulated.comp", "int end = min(", "39 becomes 42", kOnePart},
    {kBeyond, "store dropped", "", "box_blur_accumulated.comp", "SUM sum = windowAt", "", kUnwritten},
    {kSame, "constant", "", "box_blur_accumulated.comp", "int lastTurn", "in OpISub", kFewerTurns},
    {kSame, "operands", "", "box_blur_accumulated.comp", "int lastTurn", "", kFewerTurns},
    {kBeyond, "index", "_f16", "box_blur_accumulated.comp", "int lastTurn", "1 becomes 2", kWideWindow},
    {kBeyond, "index", "_f16", "box_blur_accumulated.comp", "i <= lastTurn", "1 becomes 2", kWideWindow},
    {kSame, "index", "_u32", "box_blur_accumulated.comp", "int lastTurn", "1 becomes 2", kFewerTurns},
    {kSame, "index", "_f32", "box_blur_accumulated.comp", "int lastTurn", "1 becomes 2", kFewerTurns},
    {kBeyond, "store dropped", "", "box_blur_accumulated.comp", "int lastTurn", "", kUnwritten},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "while (i < end)", "OpULessThan", kNeverNegative},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "i <= lastTurn", "OpSGreaterThanEqual becomes OpSGreaterThan", kFewerTurns},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "i <= lastTurn", "OpUGreaterThanEqual", kNeverNegative},
    {kSame, "comparison", "", "box_blur_accumulated.comp", "i <= lastTurn", "OpSLessThanEqual becomes OpSLessThan", kFewerTurns},
    {kSame, "index", "_u32", "box_blur_accumulated.comp", "i <= lastTurn", "1 becomes 2", kFewerTurns},
    {kSame, "index", "_f32", "box_blur_accumulated.comp", "i <= lastTurn", "1 becomes 2", kFewerTurns},
    {kSame, "", "x32_f16", "box_blur_accumulated.comp", "EACH(", "", kOneTurn},
    {kSame, "constant", "x32_f16", "box_blur_accumulated.comp", "i += UNROLL", "", kOneTurn},
    // Tiles of rows, then columns in turns of sixteen.
    {kSame, "comparison", "box_blur_rows", "box_blur_rows.comp", "distance < gl_SubgroupSize", "OpULessThanEqual",
     "one round more, whose partners are not in the subgroup"},
    {kSame, "constant", "box_blur_rows", "box_blur_rows.comp", "count = kTile + window", "in OpIAdd", kNotRead},
    {kSame, "comparison", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "OpSLessThanEqual", kNotRead},
    {kSame, "comparison", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "OpULessThan", kNeverNegative},
    {kSame, "constant", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "in OpStore 0 becomes 1", kNotRead},
    {kSame, "", "box_blur_rows", "box_blur_rows.comp", "EACH(TAKE)", "OpIAdd",
     "the tile's own four runs lie before its end, one place on as well"},
    {kSame, "comparison", "box_blur_rows", "box_blur_rows.comp", "min(kTile, push.size.x - start)", "OpULessThan", kNeverNegative},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "EACH(TAKE)", "OpSLessThanEqual becomes OpSLessThan",
     "a window has an odd number of texels: an odd step of a turn is never its last"},
    {kSame, "constant", "box_blur_columns", "box_blur_columns.comp", "EACH(TAKE)", "in OpStore 0 becomes 1",
     "the first step of a turn is inside the window: the loop has asked"},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "x >= push.size.x", "OpUGreaterThanEqual", kNeverNegative},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "y < end; y += UNROLL", "OpSLessThanEqual",
     "a turn more, which stores nothing"},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "", "OpSLessThan becomes OpULessThan", kNeverNegative},
    {kSame, "comparison", "box_blur_columns", "box_blur_columns.comp", "EACH(MOVE)", "OpSLessThanEqual",
     "the texel after a segment gets its own value from both, or has no place"},
    {kSame, "operator", "box_blur", "box_blur_words.glsl", "uvec2 pairsOf", "OpShiftRightArithmetic", kMasked},
    {kSame, "operator", "box_blur", "box_blur_words.glsl", "(high.y >> 24) << 24", "OpShiftRightArithmetic", kMasked},
    // Columns by a scan.
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp", "int slot(int i)", "in OpSDiv 16 becomes 17",
     "still a place of its own for each"},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "", "OpSLessThan becomes OpULessThan", kNeverNegative},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "", "OpUGreaterThan", kNeverNegative},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "step < kTurn; step *= 2", "",
     "one round more, in which no place is inside"},
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp", "step < kTurn; step *= 2", "32 becomes 33",
     "one round more, in which no place is inside"},
    {kSame, "constant", "box_blur_scan", "box_blur_scan.comp", "if (right < kTurn)", "32 becomes 33", kPlaceIsOdd},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "if (right < kTurn)", "OpSLessThanEqual", kPlaceIsOdd},
    {kRace, "", "box_blur_scan", "box_blur_scan.comp", "if (me == 0) scanned", "",
     "one invocation of the column may do it; several write the same at once"},
    {kRace, "barrier dropped", "box_blur_scan", "box_blur_scan.comp", "barrier();", "",
     "after the zero: its writer alone reads it next; at a turn's end: each writes only what it alone has read"},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "line >= lineCount() || i >= lineLength()", "OpSGreaterThan", kNoPlace},
    {kSame, "comparison", "box_blur_scan", "box_blur_scan.comp", "turn < lineLength(); turn += kTurn", "OpSLessThanEqual", kNoPlace},
    // Through a filter.
    {kSame, "constant", "box_blur_linear", "box_blur_linear.comp", "SUM summed(", "0.5 becomes",
     "the sum is a whole number: a fraction more is cut off"},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp", "SUM summed(", "OpConvertFToS", kNeverNegative},
    {kSame, "operator", "box_blur_linear", "box_blur_linear.comp", "high >> push.shift", "OpShiftRightArithmetic", kNeverNegative},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp", "high >> push.shift", "OpConvertSToF", kNeverNegative},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp", "sum / float(push.divisor)", "OpConvertSToF", kNeverNegative},
    {kBeyond, "operands", "box_blur_linear_f32", "box_blur_linear.comp", "sum / float(push.divisor)", "OpBranchConditional", kStoreRounds},
    {kSame, "constant", "box_blur_linear_f32", "box_blur_linear.comp", "return kCodes ? floor", "1 becomes 1.5", kNotAbove},
    {kSame, "comparison", "box_blur_linear", "box_blur_linear.comp", "", "OpULessThan", kNeverNegative},
    {kSame, "comparison", "box_blur_linear", "box_blur_linear.comp", "at.x >= push.size.x", "OpUGreaterThanEqual", kNeverNegative},
    {kSame, "operands", "box_blur_linear_f32", "box_blur_linear.comp", "kVertical ? columnSum", "OpBranchConditional",
     "both passes change direction: the same two, in the other order"},
    {kSame, "rounding", "box_blur_linear", "box_blur_linear.comp", "vec2 centre", "OpConvertUToF", kNeverNegative},
};

}  // namespace

std::span<const Reason> blurReasons() {
  return kReasons;
}

}  // namespace lanewise
