// The quick set of a described kernel, from its ranges and its workgroups. docs/descriptions.md has the rules.
#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include "tools/catalogue/sets.h"
#include "tools/described/described_kernel.h"

namespace lanewise {
namespace {

// Block 0 has at most so many combinations of values for each size.
constexpr std::size_t kMostProduct = 16;

// One, two and three; odd; one short of a workgroup, a workgroup, one past it; past the second.
std::vector<std::uint32_t> sidesFor(std::uint32_t local, std::uint32_t largest) {
  std::set<std::uint32_t> sides = {1, 2, 3, 5, 7, local, local + 1, 2 * local + 1};
  if (local > 1) sides.insert(local - 1);
  std::erase_if(sides, [largest](std::uint32_t side) { return side == 0 || side > largest; });
  return {sides.begin(), sides.end()};
}

// The first size after one that the kernel does not have with its plain values, as where a width has to be a multiple of 16; where none is
// near, the least with powers of two; nothing if it has this one, or none of these.
std::optional<Size> nextOf(const OpenDescription& open, Size size) {
  constexpr std::uint32_t kMostSteps = 64;
  const Description& d = open.says;
  Case c{nullptr, size, {}, "noise:1", 0};
  for (const DescribedParameter& p : d.parameters) c.values.push_back(p.parameter.fallback);
  const auto has = [&] {
    const std::vector<std::int64_t> values = open.valuesOf(c);
    return std::ranges::all_of(d.where, [&](const Formula& f) {
      const Expected<Number> value = f.evaluate(values);
      return value && value->asDouble() != 0;
    });
  };
  if (has()) return {};
  for (std::uint32_t steps = 1; steps <= kMostSteps; ++steps)
    for (std::uint32_t x = d.line ? steps : 0; x <= steps; ++x) {
      c.size = {size.width + x, size.height + steps - x};
      if (c.size.width <= d.largest && c.size.height <= d.largest && has()) return c.size;
    }
  std::optional<Size> least;
  const auto texels = [](Size s) { return std::uint64_t{s.width} * s.height; };
  for (std::uint64_t x = std::bit_ceil(size.width); x <= d.largest; x *= 2)
    for (std::uint64_t y = d.line ? 1 : std::bit_ceil(size.height); y <= (d.line ? 1 : d.largest); y *= 2) {
      c.size = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)};
      if ((!least || texels(c.size) < texels(*least)) && has()) least = c.size;
    }
  return least;
}

std::vector<Size> quickSizes(const OpenDescription& open) {
  const Description& d = open.says;
  const std::uint32_t* local = open.dispatches[0].code.entry->localSize;
  const std::vector<std::uint32_t> xs = sidesFor(local[0] * (d.line ? local[1] * local[2] : 1), d.largest);
  std::vector<Size> sizes;
  const auto add = [&sizes](Size size) {
    if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
  };
  if (d.line) {
    for (const std::uint32_t x : xs) add({x, 1});
  } else {
    // A workgroup of a line takes pictures in rows: sides of 8 show as much.
    const std::vector<std::uint32_t> ys = sidesFor(local[1] > 1 ? local[1] : 8, d.largest);
    add({1, 1});
    add({1, ys.back()});
    add({xs.back(), 1});
    // Each width with two heights, so that no height goes with one kind of width alone.
    for (std::size_t step : {std::size_t{1}, std::size_t{4}})
      for (std::size_t i = 0; i < std::max(xs.size(), ys.size()); ++i) add({xs[i % xs.size()], ys[(i + step) % ys.size()]});
  }
  for (const Size size : std::vector(sizes))
    if (const std::optional<Size> next = nextOf(open, size)) add(*next);
  for (const Size size : d.quickSizes) add(size);
  std::ranges::sort(sizes, {}, [](Size s) { return std::pair(std::uint64_t{s.width} * s.height, s.width); });
  return sizes;
}

std::vector<std::uint32_t> quickValues(const DescribedParameter& p) {
  std::set<std::uint32_t> values(p.quick.begin(), p.quick.end());
  if (p.quick.empty()) {
    for (const std::uint64_t step : {0u, 1u, 2u, 3u, 7u, 16u})
      if (p.parameter.lowest + step <= p.parameter.highest) values.insert(static_cast<std::uint32_t>(p.parameter.lowest + step));
    if (!p.parameter.choices.empty())
      for (std::uint32_t v = 0; v <= p.parameter.highest; ++v) values.insert(v);
    if (p.parameter.highest - p.parameter.lowest <= 64) values.insert(p.parameter.highest);
  }
  values.insert(p.parameter.fallback);
  return {values.begin(), values.end()};
}

std::vector<std::string> quickInputs(const OpenDescription& open) {
  if (!open.says.inputs.empty()) return open.says.inputs;
  const DescribedResource* r = open.input();
  if (r == nullptr) return {"noise:1"};
  Case first{nullptr, {1, 1}, {}, "noise:1", 0};
  for (const DescribedParameter& p : open.says.parameters) first.values.push_back(p.parameter.fallback);
  const bool floats = golden::isFloat(describedInput(open, first).component);
  if (floats) return {"noise:1", "constant:1", "ramp", "checkerboard", "noise:2"};  // extremes give infinities
  return {"noise:1", "extremes:1", "ramp", "checkerboard", "constant:1"};
}

// All sizes with the plain values, and with every choice where they are few.
CaseBlock firstBlock(const OpenDescription& open, std::vector<Size> sizes, const std::vector<std::vector<std::uint32_t>>& values) {
  CaseBlock block;
  block.sizes = std::move(sizes);
  block.inputs = quickInputs(open);
  std::size_t product = 1;
  for (std::size_t p = 0; p < values.size(); ++p) {
    const Parameter& parameter = open.says.parameters[p].parameter;
    const std::size_t most = parameter.choices.empty() ? 3 : values[p].size();
    block.values.push_back({parameter.fallback});
    if (product * most > kMostProduct) continue;
    for (std::size_t i = 0; i < std::min(most, values[p].size()); ++i)
      if (values[p][i] != parameter.fallback) block.values.back().push_back(values[p][i]);
    product *= block.values.back().size();
  }
  return block;
}

}  // namespace

std::vector<CaseBlock> describedQuick(const OpenDescription& open) {
  std::vector<std::vector<std::uint32_t>> values;
  for (const DescribedParameter& p : open.says.parameters) values.push_back(quickValues(p));
  std::vector<CaseBlock> blocks = {firstBlock(open, quickSizes(open), values)};
  const CaseBlock first = blocks[0];
  std::vector<std::uint32_t> subgroups = {0};
  subgroups.insert(subgroups.end(), open.says.subgroupSizes.begin(), open.says.subgroupSizes.end());
  // Every pair of values of any two axes.
  std::vector<std::size_t> lengths = {first.sizes.size()};
  for (const auto& axis : values) lengths.push_back(axis.size());
  lengths.push_back(first.inputs.size());
  lengths.push_back(subgroups.size());
  for (const auto& row : pairwiseRows(lengths)) {
    CaseBlock block;
    block.sizes = {first.sizes[row[0]]};
    for (std::size_t p = 0; p < values.size(); ++p) block.values.push_back({values[p][row[p + 1]]});
    block.inputs = {first.inputs[row[row.size() - 2]]};
    block.subgroupSizes = {subgroups[row.back()]};
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace lanewise
