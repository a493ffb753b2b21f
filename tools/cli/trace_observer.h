// Watches one invocation: a line of text for every instruction it executes.
//
// NUMBER dN FILE:LINE OPERATION OPERANDS -> RESULTS [MEMORY], e.g.
//      17 d0 box_blur.glsl:23 OpImageRead i32 0, i32 1, i32 0 -> i32 255, i32 255, i32 255, i32 255 read source texel (1, 0)
// Numbers count that invocation's instructions over all dispatches. Composites are scalars here, as the engine has them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "model/state/observer.h"

namespace lanewise {

class TraceObserver final : public Observer {
 public:
  // `global`: gl_GlobalInvocationID, in every dispatch that has it. Stops before instruction number stopAt (0: never). `first` is the
  // number of the next instruction: 1, or where a resumed run goes on.
  TraceObserver(Extent3 global, std::uint64_t first, std::uint64_t stopAt, const Job& job, std::function<void(const std::string&)> print);

  std::uint32_t watches() const override { return watch::kBefore | watch::kAfter | watch::kAccess; }
  Answer beforeInstruction(const InstructionEvent& event) override;
  Answer afterInstruction(const InstructionEvent& event) override;
  Answer access(const AccessEvent& event) override;

  std::uint64_t next() const { return next_; }

 private:
  // The lane of the watched invocation in this batch, or -1.
  int laneIn(const Batch& batch) const;

  Extent3 global_;
  std::uint64_t next_, stopAt_;
  const Job& job_;
  std::function<void(const std::string&)> print_;
  std::string memory_;  // of the instruction that runs
  std::string operands_;
};

}  // namespace lanewise
