// Whether a run has undefined values at all, at low cost. undefined_tracker.h follows them in a second run. Most runs need none.
//
// Promise: if the Tracker would report something, seen() is true, or the FindingsObserver reports a read of unwritten memory. Sources are
// registers that are undefined (the program has them), operations without a result for their operands, and variables in lane memory that
// are read before they are written, since they began.
#pragma once

#include <vector>

#include "model/state/observer.h"

namespace lanewise::undefined {

// Whether runs of these programs have undefined values for sure or nearly so: registers that are undefined, or shuffles from a lane a
// distance away, which some have not. Then following them in the first run is cheaper than a second one.
bool areLikely(std::span<const Program* const> programs);

class Sieve final : public Observer {
 public:
  // The programs of the dispatches.
  explicit Sieve(std::span<const Program* const> programs);

  std::uint32_t watches() const override { return watch::kOperands | (locals_ ? std::uint32_t{watch::kWorkgroup | watch::kLocals} : 0u); }
  Answer moment(const Moment& moment) override;

  bool seen() const { return seen_; }

 private:
  using Words = std::vector<LaneMask>;  // by word of lane memory: the lanes that have written it

  void use(const LocalsUsed& locals);

  bool seen_ = false, locals_ = false;
  std::vector<std::vector<Words>> written_;  // by slot and batch
};

}  // namespace lanewise::undefined
