// The variables that a person is shown at a place: by name, each with its value in one invocation.
#pragma once

#include <optional>
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
// ... and those that only names tell of, in a module whose debug information does not have them.
std::vector<NamedValue> madeOf(const debug::Scope& scope);
// Whether the module tells of any local variable, anywhere.
bool describesLocals(const debug::Places& places);
// Of the module. A block without a name is its members.
std::vector<NamedValue> globalsOf(const debug::Scope& scope);
// The scalar of a variable in memory, or in the lane's own, that has this byte (LaneValue::byte). Nothing: none has it.
std::optional<NamedValue> scalarAt(const NamedValue& variable, std::uint64_t byte);

}  // namespace lanewise
