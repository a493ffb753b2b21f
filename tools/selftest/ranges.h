// The possible integers in a lowered function: for each value of 32 bits an interval, read as a signed number.
//
// Method: abstract interpretation (Cousot and Cousot, "Abstract Interpretation: A Unified Lattice Model", POPL 1977) with intervals. Phis
// that still grow after a few rounds are widened. Rounds without widening then narrow them again. The conditions of branches that dominate
// a use also narrow the value there. Promise: every value that occurs in a run is in its interval. A value that may wrap around is unknown.
// Gaps: memory other than push constants, floats, 64 bits, and relations between two values are unknown.
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

  bool empty() const { return low > high; }  // never computed
  bool neverNegative() const { return low >= 0; }
  bool isOne() const { return low == high; }
  friend bool operator==(const Range&, const Range&) = default;
};

// The known inputs of a dispatch.
struct KnownInputs {
  std::array<std::uint32_t, 3> localSize{1, 1, 1};
  std::map<std::uint32_t, Range> push;  // words of the push constants, by byte offset
};

class Ranges {
 public:
  // The function must be in SSA form: after promoteLocals (model/program/passes.h).
  Ranges(const ir::Function& f, const KnownInputs& known);
  // The range of a value where a block uses it.
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
  // Narrows a value's range by a condition that holds, or does not hold.
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
