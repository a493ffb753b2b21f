// What an operation says besides its arguments and its result: a type for each kind, of the lowered form (ir::Node) and of the decoded
// program (Instr).
//
// An operation that computes lane by lane says nothing more; every other one has what its kind needs. The reader names the kind:
// `instr.as<kind::Branch>().whereTrue`, which checks that the operation is of that kind.
#pragma once

#include <cassert>
#include <cstdint>
#include <spirv/unified1/spirv.hpp11>
#include <variant>

#include "model/spirv/types.h"

namespace lanewise::ir {
enum class Definedness : std::uint8_t;
}

namespace lanewise::kind {

using Index = std::uint32_t;

// --- Values of the lowered form ---

struct Constant {
  std::uint64_t bits = 0;
  bool operator==(const Constant&) const = default;
};

// One of the results of the operation in argument 0.
struct Result {
  std::uint32_t index = 0;
  bool operator==(const Result&) const = default;
};

// A register that the engine fills before a workgroup starts.
enum class InputRow : std::uint8_t {
  kLocalIdX,
  kLocalIdY,
  kLocalIdZ,
  kLocalIndex,
  kSubgroupLane,
  kSubgroupId,
  kWorkgroupIdX,
  kWorkgroupIdY,
  kWorkgroupIdZ,
  kGroupsX,
  kGroupsY,
  kGroupsZ,
  kCount
};
struct Input {
  InputRow row{};
  bool operator==(const Input&) const = default;
};

// --- Control. Targets are indices of instructions. steps: what a strand is charged that executes it (ir::Block::steps). ---

struct Jump {
  Index target = 0;
  std::uint32_t steps = 0;
  bool operator==(const Jump&) const = default;
};

struct Branch {
  Index whereTrue = 0, whereFalse = 0;
  std::uint32_t steps = 0;
  bool operator==(const Branch&) const = default;
};

struct Switch {
  Index table = 0;  // in Program::switches
  std::uint32_t steps = 0;
  bool wide = false;  // the selector has 64 bits
  bool operator==(const Switch&) const = default;
};

struct Return {
  std::uint32_t steps = 0;
  bool operator==(const Return&) const = default;
};

struct Barrier {
  spv::Scope execution{};
  bool operator==(const Barrier&) const = default;
};

// --- Memory. access: in `accesses` of the function, and then of the program. ---

// A load or store.
struct Memory {
  Index access = 0;
  bool operator==(const Memory&) const = default;
};

struct Atomic {
  Index access = 0;
  spv::Op op{};
  std::uint32_t values = 0;  // of its operands, behind address and element: none, the value, or value and comparator
  bool operator==(const Atomic&) const = default;
};

// The runtime array in bytes: where it starts and one element.
struct ArrayLength {
  Index access = 0;
  std::uint32_t offset = 0, stride = 0;
  bool operator==(const ArrayLength&) const = default;
};

// A load or store of a function or private variable, while it is lowered.
struct Local {
  Index local = 0;  // in ir::Function::locals
  bool operator==(const Local&) const = default;
};

// The same in lane memory, in words of 32 bits.
struct LaneMemory {
  std::uint32_t firstWord = 0, leaves = 0, leafWords = 1;
  bool operator==(const LaneMemory&) const = default;
};

// --- Images ---

// Its operands: the descriptor's element, the place, what is written or added, and then its results, up to four.
struct Image {
  Index access = 0;           // in `imageAccesses`
  std::uint16_t values = 0;   // the operand that is the first of what is written; 0: nothing is
  std::uint16_t results = 0;  // the operand that is the first result; once it is decoded
  std::uint32_t used = 0;     // a bit for each result that somebody needs
  bool operator==(const Image&) const = default;
};

// --- Subgroups ---

struct Subgroup {
  spv::Op op{};
  spv::GroupOperation group{};
  std::uint32_t arguments = 0;
  bool operator==(const Subgroup&) const = default;
};

// One with four results, the words of a ballot.
struct Ballot {
  spv::Op op{};
  std::uint32_t used = 0;  // a bit for each word that somebody needs
  bool operator==(const Ballot&) const = default;
};

// --- For observers ---

struct Print {
  Index print = 0;  // in `prints`
  bool operator==(const Print&) const = default;
};

// An index into an array of `length` elements in the OpVariable `variable`.
struct CheckIndex {
  std::uint32_t length = 0, variable = 0;
  bool operator==(const CheckIndex&) const = default;
};

// Whether the operation that follows, with the same operands, has a result of type `result`.
struct CheckOperands {
  ir::Definedness rule{};
  Scalar result = Scalar::kNone;
  bool operator==(const CheckOperands&) const = default;
};

// Of a variant that must hold a T: otherwise the process ends.
template <class T, class Kinds>
const T& as(const Kinds& kinds) {
  const T* kind = std::get_if<T>(&kinds);
  if (!kind) __builtin_trap();
  return *kind;
}

// Of a variant that is known to hold a T: for handlers, which run for one kind only. Only a debug build checks it.
template <class T, class Kinds>
const T& known(const Kinds& kinds) {
  const T* kind = std::get_if<T>(&kinds);
  assert(kind);
  if (!kind) __builtin_unreachable();
  return *kind;
}

}  // namespace lanewise::kind
