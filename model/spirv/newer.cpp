#include "model/spirv/newer.h"

#include <algorithm>
#include <cstring>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>
#include <unordered_map>

#include "model/spirv/literal.h"

namespace lanewise::spirv {
namespace {

// SPV_KHR_quad_control, SPV_KHR_float_controls2, SPV_EXT_replicated_composites, SPV_NV_shader_atomic_fp16_vector, SPV_KHR_fma; of
// SPV_VALVE_mixed_float_dot_product DotProductFloat16AccFloat32VALVE and DotProductFloat16AccFloat16VALVE.
constexpr std::uint32_t kCapabilities[] = {5087, 6029, 6024, 5404, 6030, 6912, 6913};
constexpr std::string_view kExtensions[] = {
    "SPV_KHR_quad_control",
    "SPV_KHR_float_controls2",
    "SPV_EXT_replicated_composites",
    "SPV_KHR_maximal_reconvergence",
    "SPV_NV_shader_atomic_fp16_vector",
    "SPV_KHR_fma",
    "SPV_KHR_relaxed_extended_instruction",
    "SPV_VALVE_mixed_float_dot_product",
};
// Newer names of extensions with the same capabilities.
struct Renamed {
  std::string_view from, to;
};
constexpr Renamed kRenamed[] = {
    {"SPV_KHR_compute_shader_derivatives", "SPV_NV_compute_shader_derivatives"},
    {"SPV_EXT_shader_subgroup_partitioned", "SPV_NV_shader_subgroup_partitioned"},
};
// MaximallyReconvergesKHR, QuadDerivativesKHR, RequireFullQuadsKHR, FPFastMathDefault.
constexpr std::uint32_t kModes[] = {6023, 5088, 5089, 6028};
constexpr std::uint32_t kFastMathDecoration = 40;  // FPFastMathMode: of OpenCL alone before

bool contains(std::span<const std::uint32_t> list, std::uint32_t value) {
  return std::ranges::find(list, value) != list.end();
}

// Whether the copy leaves this instruction out.
bool leftOut(std::span<const std::uint32_t> inst) {
  switch (static_cast<spv::Op>(inst[0] & 0xffff)) {
    case spv::Op::OpCapability:
      return inst.size() > 1 && contains(kCapabilities, inst[1]);
    case spv::Op::OpExtension:
      return std::ranges::find(kExtensions, literalString(inst.subspan(1))) != std::end(kExtensions);
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
      return inst.size() > 2 && contains(kModes, inst[2]);
    case spv::Op::OpDecorate:
      return inst.size() > 2 && inst[2] == kFastMathDecoration;
    default:
      return false;
  }
}

// The older name of the extension that an instruction asks for; empty if it has none.
std::string_view olderExtension(std::span<const std::uint32_t> inst) {
  if ((inst[0] & 0xffff) != static_cast<std::uint32_t>(spv::Op::OpExtension)) return {};
  const std::string name = literalString(inst.subspan(1));
  for (const Renamed& r : kRenamed)
    if (r.from == name) return r.to;
  return {};
}

// The import of a set that does not affect execution. DebugPrintf is executed, and so validated.
bool isDebugSet(std::span<const std::uint32_t> inst) {
  if ((inst[0] & 0xffff) != static_cast<std::uint32_t>(spv::Op::OpExtInstImport) || inst.size() < 3) return false;
  const std::string name = literalString(inst.subspan(2));
  return name.starts_with("NonSemantic.") && name != "NonSemantic.DebugPrintf";
}

bool isAtomicOnVectors(std::uint32_t opcode) {
  switch (static_cast<spv::Op>(opcode)) {
    case spv::Op::OpAtomicFAddEXT:
    case spv::Op::OpAtomicFMinEXT:
    case spv::Op::OpAtomicFMaxEXT:
    case spv::Op::OpAtomicExchange:
      return true;
    default:
      return false;
  }
}

// The types of results, by id.
class ResultTypes {
 public:
  void note(std::span<const std::uint32_t> inst) {
    bool result = false, type = false;
    spv::HasResultAndType(static_cast<spv::Op>(inst[0] & 0xffff), &result, &type);
    if (result && type && inst.size() > 2) types_[inst[2]] = inst[1];
  }
  std::uint32_t of(std::uint32_t id) const {
    const auto it = types_.find(id);
    return it == types_.end() ? 0 : it->second;
  }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> types_;
};

bool declares(std::span<const std::uint32_t> words, spv::Capability capability) {
  for (std::size_t at = kHeaderWords; at + 1 < words.size() && words[at] == (2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability));
       at += 2)
    if (words[at + 1] == static_cast<std::uint32_t>(capability)) return true;
  return false;
}

}  // namespace

