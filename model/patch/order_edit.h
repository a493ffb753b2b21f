// Changes of a module that add order between accesses of memory: what a programmer would write to mend a data race.
//
// Source: SPIR-V 1.6, OpControlBarrier, OpMemoryBarrier, "Memory Semantics <id>", Coherent. Promise: lines stay. Instructions stay
// but for kAtomic, kAtomicAccess and kRelaxed, and only order is added but for kRelaxed. The result is not validated. Gap: with the Vulkan
// memory model OpCopyMemory, and what a function gets by a parameter, is not made coherent.
#pragma once

#include <compare>

#include "model/contract/device.h"
#include "model/spirv/module.h"

namespace lanewise {

struct OrderEdit {
  enum class Kind : std::uint8_t {
    kBarrier,          // OpControlBarrier of the workgroup, for workgroup memory: barrier(). Between fences, if there are other `classes`
    kSubgroupBarrier,  // OpControlBarrier of the subgroup, for `classes`
    kFence,            // OpMemoryBarrier of device scope that releases and acquires `classes`, or as `semantics` say
    kScope,            // an atomic or a barrier has device scope
    kClasses,          // a barrier or an atomic releases and acquires `classes` too
    kCoherent,         // a variable is coherent, or all members of a block; with the Vulkan memory model each access of it
    kAtomic,           // what a store updates is updated by atomics (patch/atomic_update.h)
    kAtomicAccess,     // a load or a store of memory is an atomic
    kWords,            // a variable of integers of 8 or 16 bits is one of words (patch/word_parts.h)
    kRelaxed,          // an OpMemoryBarrier goes, an atomic orders nothing, an access makes nothing available or visible
  };
  Kind kind{};
  // kBarrier, kSubgroupBarrier and kFence: before the instruction at this word. kCoherent and kWords: the id. Else of the instruction.
  std::uint32_t word = 0;
  std::uint32_t classes = 0;    // bits of memory semantics: UniformMemory, WorkgroupMemory, ImageMemory
  std::uint32_t semantics = 0;  // kClasses: what the instruction says already. kFence: Release or Acquire; 0 is both
  friend auto operator<=>(const OrderEdit&, const OrderEdit&) = default;
};

ShaderModule withOrder(const spirv::Module& module, std::span<const OrderEdit> edits);

// All order between invocations that a module asks for besides its control barriers, as edits that take it away.
std::vector<OrderEdit> relaxedAll(const spirv::Module& module);

}  // namespace lanewise
