// What an operation is, as one row: its types, the pure function on scalars that is its meaning, for which operands it has a result, what
// Vulkan leaves open, and whether one instruction of a compiler does the same.
//
// The rows stand in model/ir/rows, one file a family. Three read them: this table, ir.h, which takes from them the codes of the model's
// own operations, and model/operations, which makes a handler of each function for every type. From the table derive the instructions that
// lowering takes apart by component, what `--patch exact` decorates, what `lanewise inspect` and rulings call open, constant folding's
// definedness, and the tests that try every row.
//
// A row is ROW(code, types, varies, facts, function): the types as in signature.h; `varies` says which of the profile's choices the
// function takes as template arguments; the facts are below. In a function M is the mode (rounding, denormals) of the width it computes
// in, N that of its operand's width, C and D the values of the fields that `varies` names, R the result's type.
// OPERATION(code, facts) is one without such a function: of SPIR-V, a formula that lowering writes out or a declaration. OWN(code, name,
// effect, facts) is one of the model's own, with a handler of its own in model/operations; the row declares its code (ir::Own).
// An instruction of SPIR-V that has no row is refused; tests/model/ir/operation_table_test.cpp holds the table to what programs contain.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include <cstdint>
#include <optional>
#include <span>

#include "model/contract/profile.h"
#include "model/ir/control_codes.h"
#include "model/ir/definedness.h"
#include "model/ir/ir.h"
#include "model/ir/resource_use.h"
#include "model/ir/sample_form.h"
#include "model/ir/signature.h"

