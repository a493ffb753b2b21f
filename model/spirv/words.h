// The words of a file, and those of an instruction, for what writes a module again with changes.
//
// Source: SPIR-V 1.6, 2.3 "Physical Layout of a SPIR-V Module and Instruction", 2.2.1 "Literal".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise::spirv {

// Those of a file, whose bytes may be in either order (2.3: the magic number tells which); empty: it is no whole number of words.
std::optional<std::vector<std::uint32_t>> wordsOfFile(std::string_view bytes);
// Whether a file begins with the magic number, in either order.
bool isBinary(std::string_view bytes);

// All words of an instruction of this module; the first holds their number and the opcode.
std::span<const std::uint32_t> wordsOf(const Module& module, const Instruction& inst);

// A string as words, with the zero byte that ends it.
std::vector<std::uint32_t> literalWords(std::string_view text);

// Writes an instruction to the end. It has at most 65,535 words.
void appendInstruction(std::vector<std::uint32_t>& to, spv::Op op, std::initializer_list<std::uint32_t> operands,
                       std::span<const std::uint32_t> more = {});

}  // namespace lanewise::spirv
