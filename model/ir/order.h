// How the memory model sees an access, an atomic operation or a barrier: what the module says of it, as plain data.
//
// Source: SPIR-V 1.6, 3.26 "Memory Operands", 3.14 "Image Operands", 3.25 "Memory Semantics"; Vulkan 1.3, appendix "Memory Model".
// Under the memory model VulkanKHR the operands of an instruction say it. Under GLSL450 the decorations Coherent and Volatile do, of a
// variable or a member: a coherent access is non-private, a write is made available and a read visible, to the scope QueueFamily (as
// SPIRV-Tools upgrades such modules); workgroup memory is always coherent, to the scope Workgroup. Every atomic is non-private, available
// and visible to its own scope. Nontemporal changes no result, and is not kept. Gap: what a module says of variables of one invocation
// (Function, Private) is not kept.
#pragma once

#include <cstdint>

namespace lanewise::ir {

struct Order {
  static constexpr std::uint32_t kNoScope = 0xffffffffu;
  enum Flag : std::uint32_t {
    kVolatile = 1,  // not removed, repeated or merged with another access
    kNonPrivate = 2,
    kMakeAvailable = 4,  // a write, to `available`
    kMakeVisible = 8,    // a read, to `visible`
    kAtomic = 16,
    kNonUniform = 32,  // its descriptor may differ between the invocations of a subgroup
  };
  std::uint32_t flags = 0;
  std::uint32_t scope = kNoScope;      // spv::Scope: the memory scope of an atomic or a barrier
  std::uint32_t execution = kNoScope;  // the execution scope of a control barrier
  std::uint32_t semantics = 0;         // the mask of an atomic or a barrier
  std::uint32_t unequal = 0;           // ... of an OpAtomicCompareExchange that finds another value
  std::uint32_t available = kNoScope, visible = kNoScope;
  std::uint32_t alignment = 0;  // of this scalar of what is Aligned; 0: not said
  constexpr bool has(Flag flag) const { return (flags & flag) != 0; }
  auto operator<=>(const Order&) const = default;
};

}  // namespace lanewise::ir
