// Random structured kernels: a small language of integers, made from a seed, written as SPIR-V assembly, and made smaller while a
// difference stays.
//
// Every kernel is deterministic by the specification: loops are bounded, shifts, divisors and indices are masked into their defined ranges,
// barriers and subgroup operations stand in uniform control flow, atomics commute. So the model and every device must agree.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/contract/device.h"

namespace lanewise::random {

enum class Width : std::uint8_t { kBool, kU8, kU16, kU32, kU64 };

// An expression; what `op` means with its operands is a row of kOperations, or one of these.
struct Expr {
  enum class Kind : std::uint8_t {
    kConstant,   // value
    kVariable,   // value: which of the variables of this width
    kCounter,    // value: which loop's
    kLocalId,    // the local invocation index
    kGroupId,    // the workgroup's x
    kPush,       // value: which word of the push constants
    kInput,      // a word of the input buffer, chosen by the operand
    kElement,    // an element of the local array, chosen by the operand
    kOperation,  // value: a row of kOperations
  };
  Kind kind = Kind::kConstant;
  Width width = Width::kU32;
  std::uint64_t value = 0;
  std::vector<Expr> operands;
};

struct Stmt {
  enum class Kind : std::uint8_t {
    kAssign,      // variable `target` of the width of exprs[0]
    kElement,     // local array: index, value
    kIf,          // condition; bodies: then, else
    kLoop,        // rounds; bodies: one; target: its counter
    kSwitch,      // selector; bodies: default, then cases 0, 1, ...; bit i of `falls`: body i goes on into the next
    kBreakIf,     // condition
    kContinueIf,  // condition
    kReturnIf,    // functions only: condition, value
    kCall,        // variable `target` = function `callee`(value, variable `other` by pointer)
    kExchange,    // value to workgroup memory, barrier, variable `target` = the value of the invocation that exprs[1] chooses, barrier
    kSubgroup,    // variable `target` = row `callee` of kSubgroupOperations of the value
    kAtomic,      // row `target` of the sums, each with an operation of its own; value
  };
  Kind kind = Kind::kAssign;
  std::uint32_t target = 0, other = 0, callee = 0, falls = 0;
  std::vector<Expr> exprs;
  std::vector<std::vector<Stmt>> bodies;
};

struct Function {
  std::vector<Stmt> body;
  Expr result;
};

inline constexpr std::uint32_t kVariables = 6;  // of each width but bool
inline constexpr std::uint32_t kElements = 8;   // of the local array
inline constexpr std::uint32_t kInputs = 64;    // words
inline constexpr std::uint32_t kSlots = 8;      // of atomics
inline constexpr std::uint32_t kPushWords = 2;

struct Kernel {
  std::uint64_t seed = 0;
  std::uint32_t localSize = 32;
  std::uint32_t groups = 3;
  std::uint32_t counters = 0;
  bool narrow = false;  // 8- and 16-bit integers
  bool wide = false;    // 64-bit integers
  bool subgroups = false;
  bool sparse = false;         // made smaller: only what is named is declared and written out
  std::uint32_t rewrites = 0;  // bit i: what row i of rewrites() names is written otherwise, with the same result
  std::vector<Function> functions;
  std::vector<Stmt> body;
};

// What statements name: bits by number, widths by their enumerator.
struct Uses {
  std::uint32_t variables[5] = {};
  std::uint32_t functions = 0;
  std::uint64_t counters = 0;
  bool widths[5] = {};
  bool array = false;
  bool subgroups = false;
};
Uses usesOf(const std::vector<Stmt>& body);
Uses usesOf(const Function& function);

struct Operation {
  const char* opcode;  // SPIR-V's name; GLSL.std.450's after "glsl "; "OpIAddCarry.1": member 1 of its result
  Width result;        // kBool as a result of arguments means a comparison
  std::vector<Width> arguments;
  // How operand i is made defined: a bit field of these per operand.
  enum Guard : std::uint8_t { kNone, kShift, kDivisor, kPositive, kField };
  std::vector<Guard> guards;
};
const std::vector<Operation>& operations();

struct SubgroupOperation {
  const char* opcode;
  const char* group;   // "Reduce" and its kin, or ""
  bool ballot;         // what counts is the ballot of the value's low bit
  std::int32_t extra;  // a constant last operand, or -1
  bool divergent;      // defined for whatever invocations are active
};
const std::vector<SubgroupOperation>& subgroupOperations();

// The kinds of operations that can be written otherwise, by name.
std::vector<std::string> rewrites();

// The kernel of a seed; `capabilities` (Int8, Int16, Int64, GroupNonUniformArithmetic ...) are what may be used; empty: everything.
Kernel generate(std::uint64_t seed, const std::vector<std::string>& capabilities = {});
std::string assembly(const Kernel& kernel);
// What an invocation leaves in the output buffer.
std::uint32_t outputWords(const Kernel& kernel);
// Assembled, with the inputs of its seed. No module if the assembler refuses it: a bug of the generator.
Job jobOf(const Kernel& kernel, std::string* problem);

// The kernel as a text program (tests/text/program_text.h): the inputs and the module of `job`, and what its bytes must be.
std::string textProgram(const Kernel& kernel, const Job& job, const RunResult& expected, const std::string& prose);

// Applies the n-th way of making the kernel smaller; false when there are fewer.
bool shrinkOnce(Kernel& kernel, std::size_t n);
std::size_t weight(const Kernel& kernel);

}  // namespace lanewise::random
