// The built-in variables that an expression can name in every kernel, whether the kernel uses them or not.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "model/debug/tuple.h"

namespace lanewise::debug {

std::span<const std::string_view> builtInNames();
// Empty for another name.
std::optional<Tuple> builtInValue(std::string_view name, const LaneState& lane);

}  // namespace lanewise::debug
