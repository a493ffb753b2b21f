// What the row of an operation says: what its function takes from the profile, and its facts.
//
// A row's facts begin with one of the words of ir::row and go on with functions of Facts: `is(Machine::kAdd).spreads(Spread::kUp)`.
// model/ir/operation_info.h says how a row is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "model/contract/profile.h"
#include "model/ir/rows/codes.h"
#include "model/ir/rows/definedness.h"
#include "model/ir/rows/sample_form.h"
#include "model/scalar/source.h"

namespace lanewise {

// What an instruction is to a schedule: others may run behind it.
enum SwitchPoint : std::uint8_t {
  kNoSwitch = 0,
  kAtBarrier = 1,  // a control barrier
  kAtAtomic = 2,
  kAtAccess = 4,  // a load or store of what other invocations may write
  kAtJumpBack = 8
};

namespace ir {

// --- What a function takes from the profile ---------------------------------------------------------------------------------------------

enum class TakesMode : std::uint8_t {
  kNone,
  kWhole,
  kDenormals,  // the result is exact: only denormals matter
  kRounding,   // nothing is denormal: only the rounding matters
  kTwo,        // of a conversion between floats: the result's, and of the operand's the denormals
  kHalves      // the denormals of halves that are unpacked from a word
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
using ByHalves = Varies<TakesMode::kHalves>;
template <auto Field>
using Choice = Varies<TakesMode::kNone, Field>;
template <auto Field>
using ModeAndChoice = Varies<TakesMode::kWhole, Field>;
template <auto Field>
using DenormalsAndChoice = Varies<TakesMode::kDenormals, Field>;
using SignedModuloChoice = Varies<TakesMode::kNone, &Profile::divideByZero, &Profile::signedModulo>;

// --- Facts ------------------------------------------------------------------------------------------------------------------------------

// What a machine does that gives the very bits in the strict mode: one instruction of a compiler, or two or three that LLVM has or puts
// together. After an IEEE operation a NaN becomes the one NaN (kFNeg, kFAbs and kSelect only move bits; kFConvert keeps what it can of a
// NaN).
enum class Machine : std::uint8_t {
  kNone,
  kAdd,
  kSub,
  kMul,
  kAnd,
  kOr,
  kXor,
  kNot,
  kNegate,
  kAbs,
  kShiftLeft,  // by the amount modulo the width
  kShiftRight,
  kHighProduct,
  kCarry,
  kBorrow,
  kQuotient,  // by 0: all ones
  kRemainder,
  kEqual,
  kNotEqual,
  kLess,  // signed or unsigned as the row's types say
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kMin,
  kMax,
  kClamp,
  kBitCount,
  kBitReverse,
  kLowestBit,
  kHighestBit,
  kFieldInsert,  // bits outside of the width are none
  kFieldExtract,
  kExtendOrTruncate,
  kSelect,
  kBitcast,
  kPack,
  kUnpack,
  kAddress,
  kOffset,
  kFAdd,
  kFSub,
  kFMul,
  kFDiv,
  kFSqrt,
  kFNeg,
  kFAbs,
  kFMin,  // the second where neither is smaller; of a NaN and a number the number, and -0 is smaller than +0
  kFMax,
  kFClamp,
  kMulAdd,  // rounded twice
  kIsNan,
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
  kFConvert,
  kFloatToInteger  // the nearest end where it is out of range, 0 of a NaN
};

// Which bytes of a result an undefined byte of an operand reaches. Where an operand says how far (an amount, an offset, a condition) and is
// undefined itself, that is all of them.
enum class Spread : std::uint8_t {
  kToAll,
  kToItsOwn,  // the byte at the same place
  kUnless0,   // the same, but a defined 0 in the other operand decides; of booleans a defined false
  kUnless1,   // ... all bits set; true
  kUp,        // those above too: carries
  kProduct,   // the same, but of a defined 0 the product is 0
  kOfChosen,  // of a selection: those of the operand that it gives
  kExtended,  // and what it is filled with
  kSignExtended,
  kJoined,  // the operands' bytes one after the other
  kPart,
  kShiftedLeft,
  kShiftedRight,
  kShiftedSigned,
  kField,
  kSignedField,
  kInserted
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

// What an operation on two values does not change the other one by; of floats the greatest and the least are the infinities.
enum class Identity : std::uint8_t { kZero, kOne, kAllBits, kGreatest, kLeast };
constexpr std::uint64_t identityOf(Identity identity, std::uint32_t bits) {
  const std::uint64_t all = bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0}, top = all ^ (all >> 1);
  constexpr std::uint64_t kSmall[] = {0, 1};
  return identity <= Identity::kOne        ? kSmall[static_cast<std::size_t>(identity)]
         : identity == Identity::kAllBits  ? all
         : identity == Identity::kGreatest ? top - 1
                                           : top;
}

// What a module does with it (SPIR-V 1.6, 2.4, "Logical Layout of a Module").
enum class Section : std::uint8_t {
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
  bool byOne = false;                    // of an atomic: its value is 1 and no operand
  std::optional<SampleForm> sampling{};  // of what takes a sampler
  const char* name = "";                 // of one that is not SPIR-V's
  AtomicUse atomic = AtomicUse::kNone;
  Across across = Across::kNone;
  Makes makes = Makes::kOther;
  Source source = Source::kNone;
  bool grouped = false;                 // of a subgroup operation: an operand is its GroupOperation
  Code fold = 0;                        // of a reduction or a scan, and of an atomic: the operation on two values
  Identity identity = Identity::kZero;  // of what a reduction, a scan or an atomic folds by
  bool formula = false;                 // lowering writes it out, from its operands alone
  bool intel = false;                   // of SPV_INTEL_shader_integer_functions2
  std::optional<DotForm> dot{};
  std::optional<Derivative> derivative{};
  std::optional<OrderOperands> order{};
  std::size_t memoryOperands = 0;  // the position of the mask that they begin with; 0: it takes none
  std::size_t imageOperands = 0;   // the same of an access to a texel without a sampler
  Takes takes = Takes::kOther;
  Section section = Section::kOther;
  bool specConstant = false;  // OpSpecConstantOp may name it, without the Kernel capability

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
  constexpr Facts ofOne() const { return with(&Facts::byOne, true); }
  constexpr Facts does(AtomicUse what) const { return with(&Facts::atomic, what); }
  constexpr Facts over(Across whom) const { return with(&Facts::across, whom); }
  constexpr Facts gives(Makes what) const { return with(&Facts::makes, what); }
  constexpr Facts reads(Source lane) const { return gives(Makes::kOfOne).with(&Facts::source, lane); }
  constexpr Facts byGroup() const { return with(&Facts::grouped, true); }
  constexpr Facts folds(auto by) const { return with(&Facts::fold, codeOf(by)); }
  constexpr Facts neutral(Identity value) const { return with(&Facts::identity, value); }
  constexpr Facts written() const { return with(&Facts::formula, true); }
  constexpr Facts ofIntel() const { return written().with(&Facts::intel, true); }
  constexpr Facts dots(DotForm form) const { return with(&Facts::dot, form); }
  constexpr Facts derives(Derivative form) const { return with(&Facts::derivative, form); }
  constexpr Facts ordered(OrderOperands at) const { return with(&Facts::order, at); }
  constexpr Facts memoryAt(std::size_t mask) const { return with(&Facts::memoryOperands, mask); }
  constexpr Facts texelAt(std::size_t mask) const { return with(&Facts::imageOperands, mask); }
  constexpr Facts given(Takes what) const { return with(&Facts::takes, what); }
  constexpr Facts inSpecConstantOp() const { return with(&Facts::specConstant, true); }
  constexpr Facts in(Section where) const { return with(&Facts::section, where); }
  // An implicit level of detail is computed from the coordinates of a quad.
  constexpr Facts samples(SampleForm form) const { return with(&Facts::sampling, form).over(form.implicit ? Across::kQuad : across); }
  constexpr Facts named(const char* given) const { return with(&Facts::name, given); }
  constexpr Facts own(const char* given, Effect what) const { return named(given).with(&Facts::effect, what); }
};

namespace row {

// How a row's facts begin.
inline constexpr Facts pinned{};
constexpr Facts is(Machine m) {
  return pinned.is(m);
}
constexpr Facts when(Definedness rule) {
  return pinned.when(rule);
}
constexpr Facts leaves(const char* allowed) {
  return pinned.leaves(allowed);
}
constexpr Facts leaves(When w, const char* allowed, const char* clause = "") {
  return pinned.leaves(w, allowed, clause);
}
constexpr Facts parts() {
  return pinned.parts();
}
constexpr Facts contracted() {
  return pinned.contracted();
}
constexpr Facts switches(SwitchPoint at) {
  return pinned.switches(at);
}
constexpr Facts ordered(OrderOperands at) {
  return pinned.ordered(at);
}
constexpr Facts memoryAt(std::size_t mask) {
  return pinned.memoryAt(mask);
}
constexpr Facts given(Takes what) {
  return pinned.given(what);
}
constexpr Facts spreads(Spread how) {
  return pinned.spreads(how);
}
constexpr Facts in(Section where) {
  return pinned.in(where);
}
constexpr Facts samples(SampleForm form) {
  return pinned.samples(form);
}
constexpr Facts named(const char* name) {
  return pinned.named(name);
}
constexpr Facts byLane() {
  return pinned.byLane();
}
inline constexpr Facts formula = pinned.written(), intel = pinned.ofIntel();
inline constexpr Facts atomic = ordered({.scope = 1, .semantics = 2}), atomicUpdate = atomic.does(AtomicUse::kUpdates);
inline constexpr Facts inQuad = pinned.over(Across::kQuad), inSubgroup = pinned.over(Across::kSubgroup), inGroup = inSubgroup.byGroup();
inline constexpr Facts vote = inSubgroup.gives(Makes::kVote), ofOwn = inSubgroup.gives(Makes::kOfOwn);
inline constexpr Facts foldOfIntegers = inGroup.gives(Makes::kFoldOfIntegers), foldOfFloats = inGroup.gives(Makes::kFoldOfFloats),
                       foldOfBooleans = inGroup.gives(Makes::kFoldOfBooleans);

}  // namespace row
}  // namespace ir
}  // namespace lanewise
