#include "tools/catalogue/pyramid_dispatches.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kGeneralLocal = 128, kGeneralTile = 8;
// Views of a dispatch: the level that is read, and up to six that are written.
constexpr std::uint32_t kViews = 7;

Size levelSize(Size base, std::uint32_t level) {
  return {std::max(1u, base.width >> level), std::max(1u, base.height >> level)};
}

// How often both sides can be halved without a rest.
std::uint32_t halvings(Size size) {
  return static_cast<std::uint32_t>(std::min(std::countr_zero(size.width), std::countr_zero(size.height)));
}

std::uint32_t tilesOf(const PyramidStep& step) {
  if (step.fast) return (step.size.width >> step.levels) * (step.size.height >> step.levels);
  const Size made = levelSize(step.size, step.levels);
  if (step.levels == 1) return made.width * made.height;
  return groupsFor(made.width, kGeneralTile) * groupsFor(made.height, kGeneralTile);
}

}  // namespace

std::vector<PyramidStep> pyramidSteps(Size base, std::uint32_t levels, const PyramidRules& rules) {
  std::vector<PyramidStep> steps;
  for (std::uint32_t at = 0; at + 1 < levels;) {
    PyramidStep step;
    step.base = at;
    step.size = levelSize(base, at);
    const std::uint32_t left = levels - 1 - at, halves = halvings(step.size);
    step.fast = rules.fastMost != 0 && halves >= rules.fastLeast;
    step.levels = step.fast ? std::min({halves, left, rules.fastMost}) : std::min(left, rules.generalMost);
    at += step.levels;
    steps.push_back(step);
  }
  return steps;
}

PyramidWork pyramidWork(const PyramidStep& step, const PyramidRules& rules, std::uint32_t mostGroups) {
  const std::uint32_t tiles = tilesOf(step);
  std::uint32_t groups = tiles;  // two general levels: a group a tile
  if (step.fast) {
    const std::uint32_t inner = step.levels == 6 && rules.fastLocal == 256 ? 5 : step.levels;
    groups = groupsFor(tiles << (2 * (inner - 1)), rules.fastLocal);
  } else if (step.levels == 1) {
    groups = groupsFor(tiles, kGeneralLocal);
  }
  const std::uint32_t rows = groupsFor(groups, mostGroups);
  return {tiles, {groupsFor(groups, rows), rows, 1}};
}

Dispatch pyramidDispatch(const PyramidStep& step, const PyramidRules& rules, const std::string& pyramid, const TexelViews& views,
                         std::uint32_t mostGroups) {
  const PyramidWork work = pyramidWork(step, rules, mostGroups);
  Dispatch d;
  d.groups = work.groups;
  d.push = pushWords({step.size.width, step.size.height, work.tiles});
  for (std::uint32_t i = 0; i < kViews; ++i) {
    Binding b;
    b.element = i;
    b.resource = pyramid;
    b.baseLevel = step.base + std::min(i, step.levels);  // the rest is never touched
    b.levelCount = 1;
    b.viewFormat = views.written;
    d.bindings.push_back(std::move(b));
  }
  d.bindings.push_back(d.bindings[0]);
  d.bindings.back().binding = 2;
  d.bindings.back().viewFormat = views.read;
  return d;
}

}  // namespace lanewise
