// The quick sets of the box blurs: which sizes, radii, edges and inputs, and why.
#pragma once

#include "tools/catalogue/kernel.h"

namespace lanewise {

// Of the two plain forms that everything else is measured by. `turn` deals the sizes' radii and edges another way.
std::vector<CaseBlock> blurSpread(std::uint32_t turn);

// Of a form that takes `stride` texels of a line at a time: lengths of every remainder class on both axes. `row` deals out radii, edges and
// inputs. One edge and one format between the passes a row: a device compiles the module again for each.
std::vector<CaseBlock> blurStrides(const Kernel& kernel, std::uint32_t stride, std::uint32_t row);

// Of a form that reads through a filter: one texel, one axis, odd and even sides, windows inside and larger than the picture.
std::vector<CaseBlock> blurFiltered(const Kernel& kernel, std::uint32_t greatestRadius);

}  // namespace lanewise
