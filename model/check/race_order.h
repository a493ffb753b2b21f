// What the memory model needs to know of an instruction of a program: ir/order.h in the model's terms.
//
// Source: Vulkan 1.3, appendix "Memory Model". Device and QueueFamily are one: a run has one queue.
#pragma once

#include <cstdint>

#include "model/ir/program.h"
#include "model/state/access.h"

namespace lanewise::race {

enum Class : std::uint8_t { kBufferMemory, kWorkgroupMemory, kImageMemory, kClasses };

// The scopes that tell invocations of one run apart.
enum class Reach : std::uint8_t { kInvocation, kSubgroup, kWorkgroup, kDevice };
Reach reachOf(std::uint32_t scope);

// Of a mask of semantics.
struct Semantics {
  bool acquire = false, release = false;
  bool makesAvailable = false, makesVisible = false;
  std::uint8_t classes = 0;  // a bit for each Class
  bool names(std::uint32_t c) const { return (classes >> c & 1) != 0; }
};
Semantics semanticsOf(std::uint32_t mask);

// Of a pointer that is a value, which may come from any variable, and of workgroup memory that is Aliased.
inline constexpr std::uint32_t kAnyReference = 0;
constexpr bool oneReference(std::uint32_t a, std::uint32_t b) {
  return a == b || a == kAnyReference || b == kAnyReference;
}

// An access.
struct Means {
  const ir::Order* order = nullptr;
  Class in = kBufferMemory;
  bool atomic = false, nonPrivate = false;
  Reach reach = Reach::kInvocation;                                    // of an atomic
  Reach available = Reach::kInvocation, visible = Reach::kInvocation;  // made so by the access itself; kInvocation: not
  std::uint32_t reference = 0;                                         // the variable, or kAnyReference
};
Means meansOf(const Program& program, std::uint32_t pc, Place place, std::uint32_t variable);

}  // namespace lanewise::race
