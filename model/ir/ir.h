// The intermediate form between SPIR-V and the decoded program: scalars in SSA form over a flat control flow graph, all functions inlined.
//
// An operation keeps SPIR-V's own number (OpIAdd), GLSL.std.450's with kGlsl added, or one of Own for what SPIR-V does not have. Composites
// do not exist here: lowering flattened them, so that constructing, extracting and shuffling cost nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "model/ir/kinds.h"
#include "model/ir/order.h"
#include "model/ir/path.h"
#include "model/ir/rows/codes.h"
#include "model/ir/rows/sample_form.h"
#include "model/ir/variables.h"
#include "model/spirv/module.h"
#include "model/spirv/types.h"

namespace lanewise::ir {

using kind::InputRow;

// kVariable: the buffer that a pointer value names (MemoryLowering::descriptorOf); kPhysical: the argument is a device address of 64 bits.
enum class Space : std::uint8_t { kBuffer, kWorkgroup, kPush, kPhysical, kVariable };

// A pointer value's descriptor: the resource plus 1, so that null is 0, and below it the element.
inline constexpr std::uint32_t kElementBits = 20;

// What a load, store or atomic touches, besides its address.
struct Access {
  Space space = Space::kBuffer;
  std::uint32_t resource = 0;  // index into Function::resources; buffers only
  std::uint32_t offset = 0;    // constant byte offset, added to the address
  Scalar type = Scalar::kI32;  // in memory
  bool readOnly = false;       // NonWritable, uniform or push constant: a load may be repeated or shared
  std::uint32_t variable = 0;  // the id of the OpVariable, for messages
};

// What a sampling instruction has besides an image and coordinates; the arguments it names follow the coordinates in this order.
struct Sampling {
  SampleForm form;
  std::uint32_t resource = 0;  // the sampler's, as in ImageAccess
  bool hasBias = false, hasLod = false, hasGradient = false;
  std::uint8_t offsets = 0;  // vectors of offsets: 0, 1, or 4 (ConstOffsets)
  bool hasMinLod = false;
  bool operator==(const Sampling&) const = default;
};

struct ImageAccess {
  std::uint32_t resource = 0;
  const Type* type = nullptr;  // the OpTypeImage
  Scalar component = Scalar::kI32;
  std::uint8_t components = 4;   // results, or values stored
  std::uint8_t coordinates = 2;  // coordinate arguments, array layer included
  bool hasLod = false, hasSample = false;
  spv::Op op{};       // of an atomic or a query
  Sampling sampling;  // kImageSample
  std::uint32_t variable = 0;
};

// A descriptor binding the module uses.
struct ResourceDeclaration {
  std::uint32_t set = 0, binding = 0;
  std::uint32_t count = 1;     // array elements; 0: runtime array
  std::uint32_t variable = 0;  // id
  enum class Kind : std::uint8_t { kUniformBuffer, kStorageBuffer, kStorageImage, kSampledImage, kSampler, kCombined } kind{};
  const Type* type = nullptr;  // of one element
  bool nonWritable = false, nonReadable = false;
  bool used = false;  // named by an instruction that the entry point reaches: only then something must be bound
};

// A NonSemantic.DebugPrintf: its format, and of each argument the scalar type and how many.
struct Print {
  struct Argument {
    Scalar scalar = Scalar::kI32;
    std::uint32_t count = 1;
  };
  std::string format;
  std::vector<Argument> arguments;
};

// A program is lowered in one of three ways, which give the same bytes and count the same steps.
//   kUnwatched: kQuick, in which small branches are selections, so that lanes compute sides that they do not take, and loops of a few
//   rounds are these. Nobody watches it (state/observer.h: kFlow), or with checkIndices nobody watches single instructions.
//   kQuick: named variables become registers where they can; operations are folded, shared and removed. To run, and to find faults in.
//   kFaithful: every instruction is executed where its line stands, and function and private variables are in lane memory, where they can
//   be read at any time. For stepping.
enum class Flavour : std::uint8_t { kUnwatched, kQuick, kFaithful };

using Value = std::uint32_t;  // index of a node; 0 is no value
inline constexpr Value kNoValue = 0;

// Where an operation comes from: the SPIR-V instruction, and the call it was inlined through. Each instruction of the module that does
// something is a step, once for each time that its function was inlined; they are numbered from 1 in the order of the blocks, before any
// pass changes these, so that all flavours have the same steps.
struct Origin {
  std::uint32_t instruction = 0;  // index into Module::instructions
  std::uint32_t caller = 0;       // index of the calling origin, 0 for none
  std::uint32_t unwritten = 0;    // of an undefined value: id of the variable that is read before it is written, 0 for none
  std::uint8_t component = 0;     // which scalar of the result
  std::uint32_t step = 0;         // its place among the steps of the program; 0 for what comes before the first
};

// What an operation says besides its arguments: nothing where it computes lane by lane.
using NodeKind =
    std::variant<std::monostate, kind::Constant, kind::Result, kind::Input, kind::Local, kind::Memory, kind::Atomic, kind::ArrayLength,
                 kind::Image, kind::Subgroup, kind::Barrier, kind::Print, kind::CheckIndex, kind::CheckOperands>;

struct Node {
  Code op = 0;
  Scalar type = Scalar::kNone;
  std::uint32_t firstArgument = 0;
  std::uint32_t arguments = 0;
  std::uint32_t order = 0;  // of an access or a barrier: in Function::orders
  std::uint32_t origin = 0;
  std::uint32_t block = 0;
  std::uint32_t path = 0;  // of an access: in Function::paths
  bool varying = false;    // differs between lanes; set by the uniformity pass
  NodeKind what;

