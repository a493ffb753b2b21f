// What a first description asks of a module's types.
#pragma once

#include "model/spirv/interface.h"

namespace lanewise {

// What the device address at this byte of a block leads to; nullptr: there is none.
const Type* addressedAt(const Type& block, std::uint64_t offset);

// Whether a block, or an element of its runtime array, has a device address.
bool holdsAddresses(const Type& block);

// Whether one resource can be both.
bool canShare(const InterfaceBinding& a, const InterfaceBinding& b);

bool hasSubgroupOperations(const Interface& interface);

}  // namespace lanewise
