// Which blocks a single invocation of each workgroup comes to, by the branches in front of them.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "model/program/passes.h"

namespace lanewise::ir {

// Of what branches compare, it knows sums of the invocation's indices, each times a constant, and of what is the same for the whole
// workgroup: `t == 0`, `id.y * 8 + id.x == last`. Then it looks at every invocation of a workgroup. And subgroupElect(), outside of loops.
class OneInvocation {
 public:
  // Of `shape`, the workgroup's size and that of its subgroups.
  OneInvocation(const Function& f, const LaneShape& shape);
  bool comesTo(std::uint32_t block);

 private:
  static constexpr std::size_t kIndices = 6;           // up to InputRow::kSubgroupId
  using Scales = std::array<std::uint32_t, kIndices>;  // of each of these
  void passes(std::uint32_t block);                    // notes what is so where an invocation comes there
  void holds(Value condition, bool is, int depth);     // ... where it is
  void equal(Value a, Value b, int depth);
  void phiHolds(Value phi, bool is, int depth);
  std::pair<Value, bool> withoutNot(Value v) const;  // true: it is the opposite
  bool isConstant(Value v, std::uint64_t bits) const { return f_.isConstant(v) && f_.bitsOf(v) == bits; }
  std::optional<Scales> scalesOf(Value v, int depth) const;  // nothing: not known
  bool areDistinct(bool ofSubgroups) const;

  const Function& f_;
  const LaneShape shape_;
  const std::vector<std::uint32_t> dominators_;
  std::vector<std::uint8_t> inLoop_;  // by block
  std::vector<Scales> equal_;         // each is one number for all that come there
  bool isElected_ = false;            // of each subgroup at most one comes there
};

}  // namespace lanewise::ir
