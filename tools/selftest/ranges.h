// What the integers of a lowered function can be: for each value of 32 bits an interval, read as a signed number.
//
// Method: abstract interpretation (Cousot and Cousot, "Abstract Interpretation: A Unified Lattice Model", POPL 1977) with intervals: phis
// that still grow after a few rounds are widened, and rounds without widening then take back what they can. Where a value is used, the
// conditions of the branches that dominate the use count too. Promise: a value that a run can have lies inside; what may wrap around is
// unknown. Gaps: memory but push constants, floats, 64 bits, and how two values depend on one another are unknown.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "model/ir/ir.h"

namespace lanewise {

struct Range {
  static constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min(), kMost = std::numeric_limits<std::int32_t>::max();
  std::int64_t low = kLeast, high = kMost;

  bool empty() const { return low > high; }  // of what is never computed
  bool neverNegative() const { return low >= 0; }
  bool isOne() const { return low == high; }
  friend bool operator==(const Range&, const Range&) = default;
};

// What is known of a dispatch.
struct KnownInputs {
  std::array<std::uint32_t, 3> localSize{1, 1, 1};
  std::map<std::uint32_t, Range> push;  // words of the push constants, by byte offset
};

class Ranges {
 public:
  // In SSA form: behind promoteLocals (model/program/passes.h).
  Ranges(const ir::Function& f, const KnownInputs& known);
  // A value where a block uses it.
  Range at(ir::Value v, std::uint32_t block) const;

 private:
  bool round(bool widen);
  Range next(ir::Value v, std::uint32_t block) const;
  Range phi(ir::Value v, std::uint32_t block) const;
  Range input(const ir::Node& n) const;
  Range texel(const ir::Node& n) const;
  Range pushed(ir::Value v) const;
  bool reached(std::uint32_t block) const;
  bool takes(std::uint32_t from, std::uint32_t to) const;
  // What a condition that holds, or does not, says of a value.
  void narrow(Range& r, ir::Value v, ir::Value condition, bool holds, std::uint32_t block, int depth) const;
  void narrowBelow(Range& r, ir::Value v, std::uint32_t block, int depth) const;
  void narrowAlong(Range& r, ir::Value v, std::uint32_t from, std::uint32_t to, int depth) const;

  const ir::Function& f_;
  KnownInputs known_;
  std::vector<std::uint32_t> idom_, position_;
  std::vector<Range> ranges_;  // by value
  std::vector<std::uint8_t> reached_;
};

}  // namespace lanewise
