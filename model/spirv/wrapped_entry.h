// Compilers of HLSL make an entry point that sets globals, loads what the author's function takes and calls it: a wrapper.
#pragma once

#include <string>

#include "model/spirv/module.h"

namespace lanewise::spirv {

// "readTexel": compilers append the types of the parameters. Of HLSL's entry point glslang writes "@main(", and DXC "src.main".
std::string functionName(const std::string& text);

// The call of the author's function, if f is a wrapper, or null.
const Instruction* wrappedCall(const Module& module, const FunctionRange& f);

// What the compiler adds to a wrapper has the line of the author's function or of a parameter: it loses it. Initializers of globals keep
// theirs.
void clearAddedLines(Module& module, const FunctionRange& wrapper, const Instruction& call);

}  // namespace lanewise::spirv
