// What an entry point uses: the ids named in the functions it may call.
//
// Source: SPIR-V 1.6, 2.2.5 "Static use"; Vulkan 1.3, "Shader Resource Interface": only what is statically used needs a resource.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise::spirv {

// Sets Module::named: parse() does.
void readNames(Module& module);

// The instructions of the entry point's function and of those it may call, in the order of the module.
std::vector<const Instruction*> reachableInstructions(const Module& module, std::uint32_t entryFunction);

// By id. A variable counts too if it initializes one that counts. Debug information names things without using them.
std::vector<bool> usedIds(const Module& module, std::uint32_t entryFunction);

// The labels that a branch may lead to, in order: of an OpSwitch the default first. Empty: the instruction is no branch.
std::vector<std::uint32_t> targetsOf(const Module& module, const Instruction& inst);

}  // namespace lanewise::spirv
