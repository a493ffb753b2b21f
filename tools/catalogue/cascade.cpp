#include "tools/catalogue/cascade.h"

#include <algorithm>

#include "tools/catalogue/families.h"
#include "tools/catalogue/pyramid_parts.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kPictures = 15;               // of the modules
constexpr std::uint64_t kWide = 2304, kNarrow = 576;  // texels of the two levels of a tile that wait in workgroup memory
constexpr std::uint64_t kMostRuns = 512;              // that cascade.glsl's nextLevel makes; of a level of one row each is a texel
// log2 of the base texels a side of a tile, without its border. Small later tiles take less time, if all can be made at once.
constexpr std::uint32_t kFirstTile = 6, kLaterTile = 5, kSmallTile = 4, kFewTiles = 256;
constexpr std::uint32_t kMostStages = 4;
// Invocations that make runs of the columns of an odd level 0. In 32 lanes each, they make 7 * 31 runs: 6 rows of 36, and no subgroup is
// idle.
constexpr std::uint32_t kColumnsGroup = 224;
// Of level 0, texels a side of a last tile that takes longer than others: it has what is left over, where there are no borders.
constexpr std::uint32_t kLongTile = 96;
// How many texels of level 0 a tile may read for each of its own: as a rule, and where only one stage is left after it.
constexpr double kRead = 1.24, kReadBeforeLast = 1.4;

Size levelSize(Size base, std::uint32_t level) {
  return {std::max(1u, base.width >> level), std::max(1u, base.height >> level)};
}

// Of a side of `size` texels `left` levels below a stage's highest, as many as a tile can need.
std::uint64_t reach(std::uint32_t size, std::uint32_t side, std::uint32_t left) {
  return std::min<std::uint64_t>(size, (std::uint64_t{1} << (side + left)) + (size & ((1u << left) - 1)));
}

std::uint64_t texels(Size base, const CascadeStage& s, std::uint32_t above) {
  const Size size = levelSize(base, s.base + above);
  return reach(size.width, s.side, s.levels - above) * reach(size.height, s.side, s.levels - above);
}

bool isEven(Size size) {
  return size.width % 2 == 0 && size.height % 2 == 0;
}

// Whether the levels of a tile fit workgroup memory, in turn, and a level above has no more runs of a column than two an invocation. The
// base waits there where it is neither level 0 nor even.
bool fits(Size base, const CascadeStage& s) {
  const bool waits = s.base != 0 && !isEven(levelSize(base, s.base));
  for (std::uint32_t above = waits ? 0 : 1, turn = 0; above <= s.levels; ++above, ++turn) {
    const std::uint64_t count = texels(base, s, above);
    if (count > (turn % 2 == 0 ? kWide : kNarrow)) return false;
    if (turn != 0 && count > kMostRuns && levelSize(base, s.base + above).height == 1) return false;
  }
  return true;
}

bool restFits(Size base, std::uint32_t at, std::uint32_t levels) {
  return at + 1 >= levels || fits(base, {at, levels - 1 - at, kWholeLevel, 0});
}

// Texels of level 0 that a tile reads for each of its own.
double readsOf(Size base, std::uint32_t levels) {
  const auto axis = [&](std::uint32_t size) {
    const double own = std::min(size, 1u << kFirstTile);
    return static_cast<double>(reach(size, kFirstTile - levels, levels)) / own;
  };
  return axis(base.width) * axis(base.height);
}

// Whether stage 0 without borders has many tiles, and a last one that ends after all others.
bool hasLongTiles(Size base, const CascadeStage& s) {
  const Size tiles = cascadeTiles(base, s);
  const std::uint32_t last = std::max(base.width - ((tiles.width - 1) << kFirstTile), base.height - ((tiles.height - 1) << kFirstTile));
  return std::uint64_t{tiles.width} * tiles.height > kFewTiles && last > kLongTile;
}

// Without long tiles, where one level fewer is enough for that, and leaves no stage more.
CascadeStage firstStage(Size base, std::uint32_t levels, bool borders) {
  CascadeStage best{0, 1, kFirstTile - 1, 0};
  for (std::uint32_t k = 2; k <= std::min(kFirstTile, levels - 1); ++k) {
    const CascadeStage s{0, k, kFirstTile - k, 0};
    if (!fits(base, s)) continue;
    if (!borders && best.levels + 1 == k && restFits(base, best.levels, levels) && hasLongTiles(base, s) && !hasLongTiles(base, best))
      continue;
    const double reads = borders ? readsOf(base, k) : 1;
    if (reads <= kRead || (reads <= kReadBeforeLast && restFits(base, k, levels))) best = s;
  }
  return best;
}

// Three levels, unless another number leaves one stage more, not two.
CascadeStage laterStage(Size base, std::uint32_t at, std::uint32_t levels) {
  const std::uint32_t left = levels - 1 - at;
  const Size size = levelSize(base, at);
  const std::uint64_t small = std::uint64_t{groupsFor(size.width, 1u << kSmallTile)} * groupsFor(size.height, 1u << kSmallTile);
  const std::uint32_t tile = small <= kFewTiles ? kSmallTile : kLaterTile;
  for (const std::uint32_t k : {3u, 4u, 5u, 2u, 1u}) {
    const CascadeStage s{at, k, tile - k, 0};
    if (k <= std::min(left, tile) && fits(base, s) && restFits(base, at + k, levels)) return s;
  }
  return {at, 3, tile - 3, 0};
}

