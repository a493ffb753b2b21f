// Variables as a person reads them: "ivec2 cell = (12, 7)", "float[3] weights = {0.5, ?, ?}", "Item item = {color: (1, 2, 3), on: true}".
//
// "?" is a scalar that was never written; of long values the beginning is printed.
#pragma once

#include <string>

#include "model/state/variables.h"

namespace lanewise {

// Of a buffer of HLSL, which glslang makes a block of, its elements.
LaneValue asWritten(const LaneValue& value);
std::string valueText(const LaneValue& value);
// As its author wrote it.
std::string typeText(const LaneValue& value);
// With its type as its author wrote it. `name` may be a path: "item.color".
std::string variableText(const std::string& name, const LaneValue& value);
// What follows a value's name for one of its parts: ".color", "[3]", ".x".
std::string partText(const LaneValue& value, std::uint64_t part);

}  // namespace lanewise
