// The host's side of shaders/cascade.glsl: into which stages the levels of a picture are cut, and the two dispatches that make them.
//
// A tile of stage 0 covers 64x64 texels of level 0, one of a later stage 32x32 of its base, or 16x16 where that makes few tiles, each with
// the border that its windows reach; the last stage is one tile with all levels that are left, as soon as they fit a workgroup's memory.
// Stage 0 makes as many levels as it can without reading too much twice, or those after which the rest fits.
#pragma once

#include <vector>

#include "tools/catalogue/kernel.h"

namespace lanewise {

struct CascadeStage {
  std::uint32_t base = 0;      // the level it reads
  std::uint32_t levels = 0;    // that it makes
  std::uint32_t side = 0;      // log2 of a tile's texels a side on the highest of them; kWholeLevel for a single tile
  std::uint32_t counters = 0;  // where those of its tiles begin, from stage 2 on
  friend bool operator==(const CascadeStage&, const CascadeStage&) = default;
};
inline constexpr std::uint32_t kWholeLevel = 16;

// Down to `levels` levels, the base among them. `borders`: texels take three texels of odd axes; else only the last of an axis does.
std::vector<CascadeStage> cascadeStages(Size base, std::uint32_t levels, bool borders);
// Sizes for the quick sets of all cascades.
std::vector<Size> cascadeSizes();
// The tiles of a stage.
Size cascadeTiles(Size base, const CascadeStage& stage);

struct CascadeForm {
  bool borders = false;                 // as above
  bool copies = false;                  // level 0 is made too, from `source`
  std::vector<SpecConstant> constants;  // of the module, besides those of the cascade
};
// The dispatches, of stage 0 and of the others, and their resource of counters, for the resource "pyramid", whose level 0 is `source`'s;
// none where there is nothing to make.
void addCascade(Job& job, const Case& c, const std::shared_ptr<const ShaderModule>& module, const std::string& source, std::uint32_t levels,
                const CascadeForm& form);

}  // namespace lanewise
