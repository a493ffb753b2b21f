// Where a program's instructions stand in the source: lines, functions and calls, and the instructions at which a person's places begin.
//
// A line begins wherever control comes to it from another line or another copy of its function; a `for` has several places, one of them
// for each turn. What has no line (and what is written down for debuggers) belongs to the line before it.
#pragma once

#include <string>
#include <unordered_map>

#include "model/state/variables.h"

namespace lanewise::debug {

class Places {
 public:
  // The program must outlive it.
  explicit Places(const Program& program);

  const SourceVariables& source() const { return source_; }
  const Program& program() const { return source_.program(); }
  // From the innermost function outwards, with what is in scope.
  const std::vector<SourceFrame>& frames(std::uint32_t pc) const;
  // It is the first that the engine executes of an instruction of the module.
  bool begins(std::uint32_t pc) const;
  bool hasLine(std::uint32_t pc) const;
  // The instruction whose line this one belongs to: the nearest of the same copy of its function that has one.
  std::uint32_t lined(std::uint32_t pc) const;
  // False where the module says nothing of lines.
  bool hasLines() const { return hasLines_; }
  std::size_t depth(std::uint32_t pc) const { return frames(pc).size(); }
  // Both stand in one line of one copy of a function.
  bool sameLine(std::uint32_t a, std::uint32_t b) const;

  // Where a line begins: the first line with instructions that is not before it, which is told; `file` is the end of a path, or empty for
  // any. Empty: there is none.
  std::vector<std::uint32_t> ofLine(const std::string& file, std::uint32_t& line) const;
  // Where each copy of a function begins.
  std::vector<std::uint32_t> ofFunction(const std::string& name) const;
  // Instructions of the module: by their operation ("OpImageWrite"), or by the id of their result ("%17").
  std::vector<std::uint32_t> ofInstruction(const std::string& text) const;
  // "blur.comp" of a line's file, without its folders.
  std::string fileOf(spirv::SourceLine line) const;

 private:
  void lineCalls(std::uint32_t origin, std::vector<SourceFrame>& frames) const;

  SourceVariables source_;
  mutable std::unordered_map<std::uint32_t, std::vector<SourceFrame>> frames_;  // by origin
  bool hasLines_ = false;
};

}  // namespace lanewise::debug
