// The quick sets of the box blurs: which sizes, radii, edges and inputs, and why.
#pragma once

#include "tools/catalogue/kernel.h"

namespace lanewise {

// For the two simple forms with which all others are compared. `turn` assigns the sizes' radii and edges differently.
std::vector<CaseBlock> blurSpread(std::uint32_t turn);

// For a form that takes `stride` texels of a line at a time: lengths of every remainder class on both axes. `row` selects radii, edges and
// inputs. A row has one edge and one format between the passes, because a device compiles the module again for each.
std::vector<CaseBlock> blurStrides(const Kernel& kernel, std::uint32_t stride, std::uint32_t row);

// For a form that reads through a filter: one texel, one axis, odd and even sides, windows inside of the picture and larger.
std::vector<CaseBlock> blurFiltered(const Kernel& kernel, std::uint32_t greatestRadius);

}  // namespace lanewise