  template <class T>
  const T& as() const {
    return kind::as<T>(what);
  }
};

// Where a switch goes, by the value of its selector.
struct SwitchTable {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cases;  // literal, target
  std::uint32_t otherwise = 0;

  std::uint32_t targetOf(std::uint64_t selector) const {
    const auto at = std::ranges::find(cases, selector, [](const auto& c) { return c.first; });
    return at == cases.end() ? otherwise : at->second;
  }
  bool operator==(const SwitchTable&) const = default;
};

// Consecutive steps, by the first one's number.
struct StepRange {
  std::uint32_t first = 0, count = 0;
};

// How a block ends. Targets are blocks.
struct Jump {
  std::uint32_t target = 0;
  bool operator==(const Jump&) const = default;
};
struct Branch {
  Value condition = kNoValue;
  std::uint32_t whereTrue = 0, whereFalse = 0;
  bool operator==(const Branch&) const = default;
};
struct Switch {
  Value condition = kNoValue;  // the selector
  SwitchTable table;
  bool operator==(const Switch&) const = default;
};
struct Return {
  bool operator==(const Return&) const = default;
};
// The first: nothing yet, or nothing any more, because no block leads here.
using BlockEnd = std::variant<std::monostate, Jump, Branch, Switch, Return>;

struct Block {
  std::vector<Value> nodes;
  BlockEnd end;
  std::vector<std::uint32_t> predecessors;
  std::uint32_t merge = 0, continueTarget = 0;  // of a structured header; 0 for none (block 0 is the entry)
  std::uint32_t origin = 0;                     // of the terminator
  std::vector<StepRange> steps;                 // that who executes it makes, in their order

  // What a branch or switch goes by; nullptr: it ends otherwise.
  Value* condition() { return conditionOf(end); }
  const Value* condition() const { return conditionOf(end); }
  // The blocks that may be next, of a switch the default first; one may be there twice.
  std::size_t successorCount() const;
  std::uint32_t successor(std::size_t i) const;
  std::vector<std::uint32_t> successors() const {
    std::vector<std::uint32_t> all(successorCount());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = successor(i);
    return all;
  }
  void replaceSuccessor(std::uint32_t from, std::uint32_t by);
  std::uint32_t stepCount() const;
  // Of its steps, those up to `step`; 0 where it is none of them.
  std::uint32_t stepsUpTo(std::uint32_t step) const;

