// The names of instructions: of newer.inc, else of SPIRV-Tools.
#include <fmt/format.h>
#include <spirv-tools/libspirv.h>

#include "model/spirv/abort.h"
#include "model/spirv/module.h"
#include "model/spirv/newer.h"

namespace lanewise::spirv {

std::string opName(spv::Op op) {
  if (const std::string_view newer = newerName(op); !newer.empty()) return std::string(newer);
  if (op == kAbort) return "OpAbortKHR";
  const std::string name = spvOpcodeString(static_cast<std::uint32_t>(op));
  return name == "unknown" ? fmt::format("Op{}", static_cast<std::uint32_t>(op)) : "Op" + name;
}

}  // namespace lanewise::spirv
