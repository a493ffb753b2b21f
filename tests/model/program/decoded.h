// Modules decoded, for tests that read a Program back.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/ir/program.h"
#include "model/program/decode.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {

inline std::shared_ptr<const Program> decoded(std::shared_ptr<const ShaderModule> module, ir::Flavour flavour = ir::Flavour::kQuick) {
  ProgramOptions options;
  options.flavour = flavour;
  const auto program = decode(*module, options);
  if (!program) ADD_FAILURE() << program.error().text();
  return program ? *program : std::make_shared<const Program>();
}

inline std::shared_ptr<const Program> decodedProgram(const std::string& file) {
  const auto module = programModule(file);
  if (!module) ADD_FAILURE() << module.error().text();
  return module ? decoded(*module) : std::make_shared<const Program>();
}

// The instructions of an operation; on one line of the source, or on all.
inline std::vector<std::uint32_t> instructionsOf(const Program& program, ir::Code op, std::uint32_t line = 0) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t pc = 0; pc < program.info.size(); ++pc)
    if (program.info[pc].op == op && (line == 0 || program.lineOf(pc).ends_with(":" + std::to_string(line)))) found.push_back(pc);
  return found;
}

}  // namespace lanewise::text
