#include "model/spirv/source_words.h"

#include <algorithm>

#include "model/spirv/debug_set.h"

namespace lanewise::spirv {
namespace {

// Those that compile one language.
struct Generator {
  std::uint32_t number, language;
};
constexpr Generator kGenerators[] = {{14, kHlsl}, {23, kWgsl}, {28, kWgsl}, {40, kSlang}};  // spiregg (DXC), Tint, Naga, Slang

constexpr SourceWords kGlslWords = {
    {"memoryBarrierBuffer(); barrier(); memoryBarrierBuffer()", "barrier()", "memoryBarrierImage(); barrier(); memoryBarrierImage()",
     "memoryBarrier(); barrier(); memoryBarrier()"},
    {"memoryBarrierBuffer()", "memoryBarrierShared()", "memoryBarrierImage()", "memoryBarrier()"},
    "subgroupBarrier()",
    "coherent",
    "nonuniformEXT()",
    "atomic",
    "imageAtomic",
    "atomicOr() of 0",
    "atomicExchange()",
    true};
constexpr SourceWords kHlslWords = {{"DeviceMemoryBarrierWithGroupSync()", "GroupMemoryBarrierWithGroupSync()",
                                     "DeviceMemoryBarrierWithGroupSync()", "AllMemoryBarrierWithGroupSync()"},
                                    {"DeviceMemoryBarrier()", "GroupMemoryBarrier()", "DeviceMemoryBarrier()", "AllMemoryBarrier()"},
                                    "OpControlBarrier of Subgroup scope",
                                    "globallycoherent",
                                    "NonUniformResourceIndex()",
                                    "Interlocked",
                                    "Interlocked",
                                    "InterlockedOr() of 0",
                                    "InterlockedExchange()",
                                    false};
constexpr SourceWords kWgslWords = {{"storageBarrier()", "workgroupBarrier()", "textureBarrier()", "OpControlBarrier"},
                                    {"OpMemoryBarrier", "OpMemoryBarrier", "OpMemoryBarrier", "OpMemoryBarrier"},
                                    "OpControlBarrier of Subgroup scope",
                                    "Coherent",
                                    "NonUniform",
                                    "atomic",
                                    "textureAtomic",
                                    "atomicLoad()",
                                    "atomicStore()",
                                    false};

}  // namespace

std::size_t SourceWords::indexOf(std::uint32_t classes) {
  constexpr spv::MemorySemanticsMask kClasses[] = {spv::MemorySemanticsMask::UniformMemory, spv::MemorySemanticsMask::WorkgroupMemory,
                                                   spv::MemorySemanticsMask::ImageMemory};
  return static_cast<std::size_t>(std::ranges::find(kClasses, static_cast<spv::MemorySemanticsMask>(classes)) - std::begin(kClasses));
}

std::uint32_t sourceLanguage(const Module& module) {
  const DebugSet set(module);
  std::uint32_t language = 0;
  for (const Instruction& inst : module.instructions) {
    if (inst.op == spv::Op::OpFunction) break;
    if (inst.op == spv::Op::OpSource && language == 0) language = inst.operand(0);
    if (const auto e = set.entry(inst); e && e->op == NonSemanticShaderDebugInfo100DebugCompilationUnit) language = set.number(*e, 3);
  }
  if (language != 0 || module.words.size() < 3) return language;
  const auto* const by = std::ranges::find(kGenerators, module.words[2] >> 16, &Generator::number);
  return by == std::end(kGenerators) ? 0 : by->language;
}

const SourceWords& sourceWords(const Module& module) {
  switch (sourceLanguage(module)) {
    case kHlsl:
    case kSlang:  // it has HLSL's
      return kHlslWords;
    case kWgsl:
      return kWgslWords;
    default:
      return kGlslWords;
  }
}

}  // namespace lanewise::spirv
