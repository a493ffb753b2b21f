// What the plans of the pyramids are made of: level counts, a pyramid that holds its base, the bindings of its levels, a dispatch a level.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "golden/oracles/levels.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// "levels=full|spd|ceil", those that a family has (golden/oracles/levels.h), and how many levels a case makes by it, the base among them.
// Where ceil counts none, for 1x1, the base alone is made.
Parameter levelsParameter(std::span<const golden::LevelCount> conventions);
std::uint32_t pyramidLevels(const Case& c);

// A pyramid of one layer for each base: level 0 holds the bases, the other levels poison. Wanted back.
Resource pyramidOn(std::string name, Format format, std::span<const golden::Image> bases, std::uint32_t levels);

// The counters of the last workgroup, one a layer, all 0.
Resource zeroedCounters(std::uint32_t layers);

// How many levels there are, and how many pictures a single-pass kernel declares: those beyond the levels are bound to the last one.
struct Pictures {
  std::uint32_t levels, declared;
};

// Bindings of a single-pass kernel: 0 its source, 1 the levels, 2 the counters. `view` is the format that the kernel sees, or UNDEFINED.
std::vector<Binding> spdBindings(const std::string& source, const std::string& pyramid, Pictures pictures, Format view);

struct LevelDispatch {
  std::string pyramid;
  std::uint32_t side = 8;  // of a workgroup, one invocation a texel
  std::uint32_t layers = 1;
  Format view = Format::UNDEFINED;
};
// One dispatch a level: binding 0 is the level below, 1 the level; the push constants are the size of the level below and the reduction.
std::vector<Dispatch> levelDispatches(const Case& c, std::shared_ptr<const ShaderModule> module, const LevelDispatch& plan);

}  // namespace lanewise
