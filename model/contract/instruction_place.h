// Where an instruction of a module is, for people.
#pragma once

#include <cstdint>
#include <string>

namespace lanewise {

struct InstructionPlace {
  std::string file;        // of the source, or the module if the line is unknown; empty: no instruction
  std::uint32_t line = 0;  // 0: unknown
  std::uint32_t word = 0;  // where it begins in its module

  bool empty() const { return file.empty(); }
  // "blur.comp:31"; without a line "blur.comp, word 17"; empty without an instruction.
  std::string text() const;
};

// Whether both have the same text(): the line, or without one the instruction.
inline bool sameLine(const InstructionPlace& a, const InstructionPlace& b) {
  return a.file == b.file && a.line == b.line && (a.line != 0 || a.word == b.word);
}

}  // namespace lanewise
