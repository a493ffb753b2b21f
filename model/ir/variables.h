// Where the variables of a module are while its program runs: what the lowering knows of it, for state/variables.h.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spirv/types.h"

namespace lanewise::ir {

// What a pointer leads to that is known before the program runs.
struct Pointee {
  enum class Kind : std::uint8_t { kNone, kLocal, kBuffer, kWorkgroup, kPush, kOpaque };
  Kind kind = Kind::kNone;
  const Type* type = nullptr;
  std::uint32_t index = 0;    // kLocal: in Program::locals; kBuffer and kOpaque: in Program::resources
  std::uint32_t element = 0;  // of an array of descriptors
  bool several = false;       // `type` is that array, and the first index chooses
  std::uint32_t offset = 0;   // kLocal: the scalar; otherwise bytes
  bool natural = false;       // workgroup memory without explicit layout
  MatrixLayout matrix;
  std::uint32_t componentStride = 0;  // of a vector that is a column of a row-major matrix; 0: tight
};

// An OpVariable, in one of the inlined copies of its function.
struct ModuleVariable {
  std::uint32_t id = 0;
  std::uint32_t caller = 0;  // as in Origin: which copy
  Pointee memory;
};

// What is known of a scalar: a word of lane memory beside each one of a LocalVariable that has `notes`. Lane memory starts as 0.
enum Note : std::uint32_t {
  kNotWritten,
  kWritten,
  kNowhere,   // the compiler has left it out
  kElsewhere  // and above: in that place of RecordedVariable::elsewhere
};

// A variable of the source that no OpVariable is, in one copy of its function. Its values are stored where the module says that it has
// them, in locals that no instruction of the module reads: so they are right in every lane, whatever way it took. Faithful programs alone.
struct RecordedVariable {
  std::uint32_t variable = 0, inlinedAt = 0;  // of spirv::DebugInfo
  std::uint32_t caller = 0;                   // as in Origin
  const Type* type = nullptr;
  std::uint32_t local = 0;  // in Program::locals
  struct Part {
    std::uint32_t first = 0, leaves = 0;  // scalars of `type`
    Pointee memory;
  };
  std::vector<Part> elsewhere;
};

}  // namespace lanewise::ir
