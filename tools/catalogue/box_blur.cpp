// The box blurs' rows. Two contracts: double rounds after each of two passes, single once at the end (docs/contracts.md, 3). Three
// arithmetics: integers give the contract's bytes; two passes in f32 or f16 (box-blur/float) stay within a proved bound of the one or the
// other, by what they keep between the passes.
#include <fmt/format.h>

#include <span>

#include "tools/catalogue/box_blur_parts.h"
#include "tools/catalogue/box_blur_quick.h"

namespace lanewise {
namespace {

using golden::BoxForm;

constexpr std::uint32_t kUnrolls[] = {1, 2, 4, 8, 12, 16, 24, 32};
// Half sums lose a bit every few texels, so they restart after this many.
constexpr std::uint32_t kHalfSegment = 32;

const char* moduleSuffix(BlurSums sums) {
  return sums == BlurSums::kU32 ? "u32" : sums == BlurSums::kF32 ? "f32" : "f16";
}
// Of a kernel's name: the exact forms have none.
const char* nameSuffix(BlurSums sums) {
  return sums == BlurSums::kU32 ? "" : sums == BlurSums::kF32 ? "-f32" : "-f16";
}

// SwiftShader takes half a minute and more for a pipeline with so many texels an iteration, and there is one for each edge and direction.
constexpr std::uint32_t kManyTexels = 8;

// What a row has besides its form. stride: the texels of a line that it takes at a time.
struct Told {
  std::string algorithm, module, summary;
  std::uint32_t stride;
};

void add(std::vector<Kernel>& all, Kernel row, BlurSums sums, const Told& told) {
  row.name = fmt::format("{}/{}{}", row.contract.name, told.algorithm, nameSuffix(sums));
  row.module = fmt::format("{}_{}", told.module, moduleSuffix(sums));
  row.summary = told.summary;
  if (sums == BlurSums::kF16) row.needs = "Float16";
  row.quick = blurStrides(row, told.stride, static_cast<std::uint32_t>(all.size()));
  all.push_back(std::move(row));
}

template <BoxForm kContract, BlurSums kSums>
void addAccumulated(std::vector<Kernel>& all, std::span<const std::uint32_t> unrolls) {
  constexpr BlurForm kLines{kContract, kSums, BlurWalk::kLine, kSums == BlurSums::kF16 ? kHalfSegment : 0};
  const std::string walk = kSums == BlurSums::kF16 ? fmt::format("{} texels of a row or column", kHalfSegment) : "a row or column";
  for (const std::uint32_t n : unrolls) {
    add(all, blurRow<kLines>(), kSums,
        {fmt::format("accumulated-x{}", n), fmt::format("box_blur_accumulated_x{}", n),
         fmt::format("one invocation {}, a running sum, {} texel{} a turn", walk, n, n == 1 ? "" : "s"), n});
    if (kContract == BoxForm::kDouble && n == 1) all.back().quick = blurSpread(1);  // a simple form: it has a large set
    if (n >= kManyTexels) all.back().minutesOn = {kCompilesForMinutes};
  }
}

template <BoxForm kContract, BlurSums kSums>
void addTwoPass(std::vector<Kernel>& all, std::span<const std::uint32_t> unrolls) {
  constexpr BlurForm kTexels{kContract, kSums, BlurWalk::kTexel, 0};
  const char* const naive = kContract == BoxForm::kDouble ? "naive" : "two-pass";
  add(all, blurRow<kTexels>(), kSums, {naive, "box_blur_naive", "one invocation a texel, 2r + 1 taps a pass", 16});
  if (kContract == BoxForm::kDouble) all.back().quick = blurSpread(0);  // a simple form: it has a large set
  addAccumulated<kContract, kSums>(all, unrolls);
}

template <BlurSums kSums>
void addOnePass(std::vector<Kernel>& all) {
  constexpr BlurForm kForm{BoxForm::kSingle, kSums, BlurWalk::kOnePass, 0};
  add(all, blurRow<kForm>(), kSums, {"naive", "box_blur_single", "one invocation a texel, (2r + 1)^2 taps", 5});
  // A window of 401 x 401 costs as much as all the rest, so the radii end at the first that covers most sizes.
  for (CaseBlock& b : all.back().quick) b.values[0][0] = std::min(b.values[0][0], 16u);
}

template <BlurSums kSums>
void addMps(std::vector<Kernel>& all) {
  constexpr BlurForm kForm{BoxForm::kSingle, kSums, BlurWalk::kMps, 0};
  add(all, blurRow<kForm>(), kSums,
      {"mps", "box_blur_scan", "rows: one invocation each, 32 a group; columns: a prefix scan, 16 invocations each, 16 columns a group",
       32});
  // Columns of more than two iterations of 32, few enough for the slow ways of the self-test: they show what one iteration passes to the
  // next.
  CaseBlock turns = all.back().quick[0];
  turns.sizes = {{3, 70}};
  turns.values[0] = {1};
  turns.inputs = {"noise:2"};
  all.back().quick.push_back(turns);
}

// The fastest one on a GPU that rounds twice.
void addScanSlide(std::vector<Kernel>& all) {
  constexpr BlurForm kForm{BoxForm::kDouble, BlurSums::kU32, BlurWalk::kScanSlide, 0};
  Kernel row = blurRow<kForm>();
  row.name = row.contract.name + "/scan-slide";
  row.module = "box_blur_rows";
  row.minutesOn = {kCompilesForMinutes};
  row.summary = "rows: prefix sums of a tile of 1024 texels, 256 invocations; columns: one invocation a segment, a running sum";
  row.quick = blurStrides(row, 28, static_cast<std::uint32_t>(all.size()));
  // Two tiles, the second with one texel, and the widest windows; and one row more than a segment.
  CaseBlock tiles = row.quick[0];
  tiles.sizes = {{1025, 2}, {2, 85}, {5, 3}, {1, 4}};
  tiles.values[0] = {127, 1};
  tiles.values[1] = {2};
  tiles.inputs = {"noise:3", "constant:255"};
  row.quick.push_back(tiles);
  // Windows that end at each position of an iteration of sixteen, and columns that do.
  for (std::uint32_t radius = 0; radius <= 8; ++radius) {
    CaseBlock turn = tiles;
    turn.sizes = {{3, 17 + 2 * radius}};
    turn.values[0] = {radius};
    turn.inputs = {"noise:1"};
    row.quick.push_back(forTheModel(turn));
  }
  all.push_back(std::move(row));
}

// One dispatch; of a large picture the fastest that was measured on a GPU, with one rounding.
void addStrips(std::vector<Kernel>& all) {
  constexpr BlurForm kForm{BoxForm::kSingle, BlurSums::kU32, BlurWalk::kStrips, 0};
  Kernel row = blurRow<kForm>();
  row.name = row.contract.name + "/strips";
  row.module = "box_blur_strips";
  row.summary = "one dispatch: a strip of columns a workgroup, prefix sums of rows, a running sum down or up a segment";
  row.minutesOn = {kCompilesForMinutes};
  row.leastSubgroup = 4;
  row.quick = blurStrides(row, 16, static_cast<std::uint32_t>(all.size()));
  // Two strips, the second with one texel, and the widest windows; segments down and up, the last with one row; a strip in two segments.
  CaseBlock strips = row.quick[0];
  strips.sizes = {{385, 2}, {1, 33}, {3, 50}, {34, 17}};
  strips.values[0] = {63, 30, 1};
  strips.values[1] = {0};
  strips.inputs = {"noise:3", "extremes:2", "constant:255"};
  row.quick.push_back(strips);
  CaseBlock edges = strips;
  edges.sizes = {{490, 3}, {37, 40}};
  edges.values[0] = {2, 63};
  edges.values[1] = {0, 1, 2, 3};
  row.quick.push_back(forTheModel(edges));
  CaseBlock subgroups = strips;
  subgroups.sizes = {{140, 18}};
  subgroups.values[0] = {63, 5};
  subgroups.inputs = {"noise:1"};
  subgroups.subgroupSizes = {4, 8, 16, 64, 128};
  row.quick.push_back(forTheModel(subgroups));
  // Windows across each number of subgroups, in all of the greatest number of them.
  CaseBlock across = subgroups;
  across.sizes = {{460, 3}};
  across.values[0] = {8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};
  across.subgroupSizes = {4};
  row.quick.push_back(forTheModel(across));
  // Every radius modulo the pairs of rows of a turn at the beginning of a segment, with one turn and two.
  CaseBlock radii = strips;
  radii.sizes = {{20, 19}};
  radii.values[0] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  radii.inputs = {"noise:2"};
  row.quick.push_back(forTheModel(radii));
  all.push_back(std::move(row));
}

// Taps two at a time, through a sampler.
template <BoxForm kContract, BlurSums kSums, BlurWalk kWalk>
void addLinear(std::vector<Kernel>& all) {
  constexpr BlurForm kForm{kContract, kSums, kWalk, 0, true};
  Kernel row = blurRow<kForm>();
  row.name = fmt::format("{}/linear{}", row.contract.name, nameSuffix(kSums));
  row.module = fmt::format("box_blur_linear_{}", moduleSuffix(kSums));
  row.summary = kWalk == BlurWalk::kOnePass ? "one invocation a texel, (r + 1)^2 samples of up to four texels"
                                            : "one invocation a texel, r + 1 samples of up to two texels a pass";
  row.quick = blurFiltered(row, kWalk == BlurWalk::kOnePass ? 16 : 200);
  all.push_back(std::move(row));
}

}  // namespace

std::vector<Kernel> boxBlurKernels() {
  std::vector<Kernel> all;
  // Of single the best comes early and the others last: a row's number deals out its cases.
  constexpr std::uint32_t kPlainAndBest[] = {1, 8}, kOthers[] = {2, 4, 12, 16, 24, 32};
  addTwoPass<BoxForm::kDouble, BlurSums::kU32>(all, kUnrolls);
  addTwoPass<BoxForm::kSingle, BlurSums::kU32>(all, kPlainAndBest);
  addTwoPass<BoxForm::kSingle, BlurSums::kF32>(all, kUnrolls);
  addTwoPass<BoxForm::kSingle, BlurSums::kF16>(all, kUnrolls);
  addOnePass<BlurSums::kU32>(all);
  addOnePass<BlurSums::kF32>(all);
  addMps<BlurSums::kU32>(all);
  addMps<BlurSums::kF32>(all);
  addScanSlide(all);
  addLinear<BoxForm::kSingle, BlurSums::kU32, BlurWalk::kOnePass>(all);
  addLinear<BoxForm::kDouble, BlurSums::kU32, BlurWalk::kTexel>(all);
  addLinear<BoxForm::kSingle, BlurSums::kF32, BlurWalk::kOnePass>(all);
  addLinear<BoxForm::kSingle, BlurSums::kF32, BlurWalk::kTexel>(all);
  addAccumulated<BoxForm::kSingle, BlurSums::kU32>(all, kOthers);
  addStrips(all);
  for (Kernel& k : brokenBoxBlurKernels()) all.push_back(std::move(k));
  return all;
}

}  // namespace lanewise