// The levels of cascade_first.glsl's tiles, all of one extent on each level; 0 where that does not fit, or a side ends before.
std::uint32_t regularLevels(Size base, const CascadeStage& s, bool borders) {
  constexpr std::uint64_t kMostQuads = 2048;  // of level 1, eight an invocation
  if (s.side == kWholeLevel || base.width >> s.levels == 0 || base.height >> s.levels == 0) return 0;
  const std::uint32_t bits = borders ? (1u << s.levels) - 1 : 0, x = base.width & bits, y = base.height & bits, tile = 1u << kFirstTile;
  for (std::uint32_t above = 1; above <= s.levels; ++above) {
    const std::uint64_t texels = std::uint64_t{(tile + x) >> above} * ((tile + y) >> above);
    if (texels > (above == 1 ? kMostQuads : above % 2 == 1 ? kWide : kNarrow)) return 0;
  }
  return s.levels;
}

// The constants of cascade.glsl where stage 0 has several tiles: the size, and the stages.
std::vector<SpecConstant> sizeConstants(Size base, const std::vector<CascadeStage>& stages) {
  std::vector<SpecConstant> out = {{14, base.width}, {15, base.height}};
  for (std::uint32_t i = 0; i < stages.size(); ++i) out.push_back({16 + i, stages[i].levels | stages[i].side << 8});
  return out;
}

}  // namespace

Size cascadeTiles(Size base, const CascadeStage& stage) {
  const Size top = levelSize(base, stage.base + stage.levels);
  return {groupsFor(top.width, 1u << stage.side), groupsFor(top.height, 1u << stage.side)};
}

std::vector<Size> cascadeSizes() {
  return {// One tile: more runs of five than invocations; a second level of 24x24; level 1 with 1260 texels, and wide with 2200.
          {97, 95},
          {96, 96},
          {70, 72},
          {200, 44},
          // A second level of one row: 257 texels, 512, and more than one tile may have.
          {1029, 1},
          {2051, 1},
          {2100, 1},
          // Tiles that are not regular: with 256 texels of level 1; two of the last level a side; one; and such that would not fit with all
          // that lies behind them.
          {800, 16},
          {2100, 4},
          {3074, 6},
          {3000, 7},
          // Two regular tiles, few enough to be observed: an even level 0, higher than wide, and an odd one, wider than high; and more.
          {74, 130},
          {131, 73},
          {300, 200},
          // Regular tiles with an odd level 0 and an even level 1; and with more runs of columns than invocations make at once.
          {129, 132},
          {153, 64},
          // A last stage with an even base, 32x2, and five levels; with an odd one: 35x33; and 63x31, which nearly fills workgroup memory.
          {2048, 128},
          {287, 271},
          {511, 255},
          // Three stages, of which tiles of the second would not fit with all that lies behind them.
          {1023, 383}};
}

std::vector<CascadeStage> cascadeStages(Size base, std::uint32_t levels, bool borders) {
  std::vector<CascadeStage> stages;
  std::uint32_t counters = 0;
  for (std::uint32_t at = 0; at + 1 < levels; at += stages.back().levels) {
    CascadeStage s = restFits(base, at, levels) ? CascadeStage{at, levels - 1 - at, kWholeLevel, 0}
                     : at == 0                  ? firstStage(base, levels, borders)
                                                : laterStage(base, at, levels);
    if (stages.size() >= 2) {  // stages 0 and 1 have dispatches of their own
      s.counters = counters;
      const Size tiles = cascadeTiles(base, s);
      counters += tiles.width * tiles.height;
    }
    stages.push_back(s);
  }
  return stages;
}

void addCascade(Job& job, const Case& c, const std::shared_ptr<const ShaderModule>& module, const std::string& source, std::uint32_t levels,
                const CascadeForm& form) {
  std::vector<CascadeStage> stages = cascadeStages(c.size, levels, form.borders);
  if (stages.empty() && form.copies) stages = {{0, 0, kWholeLevel, 0}};
  if (stages.empty()) return;
  const std::size_t count = stages.size();
  const Size last = cascadeTiles(c.size, stages.back());
  job.resources.push_back(zeroedCounters(stages.back().counters + last.width * last.height));
  std::vector<std::byte> push =
      pushWords({c.size.width, c.size.height, static_cast<std::uint32_t>(stages.size()), c.value(kReductionParameter)});
  stages.resize(kMostStages);
  for (const CascadeStage& s : stages) {
    const std::vector<std::byte> words = pushWords({s.base, s.levels, s.side, s.counters});
    push.insert(push.end(), words.begin(), words.end());
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 2); ++i) {
    const Size tiles = cascadeTiles(c.size, stages[i]);
    Dispatch d;
    d.module = module;
    d.groups = {tiles.width, tiles.height, 1};
    d.push = push;
    d.bindings = spdBindings(source, "pyramid", {levels, kPictures}, Format::R32_UINT);
    d.spec = form.constants;
    d.spec.push_back({13, i == 0 ? 1u : 0u});
    if (i == 0) {
      const std::uint32_t regular = regularLevels(c.size, stages[0], form.borders);
      d.spec.push_back({10, regular});
      if (regular != 0 && form.borders && !form.copies && !isEven(c.size)) d.spec.push_back({12, kColumnsGroup});
    }
    if (stages[0].side != kWholeLevel)
      for (const SpecConstant& known : sizeConstants(c.size, stages)) d.spec.push_back(known);
    job.dispatches.push_back(std::move(d));
  }
}

}  // namespace lanewise