std::string_view refusedCapability(std::uint32_t capability) {
  struct Refused {
    std::uint32_t number;
    std::string_view name;
  };
  constexpr Refused kRefused[] = {
      {4212, "Float8EXT"},
      {4473, "UntypedPointersKHR"},
      {5116, "BFloat16TypeKHR"},
      {5394, "CooperativeVectorNV"},
      {5414, "RawAccessChainsNV"},
      {5430, "CooperativeMatrixReductionsNV"},
      {6022, "CooperativeMatrixKHR"},
      {6914, "DotProductBFloat16AccVALVE"},
      {6915, "DotProductFloat8AccFloat32VALVE"},
  };
  for (const Refused& r : kRefused)
    if (r.number == capability) return r.name;
  return {};
}

bool isNewer(std::uint32_t opcode) {
  constexpr std::uint32_t kOpcodes[] = {newer::kConstantCompositeReplicate,
                                        newer::kSpecConstantCompositeReplicate,
                                        newer::kCompositeConstructReplicate,
                                        newer::kExtInstWithForwardRefs,
                                        newer::kQuadAll,
                                        newer::kQuadAny,
                                        newer::kFma,
                                        newer::kFDot2MixAcc32,
                                        newer::kFDot2MixAcc16};
  return contains(kOpcodes, opcode);
}

OlderCopy withoutNewer(std::span<const std::uint32_t> words) {
  OlderCopy copy;
  std::vector<std::uint32_t>& out = copy.words;
  out.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kHeaderWords)));
  std::vector<std::uint32_t> vectors, debug;  // ids of vector types, and of sets of debug information
  ResultTypes types;
  if (declares(words, spv::Capability::VulkanMemoryModel) && !declares(words, spv::Capability::VulkanMemoryModelDeviceScope)) {
    out.insert(out.end(), {2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability),
                           static_cast<std::uint32_t>(spv::Capability::VulkanMemoryModelDeviceScope)});
    copy.offsets.push_back(kHeaderWords);
  }
  const auto replace = [&](std::span<const std::uint32_t> inst, spv::Op op, std::span<const std::uint32_t> operands) {
    out.push_back(static_cast<std::uint32_t>(3 + operands.size()) << 16 | static_cast<std::uint32_t>(op));
    out.insert(out.end(), {inst[1], inst[2]});
    out.insert(out.end(), operands.begin(), operands.end());
  };
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t count = std::clamp<std::size_t>(words[at] >> 16, 1, words.size() - at);
    const auto inst = words.subspan(at, count);
    const std::uint32_t opcode = inst[0] & 0xffff;
    const bool vectorAtomic = isAtomicOnVectors(opcode) && count > 2 && contains(vectors, inst[1]);
    at += count;
    if (isDebugSet(inst)) debug.push_back(inst[1]);
    if (opcode == static_cast<std::uint32_t>(spv::Op::OpExtInst) && count > 3 && contains(debug, inst[3])) continue;
    if (leftOut(inst) || opcode == newer::kExtInstWithForwardRefs) continue;  // with forward references: debug information
    copy.offsets.push_back(at - count);
    if (opcode == static_cast<std::uint32_t>(spv::Op::OpTypeVector) && count > 1) vectors.push_back(inst[1]);
    types.note(inst);
    if (const std::string_view older = olderExtension(inst); !older.empty()) {
      std::vector<std::uint32_t> text(older.size() / 4 + 1);
      std::memcpy(text.data(), older.data(), older.size());
      out.push_back(static_cast<std::uint32_t>(1 + text.size()) << 16 | (inst[0] & 0xffff));
      out.insert(out.end(), text.begin(), text.end());
      continue;
    }
    const bool convertsNothing = opcode == static_cast<std::uint32_t>(spv::Op::OpFConvert) && count == 4 && types.of(inst[3]) == inst[1];
    if (convertsNothing)
      replace(inst, spv::Op::OpCopyObject, inst.subspan(3, 1));
    else if (count < 4 || !(isNewer(opcode) || vectorAtomic))
      out.insert(out.end(), inst.begin(), inst.end());
    else if (opcode == newer::kQuadAll || opcode == newer::kQuadAny)
      replace(inst, spv::Op::OpLogicalNot, inst.subspan(3, 1));
    else if (opcode == newer::kFma && count == 6)
      replace(inst, spv::Op::OpFAdd, inst.subspan(3, 2));
    else if ((opcode == newer::kFDot2MixAcc32 || opcode == newer::kFDot2MixAcc16) && count == 6)
      replace(inst, spv::Op::OpFAdd, std::vector{inst[5], inst[5]});
    else
      replace(inst, spv::Op::OpUndef, {});
  }
  return copy;
}

}  // namespace lanewise::spirv
