#include "tools/run/hlsl_registers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace lanewise {
namespace {

enum class RegisterKind : std::uint8_t { kOther, kTexture, kSampler };

struct Registered {
  std::size_t at = 0;  // the word of its binding
  std::optional<std::uint32_t> set;
  RegisterKind kind = RegisterKind::kOther;
  bool isVariable = false;
};

// By id: what has a binding.
std::map<std::uint32_t, Registered> registersOf(std::span<const std::uint32_t> words) {
  std::map<std::uint32_t, Registered> all;
  std::map<std::uint32_t, RegisterKind> types;
  for (std::size_t at = 5; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || at + count > words.size()) break;
    const auto of = words.subspan(at, count);
    switch (static_cast<spv::Op>(of[0] & 0xffff)) {
      case spv::Op::OpDecorate:
        if (of[2] == static_cast<std::uint32_t>(spv::Decoration::Binding)) all[of[1]].at = at + 3;
        if (of[2] == static_cast<std::uint32_t>(spv::Decoration::DescriptorSet)) all[of[1]].set = of[3];
        break;
      case spv::Op::OpTypeImage:
        if (of[7] == 1 && of[3] != static_cast<std::uint32_t>(spv::Dim::Buffer)) types[of[1]] = RegisterKind::kTexture;
        break;
      case spv::Op::OpTypeSampler:
        types[of[1]] = RegisterKind::kSampler;
        break;
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeRuntimeArray:
        types[of[1]] = types[of[2]];
        break;
      case spv::Op::OpTypePointer:
        types[of[1]] = types[of[3]];
        break;
      case spv::Op::OpVariable:
        if (const auto found = all.find(of[2]); found != all.end()) {
          found->second.kind = types[of[1]];
          found->second.isVariable = true;
        }
        break;
      default:
        break;
    }
    at += count;
  }
  std::erase_if(all, [](const auto& one) { return !one.second.isVariable || one.second.at == 0 || !one.second.set; });
  return all;
}

}  // namespace

bool separateRegisters(std::vector<std::uint32_t>& words) {
  using SetBinding = std::pair<std::uint32_t, std::uint32_t>;  // set and binding
  const std::map<std::uint32_t, Registered> registers = registersOf(words);
  std::set<SetBinding> taken;
  bool changed = false;
  for (const auto& [id, r] : registers) taken.insert({*r.set, words[r.at]});
  std::map<SetBinding, std::set<RegisterKind>> kept;
  for (const auto& [id, r] : registers) {
    SetBinding slot{*r.set, words[r.at]};
    std::set<RegisterKind>& there = kept[slot];
    const bool isPair = r.kind != RegisterKind::kOther && !there.contains(RegisterKind::kOther) && !there.contains(r.kind);
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
