// What the memory model needs to know about an instruction of a program: ir/order.h in the memory model's terms.
//
// Source: Vulkan 1.3, appendix "Memory Model". Device and QueueFamily are the same scope here: a run has one queue.
#pragma once

#include <cstdint>

#include "model/ir/program.h"
#include "model/state/access.h"

namespace lanewise::race {

enum Class : std::uint8_t { kBufferMemory, kWorkgroupMemory, kImageMemory, kClasses };

// The scopes that distinguish invocations of one run.
enum class Reach : std::uint8_t { kInvocation, kSubgroup, kWorkgroup, kDevice };
Reach reachOf(std::uint32_t scope);

// The meaning of a mask of semantics.
struct Semantics {
  bool acquire = false, release = false;
  bool makesAvailable = false, makesVisible = false;
  std::uint8_t classes = 0;  // a bit for each Class
  bool names(std::uint32_t c) const { return (classes >> c & 1) != 0; }
};
Semantics semanticsOf(std::uint32_t mask);

// For a pointer that is a value, which may point to any variable, and for workgroup memory that is Aliased.
inline constexpr std::uint32_t kAnyReference = 0;
constexpr bool oneReference(std::uint32_t a, std::uint32_t b) {
  return a == b || a == kAnyReference || b == kAnyReference;
}

// The meaning of an access.
struct Means {
  const ir::Order* order = nullptr;
  Class in = kBufferMemory;
  bool atomic = false, nonPrivate = false;
  Reach reach = Reach::kInvocation;                                    // of an atomic
  Reach available = Reach::kInvocation, visible = Reach::kInvocation;  // by the access itself; kInvocation: not made so
  std::uint32_t reference = 0;                                         // the variable, or kAnyReference
};
Means meansOf(const Program& program, std::uint32_t pc, Place place, std::uint32_t variable);

}  // namespace lanewise::race
