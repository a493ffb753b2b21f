#include "tools/catalogue/box_blur_quick.h"

#include "golden/image/inputs.h"
#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kEdgeModes = 4;
constexpr std::uint32_t kTile = 16;

// 0 is the identity, 1 the smallest window, 2 the next, 7 a window of about a tile, 16 a tile to each side, 63 the published greatest, 200
// above most sizes, where mirrors fold several times.
constexpr std::uint32_t kRadii[] = {0, 1, 2, 7, 16, 63, 200};
constexpr const char* kNoise[] = {"noise:1", "noise:2", "noise:3"};
constexpr const char* kInputs[] = {"noise:1", "extremes:1", "ramp", "checkerboard", "constant:255", "noise:2"};

CaseBlock point(Size size, std::uint32_t radius, std::uint32_t edge, std::string input) {
  CaseBlock b;
  b.sizes = {size};
  b.values = {{radius}, {edge}, {0}};
  b.inputs = {std::move(input)};
  return b;
}

std::vector<Size> everyClass() {
  std::vector<Size> sizes = {
      {1, 1},    // the smallest: every tap but one lies outside
      {2, 1},    // the smallest with a neighbour, an axis of 1 across it
      {1, 2},    // the same, turned
      {64, 64},  // whole tiles and whole groups
      {65, 63},  // one more and one less than a group of 64 lines
      {300, 1},  // a line of many tiles beside an axis of 1; most radii stay inside it
      {1, 300},  // the same, turned
      {129, 3},  // three groups of lines for the columns, the last with one line
      {3, 127},  // two groups, the last with a line missing
  };
  // n x (34 - n): on each axis every parity, every remainder by tiles and unrolls of 2 to 32, each power of two up to 32 with its
  // neighbours.
  for (std::uint32_t n = 1; n <= 33; ++n) sizes.push_back({n, 34 - n});
  return sizes;
}

// For the model, which compiles quickly: edges whose texels outside are not zero, before a line's first window and after its last
// iteration, which ends where one more would fit except for its window; and axes of a few texels, of two and of one.
std::vector<CaseBlock> otherEdges(const Kernel& kernel, std::uint32_t stride) {
  const bool halves = !kernel.needs.empty();  // which sum up 32 texels at a time
  std::vector<CaseBlock> blocks = {point({(halves ? 32 : 2 * stride) + stride + 2 + (halves ? 0 : 2), 3}, 0, 1, "noise:2"),
                                   point({3, 2 * stride + stride / 2 + 3}, 0, 1, "noise:2"), point({2, 1}, 1, 2, "noise:3")};
  blocks[0].values[0] = blocks[1].values[0] = {0, 2, 9};
  blocks[2].sizes.push_back({5, 4});
  blocks[2].values[0].push_back(9);
  for (CaseBlock& b : blocks) {
    if (kernel.parameters.size() == 4) b.values.push_back({0});
    b = forTheModel(std::move(b));
  }
  return blocks;
}

}  // namespace

std::vector<CaseBlock> blurSpread(std::uint32_t turn) {
  // The axes that the command line replaces, with all edges: one more than two tiles of 16 and than a workgroup of 64 lines, both odd.
  CaseBlock whole;
  whole.sizes = {{33, 65}};
  whole.values = {{0, 1, 7, 200}, {0, 1, 2, 3}, {0}};
  whole.inputs.assign(std::begin(kInputs), std::end(kInputs));
  std::vector<CaseBlock> blocks = {whole};
  // Each size with two of the radii and two of the edges.
  const std::vector<Size> sizes = everyClass();
  for (std::uint32_t i = 0; i < sizes.size(); ++i)
    for (std::uint32_t second = 0; second < 2; ++second) {
      const std::uint32_t n = i + turn * 5 + second * 3;
      blocks.push_back(
          point(sizes[i], kRadii[n % std::size(kRadii)], (i / 2 + turn + 2 * second) % kEdgeModes, kInputs[n % std::size(kInputs)]));
    }
  // Where each texel's weight goes: an impulse at every texel, a window smaller than the short axis and one larger than the long one.
  CaseBlock impulses;
  impulses.sizes = {{4, 3}};
  impulses.values = {{1 + 4 * turn}, {0, 1, 2, 3}, {0}};
  for (const golden::InputSpec& spec : golden::impulsesEverywhere({4, 3})) impulses.inputs.push_back(golden::inputName(spec));
  impulses.everyInput = true;
  blocks.push_back(impulses);
  return blocks;
}

