// What an operation is, as one row: its types, the pure function on scalars that is its meaning, for which operands it has a result, what
// Vulkan leaves open, and what a machine does for it.
//
// The rows stand in model/ir/rows, one file a family. Four read them: this table; rows/codes.h, which takes the codes of the model's own
// operations from own.inc, so that another row builds only what uses it; model/operations, which makes a handler of each function for every
// type, and of those that atomics and reductions fold by; and model/spirv/spec_operation.cpp, which computes constants. From the table
// derive the instructions that lowering takes apart by component, what native code is made of, what `--patch exact` decorates, what
// `lanewise inspect` and rulings call open, constant folding's definedness, and the tests that try every row.
//
// A row is ROW(code, types, varies, facts, function): the types as in rows/signature.h; `varies` says which of the profile's choices the
// function takes as template arguments; the facts are those of rows/facts.h. In a function M is the mode (rounding, denormals) of the width
// it computes in, N that of its operand's width, C and D the values of the fields that `varies` names, R the result's type.
// OPERATION(code, facts) is one without such a function: of SPIR-V, a formula that lowering writes out or a declaration.
// OWN(code, name, effect, facts), in own.inc, is one of the model's own with a handler of its own in model/operations; the row declares its
// code. An instruction of SPIR-V that has no row is refused; tests/model/ir/operation_table_test.cpp holds the table to what programs
// contain.
#pragma once

#include <cstdint>
#include <span>

#include "model/ir/ir.h"
#include "model/ir/rows/facts.h"
#include "model/ir/rows/signature.h"
#include "model/ir/undefined_bytes.h"

namespace lanewise::ir {

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
// The atomic that joins what several invocations have made of identities, each by such atomics alone, where their order does not show: of
// integers. OpNop: it shows, or `atomic` is none.
spv::Op sumOf(Code atomic);
inline Section sectionOf(spv::Op op) {
  return factsOf(op).section;
}
inline bool endsBlock(spv::Op op) {
  return sectionOf(op) >= Section::kBranch;
}
// True for operations that compute lane by lane from their operands, so that a result may take an operand's slot.
bool computes(Code code);
// True where the result comes from the operands alone: also of what is not one operation a component.
bool isOfOperands(Code code);

// For which operands it has a result, as its row says.
inline Definedness definednessOf(Code code) {
  return factsOf(code).defined;
}
inline bool definedFor(Code code, Scalar result, std::span<const Scalar> types, std::span<const std::uint64_t> bits) {
  return isDefined(definednessOf(code), result, types, bits);
}

// True for operations that do nothing but compute: no memory, no other lanes, no control.
bool isPure(const Function& f, Value v);

// What two devices may differ in where the operands have a result (definedness.h); nullptr: nothing.
const Openness* openness(Code code);
// The same of an access outside of its buffer, image or array, whatever the instruction.
const Openness& openOutside();

}  // namespace lanewise::ir
