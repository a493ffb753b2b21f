// Where a wrong texel comes from: the invocation, source line and instruction that stored it, and every instruction whose value went into
// it.
//
// The case runs once on the model, observed. Each executed instruction of each invocation is recorded with the instructions that made its
// arguments: through registers, and byte by byte through memory (buffers, images, workgroup memory), also across invocations and
// dispatches. A blit is one step per texel. The slice starts at the last store to the texel's bytes and goes back.
//
// Promise: every listed step took part in the value. The branches that led there are not listed, but `decisions` has what Vulkan leaves
// open in their conditions. Gaps: for a store of a texel, the coordinates and the wrong component are followed. A subgroup operation is
// assumed to use the arguments of all lanes of its batch, and an atomic to use the previous value.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/ir/operation_info.h"
#include "model/model.h"

namespace lanewise {

// One executed instruction of one invocation.
struct SliceStep {
  std::uint32_t dispatch = 0;
  Extent3 invocation;             // gl_GlobalInvocationID; for a blit the texel
  std::string place;              // "box_blur.glsl:31"; empty if unknown
  std::string operation;          // "OpIAdd", "GLSL.std.450 Exp", "load"
  std::uint32_t code = 0;         // the same as a number (ir::Code)
  std::string values;             // "u32 3, u32 4 -> u32 7"
  std::string memory;             // "read source texel (1, 0)"
  bool floats = false;            // a float of 16 or 32 bits is among them
  bool outside = false;           // out of range of its buffer, image or array
  std::string undefined;          // "reads variable w, which nobody has written"; empty: all that it uses is defined
  Scalar result = Scalar::kNone;  // ... and of the arguments their types and bits
  std::vector<Scalar> types;
  std::vector<std::uint64_t> arguments;
  bool keepsNan = false;  // a quotient of 0 by 0 is a NaN
};

// What Vulkan leaves open in this step; empty: nothing.
std::string openIn(const SliceStep& step);

struct Slice {
  std::vector<SliceStep> steps;      // in the order they ran; the last one is the store
  std::vector<SliceStep> decisions;  // open operations (openIn) on which only a branch of these invocations depended
  std::vector<SliceStep> strays;     // stores and atomics outside of their buffer, one per instruction: they may have changed it
  std::uint64_t executed = 0;        // instructions of all invocations, for comparison
  bool stored = false;               // someone stored the texel; otherwise steps is empty
  std::set<std::string> elsewhere;   // if not: the lines that stored something else in its resource
  std::set<std::string> branched;    // if nobody stored anything there: the lines at which invocations branched

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
