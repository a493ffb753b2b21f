#include "model/patch/patch.h"

#include <fmt/format.h>

#include <set>

#include "model/ir/operation_info.h"
#include "model/patch/additions.h"
#include "model/spirv/parse.h"
#include "model/spirv/words.h"

namespace lanewise {
namespace {

using spv::Op;
using Words = std::vector<std::uint32_t>;

// An execution mode that the patch adds, unless one of the same choice is declared for the width.
struct Mode {
  spv::ExecutionMode mode;
  spv::Capability capability;
  const char* name;
  bool FloatControls::*taken;
  spv::ExecutionMode excludes;                 // the other side of the choice
  Independence CommonControls::*independence;  // nullptr: each width for itself
};

constexpr Mode kModes[] = {
    {spv::ExecutionMode::SignedZeroInfNanPreserve, spv::Capability::SignedZeroInfNanPreserve, "SignedZeroInfNanPreserve",
     &FloatControls::signedZeroInfNanPreserve, spv::ExecutionMode::SignedZeroInfNanPreserve, nullptr},
    {spv::ExecutionMode::RoundingModeRTE, spv::Capability::RoundingModeRTE, "RoundingModeRTE", &FloatControls::roundingModeRTE,
     spv::ExecutionMode::RoundingModeRTZ, &CommonControls::roundingIndependence},
    {spv::ExecutionMode::DenormPreserve, spv::Capability::DenormPreserve, "DenormPreserve", &FloatControls::denormPreserve,
     spv::ExecutionMode::DenormFlushToZero, &CommonControls::denormIndependence},
};

class Patcher {
 public:
  Patcher(const spirv::Module& module, const CommonControls& controls) : m_(module), controls_(controls) {}

  void modes() {
    std::set<spv::Capability> capabilities(m_.capabilities.begin(), m_.capabilities.end());
    for (const spirv::Instruction& inst : m_.instructions)
      if (inst.op == Op::OpTypeFloat) widths_.insert(inst.operand(0));
    for (const std::uint32_t width : widths_)
      for (const Mode& mode : kModes) add(mode, width, capabilities);
    if (modes_.empty() || m_.version >= 0x00010400) return;
    constexpr std::string_view name = "SPV_KHR_float_controls";
    for (const spirv::Instruction& inst : m_.instructions)
      if (inst.op == Op::OpExtension && spirv::literalString(inst.operands) == name) return;
    spirv::appendInstruction(extensions_, Op::OpExtension, {}, spirv::literalWords(name));
  }

  void contraction() {
    for (const spirv::Instruction& inst : m_.instructions) {
      const ir::OperationInfo* row = ir::operationInfo(ir::core(inst.op));
      const bool core = row && row->facts.contracts;
      const bool extended = m_.setOf(inst) == spirv::InstructionSet::kGlsl;
      if (!(core || extended) || !isFloat(inst.type) || m_.decoration(inst.result, spv::Decoration::NoContraction)) continue;
      spirv::appendInstruction(decorations_, Op::OpDecorate, {inst.result, static_cast<std::uint32_t>(spv::Decoration::NoContraction)});
      ++contracted_;
    }
  }

