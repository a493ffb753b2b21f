// The names of instructions, by SPIRV-Tools' table.
#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include "model/spirv/module.h"

namespace lanewise::spirv {

std::string opName(spv::Op op) {
  const std::string name = spvOpcodeString(static_cast<std::uint32_t>(op));
  return name == "unknown" ? fmt::format("Op{}", static_cast<std::uint32_t>(op)) : "Op" + name;
}

}  // namespace lanewise::spirv
