// Types for people: as GLSL writes them, and the path of a byte of a block.
//
// Gap: one level of a path for each nesting of the type; of members that lie over one another the last one that holds the byte.
#pragma once

#include <optional>
#include <string>

#include "model/spirv/types.h"
#include "tools/run/typed_values.h"

namespace lanewise {

// As GLSL writes it: "float", "uvec3", "mat3x4", "Particle", "uint[4]", "uint[]".
std::string typeText(const Type& type);

// The scalar that stands at a byte of a block, and its path for people ("data[4].x"). Empty where there is padding, or no layout.
struct LeafAt {
  Scalar scalar = Scalar::kI32;
  bool isSigned = false;
  std::uint64_t offset = 0;  // where it begins
  std::string path;
  bool pointer = false;  // a device address
};
std::optional<LeafAt> leafAt(const Type& block, std::uint64_t offset);

// A scalar's type as the command line writes it.
ValueType typeOf(Scalar scalar, bool isSigned);
inline ValueType typeOf(const LeafAt& leaf) {
  return typeOf(leaf.scalar, leaf.isSigned);
}

}  // namespace lanewise