namespace lanewise::ir {

constexpr Code codeOf(spv::Op op) {
  return static_cast<Code>(op);
}
constexpr Code codeOf(GLSLstd450 number) {
  return kGlsl + static_cast<Code>(number);
}
constexpr Code codeOf(Code own) {
  return own;
}

// --- What a function takes from the profile ---------------------------------------------------------------------------------------------

enum class TakesMode : std::uint8_t {
  kNone,
  kWhole,
  kDenormals,  // the result is exact: only denormals matter
  kRounding,   // nothing is denormal: only the rounding matters
  kTwo         // of a conversion between floats: the result's, and of the operand's the denormals
};
// C and D: fields of Profile, or nullptr.
template <TakesMode Mode, auto C = nullptr, auto D = nullptr>
struct Varies {
  static constexpr TakesMode mode = Mode;
  static constexpr auto first = C;
  static constexpr auto second = D;
};
using Fixed = Varies<TakesMode::kNone>;
using ByMode = Varies<TakesMode::kWhole>;
using ByDenormals = Varies<TakesMode::kDenormals>;
using ByRounding = Varies<TakesMode::kRounding>;
using ByBothModes = Varies<TakesMode::kTwo>;
template <auto Field>
using Choice = Varies<TakesMode::kNone, Field>;
template <auto Field>
using ModeAndChoice = Varies<TakesMode::kWhole, Field>;
template <auto Field>
using DenormalsAndChoice = Varies<TakesMode::kDenormals, Field>;
using SignedModuloChoice = Varies<TakesMode::kNone, &Profile::divideByZero, &Profile::signedModulo>;

// --- Facts ------------------------------------------------------------------------------------------------------------------------------

// One instruction of a compiler or processor that gives the very bits in the strict mode: an integer instruction, or an IEEE operation
// after which a NaN becomes the one NaN (kFNeg, kFAbs and kSelect only move bits; kFConvert keeps what it can of a NaN).
enum class Machine : std::uint8_t {
  kNone,
  kAdd,
  kSub,
  kMul,
  kAnd,
  kOr,
  kXor,
  kEqual,
  kNotEqual,
  kLess,  // signed or unsigned as the row's types say
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kMin,
  kMax,
  kBitCount,
  kBitReverse,
  kExtendOrTruncate,
  kSelect,
  kBitcast,
  kFAdd,
  kFSub,
  kFMul,
  kFDiv,
  kFSqrt,
  kFNeg,
  kFAbs,
  kFFloor,
  kFCeil,
  kFTrunc,
  kFRoundEven,
  kFOrderedEqual,
  kFOrderedLess,
  kFOrderedLessEqual,
  kFOrderedGreater,
  kFOrderedGreaterEqual,
  kFOrderedNotEqual,
  kFUnorderedEqual,
  kFUnorderedLess,
  kFUnorderedLessEqual,
  kFUnorderedGreater,
  kFUnorderedGreaterEqual,
  kFUnorderedNotEqual,
  kIntegerToFloat,
  kFConvert
};

// Which results two conforming devices may differ in. Source: Vulkan 1.3, "Vulkan Environment for SPIR-V", "Precision and Operation of
// SPIR-V Instructions"; "Image Operations"; "Shader Memory Access Bounds Checking". The bounds are those of 32-bit floats.
struct Openness {
  enum class When : std::uint8_t {
    kNever,
    kAlways,
    kModes,      // correctly rounded: open are only the direction and denormals, which execution modes may declare
    kNarrowing,  // the same, but only where the result is the narrower float
    kOutside,    // of an access that leaves its buffer, image or array
    kOnFloats    // of a texel: where its format is no float of 32 bits, and the value is a float
  };
  When when = When::kNever;
  const char* allowed = "";
  const char* clause = "";  // the section of the specification
};
using When = Openness::When;

// What an operation does besides computing from its arguments: whether passes may fold, share, move or remove it.
enum class Effect : std::uint8_t {
  kNone,
  kAsks,   // for what stays the same while a dispatch runs
  kReads,  // what may change
  kActs    // it stays, even if nobody uses a result
};

// Of an atomic: what it does to memory. kCompares: an update only where its last argument is what is there.
enum class AtomicUse : std::uint8_t { kNone, kLoads, kStores, kUpdates, kCompares };

// Whose values a result depends on besides its own invocation's: a quad is four neighbours of a subgroup.
enum class Across : std::uint8_t { kNone, kQuad, kSubgroup };

// What a subgroup operation makes of the values of the invocations.
enum class Makes : std::uint8_t {
  kOfAll,           // a vote, a ballot
  kOfOwn,           // of a ballot that the invocation itself gives
  kOfOne,           // one invocation's value: which one, scalar::withSource says
  kOfFirst,         // the first one's
  kFoldOfIntegers,  // a reduction or a scan
  kFoldOfFloats,
  kFoldOfBooleans
};

// What a module does with it (SPIR-V 1.6, 2.4, "Logical Layout of a Module").
enum class Part : std::uint8_t {
  kOther,
  kHead,  // what the whole module is or asks for
  kMode,
  kAnnotation,  // names and decorations; not those of groups
  kType,
  kConstant,
  kFunction,  // where one begins and ends, its parameters and labels
  kMerge,
  kBranch,  // it ends a block, as the next two do
  kReturn,
  kEnd
};

// Of what takes a pointer as its first operand: whether it is the only one, or indices follow it.
enum class Takes : std::uint8_t { kOther, kPointer, kIndices };

// The positions among the operands of the memory scope of an atomic or a barrier, and of its (first) semantics.
struct OrderOperands {
  std::size_t scope = 0, semantics = 0;
};

// Of a dot product of integers: which vectors are signed, and whether it adds to its third operand and saturates.
struct DotForm {
  bool signedA = false, signedB = false, accumulates = false;
};

// Of a derivative: along which axes of the quad, and whether one for all of it.
struct Derivative {
  bool x = false, y = false, coarse = false;
};

struct Facts {
  Definedness defined = Definedness::kAlways;
  Openness open;
  Machine instruction = Machine::kNone;
  bool contracts = false;               // NoContraction says something about it
  bool assembled = false;               // one SPIR-V instruction is not one of these a component: lowering puts it together
  SwitchPoint switchPoint = kNoSwitch;  // of an access: of what others may write; of a jump: back
  Effect effect = Effect::kNone;
  bool perLane = false;                  // lanes have different results of the same arguments
  Sum sum = Sum::kNone;                  // of an atomic: how what several have added is joined
  std::optional<SampleForm> sampling{};  // of what takes a sampler
  const char* name = "";                 // of one that is not SPIR-V's
  AtomicUse atomic = AtomicUse::kNone;
  Across across = Across::kNone;
  Makes makes = Makes::kOfAll;
  bool grouped = false;  // of a subgroup operation: an operand is its GroupOperation
  bool formula = false;  // lowering writes it out, from its operands alone
  bool intel = false;    // of SPV_INTEL_shader_integer_functions2
  std::optional<DotForm> dot{};
  std::optional<Derivative> derivative{};
  std::optional<OrderOperands> order{};
  Takes takes = Takes::kOther;
  Part part = Part::kOther;

