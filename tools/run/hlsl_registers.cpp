#include "tools/run/hlsl_registers.h"

#include <map>
#include <set>

#include "model/spirv/interface.h"
#include "model/spirv/parse.h"

namespace lanewise {
namespace {

struct Registered {
  std::size_t at = 0;  // the word of its binding
  std::uint32_t set = 0;
  DescriptorKind kind = DescriptorKind::kOther;
};

// By id: the variables that have a binding.
std::map<std::uint32_t, Registered> registersOf(const std::vector<std::uint32_t>& words) {
  std::map<std::uint32_t, Registered> all;
  const Expected<spirv::Module> m = spirv::parse("", words);
  if (!m) return all;
  const Expected<spirv::Declarations> declarations = spirv::readDeclarations(*m, {});
  if (!declarations) return all;
  for (const spirv::Instruction& inst : m->instructions) {
    if (inst.op != spv::Op::OpVariable) continue;
    const spirv::Decoration* binding = m->decoration(inst.result, spv::Decoration::Binding);
    if (!binding || binding->operands.empty() || !m->decoration(inst.result, spv::Decoration::DescriptorSet)) continue;
    const InterfaceBinding is = spirv::bindingOf(*m, *declarations, inst);
    all[inst.result] = {static_cast<std::size_t>(binding->operands.data() - m->words.data()), is.set, is.kind};
  }
  return all;
}

// Vulkan has a descriptor that is one of each.
bool isOfPair(DescriptorKind kind) {
  return kind == DescriptorKind::kSampledImage || kind == DescriptorKind::kSampler;
}

}  // namespace

bool separateRegisters(std::vector<std::uint32_t>& words) {
  using SetBinding = std::pair<std::uint32_t, std::uint32_t>;  // set and binding
  const std::map<std::uint32_t, Registered> registers = registersOf(words);
  std::set<SetBinding> taken;
  bool changed = false;
  for (const auto& [id, r] : registers) taken.insert({r.set, words[r.at]});
  std::map<SetBinding, std::set<DescriptorKind>> kept;
  for (const auto& [id, r] : registers) {
    SetBinding slot{r.set, words[r.at]};
    std::set<DescriptorKind>& there = kept[slot];
    const bool isPair = isOfPair(r.kind) && there.size() == 1 && isOfPair(*there.begin()) && *there.begin() != r.kind;
    if (there.empty() || isPair) {
      there.insert(r.kind);
      continue;
    }
    for (slot.second = 0; !taken.insert(slot).second;) ++slot.second;
    words[r.at] = slot.second;
    changed = true;
  }
  return changed;
}

}  // namespace lanewise
