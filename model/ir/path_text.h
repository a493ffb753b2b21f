// Names of variables, and of paths whose indices are known, in the source language's words.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/contract/place_name.h"

namespace lanewise {

struct Program;

// The author's name of a variable; of a resource without one "0:1", its set and binding. Empty for 0.
std::string variableText(const Program& program, std::uint32_t id);

// "particles[3].weights[9]". `indices`: what the first of the indices that are not constant are; the others have names.
PlaceName indexedName(const Program& program, std::uint32_t path, std::span<const std::int64_t> indices);

}  // namespace lanewise
