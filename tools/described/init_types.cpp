#include "tools/described/init_types.h"

#include <algorithm>

namespace lanewise {
namespace {

// Whether both have the same scalars at the same places, whatever these are called.
bool hasSameLayout(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.scalar != b.scalar || a.count != b.count || a.stride != b.stride || a.members.size() != b.members.size())
    return false;
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    const Type::Member &m = a.members[i], &n = b.members[i];
    if (m.offset != n.offset || m.matrixStride != n.matrixStride || m.rowMajor != n.rowMajor || !hasSameLayout(*m.type, *n.type))
      return false;
  }
  const bool isInside = a.element != nullptr && a.kind != Type::Kind::kPointer;
  return !isInside || (b.element != nullptr && hasSameLayout(*a.element, *b.element));
}

}  // namespace

const Type* addressedAt(const Type& block, std::uint64_t offset) {
  if (block.kind == Type::Kind::kPointer) return offset == 0 ? block.element : nullptr;
  if ((block.kind == Type::Kind::kArray || block.kind == Type::Kind::kRuntimeArray) && block.stride != 0)
    return addressedAt(*block.element, offset % block.stride);
  const Type* found = nullptr;
  for (const Type::Member& m : block.members)
    if (m.offset <= offset)
      if (const Type* type = addressedAt(*m.type, offset - m.offset)) found = type;
  return found;
}

bool holdsAddresses(const Type& block) {
  if (block.kind == Type::Kind::kPointer) return true;
  if (block.kind == Type::Kind::kArray || block.kind == Type::Kind::kRuntimeArray) return holdsAddresses(*block.element);
  return std::ranges::any_of(block.members, [](const Type::Member& m) { return holdsAddresses(*m.type); });
}

bool canShare(const InterfaceBinding& a, const InterfaceBinding& b) {
  if (a.isBuffer() != b.isBuffer() || a.isImage() != b.isImage() || a.isTexelBuffer() != b.isTexelBuffer()) return false;
  if (a.isBuffer()) return a.isTexelBuffer() || hasSameLayout(*a.type, *b.type);
  if (!a.isImage()) return true;
  const Type &x = *a.type, &y = *b.type;
  const bool isSameScalar = x.element == nullptr || y.element == nullptr || x.element->scalar == y.element->scalar;
  return isSameScalar && x.dim == y.dim && x.arrayed == y.arrayed && x.multisampled == y.multisampled;
}

bool hasSubgroupOperations(const Interface& interface) {
  using Needs = spv::Capability;
  constexpr Needs kSubgroups[] = {Needs::GroupNonUniform,          Needs::GroupNonUniformVote,    Needs::GroupNonUniformArithmetic,
                                  Needs::GroupNonUniformBallot,    Needs::GroupNonUniformShuffle, Needs::GroupNonUniformShuffleRelative,
                                  Needs::GroupNonUniformClustered, Needs::GroupNonUniformQuad,    Needs::SubgroupBallotKHR,
                                  Needs::SubgroupVoteKHR};
  return std::ranges::any_of(interface.capabilities,
                             [&](spv::Capability c) { return std::ranges::find(kSubgroups, c) != std::end(kSubgroups); });
}

}  // namespace lanewise
