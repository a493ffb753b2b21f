// Where a wrong texel comes from: the invocation, source line and instruction that stored it, and every instruction whose value went into
// it.
//
// The case runs once on the model, observed. Each executed instruction of each invocation is noted with the instructions that made its
// arguments: through registers, and through memory byte by byte (buffers, images, workgroup memory), across invocations and dispatches too.
// A blit is one step a texel. The slice starts at the last store to the texel's bytes and goes back.
//
// Promise: what is listed did take part in the value. The branches that those invocations took before are not listed, but what Vulkan
// leaves open in what decided them is: `decisions`. Gaps: of a store of a texel the coordinates and the wrong component are followed; a
// subgroup operation is taken to use the arguments of all lanes of its batch; an atomic to use the value before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/ir/operation_info.h"
#include "model/model.h"

namespace lanewise {

// One executed instruction of one invocation.
struct SliceStep {
  std::uint32_t dispatch = 0;
  Extent3 invocation;                         // gl_GlobalInvocationID; of a blit the texel
  std::string place;                          // "box_blur.glsl:31"; empty if unknown
  std::string operation;                      // "OpIAdd", "GLSL.std.450 Exp", "load"
  std::uint32_t code = 0;                     // the same as a number (ir::Code)
  std::string values;                         // "u32 3, u32 4 -> u32 7"
  std::string memory;                         // "read source texel (1, 0)"
  bool floats = false;                        // a float of 16 or 32 bits is among them
  std::uint64_t divisor = ~std::uint64_t{0};  // the second argument's bits, where there is one
  bool outside = false;                       // it left its buffer, image or array
};

// What Vulkan leaves open in what this step did; nullptr: nothing.
const ir::Openness* openIn(const SliceStep& step);

struct Slice {
  std::vector<SliceStep> steps;      // in the order they ran; the last one is the store
  std::vector<SliceStep> decisions;  // open operations (openIn) that only a branch of these invocations hung on
  std::vector<SliceStep> strays;     // stores and atomics outside of their buffer, the first of each instruction: they may go into it
  std::uint64_t executed = 0;        // instructions of all invocations, for comparison
  bool stored = false;               // someone stored the texel; otherwise steps is empty

  // "33 instructions of 2 invocations went into it, of 5120 that ran".
  std::string summary() const;
};

struct SliceTarget {
  std::uint32_t resource = 0;  // index into Job::resources
  std::uint64_t offset = 0;    // bytes from the resource's start
  std::uint32_t size = 1;
  std::uint32_t component = 0;  // of the texel
};

// Unsupported: a run of more than `mostSteps` executed instructions. Other errors are the run's own.
Expected<Slice> sliceOf(Model& model, const Job& job, SliceTarget target, std::uint64_t mostSteps = 500'000);

}  // namespace lanewise