  // The module with what was added, each in the section where it belongs (SPIR-V 1.6, 2.4).
  Words words() const {
    Words out(m_.words.begin(), m_.words.begin() + 5);
    bool extensions = false, modes = false, decorations = false;
    for (std::size_t i = 0; i < m_.instructions.size(); ++i) {
      const spirv::Instruction& inst = m_.instructions[i];
      const bool first = i == 0;
      if (first) out.insert(out.end(), capabilities_.begin(), capabilities_.end());
      if (inst.op != Op::OpCapability) insertOnce(out, extensions, extensions_);
      const bool head = ir::sectionOf(inst.op) == ir::Section::kHead;
      if (!head) insertOnce(out, modes, modes_);
      if (isBehindDecorations(inst.op)) insertOnce(out, decorations, decorations_);
      const std::size_t end = i + 1 < m_.instructions.size() ? m_.instructions[i + 1].offset : m_.words.size();
      out.insert(out.end(), m_.words.begin() + inst.offset, m_.words.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return out;
  }

  std::string what() const {
    std::string out = told_;
    if (contracted_ != 0) out += fmt::format("{}NoContraction on {} results", out.empty() ? "" : ", ", contracted_);
    return out;
  }

 private:
  static void insertOnce(Words& out, bool& done, const Words& words) {
    if (!std::exchange(done, true)) out.insert(out.end(), words.begin(), words.end());
  }

  bool isFloat(std::uint32_t type) const {
    const spirv::Instruction* t = m_.definition(type);
    while (t && (t->op == Op::OpTypeVector || t->op == Op::OpTypeMatrix)) t = m_.definition(t->operand(0));
    return t && t->op == Op::OpTypeFloat;
  }

  void add(const Mode& mode, std::uint32_t width, std::set<spv::Capability>& capabilities) {
    bool any = false;
    for (const spirv::EntryPoint& entry : m_.entryPoints) {
      if (entry.model != spv::ExecutionModel::GLCompute || declared(entry.function, mode.mode, width) || !fits(entry.function, mode, width))
        continue;
      spirv::appendInstruction(modes_, Op::OpExecutionMode, {entry.function, static_cast<std::uint32_t>(mode.mode), width});
      any = true;
    }
    if (!any) return;
    told_ += fmt::format("{}{} {}", told_.empty() ? "" : ", ", mode.name, width);
    if (capabilities.insert(mode.capability).second)
      spirv::appendInstruction(capabilities_, Op::OpCapability, {static_cast<std::uint32_t>(mode.capability)});
  }

  // Whether every width that must make the same choice as `width` can have the mode.
  bool fits(std::uint32_t function, const Mode& mode, std::uint32_t width) const {
    return std::all_of(widths_.begin(), widths_.end(), [&](std::uint32_t other) {
      if (!makeOneChoice(mode.independence ? controls_.*mode.independence : Independence::kAll, width, other)) return true;
      const FloatControls& taken = other == 16 ? controls_.float16 : other == 64 ? controls_.float64 : controls_.float32;
      return taken.*mode.taken && !declared(function, mode.excludes, other);
    });
  }

  bool declared(std::uint32_t function, spv::ExecutionMode mode, std::uint32_t width) const {
    return std::any_of(m_.instructions.begin(), m_.instructions.end(), [&](const spirv::Instruction& inst) {
      return inst.op == Op::OpExecutionMode && inst.operand(0) == function && static_cast<spv::ExecutionMode>(inst.operand(1)) == mode &&
             inst.operand(2) == width;
    });
  }

  const spirv::Module& m_;
  const CommonControls& controls_;
  std::set<std::uint32_t> widths_;  // of the module's floats
  Words capabilities_, extensions_, modes_, decorations_;
  std::string told_;
  std::size_t contracted_ = 0;
};

}  // namespace

const char* patchName(Patch patch) {
  return patch == Patch::kExact ? "exact" : "none";
}

Expected<Patch> parsePatch(std::string_view name) {
  if (name == "none") return Patch::kNone;
  if (name == "exact") return Patch::kExact;
  return Error{Outcome::kBadInput, fmt::format("no such patch: '{}'", name), "--patch", "none or exact"};
}

void CommonControls::narrow(const Profile& profile) {
  const auto both = [](FloatControls& a, const FloatControls& b) {
    a.signedZeroInfNanPreserve = a.signedZeroInfNanPreserve && b.signedZeroInfNanPreserve;
    a.denormPreserve = a.denormPreserve && b.denormPreserve;
    a.denormFlushToZero = a.denormFlushToZero && b.denormFlushToZero;
    a.roundingModeRTE = a.roundingModeRTE && b.roundingModeRTE;
    a.roundingModeRTZ = a.roundingModeRTZ && b.roundingModeRTZ;
  };
  both(float16, profile.float16);
  both(float32, profile.float32);
  both(float64, profile.float64);
  denormIndependence = std::max(denormIndependence, profile.denormIndependence);
  roundingIndependence = std::max(roundingIndependence, profile.roundingIndependence);
}

Expected<PatchedModule> patchModule(std::shared_ptr<const ShaderModule> module, Patch patch, const CommonControls& controls) {
  if (patch == Patch::kNone) return PatchedModule{std::move(module), {}};
  const Expected<spirv::Module> parsed = spirv::parse(module->name, module->words);
  if (!parsed) return parsed.error();
  Patcher patcher(*parsed, controls);
  patcher.modes();
  patcher.contraction();
  if (patcher.what().empty()) return PatchedModule{std::move(module), {}};
  auto out = std::make_shared<ShaderModule>(*module);
  out->words = patcher.words();
  return PatchedModule{std::move(out), fmt::format("{}: {}", patchName(patch), patcher.what())};
}

Expected<std::shared_ptr<const ShaderModule>> JobPatcher::patched(const std::shared_ptr<const ShaderModule>& module) {
  const std::lock_guard lock(mutex_);
  if (const auto known = modules_.find(module); known != modules_.end()) return known->second;
  Expected<PatchedModule> made = patchModule(module, patch_, controls_);
  if (!made) return made.error();
  modules_[module] = made->module;
  return made->module;
}

Expected<Job> JobPatcher::operator()(const Job& job) {
  Job own = job;
  for (Dispatch& d : own.dispatches) {
    if (!d.module) continue;
    Expected<std::shared_ptr<const ShaderModule>> module = patched(d.module);
    if (!module) return module.error();
    d.module = *module;
  }
  return own;
}

}  // namespace lanewise
