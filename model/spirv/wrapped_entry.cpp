#include "model/spirv/wrapped_entry.h"

#include <algorithm>
#include <string_view>

#include "model/spirv/debug_set.h"

namespace lanewise::spirv {
namespace {

// The line that a function begins at, or 0: OpFunction's, or that of its debug information.
std::uint32_t lineOf(const Module& module, const FunctionRange& f) {
  if (const std::uint32_t line = module.instructions[f.first].source.line) return line;
  const DebugSet set(module);
  for (std::uint32_t i = f.first; i < f.last; ++i)
    if (const auto e = set.entry(module.instructions[i]); e && e->op == NonSemanticShaderDebugInfo100DebugFunctionDefinition)
      if (const auto function = set.entry(e->operand(0))) return set.number(*function, 3);
  return 0;
}

}  // namespace

std::string functionName(const std::string& text) {
  constexpr std::string_view kDxc = "src.";
  const std::size_t first = text.starts_with('@') ? 1 : text.starts_with(kDxc) ? kDxc.size() : 0;
  return text.substr(first, text.find('(', first) - first);
}

const Instruction* wrappedCall(const Module& module, const FunctionRange& f) {
  if (std::ranges::none_of(module.entryPoints, [&](const EntryPoint& e) { return e.function == f.id; })) return nullptr;
  for (std::uint32_t i = f.first; i < f.last; ++i)
    if (const Instruction& inst = module.instructions[i]; inst.op == spv::Op::OpFunctionCall)
      if (const std::string name = module.nameOf(inst.operand(0)); functionName(name) != name.substr(0, name.find('('))) return &inst;
  return nullptr;
}

void clearAddedLines(Module& module, const FunctionRange& wrapper, const Instruction& call) {
  const FunctionRange* const f = module.function(call.operand(0));
  if (!f) return;
  SourceLine own = call.source;
  // glslang 15 gives the call no line: it, and what follows it, has that of the last initializer.
  if (const std::uint32_t line = lineOf(module, *f); line != 0 && line != own.line) {
    own.line = line;
    for (auto i = static_cast<std::uint32_t>(&call - module.instructions.data()); i < wrapper.last; ++i) module.instructions[i].source = {};
  }
  std::uint32_t last = own.line;
  for (std::uint32_t i = f->first; i < f->last && module.instructions[i].op != spv::Op::OpLabel; ++i)
    last = std::max(last, module.instructions[i].source.line);
  for (std::uint32_t i = wrapper.first; i < wrapper.last; ++i)
    if (SourceLine& at = module.instructions[i].source; at.file == own.file && own.line <= at.line && at.line <= last) at = {};
}

}  // namespace lanewise::spirv
