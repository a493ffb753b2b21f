// Every operation that the specification pins, one by one, in modules of many: for comparing devices with the model.
//
// A module has the rows of one type. Its invocations take four operands of 64 bits each, of which a row uses the low bits, and write one
// word for a row's result, or two if it has 64 bits; a row of an atomic changes its own cells instead.
#pragma once

#include <string>
#include <vector>

#include "model/contract/device.h"
#include "tests/random/kernel.h"

namespace lanewise::operations {

// Types by name: "bool", "u8" to "u64" (signedness is the operation's), "f16", "f32", "f64".
struct Row {
  std::string opcode;  // SPIR-V's name; "glsl FindUMsb"; "OpIAddCarry.1": member 1; "OpGroupNonUniformIAdd Reduce"
  std::string result;
  std::vector<std::string> arguments;
  std::vector<random::Operation::Guard> guards = {};
  std::string name() const;  // "OpIAdd u32 u32", for messages and the table of deviations
};

struct Family {
  std::string name;  // of the type that its rows are about, or "subgroup u32", "atomic u64"
  std::vector<Row> rows;
};
const std::vector<Family>& families();

struct Operands {
  std::uint64_t value[4];
};
inline constexpr std::uint32_t kInvocations = 1u << 16;  // of one job
inline constexpr std::uint32_t kCells = 256;             // that an atomic's row has

// Corners, random bits and small integers of every type; another `round` has others.
std::vector<Operands> operandsOf(std::uint32_t round);

// The capabilities that the family's module declares.
std::vector<std::string> capabilitiesOf(const Family& family);
// With outputs "result", kInvocations times words(family) words, and "cells". No module, and the problem said, if the assembler refuses it.
Job jobOf(const Family& family, const std::vector<Operands>& operands, std::string* problem);
std::uint32_t words(const Family& family);

}  // namespace lanewise::operations