  constexpr Facts when(Definedness d) const {
    Facts f = *this;
    f.defined = d;
    return f;
  }
  constexpr Facts leaves(When w, const char* allowed, const char* clause = "") const {
    Facts f = *this;
    f.open = {w, allowed, clause};
    return f;
  }
  constexpr Facts leaves(const char* allowed) const { return leaves(When::kAlways, allowed); }
  constexpr Facts is(Machine m) const {
    Facts f = *this;
    f.instruction = m;
    return f;
  }
  constexpr Facts contracted() const {
    Facts f = *this;
    f.contracts = true;
    return f;
  }
  constexpr Facts parts() const {
    Facts f = *this;
    f.assembled = true;
    return f;
  }
  constexpr Facts switches(SwitchPoint at) const {
    Facts f = *this;
    f.switchPoint = at;
    return f;
  }
  constexpr Facts byLane() const {
    Facts f = *this;
    f.perLane = true;
    return f;
  }
  constexpr Facts sums(Sum how) const {
    Facts f = *this;
    f.sum = how;
    return f;
  }
  constexpr Facts does(AtomicUse what) const {
    Facts f = *this;
    f.atomic = what;
    return f;
  }
  constexpr Facts over(Across whom) const {
    Facts f = *this;
    f.across = whom;
    return f;
  }
  constexpr Facts byGroup() const {
    Facts f = *this;
    f.grouped = true;
    return f;
  }
  constexpr Facts gives(Makes what) const {
    Facts f = *this;
    f.makes = what;
    return f;
  }
  constexpr Facts dots(DotForm form) const {
    Facts f = *this;
    f.dot = form;
    return f;
  }
  constexpr Facts derives(Derivative form) const {
    Facts f = *this;
    f.derivative = form;
    return f;
  }
  constexpr Facts ordered(std::size_t scope, std::size_t semantics) const {
    Facts f = *this;
    f.order = OrderOperands{scope, semantics};
    return f;
  }
  constexpr Facts given(Takes what) const {
    Facts f = *this;
    f.takes = what;
    return f;
  }
  constexpr Facts in(Part where) const {
    Facts f = *this;
    f.part = where;
    return f;
  }
  // An implicit level of detail is computed from the coordinates of a quad.
  constexpr Facts samples(SampleForm form) const {
    Facts f = *this;
    f.sampling = form;
    if (form.implicit) f.across = Across::kQuad;
    return f;
  }
  constexpr Facts named(const char* given) const {
    Facts f = *this;
    f.name = given;
    return f;
  }
};

// --- The table --------------------------------------------------------------------------------------------------------------------------

struct OperationInfo {
  Code code = 0;
  const char* types = "";     // "" without a function
  Signature common;           // of its signatures: how many arguments, and what does not range
  const char* function = "";  // as model/scalar names it
  TakesMode mode = TakesMode::kNone;
  Facts facts;

  constexpr bool computes() const { return *types != '\0'; }  // lane by lane, from its operands alone
};

// In the order of their codes.
std::span<const OperationInfo> operationInfos();
// nullptr: no row.
const OperationInfo* operationInfo(Code code);
// Of an operation without a row: none.
const Facts& factsOf(Code code);
inline const Facts& factsOf(spv::Op op) {
  return factsOf(codeOf(op));
}
inline bool isAtomic(spv::Op op) {
  return factsOf(op).atomic != AtomicUse::kNone;
}
inline Part partOf(spv::Op op) {
  return factsOf(op).part;
}
inline bool endsBlock(spv::Op op) {
  return partOf(op) >= Part::kBranch;
}
// True for operations that compute lane by lane from their operands, so that a result may take an operand's slot.
bool computes(Code code);
// True where the result comes from the operands alone: also of what is not one operation a component.
bool isOfOperands(Code code);

// True for operations that do nothing but compute: no memory, no other lanes, no control.
bool isPure(const Function& f, Value v);

// What two devices may differ in where the operands have a result (definedness.h); nullptr: nothing.
const Openness* openness(Code code);
// The same of an access outside of its buffer, image or array, whatever the instruction.
const Openness& openOutside();

}  // namespace lanewise::ir
