#include "tools/selftest/source_lines.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <sstream>

namespace lanewise {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(' '), last = line.find_last_not_of(" \r\\");
    lines.push_back(first == std::string::npos ? "" : line.substr(first, last - first + 1));
  }
  return lines;
}

}  // namespace

// DebugSource: file, text. DebugSourceContinued continues the text of the previous one.
SourceLines::SourceLines(const spirv::Module& module) {
  std::uint32_t file = 0;
  std::map<std::uint32_t, std::string> texts;
  for (const spirv::Instruction& in : module.instructions) {
    if (module.setOf(in) != spirv::InstructionSet::kShaderDebug) continue;
    if (in.operand(1) == NonSemanticShaderDebugInfo100DebugSource) {
      file = in.operand(2);
      texts[file] = module.string(in.operand(3));
    } else if (in.operand(1) == NonSemanticShaderDebugInfo100DebugSourceContinued) {
      texts[file] += module.string(in.operand(2));
    }
  }
  for (const auto& [id, text] : texts) lines_[id] = linesOf(text);
}

std::string SourceLines::at(spirv::SourceLine line) const {
  const auto it = lines_.find(line.file);
  return it == lines_.end() || line.line == 0 || line.line > it->second.size() ? "" : it->second[line.line - 1];
}

}  // namespace lanewise
