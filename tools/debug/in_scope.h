// The variables that a person is shown at a place: by name, each with its value in one invocation.
#pragma once

#include <string>
#include <vector>

#include "model/debug/evaluate.h"

namespace lanewise {

struct NamedValue {
  std::string name;
  LaneValue value;
  bool isParameter = false;
};

// Of one function of the call stack: Scope::frame.
std::vector<NamedValue> localsOf(const debug::Scope& scope);
// Of the module. A block without a name is its members.
std::vector<NamedValue> globalsOf(const debug::Scope& scope);

}  // namespace lanewise
