// Where a program's instructions are in the source (lines, functions and calls), and at which instructions a line, function or operation
// that a person names begins.
//
// A line begins wherever control comes to it from another line or from another copy of its function. So a `for` has several places, and one
// of them is reached in each iteration. Control that returns from a function to the line that called it begins no line. An instruction
// without a line, or one that only records values for debuggers, belongs to the line before it.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "model/operations/profile_rows.h"
#include "model/state/variables.h"

namespace lanewise::debug {

// Instructions of a module, as people name them: by operation ("OpImageWrite"), by the id of the result ("%17"), or by the first word
// ("word 17", "blur.comp, word 17").
struct InstructionName {
  enum class By : std::uint8_t { kOperation, kResult, kWord };
  By by = By::kOperation;
  std::string text;          // kOperation: its name; kWord: the module, empty for any
  std::uint32_t number = 0;  // kResult, kWord
};

// Empty: the text is written like none of these.
std::optional<InstructionName> parseInstructionName(const std::string& text);

class Places {
 public:
  // The program must outlive it.
  explicit Places(const Program& program);

  const SourceVariables& source() const { return source_; }
  const Program& program() const { return source_.program(); }
  // The operations that the program's instructions are under the profile of its run, which is always the same one.
  const OpRows& rows(const Profile& profile) const;
  // The functions from the innermost outwards, with the variables in scope.
  const std::vector<SourceFrame>& frames(std::uint32_t pc) const;
  // Whether this is the first instruction of the engine for an instruction of the module.
  bool begins(std::uint32_t pc) const;
  bool hasLine(std::uint32_t pc) const;
  // The instruction whose line this one belongs to: the nearest one with a line, in the same copy of its function; behind a branch or loop
  // that of where it begins.
  std::uint32_t lined(std::uint32_t pc) const;
  // False if the module has no line information.
  bool hasLines() const { return hasLines_; }
  std::size_t depth(std::uint32_t pc) const { return frames(pc).size(); }
  // Whether both are in one line of one copy of a function.
  bool sameLine(std::uint32_t a, std::uint32_t b) const;

  // Where a line begins. If it has no instructions, the next line with some is taken; `line` is set to it. `file` is the end of a path, or
  // empty for any file. Empty: no such line.
  std::vector<std::uint32_t> ofLine(const std::string& file, std::uint32_t& line) const;
  // Where each copy of a function begins.
  std::vector<std::uint32_t> ofFunction(const std::string& name) const;
  std::vector<std::uint32_t> ofInstruction(const InstructionName& name) const;
  // The file of a line without its folders: "blur.comp".
  std::string fileOf(spirv::SourceLine line) const;

 private:
  bool isOneCopy(std::uint32_t a, std::uint32_t b) const;
  std::optional<std::uint32_t> branchBefore(std::uint32_t pc) const;
  void lineCalls(std::uint32_t origin, std::vector<SourceFrame>& frames) const;

  SourceVariables source_;
  mutable std::unordered_map<std::uint32_t, std::vector<SourceFrame>> frames_;  // by origin
  mutable std::optional<OpRows> rows_;
  bool hasLines_ = false;
};

}  // namespace lanewise::debug
