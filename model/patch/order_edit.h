// Changes of a module that add order between accesses of memory: what a programmer would write to mend a data race.
//
// Source: SPIR-V 1.6, OpControlBarrier, OpMemoryBarrier, "Memory Semantics <id>", Coherent. Promise: lines stay, and instructions but for
// kAtomic; only order is added. The result is not validated. Gap: with the Vulkan memory model no variable can be made coherent.
#pragma once

#include "model/contract/device.h"
#include "model/spirv/module.h"

namespace lanewise {

struct OrderEdit {
  enum class Kind : std::uint8_t {
    kBarrier,   // OpControlBarrier of the workgroup, for workgroup memory: barrier(). Between fences, if there are other `classes`
    kFence,     // OpMemoryBarrier of device scope that releases and acquires `classes`
    kScope,     // an atomic or a barrier has device scope
    kClasses,   // a barrier or an atomic releases and acquires `classes` too
    kCoherent,  // a variable is coherent
    kAtomic,    // what an OpStore updates is updated by one atomic (patch/atomic_update.h)
  };
  Kind kind{};
  // kBarrier and kFence: before the instruction at this word. kScope, kClasses and kAtomic: of it. kCoherent: the id.
  std::uint32_t word = 0;
  std::uint32_t classes = 0;    // bits of memory semantics: UniformMemory, WorkgroupMemory, ImageMemory
  std::uint32_t semantics = 0;  // kClasses: what the instruction says already
  friend bool operator==(const OrderEdit&, const OrderEdit&) = default;
};

ShaderModule withOrder(const spirv::Module& module, std::span<const OrderEdit> edits);

}  // namespace lanewise
