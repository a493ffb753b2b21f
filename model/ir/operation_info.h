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
#include <type_traits>

#include "model/contract/profile.h"
#include "model/ir/control_codes.h"
#include "model/ir/definedness.h"
#include "model/ir/ir.h"
#include "model/ir/resource_use.h"
#include "model/ir/sample_form.h"
#include "model/ir/signature.h"
#include "model/ir/undefined_bytes.h"
#include "model/scalar/source.h"

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
enum class AtomicUse : std::uint8_t { kNone, kLoads, kStores, kExchanges, kUpdates, kCompares };

using scalar::Source;

// Whose values a result depends on besides its own invocation's: a quad is four neighbours of a subgroup.
enum class Across : std::uint8_t { kNone, kQuad, kSubgroup };

// What a subgroup operation makes of the values of the invocations.
enum class Makes : std::uint8_t {
  kOther,
  kVote,            // a boolean of all, from booleans
  kEquality,        // the same from values
  kBallot,          // four words of all, from booleans
  kPartition,       // the same from values
  kOfOwn,           // of a ballot that the invocation itself gives
  kOfOne,           // one invocation's value: that of its Source
  kOfFirst,         // the first one's
  kFoldOfIntegers,  // a reduction or a scan
  kFoldOfFloats,
  kFoldOfBooleans
};

// What a fold is of no values; of floats the greatest and the least are the infinities.
enum class Identity : std::uint8_t { kZero, kOne, kAllBits, kGreatest, kLeast };
constexpr std::uint64_t identityOf(Identity identity, std::uint32_t bits) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1), all = top | (top - 1);
  constexpr std::uint64_t kSmall[] = {0, 1};
  return identity <= Identity::kOne        ? kSmall[static_cast<std::size_t>(identity)]
         : identity == Identity::kAllBits  ? all
         : identity == Identity::kGreatest ? top - 1
                                           : top;
}

// What a module does with it (SPIR-V 1.6, 2.4, "Logical Layout of a Module").
enum class Part : std::uint8_t {
  kOther,
  kHead,  // what the whole module is or asks for
  kMode,
  kSource,      // files, lines and texts of the source
  kName,        // names
  kAnnotation,  // decorations; not those of groups
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

// The positions among the operands of the memory scope of an atomic or a barrier, and of its (first) semantics. `executes`: the first
// operand is an execution scope.
struct OrderOperands {
  std::size_t scope = 0, semantics = 0;
  bool executes = false;
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
  Spread spread = Spread::kToAll;       // of an operand's undefined bytes
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
  Makes makes = Makes::kOther;
  Source source = Source::kNone;
  bool grouped = false;  // of a subgroup operation: an operand is its GroupOperation
  Code fold = 0;         // of a reduction or a scan, and of an atomic: the operation on two values
  Identity identity = Identity::kZero;
  bool formula = false;  // lowering writes it out, from its operands alone
  bool intel = false;    // of SPV_INTEL_shader_integer_functions2
  std::optional<DotForm> dot{};
  std::optional<Derivative> derivative{};
  std::optional<OrderOperands> order{};
  std::size_t memoryOperands = 0;  // the position of the mask that they begin with; 0: it takes none
  std::size_t imageOperands = 0;   // the same of an access to a texel without a sampler
  Takes takes = Takes::kOther;
  Part part = Part::kOther;

 private:  // first: clang 14 evaluates no template that is defined behind its use
  template <class T>
  constexpr Facts with(T Facts::*member, std::type_identity_t<T> value) const {
    Facts f = *this;
    f.*member = value;
    return f;
  }

 public:
  constexpr Facts when(Definedness d) const { return with(&Facts::defined, d); }
  constexpr Facts leaves(When w, const char* allowed, const char* clause = "") const { return with(&Facts::open, {w, allowed, clause}); }
  constexpr Facts leaves(const char* allowed) const { return leaves(When::kAlways, allowed); }
  constexpr Facts is(Machine m) const { return with(&Facts::instruction, m); }
  constexpr Facts spreads(Spread how) const { return with(&Facts::spread, how); }
  constexpr Facts contracted() const { return with(&Facts::contracts, true); }
  constexpr Facts parts() const { return with(&Facts::assembled, true); }
  constexpr Facts switches(SwitchPoint at) const { return with(&Facts::switchPoint, at); }
  constexpr Facts byLane() const { return with(&Facts::perLane, true); }
  constexpr Facts sums(Sum how) const { return with(&Facts::sum, how); }
  constexpr Facts does(AtomicUse what) const { return with(&Facts::atomic, what); }
  constexpr Facts over(Across whom) const { return with(&Facts::across, whom); }
  constexpr Facts gives(Makes what) const { return with(&Facts::makes, what); }
  constexpr Facts reads(Source lane) const { return gives(Makes::kOfOne).with(&Facts::source, lane); }
  constexpr Facts byGroup() const { return with(&Facts::grouped, true); }
  constexpr Facts folds(auto by, Identity nothing = Identity::kZero) const {
    return with(&Facts::fold, codeOf(by)).with(&Facts::identity, nothing);
  }
  constexpr Facts written() const { return with(&Facts::formula, true); }
  constexpr Facts ofIntel() const { return written().with(&Facts::intel, true); }
  constexpr Facts dots(DotForm form) const { return with(&Facts::dot, form); }
  constexpr Facts derives(Derivative form) const { return with(&Facts::derivative, form); }
  constexpr Facts ordered(OrderOperands at) const { return with(&Facts::order, at); }
  constexpr Facts memoryAt(std::size_t mask) const { return with(&Facts::memoryOperands, mask); }
  constexpr Facts texelAt(std::size_t mask) const { return with(&Facts::imageOperands, mask); }
  constexpr Facts given(Takes what) const { return with(&Facts::takes, what); }
  constexpr Facts in(Part where) const { return with(&Facts::part, where); }
  // An implicit level of detail is computed from the coordinates of a quad.
  constexpr Facts samples(SampleForm form) const { return with(&Facts::sampling, form).over(form.implicit ? Across::kQuad : across); }
  constexpr Facts named(const char* given) const { return with(&Facts::name, given); }
  constexpr Facts own(const char* given, Effect what) const { return named(given).with(&Facts::effect, what); }
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
