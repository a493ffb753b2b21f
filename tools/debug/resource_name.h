// The names of what a dispatch is bound to.
#pragma once

#include <string>

#include "model/contract/device.h"
#include "model/debug/places.h"

namespace lanewise {

// The resource at a binding, as `run` names it: by numbers, by the variable, by its block, or else by a member of the block, each with an
// element if it is an array. Empty: none. `dispatch`: the last one, if it is behind that.
std::string boundTo(const Job& job, std::size_t dispatch, const Program& program, const std::string& name);

}  // namespace lanewise
