#include "model/spirv/declarations.h"

namespace lanewise::spirv {

const Type* Declarations::type(std::uint32_t id) const {
  const auto found = types.find(id);
  return found == types.end() ? nullptr : found->second;
}

const Constant* Declarations::constant(std::uint32_t id) const {
  const auto found = constants.find(id);
  return found == constants.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> Declarations::number(std::uint32_t id) const {
  const Constant* c = constant(id);
  return c && c->type->kind == Type::Kind::kScalar && !isFloat(c->type->scalar) ? std::optional(c->leaf(0)) : std::nullopt;
}

std::optional<LeafRange> leavesAt(const Type& composite, std::span<const std::uint32_t> indices) {
  LeafRange part{0, &composite};
  for (const std::uint32_t index : indices) {
    if (!part.type->isAggregate() || index >= part.type->constituents()) return {};
    part.first += part.type->constituentLeaf(index);
    part.type = part.type->constituent(index);
  }
  return part;
}

}  // namespace lanewise::spirv
