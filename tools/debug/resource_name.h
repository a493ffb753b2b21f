// The names of what a dispatch is bound to.
#pragma once

#include <string>
#include <vector>

#include "model/contract/device.h"
#include "model/debug/places.h"

namespace lanewise {

// The resources that a name of the kernel means, as `run` names them: by numbers, by the variable, by its block, or else by a member of the
// block, each with an element if it is an array. Empty: none. Several: blocks have members, or variables types, of the same name.
// `dispatch`: the last one, if it is behind that.
std::vector<std::string> boundTo(const Job& job, std::size_t dispatch, const Program& program, const std::string& name);
// "'data' may be 'in' or 'out'".
Error severalBound(const std::string& name, const std::vector<std::string>& resources, const std::string& where);

}  // namespace lanewise
