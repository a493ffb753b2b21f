// Which basic blocks of a module a case executes. A change in a block that a case does not execute in an order shows in no result of it in
// that order.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"
#include "model/spirv/module.h"

namespace lanewise {

// By instruction of the module: the number of its block.
std::vector<std::uint32_t> blocksOf(const spirv::Module& module);

// By block: false if the programs of the job have an instruction of it and no invocation executes one. The job runs in order, decoded
// faithfully, where every instruction keeps its place. All true if the run ends in an error.
std::vector<bool> executedBlocks(Model& model, const Job& job, const std::string& module, const std::vector<std::uint32_t>& blockOf);

}  // namespace lanewise
