// The images of one failing case as HTML figures: input, expected, got and the amplified difference, with the first bad texel marked.
#pragma once

#include <string>

#include "tools/sweep/result.h"

namespace lanewise {

// Pictures of more than kWholeSide texels a side are cut to kCutSide around the first bad texel, and say so.
inline constexpr std::uint32_t kWholeSide = 256;
inline constexpr std::uint32_t kCutSide = 96;

// One row of figures for the sides of `group`, which gave the same bytes; empty if the output is not a picture.
std::string figureRow(const SweepResult& result, const Evidence& evidence, const std::vector<std::size_t>& group);

}  // namespace lanewise
