// Survivors of the traffic pyramids and of the cascades.
#include "tools/selftest/reasons.h"

namespace lanewise {
namespace {

constexpr const char* kEdge = "what lies beyond the edge is read as the edge, which is the column or row that is missing";
constexpr const char* kLevel2 = "of level 2 a tile has as many texels as a workgroup has invocations";
constexpr const char* kLevel6 = "of level 6 a tile has one texel: the invocation's place in the workgroup is 0, 0";
constexpr const char* kLevel14 = "level 14 is made by the first workgroup alone: all that is made of its number is 0";
constexpr const char* kLastLevel =
    "the level after the last is the last texel again, in the last's picture; chains are cut after four levels or not";

// The cascades.
constexpr const char* kPass = "a further pass finds nothing to make";
constexpr const char* kRuns = "runs behind the last row make nothing";
constexpr const char* kBehind = "what lies behind the last texel is made too: it has a place, nobody reads it, and it is not stored";
constexpr const char* kRead = "what is read behind the last texel is not kept";
constexpr const char* kLonger =
    "of tiles that are not the first more would be made, which nobody reads; it lies outside of workgroup memory only in stages that are "
    "too large to be observed";
constexpr const char* kOthers = "the same texels by other invocations";
constexpr const char* kProduct = "both differences change their sign, and their product alone is used";
constexpr const char* kEither = "with one texel a run or with two, all are made";
constexpr const char* kLength = "a run may have any length: the loop goes on until all are made";
constexpr const char* kThree = "a race, or a counter that is not 0 at the end: three stages are too large to be observed";
constexpr const char* kFour = "four stages need 8000 texels a side";
constexpr const char* kThreeOrFour = "a race: three stages are too large to be observed, and four need 8000 texels a side";
constexpr const char* kSixLevels =
    "only a later stage with an even base and six levels or more shows it: pictures of 4096x128 texels or more";
constexpr const char* kBordered = "with borders every tile is regular, whichever is the last";
constexpr const char* kAnyWay = "a tile that is not taken for a regular one is made the general way, with the same texels";
constexpr const char* kThousand = "level 1 of a regular tile has 1024 texels or more";
constexpr const char* kTop = "nobody reads the highest level from workgroup memory";
constexpr const char* kOne = "an axis with one texel is read as that texel again";
constexpr const char* kThird = "what is read for a texel that the side does not have is not used";
constexpr const char* kParted = "the runs are parted otherwise among the subgroups, and all are made once";
constexpr const char* kLastLane = "it differs in the last lane of a subgroup alone, which makes nothing where the next lane is read";
constexpr const char* kNoCopy = "kCopies is false in the pyramids: they have level 0, and no run makes a copy of it";
constexpr const char* kInBound = "the mean errs by less than the bound of floats leaves; pyramid_cascade has the same line";
constexpr const char* kShiftedOut = "four digits of 8 bits shift out what the factor began with";
constexpr const char* kAgain =
    "texels behind the last are made too, which nobody reads, or the last again, with the same value: a race that only other sizes show";
constexpr const char* kPlace = "of a side of depths only the count is used, not its place";
constexpr const char* kHidden = "the texel that is lost is the greatest, or the least, of no window in a quick case";
constexpr const char* kSure = "integers decide where the floats are not sure: the same codes, later";
constexpr const char* kDivisor =
    "for divisors up to 5 million n + 1 with F, and n with F + 1 or F + 2, err by less than 1 / D too, so all make the same codes";
constexpr const char* kNoProduct = "a regular tile has 32 to 63 texels of level 1 a side, and 1537 is 29 times 53";
constexpr const char* kNarrow =
    "only a side of less than 64 texels makes more than 1536 of level 1; pyramid_cascade has one: the same line";
constexpr const char* kLastColumn = "only where a side has less than 64 texels; then the last texel of level 1 lies beyond the picture";

constexpr Reason kReasons[] = {
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "if (more.x) best", "in OpCompositeConstruct 2 becomes 3", 1, kEdge},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "if (more.y) best", "in OpCompositeConstruct 2 becomes 3", 1, kEdge},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "if (all(more)) best", "in OpCompositeConstruct", 4, kEdge},
    {kSame, "operator", "traffic", "pyramid_traffic.comp", "uvec2 quadPlace(", "OpShiftRightArithmetic", 4, kNeverNegative},
    {kSame, "operator", "traffic", "pyramid_traffic.comp", "uvec2 rowPlace(", "OpShiftRightArithmetic", 5, kNeverNegative},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "uvec2 quadPlace(", "in OpBitwiseAnd", 3,
     "its lowest bit is 0, or is taken anyway"},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "OpULessThan becomes OpULessThanEqual", 2,
     "of level 2 a tile has as many texels as a workgroup has invocations; the level after level 4, where that is the last, is its one "
     "texel"},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "OpAll becomes OpAny", 1, kLevel2},
    {kSame, "operator", "traffic", "pyramid_traffic.comp", "IN_TILE(2u)", "OpIAdd becomes OpISub", 1, kLevel6},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpULessThan becomes OpULessThanEqual", 8, kLastLevel},
    {kSame, "comparison", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpAll becomes OpAny", 1, kLevel14},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "in OpStore 14 becomes 15", 1,
     "level 15 would have one texel, as level 14 has"},
    {kSame, "constant", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "in OpCompositeConstruct 8 becomes 9", 1, kLevel14},
    {kSame, "index", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "in OpAccessChain 14 becomes 15", 1,
     "pictures beyond the last level are bound to the last"},
    {kSame, "index", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "index 1 of OpVectorShuffle becomes 0", 1, kLevel14},
    {kSame, "operator", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpShiftRightLogical becomes OpShiftLeftLogical", 1,
     kLevel14},
    {kSame, "operator", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpShiftRightArithmetic", 8, kNeverNegative},
    {kSame, "store dropped", "traffic", "pyramid_traffic.comp", "ABOVE_TILES(7u)", "OpStore is left out", 1, kLevel14},
    {kSame, "operands", "cascade", "cascade.glsl", "uint stageCount()", "OpBranchConditional", 3,
     "the constants and push constants say the same number"},
    {kSame, "rounding", "cascade", "cascade.glsl", "uint quotient(", "OpConvertUToF becomes OpConvertSToF", 6, kNeverNegative},
    {kSame, "rounding", "cascade", "cascade.glsl", "uint quotient(", "OpConvertFToU becomes OpConvertFToS", 3, kNeverNegative},
    {kSame, "constant", "cascade", "cascade.glsl", "uint quotient(", "in OpFAdd 0.5 becomes 0.75", 3,
     "a quarter of a unit is as far from the next quotient as the division may err, and more"},
    {kSame, "rounding", "cascade", "cascade.glsl", "uvec4 gatherAt(", "OpConvertUToF becomes OpConvertSToF", 3, kNeverNegative},
    {kBeyond, "constant", "cascade", "cascade.glsl", "return Span(begin << left, min(", "in OpShiftLeftLogical 1 becomes 2", 3,
     "a wider border, which is made and not used; it does not fit tiles of 32 texels with four levels, in pictures of 4095 a side"},
    {kSame, "operator", "pyramid_cascade", "cascade.glsl", "REPEAT_16(TAKE", "OpISub becomes OpIAdd", 8, kNoCopy},
    {kBeyond, "operator", "cascade", "cascade.glsl", "WRITTEN_OUT(1u)", "OpISub becomes OpIAdd", 3, kSixLevels},
    {kSame, "operands", "depth_cascade", "cascade.glsl", "uvec2 me = here.first", "OpCompositeConstruct", 1, kOthers},
    {kSame, "comparison", "depth_cascade", "cascade.glsl", "for (uint y = 0u; here.first.y", "OpULessThan becomes OpULessThanEqual", 1,
     kPass},
    {kSame, "comparison", "depth_cascade", "cascade.glsl", "for (uint x = 0u; here.first.x", "OpULessThan becomes OpULessThanEqual", 1,
     kPass},
    {kSame, "operands", "cascade", "cascade.glsl", "uvec2 extent = here.end - here.first", "of OpISub change", 12, kProduct},
    {kBeyond, "operator", "cascade", "cascade.glsl", "uvec2 extent = here.end - here.first", "OpISub becomes OpIAdd", 6, kLonger},
    {kBeyond, "index", "cascade", "cascade.glsl", "uvec2 extent = here.end - here.first", "in OpAccessChain 1 becomes 2", 3,
     "only tiles of 32 texels have more texels with their border than invocations: pictures of 2000 texels a side"},
    {kSame, "comparison", "cascade", "cascade.glsl", "begin < extent.x * extent.y", "OpULessThan becomes OpULessThanEqual", 6, kPass},
    {kSame, "comparison", "cascade", "cascade.glsl", "begin < items", "OpULessThan becomes OpULessThanEqual", 3, kPass},
    {kSame, "constant", "cascade", "cascade.glsl", "((extent.y + UNROLL - 1u) / UNROLL)", "in OpIAdd 5 becomes 6", 3, kRuns},
    {kSame, "operator", "cascade", "cascade.glsl", "((extent.y + UNROLL - 1u) / UNROLL)", "OpISub becomes OpIAdd", 3, kRuns},
    {kSame, "operator", "cascade", "cascade.glsl", "((extent.y + UNROLL - 1u) / UNROLL)", "OpUDiv becomes OpIMul", 3, kRuns},
    {kSame, "operator", "cascade", "cascade.glsl", "run = quotient(min(item, items - 1u)", "OpISub becomes OpIAdd", 3, kRead},
    {kSame, "operands", "cascade", "cascade.glsl", "run = quotient(min(item, items - 1u)", "of OpISub change", 3, kRead},
    {kSame, "operator", "cascade", "cascade.glsl", "uvec2 place = uvec2(min(item, items - 1u)", "OpISub becomes OpIAdd", 3, kRead},
    {kSame, "operands", "cascade", "cascade.glsl", "uvec2 place = uvec2(min(item, items - 1u)", "of OpISub change", 3, kRead},
    {kSame, "comparison", "cascade", "cascade.glsl", "EACH(MAKE)", "OpULessThan becomes OpULessThanEqual", 15, kBehind},
    {kSame, "comparison", "cascade", "cascade.glsl", "EACH(LEAVE)", "OpULessThan becomes OpULessThanEqual", 15, kBehind},
    {kSame, "comparison", "cascade", "cascade.glsl", "if (count < 2u ||", "OpUGreaterThanEqual becomes OpUGreaterThan", 1, kBehind},
    {kSame, "comparison", "cascade", "cascade.glsl", "uint count = extent.x * extent.y > kInvocations",
     "OpUGreaterThan becomes OpUGreaterThanEqual", 3, kEither},
    {kSame, "constant", "cascade", "cascade.glsl", "uint count = extent.x * extent.y > kInvocations", "in OpSelect 1 becomes 2", 3,
     kEither},
    {kBeyond, "operator", "cascade", "cascade.glsl", "bool isEven(", "OpBitwiseAnd becomes OpBitwiseOr", 3,
     "the general way makes the same; only a large even base of a later stage would not fit"},
    {kBeyond, "barrier dropped", "cascade", "cascade.glsl",
     "gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible", "OpControlBarrier", 3, kThree},
    {kBeyond, "barrier weakened", "cascade", "cascade.glsl",
     "gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible", "OpControlBarrier", 3, kThree},
    {kBeyond, "barrier weakened", "cascade", "cascade.glsl", "uint before = atomicAdd", "OpAtomicIAdd", 6, kThreeOrFour},
    {kBeyond, "atomic made plain", "cascade", "cascade.glsl", "uint before = atomicAdd", "OpAtomicIAdd", 3, kThree},
    {kSame, "constant", "cascade", "cascade.glsl", "if (gl_LocalInvocationIndex == 0u) {", "in OpIEqual 0 becomes 1", 3, kAnyOne},
    {kSame, "index", "cascade", "cascade.glsl", "uint counter = push.stages[2].counters", "in OpAccessChain 2 becomes 3", 3,
     "the counters of stage 2 begin at 0, and so do those of one that there is not"},
    {kBeyond, "store dropped", "cascade", "cascade.glsl", "uint counter = push.stages[2].counters", "OpStore is left out", 3, kUnwritten},
    {kBeyond, "comparison", "cascade", "cascade.glsl", "queued = before + 1u ==", "OpIEqual becomes OpINotEqual", 3, kThree},
    {kBeyond, "operands", "cascade", "cascade.glsl", "queued = before + 1u ==", "OpSelect", 3, kThree},
    {kBeyond, "constant", "cascade", "cascade.glsl", "queued = before + 1u ==", "in OpSelect", 6, kThree},
    {kBeyond, "store dropped", "cascade", "cascade.glsl", "queued = before + 1u ==", "OpStore", 3, kThree},
    {kBeyond, "constant", "cascade", "cascade.glsl", "if (queued == 1u) {", "in OpIEqual 1 becomes 2", 3, kThree},
    {kBeyond, "barrier dropped", "cascade", "cascade.glsl", "memoryBarrier(gl_ScopeDevice", "OpMemoryBarrier", 3, kThree},
    {kBeyond, "store dropped", "cascade", "cascade.glsl", "atomicStore(counters.finished", "OpAtomicStore", 3, kThree},
    {kSame, "comparison", "cascade", "cascade.glsl", "if (stageCount() > 3u)", "OpUGreaterThan becomes OpUGreaterThanEqual", 3,
     "makeStages makes three stages too"},
    {kBeyond, "operands", "cascade", "cascade.glsl", "if (stageCount() > 3u)", "OpBranchConditional", 3, kFour},
    {kBeyond, "operands", "cascade", "cascade.glsl", "if (stageCount() == 3u && isLast())", "OpBranchConditional", 3, kThree},
    {kSame, "store dropped", "pyramid", "cascade.glsl", "if (isRegular(tile))", "OpStore is left out", 2, kBordered},
    {kSame, "comparison", "pyramid", "cascade_first.glsl", "bvec2 last = equal(tile + 1u", "OpIEqual", 2, kBordered},
    {kSame, "constant", "pyramid", "cascade_first.glsl", "bvec2 last = equal(tile + 1u", "in OpCompositeConstruct 1 becomes 2", 4,
     kBordered},
    {kSame, "index", "pyramid", "cascade_first.glsl", "bvec2 last = equal(tile + 1u", "of OpVectorShuffle", 4, kBordered},
    {kSame, "operator", "pyramid", "cascade_first.glsl", "bvec2 last = equal(tile + 1u", "OpIAdd becomes OpISub", 2, kBordered},
    {kSame, "operator", "depth_cascade", "cascade_first.glsl", "bvec2 last = equal(tile + 1u", "OpBitwiseAnd becomes OpBitwiseOr", 1,
     kAnyWay},
    {kSame, "operands", "cascade", "cascade_first.glsl", "return kBorders ||", "OpBranchConditional", 3, kAnyWay},
    {kSame, "operator", "cascade", "cascade_first.glsl", "return kBorders ||", "OpLogicalNot becomes OpCopyObject", 3, kAnyWay},
    {kSame, "operator", "depth_cascade", "cascade_first.glsl", "return kBorders ||", "OpLogicalAnd becomes OpLogicalOr", 2, kAnyWay},
    {kSame, "operands", "cascade", "cascade_first.glsl", "if (extent == uvec2(32u))", "OpCompositeConstruct", 3, kOthers},
    {kSame, "operands", "cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "OpBranchConditional", 21, kBehind},
    {kSame, "constant", "cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "in OpIAdd 0 becomes 1", 3, kThousand},
    {kSame, "constant", "cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "in OpIAdd 256 becomes 257", 3, kThousand},
    {kSame, "constant", "cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "in OpIAdd 512 becomes 513", 3, kThousand},
    {kSame, "constant", "cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "in OpIAdd 1536 becomes 1537", 3, kLastColumn},
    {kSame, "constant", "cascade", "cascade_first.glsl", "REPEAT_8(", "in OpULessThan 256 becomes 257", 4, kThousand},
    {kSame, "constant", "cascade", "cascade_first.glsl", "REPEAT_8(", "in OpULessThan 1536 becomes 1537", 6, kNoProduct},
    {kBeyond, "constant", "cascade", "cascade_first.glsl", "REPEAT_8(READ_QUAD", "in OpIAdd 1536 becomes 1537", 2, kNarrow},
    {kBeyond, "store dropped", "cascade", "cascade_first.glsl", "REPEAT_8(READ_QUAD", "OpStore is left out", 2,
     "the level is not written: the model reads 0, which it is; pyramid_cascade has a size with more than 1280 texels of level 1 that is "
     "observed: the same line"},
    {kSame, "comparison", "cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "OpULessThan becomes OpULessThanEqual", 4, kBehind},
    {kSame, "constant", "cascade", "cascade_first.glsl", "((extent.y + 5u) / 6u)", "in OpIAdd 5 becomes 6", 3, kRuns},
    {kSame, "operator", "cascade", "cascade_first.glsl", "((extent.y + 5u) / 6u)", "OpUDiv becomes OpIMul", 3, kRuns},
    {kSame, "constant", "cascade", "cascade_first.glsl", "uint third = odd.x", "in OpSelect 0 becomes 1", 3,
     "one column more is read behind a row, and nobody uses it"},
    {kSame, "operator", "cascade", "cascade_first.glsl", "if (kGroup % gl_SubgroupSize", "OpUMod becomes OpUDiv", 3, kParted},
    {kSame, "constant", "cascade", "cascade_first.glsl", "if (kGroup % gl_SubgroupSize", "in OpINotEqual 0 becomes 1", 3, kParted},
    {kSame, "operator", "cascade", "cascade_first.glsl", "uint part = (items", "OpISub becomes OpIAdd", 3, kParted},
    {kSame, "operator", "cascade", "cascade_first.glsl", "uint part = (items", "OpUDiv becomes OpIMul", 3, kParted},
    {kSame, "operands", "cascade", "cascade_first.glsl", "uint part = (items", "of OpISub change", 3, kParted},
    {kSame, "operator", "cascade", "cascade_first.glsl", "end = min(items, first + part)", "OpIAdd becomes OpISub", 3, kParted},
    {kSame, "store dropped", "cascade", "cascade_first.glsl", "length = part", "OpStore is left out", 3,
     "turns behind a subgroup's part make nothing"},
    {kSame, "operands", "cascade", "cascade_first.glsl", "uint next = min(", "of OpISub change", 3, kLastLane},
    {kSame, "operator", "cascade", "cascade_first.glsl", "uint next = min(", "OpISub becomes OpIAdd", 3, kLastLane},
    {kSame, "comparison", "cascade", "cascade_first.glsl", "bool makes = ", "OpULessThan becomes OpULessThanEqual", 3, kRuns},
    {kSame, "comparison", "cascade", "cascade_first.glsl", "REPEAT_6(MAKE_RUN", "OpULessThan becomes OpULessThanEqual", 18, kBehind},
    {kSame, "comparison", "cascade", "cascade_first.glsl", "begin < items", "OpULessThan becomes OpULessThanEqual", 3, kPass},
    {kSame, "comparison", "cascade", "cascade_first.glsl", "begin < length", "OpULessThan becomes OpULessThanEqual", 3, kPass},
    {kBeyond, "comparison", "cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "OpULessThan becomes OpUGreaterThanEqual", 2, kNarrow},
    {kSame, "constant", "pyramid", "cascade_first.glsl", "return rowOf(waiting[from], waiting", "in OpStore 0 becomes 1", 1, kThird},
    {kSame, "index", "pyramid", "cascade_first.glsl", "Row upper = regularRow", "in OpAccessChain 0 becomes 1", 2, kThird},
    {kSame, "index", "pyramid", "cascade_first.glsl", "if (odd.y) next = regularRow", "in OpAccessChain 0 becomes 1", 2, kThird},
    {kBeyond, "store dropped", "cascade", "cascade.glsl", "nextLevels(stage, 7u", "OpStore is left out", 6,
     "the tile and the place of its sixth level are not written: the model reads 0, which both are"},
    {kSame, "operands", "cascade", "cascade.glsl", "return rowOf(waiting[from + x]", "of OpISub change", 4, kThird},
    {kSame, "operator", "depth_cascade", "cascade.glsl", "return rowOf(waiting[from + x]", "OpISub becomes OpIAdd", 2, kThird},
    {kSame, "operator", "pyramid_float_cascade", "cascade.glsl", "return rowOf(waiting[from + x]", "OpISub becomes OpIAdd", 1, kThird},
    {kBeyond, "store dropped", "pyramid_float_cascade", "cascade.glsl", "if (stageCount() == 3u && isLast())", "OpStore is left out", 1,
     kUnwritten},
    {kSame, "index", "depth_cascade", "cascade_first.glsl", "Side x = sideAs(", "in OpAccessChain 0 becomes 1", 3, kPlace},
    {kSame, "operator", "depth_cascade", "cascade_first.glsl", "Side x = sideAs(", "OpIAdd becomes OpISub", 1, kPlace},
    {kSame, "index", "depth_cascade", "cascade_first.glsl", "keepOwn(here, level, to, place, texelOf(", "in OpAccessChain 0 becomes 1", 1,
     kPlace},
    {kSame, "operator", "depth_cascade", "cascade_first.glsl", "keepOwn(here, level, to, place, texelOf(", "OpIAdd becomes OpISub", 1,
     kPlace},
    {kBeyond, "comparison", "cascade", "cascade.glsl", "EACH(KEEP)", "OpULessThan becomes OpULessThanEqual", 2, kAgain},
    {kBeyond, "constant", "pyramid_float_cascade", "cascade.glsl", "run = quotient(min(item, items - 1u)", "in OpISub 1 becomes 2", 1,
     "differs in tiles one texel wide, which pyramid_cascade has: the same line"},
    {kBeyond, "constant", "depth_cascade", "cascade_first.glsl", "REPEAT_8(KEEP_QUAD", "in OpIAdd 1280 becomes 1281", 1, kHidden},
    {kBeyond, "constant", "depth_cascade", "cascade.glsl", "begin < extent.x * extent.y", "in OpIAdd 1280 becomes 1281", 1, kHidden},
    {kBeyond, "constant", "depth_cascade", "cascade.glsl", "EACH(LEAVE)", "in OpIAdd 256 becomes 257", 1, kHidden},
    {kBeyond, "constant", "depth_cascade", "cascade.glsl", "EACH(LEAVE)", "in OpIAdd 768 becomes 769", 1, kHidden},
    {kBeyond, "store dropped", "pyramid", "cascade_first.glsl", "Row lower = regularRow", "OpStore is left out", 2,
     "the row that the side does not have weighs 0; in floats, for 2^24 texels and more, it might be no number"},
    {kSame, "comparison", "cascade", "cascade_first.glsl", "if (place.y < extentAt(level).y)", "OpULessThan becomes OpULessThanEqual", 3,
     kBehind},
    {kSame, "constant", "cascade", "cascade_first.glsl", "uint count = !quads && extent.x", "in OpSelect 2 becomes 3", 3, kLength},
    {kSame, "operator", "cascade", "cascade_first.glsl", "uint count = !quads && extent.x", "OpIMul becomes OpIAdd", 3, kLength},
    {kSame, "operator", "cascade", "cascade_first.glsl", "uint count = !quads && extent.x", "OpISub becomes OpIAdd", 3, kRuns},
    {kSame, "comparison", "pyramid_cascade", "cascade_first.glsl", "uint count = !quads && extent.x",
     "OpUGreaterThan becomes OpUGreaterThanEqual", 1, kLength},
    {kSame, "index", "cascade", "cascade_first.glsl", "uint count = !quads && extent.x", "in OpAccessChain 0 becomes 1", 3, kLength},
    {kSame, "comparison", "cascade", "cascade_first.glsl", "if (item < items) {", "OpULessThan becomes OpULessThanEqual", 3, kBehind},
    {kSame, "constant", "cascade", "cascade_first.glsl", "NEXT(6u", "in OpStore 2304 becomes 2305", 3, kTop},
    {kSame, "comparison", "depth_cascade", "depth_cascade.comp", "Row rowOf(", "OpUGreaterThan becomes OpUGreaterThanEqual", 1, kOne},
    {kSame, "comparison", "depth_cascade", "depth_cascade.comp", "return uint(max(max(r.greatest",
     "OpUGreaterThan becomes OpUGreaterThanEqual", 1, kOne},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "uint n = size >> 1, at = min", "OpISub becomes OpIAdd", 2, kNoPlace},
    {kSame, "operands", "cascade", "pyramid_cascade.comp", "uint n = size >> 1, at = min", "of OpISub change", 2, kNoPlace},
    {kSame, "rounding", "cascade", "pyramid_cascade.comp", "return Side(t.first", "OpConvertUToF becomes OpConvertSToF", 2, kNeverNegative},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "vec2 even = unpackHalf2x16",
     "OpShiftRightLogical becomes OpShiftRightArithmetic", 2, kMasked},
    {kSame, "comparison", "cascade", "pyramid_cascade.comp", "return Row(uvec4(0u), vec4(0.0)",
     "OpUGreaterThan becomes OpUGreaterThanEqual", 1, kOne},
    {kSame, "comparison", "cascade", "pyramid_cascade.comp", "return reduceCodes(r.best", "OpUGreaterThan becomes OpUGreaterThanEqual", 1,
     kOne},
    {kSame, "rounding", "cascade", "pyramid_cascade.comp", "uvec4 low = uvec4(mean)", "OpConvertFToU becomes OpConvertFToS", 1,
     kNeverNegative},
    {kSame, "rounding", "cascade", "pyramid_cascade.comp", "uvec4 sum = y.weight.x", "OpConvertFToU becomes OpConvertFToS", 3,
     kNeverNegative},
    {kSame, "rounding", "cascade", "pyramid_cascade.comp", "vec3 factor = y.share", "OpConvertUToF becomes OpConvertSToF", 2,
     kNeverNegative},
    {kSame, "constant", "pyramid_float_cascade", "pyramid_cascade.comp", "uvec4 codes = floatBitsToUint(sum)", "8355840 becomes 8355841", 2,
     "the lowest bit of the first two is shifted out"},
    {kSame, "constant", "cascade", "pyramid_cascade.comp", "precise vec4 shifted = mean + kBits", "8388608 becomes 12582912", 4, kSure},
    {kSame, "constant", "cascade", "pyramid_cascade.comp", "precise vec4 code = shifted - kBits", "8388608 becomes 12582912", 4, kSure},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "precise vec4 shifted = mean + kBits", "OpFAdd becomes OpFSub", 1, kSure},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "precise vec4 code = shifted - kBits", "OpFSub becomes OpFAdd", 1, kSure},
    {kSame, "operands", "cascade", "pyramid_cascade.comp", "precise vec4 code = shifted - kBits", "of OpFSub change", 1, kSure},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "precise vec4 away = abs(mean - code)", "OpFSub becomes OpFAdd", 1, kSure},
    {kSame, "operands", "cascade", "pyramid_cascade.comp", "precise vec4 away = abs(mean - code)", "of OpFSub change", 1, kSure},
    {kBeyond, "operator", "cascade", "pyramid_cascade.comp", "precise vec4 away = abs(mean - code)", "GLSL.std.450 4 becomes 6", 1,
     "wrong only where the floats lift a mean to the middle or over it: those of quick cases, with small divisors, lie further from it"},
    {kSame, "comparison", "cascade", "pyramid_cascade.comp", "max(away.z, away.w)) > kSure", "OpFOrdGreaterThan", 1, kSure},
    {kSame, "operands", "cascade", "pyramid_cascade.comp", "bool inIntegers() { return kKnown", "OpBranchConditional", 2,
     "integers and floats make the same codes, for any size"},
    {kSame, "constant", "cascade", "pyramid_cascade.comp", "rest = 1u << shift, factor = 0u", "in OpStore 0 becomes 1", 2, kShiftedOut},
    {kSame, "store dropped", "cascade", "pyramid_cascade.comp", "rest = 1u << shift, factor = 0u", "OpStore is left out", 2, kShiftedOut},
    {kBeyond, "operator", "pyramid_float_cascade", "pyramid_cascade.comp", "DIGIT DIGIT DIGIT DIGIT", "OpUMod becomes OpUDiv", 1, kInBound},
    {kBeyond, "operator", "pyramid_float_cascade", "pyramid_cascade.comp", "uint shift = uint(findMSB", "GLSL.std.450 75 becomes 73", 1,
     kInBound},
    {kBeyond, "store dropped", "cascade", "pyramid_cascade.comp", "DIGIT DIGIT DIGIT DIGIT", "OpStore is left out", 2, kDivisor},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "uint more = divisor >> 1", "OpShiftRightLogical becomes OpShiftRightArithmetic",
     1, kNeverNegative},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "if (rest > divisor >> 1)", "OpShiftRightLogical becomes OpShiftRightArithmetic",
     1, kNeverNegative},
    {kSame, "comparison", "cascade", "pyramid_cascade.comp", "if (rest > divisor >> 1)", "OpUGreaterThan becomes OpUGreaterThanEqual", 2,
     "with R = floor(D / 2) either factor is right: n (D - R) < 128 D (D + 1) <= 2^(32 + s)"},
    {kBeyond, "operator", "cascade", "pyramid_cascade.comp", "if (rest > divisor >> 1)", "OpShiftRightLogical becomes OpShiftLeftLogical",
     2, kDivisor},
    {kBeyond, "constant", "cascade", "pyramid_cascade.comp", "if (rest > divisor >> 1)", "in OpShiftRightLogical 1 becomes 2", 2, kDivisor},
    {kBeyond, "operands", "cascade", "pyramid_cascade.comp", "if (rest > divisor >> 1)", "OpBranchConditional", 2, kDivisor},
    {kBeyond, "constant", "cascade", "pyramid_cascade.comp", "++factor", "in OpIAdd 1 becomes 2", 2, kDivisor},
    {kSame, "operator", "cascade", "pyramid_cascade.comp", "return wordOf(high >> shift)",
     "OpShiftRightLogical becomes OpShiftRightArithmetic", 2, "a code shifted by at most 23 bits: below 2^31"},
    {kSame, "operator", "cascade", "pyramid_taps.glsl", "uint n = size >> 1", "OpShiftRightLogical becomes OpShiftRightArithmetic", 2,
     kNeverNegative},
    {kSame, "constant", "pyramid_cascade", "pyramid_taps.glsl", "return Taps(2u * j, 3u", "in OpCompositeConstruct 3 becomes 4", 1,
     "of a count only more than one and more than two are asked for"},
};

}  // namespace

std::span<const Reason> cascadeReasons() {
  return kReasons;
}

}  // namespace lanewise