std::vector<CaseBlock> blurStrides(const Kernel& kernel, std::uint32_t stride, std::uint32_t row) {
  struct Place {
    Size size;
    std::uint32_t radius;
    bool bgra;
  };
  const std::uint32_t dealt = kRadii[row % std::size(kRadii)];
  // No side of more than one texel is a power of two if an iteration has more than two texels: lavapipe compiles these separately, and the
  // simple forms have them.
  const Place places[] = {
      // Whole iterations with a remainder of 6 and of 3 (or what these leave); a small window, so that iterations lie inside.
      {{3 * stride + 6, 2 * stride + 3}, row % 2 + 1, false},
      // One texel less than whole iterations, and no remainder; any radius, most of them without an iteration that lies inside.
      {{3 * stride - 1, 3 * stride}, dealt, false},
      // Less than an iteration, and a remainder of 1, in the other order of bytes: each form, but not with every number of texels per
      // iteration.
      {{std::max(stride, 2u) - 1, stride + 1}, row % 3, stride <= (kernel.bounds == nullptr ? 8u : 1u) || stride == kTile},
  };
  std::vector<CaseBlock> blocks;
  for (const Place& p : places) {
    const auto i = static_cast<std::uint32_t>(blocks.size());
    // Whole iterations get noise: in a checkerboard or a constant picture a wrong texel may have the right value.
    const char* const input = i == 0 ? kNoise[row % std::size(kNoise)] : kInputs[(row + i) % std::size(kInputs)];
    // The long forms have one edge mode, because a device compiles them slowly: zero, which shows a wrong iteration most clearly.
    const std::uint32_t edge = stride > kTile ? kEdgeModes - 1 : row % kEdgeModes;
    blocks.push_back(point(p.size, std::min(p.radius, kernel.parameters[0].highest), edge, input));
    blocks.back().values[2] = {p.bgra ? 1u : 0u};
    // With codes between the passes a device needs one variant of the module less, so the long forms have codes.
    if (kernel.parameters.size() == 4) blocks.back().values.push_back({stride > kTile ? 0 : row % 3});
  }
  for (CaseBlock& b : otherEdges(kernel, stride)) blocks.push_back(std::move(b));
  if (stride > kTile) return blocks;
  // Another edge mode than all the others have; an impulse, whose means are far from one half; floats between the passes.
  CaseBlock zero = point({24, 17}, 1, kEdgeModes - 1, "noise:2");
  zero.inputs.emplace_back("impulse:5,4");
  zero.everyInput = true;
  if (kernel.parameters.size() == 4) zero.values.push_back({2});
  blocks.push_back(forTheModel(zero));
  return blocks;
}

std::vector<CaseBlock> blurFiltered(const Kernel& kernel, std::uint32_t greatestRadius) {
  struct Place {
    Size size;
    std::uint32_t radius;
  };
  const Place places[] = {{{33, 18}, 2}, {{1, 1}, 1}, {{2, 1}, 1}, {{1, 3}, 7}, {{17, 35}, 1}, {{33, 18}, 7}, {{5, 9}, 200}, {{16, 16}, 0}};
  std::vector<CaseBlock> blocks;
  for (const Place& p : places) {
    const auto i = static_cast<std::uint32_t>(blocks.size());
    blocks.push_back(point(p.size, std::min(p.radius, greatestRadius), i % 2, kInputs[i % std::size(kInputs)]));
    for (std::size_t more = 3; more < kernel.parameters.size(); ++more)
      blocks.back().values.push_back({(i + static_cast<std::uint32_t>(more)) % (kernel.parameters[more].highest + 1)});
  }
  return blocks;
}

}  // namespace lanewise
