// The box blur's kernels. Every form here is the exact double pass: rows into an RGBA8 intermediate, then columns, one rounding each.
#include "golden/box_blur.h"

#include "golden/inputs.h"

#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

const std::uint32_t kMaxRadius = golden::boxBlurMaxRadius(golden::BoxForm::kDouble);

Dispatch blurPass(const Case& c, std::shared_ptr<const ShaderModule> module, bool vertical, Extent3 groups) {
  Dispatch pass;
  pass.module = std::move(module);
  pass.groups = groups;
  pass.spec = {{0, c.value("edge")}, {1, vertical ? 1u : 0u}};
  pass.push = pushWords({c.size.width, c.size.height, c.value("radius")});
  pass.bindings.resize(2);
  pass.bindings[0].resource = vertical ? "rows" : "source";
  pass.bindings[1].binding = 1;
  pass.bindings[1].resource = vertical ? "blurred" : "rows";
  return pass;
}

// Both passes, given the groups of each.
Job blurJob(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input, Extent3 rows, Extent3 columns) {
  const Extent3 extent{c.size.width, c.size.height, 1};
  Job job;
  job.resources = {inputPicture("source", input), undefinedImage("rows", Format::R8G8B8A8_UINT, extent),
                   undefinedImage("blurred", Format::R8G8B8A8_UINT, extent)};
  job.resources[1].output = false;
  job.dispatches = {blurPass(c, module, false, rows), blurPass(c, module, true, columns)};
  job.subgroupSize = c.subgroupSize;
  return job;
}

// One invocation a texel, groups of 16x16.
Job planByTexel(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input) {
  const Extent3 groups{groupsFor(c.size.width, 16), groupsFor(c.size.height, 16), 1};
  return blurJob(c, std::move(module), input, groups, groups);
}

// One invocation a line, groups of 64.
Job planByLine(const Case& c, std::shared_ptr<const ShaderModule> module, const golden::Image& input) {
  return blurJob(c, std::move(module), input, {groupsFor(c.size.height, 64), 1, 1}, {groupsFor(c.size.width, 64), 1, 1});
}

Expected<std::vector<golden::Image>> expectDouble(const Case& c, const golden::Image& input) {
  const auto edge = golden::kEdges[c.value("edge")];
  Expected<golden::Image> blurred = golden::boxBlurDouble(input, c.value("radius"), edge);
  if (!blurred) return blurred.error();
  return std::vector<golden::Image>{std::move(*blurred)};
}

// The values of "edge" are those of kEdge in shaders/edges.glsl and the order of golden::kEdges.
std::vector<Parameter> blurParameters() {
  Parameter radius{"radius", 0, kMaxRadius, 1, {}};
  Parameter edge{"edge", 0, 3, 0, {}};
  for (const golden::Edge e : golden::kEdges) edge.choices.emplace_back(golden::edgeName(e));
  Parameter format{"format", 0, 0, 0, {"rgba8ui"}};
  return {radius, edge, format};
}

std::vector<Size> quickSizes() {
  std::vector<Size> sizes = {
      {1, 1},    // the smallest: every tap but one lies outside
      {2, 1},    // the smallest with a neighbour, an axis of 1 across it
      {1, 2},    // the same, turned
      {33, 65},  // one more than two tiles of 16 and a group of 64 lines, both odd
      {64, 64},  // whole tiles and whole groups
      {65, 63},  // one more and one less than a group
      {300, 1},  // a line of many tiles beside an axis of 1; the radii below stay inside it
      {1, 300},  // the same, turned
      {129, 3},  // three groups of lines for the columns, the last with one line
      {3, 127},  // two groups, the last with a line missing
  };
  // n x (34 - n): on each axis every parity, every remainder by tiles and unrolls of 2 to 32, each power of two up to 32 with its
  // neighbours.
  for (std::uint32_t n = 1; n <= 33; ++n) sizes.push_back({n, 34 - n});
  return sizes;
}

// The quick set. Radii: 0 is the identity, 1 the smallest window, 2 the next, 7 a window of about a tile, 16 a tile to each side, 63 the
// published greatest, 200 above most sizes, where mirrors fold several times.
std::vector<Block> blurQuick() {
  const std::vector<std::uint32_t> edges = {0, 1, 2, 3};
  Block spread;
  spread.sizes = quickSizes();
  spread.values = {{0, 1, 2, 7, 16, 63, 200}, edges, {0}};
  spread.inputs = {"noise:1", "extremes:1", "ramp", "checkerboard", "constant:255", "noise:2"};
  std::vector<Block> blocks = {spread};
  // Where each texel's weight goes: an impulse at every texel, windows smaller and larger than the short axis.
  Block impulses;
  impulses.sizes = {{5, 4}};
  impulses.values = {{1, 2}, edges, {0}};
  for (const golden::InputSpec& spec : golden::impulsesEverywhere({5, 4})) impulses.inputs.push_back(golden::inputName(spec));
  impulses.everyInput = true;
  blocks.push_back(impulses);
  return blocks;
}

// The smallest failing case, and sizes of every remainder by 4: 0 and 1 pass, 2 and 3 fail.
std::vector<Block> remainderQuick() {
  Block smallest;
  smallest.sizes = {{2, 1}};
  smallest.values = {{1}, {0}, {0}};
  smallest.inputs = {"list:255,0"};
  Block remainders;
  remainders.sizes = {{4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {1, 6}};
  remainders.values = {{1, 2}, {0}, {0}};
  remainders.inputs = {"noise:1"};
  return {smallest, remainders};
}

Kernel doublePass(std::string name, std::string module, std::string summary) {
  Kernel k;
  k.name = std::move(name);
  k.module = std::move(module);
  k.summary = std::move(summary);
  k.promise = "T = floor((2 * sum + k) / (2k)), k = 2r + 1, along rows, then along columns of T; exact";
  k.contract.name = "box-blur/double";
  k.oracle = "box-blur-" + std::to_string(golden::kBoxBlurVersion);
  k.parameters = blurParameters();
  k.expect = expectDouble;
  return k;
}

}  // namespace

std::vector<Kernel> boxBlurKernels() {
  Kernel naive = doublePass("box-blur/double/naive", "box_blur_naive", "one invocation a texel, 2r + 1 taps");
  naive.plan = planByTexel;
  naive.quick = blurQuick();
  Kernel accumulated =
      doublePass("box-blur/double/accumulated-x1", "box_blur_accumulated", "one invocation a row or column, a running sum");
  accumulated.plan = planByLine;
  accumulated.quick = blurQuick();
  Kernel remainder = doublePass("broken/box-blur-remainder-x4", "broken/box_blur_remainder_x4",
                                "accumulated, four texels a turn; the remainder's window moves by the wrong offsets (B2)");
  remainder.plan = planByLine;
  remainder.quick = remainderQuick();
  remainder.defects = {{.id = "B2",
                        .point = "2x1 radius=1 input=list:255,0",
                        .text = "texel 1: 85 expected, 170 got (channel r)",
                        .nearMiss = "5x1 radius=1 input=noise:1"}};
  return {naive, accumulated, remainder};
}

}  // namespace lanewise
