// A job's modules as lists of SPIR-V instructions with addresses: a module's number times 2^32, and the instruction's byte in its file.
#pragma once

#include <map>

#include "model/debug/session.h"
#include "tools/dap/sources.h"

namespace lanewise::dap {

// "0x10000002c".
std::string addressText(std::uint64_t address);
// Bad input: it is no number, in hexadecimal with 0x or decimal.
Expected<std::uint64_t> parseAddress(const std::string& text);

class Instructions {
 public:
  Instructions() = default;
  explicit Instructions(debug::Session& session);

  // Of the instruction of the module that `pc` executes.
  std::uint64_t addressOf(const Program& program, std::uint32_t pc) const;
  // `count` of them from `first` instructions behind the address on: DisassembledInstruction. What lies beyond the module is invalid.
  std::vector<Json> list(std::uint64_t address, std::int64_t first, std::int64_t count, const Sources& sources);
  // As a breakpoint names it, by its word. Bad input: no instruction is there.
  Expected<debug::InstructionName> nameAt(std::uint64_t address) const;

 private:
  struct Listed {
    const debug::Places* places = nullptr;
    std::map<std::uint32_t, std::string> texts;  // by word
  };
  void disassemble(Listed& module) const;
  // The module, and which of its instructions; nothing where there is none at all.
  std::pair<const Listed*, std::size_t> find(std::uint64_t address) const;
  std::vector<Listed> modules_;
};

}  // namespace lanewise::dap