 private:
  template <class End>
  static auto conditionOf(End& end) -> decltype(&std::get<Branch>(end).condition) {
    if (auto* branch = std::get_if<Branch>(&end)) return &branch->condition;
    if (auto* choice = std::get_if<Switch>(&end)) return &choice->condition;
    return nullptr;
  }
};

// A function or private variable, flattened. Its leaves become registers unless one is reached by an index that only a lane knows; then
// the whole variable lives in lane memory, from firstWord, leafWords 32-bit words a leaf.
struct LocalVariable {
  std::vector<Scalar> leaves;
  std::uint32_t variable = 0;     // id, 0 for a returned value
  std::uint32_t instruction = 0;  // index into Module::instructions: its OpVariable, or the call
  spirv::SourceLine loadedAt;     // where all of it is loaded at once, if in one line alone
  bool loadedElsewhere = false;   // ... in several, or without one
  bool inLaneMemory = false;
  std::uint32_t firstWord = 0, leafWords = 1;
  std::uint32_t notes = 0;  // faithful: the local that has a Note for each leaf; 0 for none
  bool isRecord = false;    // faithful: it is for debuggers, and no instruction of the module has to do with it
};

struct Function {
  std::vector<Node> nodes{Node{}};  // node 0 is no value
  std::vector<Value> argumentPool;
  std::vector<Block> blocks;
  std::vector<Origin> origins{Origin{}};
  std::vector<Order> orders{Order{}};       // 0: nothing is said
  std::vector<PathStep> paths{PathStep{}};  // 0: no path
  std::vector<Access> accesses;
  std::vector<ImageAccess> imageAccesses;
  std::vector<ResourceDeclaration> resources;
  std::vector<LocalVariable> locals{LocalVariable{}};  // 0: none
  std::vector<ModuleVariable> variables;
  std::vector<RecordedVariable> recorded;
  std::uint32_t laneWords = 0;    // 32-bit words of lane memory
  std::uint32_t recordWords = 0;  // where those of records begin
  std::uint32_t workgroupBytes = 0;
  // A selection counts the steps of its longer side, also for lanes that go the other way; and between the rounds of what was a loop nobody
  // looks at them, and its barrier is one for each round.
  bool countsMore = false;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> workgroupZero;  // offset and size of what starts as 0
  std::vector<Print> prints;
  std::vector<std::uint8_t> divergentLoop;  // by header block: lanes leave this loop at different times; filled by markVarying
  std::vector<std::uint32_t> order;         // block indices, structured: a merge block after its construct; filled by orderBlocks

  std::span<Value> args(Value v) { return std::span(argumentPool).subspan(nodes[v].firstArgument, nodes[v].arguments); }
  std::span<const Value> args(Value v) const { return std::span(argumentPool).subspan(nodes[v].firstArgument, nodes[v].arguments); }
  Value add(Code op, Scalar type, std::span<const Value> arguments, std::uint32_t origin);
  void append(std::uint32_t block, Value v);
  Value constant(Scalar type, std::uint64_t bits);
  bool isConstant(Value v) const { return nodes[v].op == kConstant; }
  std::uint64_t bitsOf(Value constant) const { return nodes[constant].as<kind::Constant>().bits; }
  // The undefined value of a type that an instruction of the module brings in, by its index: an OpUndef, or the OpVariable `variable`.
  Value undefined(Scalar type, std::uint32_t instruction, std::uint32_t variable);
  bool isUndefined(Value v) const { return nodes[v].op == kUndef; }
  // The constant's value, sign extended where `isSigned`.
  std::int64_t constantValue(Value v, bool isSigned = true) const;
  // Where most nodes are in no block any more, the others get lower numbers, in their order: passes have tables of all nodes.
  void numberNodes();

 private:
  std::vector<std::pair<std::uint64_t, Value>> constantIndex_[9];
  std::map<std::array<std::uint32_t, 3>, Value> undefinedIndex_;  // by type, instruction and variable
};

// An access that is neither removed, repeated nor merged with another.
bool isVolatile(const Function& f, Value v);

// What an access touches may be written by other invocations, or read.
bool isShared(const Access& access);
bool isShared(const ImageAccess& access, std::span<const ResourceDeclaration> resources);

// Blocks reachable from the entry, in an order where every merge and continue block comes after the rest of its construct.
// Unreachable blocks lose nodes and end. Fills Function::order and every block's predecessors (phi arguments follow).
void orderBlocks(Function& f);

}  // namespace lanewise::ir
