// Lowers a parsed module to the intermediate form: specialization, inlining, flattening of composites, address arithmetic.
//
// Source: SPIR-V 1.6, section 3.42; Vulkan 1.3, "Shader Interfaces". Promise: the result executes the entry point exactly. An instruction
// that is not implemented is never skipped: it is an Error{kUnsupported} that names it and its place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/contract/device.h"
#include "model/ir/ir.h"

namespace lanewise {

class OpRows;

struct LowerOptions {
  std::string entryPoint = "main";
  std::vector<SpecConstant> spec;
  Profile profile;
  std::uint32_t subgroupSize = 32;
  bool checkIndices = false;     // as in ProgramOptions
  bool everyIndex = false;       // as well
  bool record = false;           // for the faithful flavour: record what debuggers read
  const OpRows* rows = nullptr;  // the operations for folding constants; nullptr: the strict ones
};

struct Lowered {
  ir::Function function;
  std::uint32_t localSize[3] = {1, 1, 1};
  bool quads = false;                        // DerivativeGroupQuads: four consecutive lanes are 2x2 invocations
  std::vector<std::unique_ptr<Type>> types;  // owns what the function's accesses point to
  std::uint32_t pushBytes = 0;               // end of the push constant block, 0 without one
};

Expected<Lowered> lower(const spirv::Module& module, const LowerOptions& options);

}  // namespace lanewise
