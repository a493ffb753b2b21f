// Decoding in two functions, for callers that decode one module many times: decode() validates it, decodeValid() does not.
#pragma once

#include "model/ir/laid.h"
#include "model/ir/program.h"

namespace lanewise {

// Validates, parses, lowers, optimises and lays out. Thread-safe. Errors: bad input with the place in the module; unsupported by name.
Expected<std::shared_ptr<const Program>> decode(const ShaderModule& module, const ProgramOptions& options);

// The same for a module that is known to be valid (spirv/validate.h). `together`: small workgroups may share a batch (ir/together.h).
Expected<std::shared_ptr<const Program>> decodeValid(const ShaderModule& module, const ProgramOptions& options, bool together = false);

// The same, to be compiled.
Expected<std::shared_ptr<const LaidProgram>> decodeToCompile(const ShaderModule& module, const ProgramOptions& options);

// Sets the program's batches and the order of its lanes. The program already has a local size. `quads`: invocations of 2x2 are adjacent.
// `together`: a batch has several workgroups where they are small enough, whole subgroups, and in order.
void placeLanes(Program& program, const ProgramOptions& options, bool quads, bool together);

// Gives a program to compile the batches of compiled code: as few lanes as a vector register has, or twice as many where there are many
// registers and the program is small; but whole subgroups where it looks at other lanes. After placeLanes().
void narrow(LaidProgram& program, const ir::Function& function);

// Finds the instructions at which lanes that run alone meet; see exec/lanes.h.
std::vector<std::uint8_t> meetingPoints(const Program& program);

// The registers that instructions write, each once in ascending order. None where lanes meet so often that registers of their own would not
// pay. After Program::meets.
Program::Rows writtenRows(const Program& program);

// Sets Program::uses of a program that is otherwise complete.
ir::ResourceUses resourceUses(const Program& program);

// Sets Program::switchPoints of a program that is otherwise complete.
std::vector<std::uint8_t> switchPoints(const Program& program);

}  // namespace lanewise
