// Values that are computed in the same way, perhaps by way of variables of their invocation, and what may change them in between.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>

#include "model/spirv/module.h"

namespace lanewise {

// What a value is by another name: of a load of a local variable what was stored there before, in the same block.
std::uint32_t unnamed(const spirv::Module& m, std::uint32_t id);

// The variable that a pointer leads into; of another pointer itself.
std::uint32_t variableOf(const spirv::Module& m, std::uint32_t pointer);
// Whether it is a variable of a function.
bool isFunctionVariable(const spirv::Module& m, std::uint32_t id);
// Whether it is a pointer into a variable of one invocation.
bool isLocal(const spirv::Module& m, std::uint32_t pointer);
// Whether a function, with those that it calls, stores to such variables alone, and waits for nobody.
bool storesLocally(const spirv::Module& m, std::uint32_t function);

// What may change memory, or let others do so.
bool mayStore(spv::Op op);
// Whether an instruction may store to such a variable.
bool setsLocal(const spirv::Module& m, const spirv::Instruction& inst, std::uint32_t variable);

// Whether it gives the same value again, as long as memory is the same.
bool isPure(spv::Op op);
// Whether two values are computed in the same way, by these names or by others.
bool isSame(const spirv::Module& m, std::uint32_t a, std::uint32_t b, int depth = 0);

// What values are loaded from. Indices are those of instructions.
struct Loads {
  std::size_t first = ~std::size_t{0};                                  // the first load of what others may change
  std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> locals;  // by variable of the invocation its first and its last load
};
Loads loadsOf(const spirv::Module& m, std::initializer_list<std::uint32_t> values);

}  // namespace lanewise
