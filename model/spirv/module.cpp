#include "model/spirv/module.h"

#include <fmt/format.h>

#include "model/base/text.h"
#include "model/base/visible.h"
#include "model/spirv/newer.h"

namespace lanewise::spirv {

const Instruction* Module::definition(std::uint32_t id) const {
  if (id >= definitions.size() || definitions[id] == kNone) return nullptr;
  return definitions[id] < instructions.size() ? &instructions[definitions[id]] : nullptr;
}

std::span<const std::uint32_t> Module::namedBy(const Instruction& inst) const {
  const auto i = static_cast<std::size_t>(&inst - instructions.data());
  return std::span(named).subspan(namedFrom[i], namedFrom[i + 1] - namedFrom[i]);
}

InstructionSet Module::setOf(const Instruction& inst) const {
  if (inst.op != spv::Op::OpExtInst && inst.op != newer::OpExtInstWithForwardRefsKHR) return InstructionSet::kNone;
  const auto it = sets.find(inst.operand(0));
  return it == sets.end() ? InstructionSet::kNone : it->second;
}

const Decoration* Module::decoration(std::uint32_t id, spv::Decoration kind) const {
  const auto it = decorations.find(id);
  if (it == decorations.end()) return nullptr;
  for (const Decoration& d : it->second)
    if (d.kind == kind) return &d;
  return nullptr;
}

const Decoration* Module::memberDecoration(std::uint32_t id, std::uint32_t member, spv::Decoration kind) const {
  const auto it = memberDecorations.find({id, member});
  if (it == memberDecorations.end()) return nullptr;
  for (const Decoration& d : it->second)
    if (d.kind == kind) return &d;
  return nullptr;
}

std::optional<std::uint32_t> Module::decorationNumber(std::uint32_t id, spv::Decoration kind) const {
  const Decoration* d = decoration(id, kind);
  return d && !d->operands.empty() ? std::optional(d->operands[0]) : std::nullopt;
}

std::optional<std::uint32_t> Module::memberDecorationNumber(std::uint32_t id, std::uint32_t member, spv::Decoration kind) const {
  const Decoration* d = memberDecoration(id, member, kind);
  return d && !d->operands.empty() ? std::optional(d->operands[0]) : std::nullopt;
}

const EntryPoint* Module::computeEntry(const std::string& entryName) const {
  for (const EntryPoint& e : entryPoints)
    if (e.model == spv::ExecutionModel::GLCompute && e.name == entryName) return &e;
  return nullptr;
}

const FunctionRange* Module::function(std::uint32_t id) const {
  for (const FunctionRange& f : functions)
    if (f.id == id) return &f;
  return nullptr;
}

std::string Module::string(std::uint32_t id) const {
  const Instruction* inst = definition(id);
  return inst && inst->op == spv::Op::OpString ? literalString(inst->operands) : std::string();
}

std::string Module::lineText(SourceLine line) const {
  return line.line == 0 ? "" : placeOf({}, line).text();
}

InstructionPlace Module::placeOf(const Instruction& inst, SourceLine line) const {
  if (line.line == 0) return {name, 0, inst.offset};
  const std::string said = visible(string(line.file)), file(withoutDot(said));
  return {file.empty() ? "source" : file, line.line, inst.offset};
}

std::string Module::nameOf(std::uint32_t id) const {
  const auto it = names.find(id);
  return it != names.end() && !it->second.empty() ? it->second : fmt::format("%{}", id);
}

}  // namespace lanewise::spirv
