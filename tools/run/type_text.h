// Types as GLSL writes them, and the path of a byte in a block.
//
// A path has one level for each nesting of the type. Where members overlap, the last one that contains the byte is named.
#pragma once

#include <optional>
#include <string>

#include "model/spirv/types.h"
#include "tools/run/typed_values.h"

namespace lanewise {

// As GLSL writes it: "float", "uvec3", "mat3x4", "Particle", "uint[4]", "uint[]".
std::string typeText(const Type& type);

// The scalar at a byte of a block, and its path as text ("data[4].x"). Empty where there is padding or no layout.
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
