// Parses words into a Module: its instructions, and what other instructions refer to by id.
//
// Source: SPIR-V 1.6, section 2.3 "Physical Layout of a SPIR-V Module and Instruction"; debug_info.h for lines. Promise: parse() is safe
// for any words. What it accepts has well-formed instruction boundaries and ids below the bound. Gap: it does not validate; validate.h
// does, and callers run it first.
#pragma once

#include "model/base/outcome.h"
#include "model/spirv/module.h"

namespace lanewise::spirv {

Expected<Module> parse(std::string name, std::vector<std::uint32_t> words);

}  // namespace lanewise::spirv
