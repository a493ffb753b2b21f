// The names of instructions and capabilities: of newer.h's tables, else of SPIRV-Tools.
#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include <spirv-tools/libspirv.hpp>
#include <sstream>

#include "model/spirv/abort.h"
#include "model/spirv/capability_name.h"
#include "model/spirv/module.h"
#include "model/spirv/newer.h"

namespace lanewise::spirv {

std::string opName(spv::Op op) {
  if (const std::string_view newer = newerName(op); !newer.empty()) return std::string(newer);
  if (op == kAbort) return "OpAbortKHR";
  const std::string name = spvOpcodeString(static_cast<std::uint32_t>(op));
  return name == "unknown" ? fmt::format("Op{}", static_cast<std::uint32_t>(op)) : "Op" + name;
}

// Disassembles a module of one OpCapability.
std::string capabilityName(spv::Capability capability) {
  const auto number = static_cast<std::uint32_t>(capability);
  if (const std::string_view newer = newerCapability(number); !newer.empty()) return std::string(newer);
  const std::uint32_t words[] = {spv::MagicNumber, 0x00010600, 0, 1, 0, 2u << 16 | 17u, number};
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  std::string text;
  if (!tools.Disassemble(words, std::size(words), &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER)) return std::to_string(number);
  std::istringstream in(text);
  std::string op, name;
  in >> op >> name;
  return name;
}

}  // namespace lanewise::spirv
