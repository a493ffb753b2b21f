// What an atomic needs besides the core of SPIR-V, and its name in the source (atomic_update.h).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/patch/atomic_update.h"
#include "model/spirv/capability_name.h"
#include "model/spirv/source_words.h"

namespace lanewise {
namespace {

using spirv::Instruction;
using spirv::Module;
using spv::Op;

// What the atomics of a type need.
struct SupportRow {
  Op type;
  std::uint32_t width;
  Op atomic;  // OpNop: any
  AtomicSupport support;
};
constexpr const char* kFloatAdd = "SPV_EXT_shader_atomic_float_add";
constexpr const char* kFloatMinMax = "SPV_EXT_shader_atomic_float_min_max";
constexpr SupportRow kSupport[] = {
    {Op::OpTypeInt, 64, Op::OpNop, kWideIntegers},
    {Op::OpTypeFloat, 32, Op::OpAtomicFAddEXT, {spv::Capability::AtomicFloat32AddEXT, kFloatAdd, "GL_EXT_shader_atomic_float"}},
    {Op::OpTypeFloat, 64, Op::OpAtomicFAddEXT, {spv::Capability::AtomicFloat64AddEXT, kFloatAdd, "GL_EXT_shader_atomic_float"}},
    {Op::OpTypeFloat, 32, Op::OpNop, {spv::Capability::AtomicFloat32MinMaxEXT, kFloatMinMax, "GL_EXT_shader_atomic_float2"}},
    {Op::OpTypeFloat, 64, Op::OpNop, {spv::Capability::AtomicFloat64MinMaxEXT, kFloatMinMax, "GL_EXT_shader_atomic_float2"}},
};

// Behind SourceWords::atomic or texelAtomic.
std::string nameBehind(Op atomic) {
  if (atomic == Op::OpAtomicISub) return "Add() of the negative";
  std::string name = spirv::opName(atomic).substr(std::string_view("OpAtomic").size());
  if (std::isupper(static_cast<unsigned char>(name[1])) != 0) name.erase(0, 1);  // I, S, U or F
  if (name.ends_with("EXT")) name.erase(name.size() - 3);
  return fmt::format("{}()", name);
}

}  // namespace

std::optional<AtomicSupport> supportOf(const Module& module, std::uint32_t type, Op atomic) {
  const Instruction* t = module.definition(type);
  const auto row = std::ranges::find_if(kSupport, [&](const SupportRow& r) {
    return t && t->op == r.type && t->operand(0) == r.width && (r.atomic == atomic || r.atomic == Op::OpNop);
  });
  return row == std::end(kSupport) ? std::nullopt : std::optional(row->support);
}

std::optional<AtomicSupport> supportFor(const Module& module, const AtomicUpdate& update) {
  const Instruction& load = module.instructions[update.from.load];
  return load.op == Op::OpImageRead ? std::nullopt : supportOf(module, load.type, update.atomics[0].op);
}

std::string supportText(const Module& module, const AtomicSupport& support) {
  return spirv::sourceWords(module).declares ? support.glsl : spirv::capabilityName(support.capability);
}

std::string atomicText(const Module& module, const AtomicUpdate& update, const std::string& place) {
  using enum AtomicUpdate::Decides;
  const spirv::SourceWords& words = spirv::sourceWords(module);
  const auto nameOf = [&](const AtomicUpdate::Atomic& a) {
    const bool isTexel = module.instructions[update.store].op == Op::OpImageWrite;
    return fmt::format("{}{}", isTexel ? words.texelAtomic : words.atomic, nameBehind(a.op));
  };
  std::string name = nameOf(update.atomics[0]);
  if (const auto support = supportFor(module, update)) name += " of " + supportText(module, *support);
  if (update.decides == kWhether) return fmt::format("what {} compares and stores has to be one atomic: {}, with no `if`", place, name);
  if (update.decides == kWhetherElse)
    return fmt::format("what {} compares and stores has to be one atomic: {}, and what it gives decides the `if`", place, name);
  if (update.atomics.size() == 1) return fmt::format("what {} loads, changes and stores has to be one atomic: {}", place, name);
  return fmt::format("what {} loads, changes and stores has to be atomic: {} and then {}, if each invocation has bits of its own", place,
                     name, nameOf(update.atomics[1]));
}

std::string partText(const Module& module, const AtomicUpdate& update, const std::string& variable, const std::string& place) {
  const Op op = update.atomics[0].op;
  const bool isSum = op == Op::OpAtomicIAdd || op == Op::OpAtomicISub;
  return fmt::format(
      "what {} loads, changes and stores has to be an atomic of the 32-bit word that it is a part of: declare '{}' as words, with {}{} of "
      "the shifted bits{}",
      place, variable, spirv::sourceWords(module).atomic, nameBehind(op), isSum ? ", if no sum leaves its part" : "");
}

}  // namespace lanewise
