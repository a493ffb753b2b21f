// The path from a variable to what an access touches, as the module says it: members and indices.
//
// Steps are kept in one table, each with the one before it, so that paths share their beginnings; 0 is no path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/contract/place_name.h"
#include "model/spirv/types.h"

namespace lanewise {

struct Program;

namespace ir {

struct PathStep {
  enum class Kind : std::uint8_t {
    kVariable,    // a root. id: the OpVariable
    kPointer,     // a root. id: a pointer that is a value: where it leads is known when the program runs
    kDescriptor,  // of an array of descriptors
    kMember,      // of a structure
    kElement,     // of an array, vector or matrix, or OpPtrAccessChain's
  };
  // How offsets count below a root.
  enum class Layout : std::uint8_t { kExplicit, kNatural, kScalars };
  Kind kind = Kind::kVariable;
  Layout layout = Layout::kExplicit;
  bool isDynamic = false;      // kDescriptor, kElement: `id` is the index, and not `number`
  std::uint32_t before = 0;    // the step before this one
  std::uint32_t id = 0;        // a SPIR-V id
  std::uint32_t number = 0;    // the member, or a constant index
  std::uint32_t stride = 0;    // kElement: from one to the next: bytes, or scalars of a variable of one invocation
  std::uint32_t count = 0;     // kElement, kDescriptor: how many there are; 0: not known before the program runs
  std::uint32_t start = 0;     // kVariable: where it begins in its memory
  std::uint32_t from = 0;      // kPointer: the path of what it was loaded from; 0: it was made otherwise
  const Type* type = nullptr;  // what the path leads to, this step taken
  MatrixLayout matrix;
};

}  // namespace ir

// The step that a path begins with; nullptr: `path` is 0.
const ir::PathStep* rootOf(const Program& program, std::uint32_t path);

// Bytes of a memory.
struct MemoryRange {
  std::uint64_t first = 0, size = 0;
};
// Those of the variable that the access at `pc` names, where the module may leave it with no index that is out of range: it goes through
// OpPtrAccessChain. Nothing elsewhere, and of a pointer that is a value.
std::optional<MemoryRange> leavable(const Program& program, std::uint32_t pc);

// The name of one scalar that the access at `pc` touches: "scratch[127].x", "particles[3].position.y". `offset`: bytes from the start of
// what the descriptor names, or of workgroup memory or push constants; of a variable of one invocation the index of the scalar.
// `element`: of the descriptor, where the module does not say which. Between scalars the name ends with the distance: "s.a+6".
// Of a pointer that is a value: the path from that pointer, as far as it is known, and nothing of the offset; one without a name has that
// of its block. Empty where `pc` has no path.
PlaceName pathName(const Program& program, std::uint32_t pc, std::uint64_t offset, std::uint32_t element = 0);
// The variable of it alone, as the module says it.
std::string accessedName(const Program& program, std::uint32_t pc);
inline std::string pathText(const Program& program, std::uint32_t pc, std::uint64_t offset, std::uint32_t element = 0) {
  return pathName(program, pc, offset, element).text();
}

}  // namespace lanewise
