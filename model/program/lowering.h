// The lowering's working state, shared by its files: lowering.cpp (modules, constants, control flow), lower_types.cpp,
// lower_arithmetic.cpp, lower_extended.cpp (GLSL.std.450), lower_memory.cpp, lower_image.cpp and lower_subgroup.cpp.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "model/program/lower.h"
#include "model/program/short_list.h"
#include "model/spirv/debug_info.h"
#include "model/spirv/interface.h"

namespace lanewise {

using ir::Value;
using ir::Values;

// A pointer while lowering: what it is rooted in, and how far in it points.
struct Pointer {
  enum class Root : std::uint8_t { kNone, kLocal, kMemory, kOpaque, kInput };
  Root root = Root::kNone;
  const Type* pointee = nullptr;
  std::uint32_t variable = 0;  // id of the OpVariable
  // kLocal: a LocalVariable.
  std::uint32_t local = 0;
  // kLocal: the leaf; kMemory: the byte offset. The constant and the dynamic part; of physical storage `dynamic` is the address.
  std::uint32_t offset = 0;
  Value dynamic = ir::kNoValue;
  // kMemory.
  ir::Space space = ir::Space::kBuffer;
  bool natural = false;  // workgroup memory without explicit layout
  bool wraps = false;    // the whole offset is in `dynamic`, and may go below 0 on its way (ir::kOffset)
  bool readOnly = false;
  MatrixLayout matrix;
  std::uint32_t componentStride = 0;  // of a vector that is a column of a row-major matrix; 0: tight
  // kMemory, kOpaque: the descriptor.
  std::uint32_t resource = 0;
  std::uint32_t elementConstant = 0;
  Value element = ir::kNoValue;
  bool elementPending = false;  // the first index of the next access chain selects the descriptor
  // kInput.
  std::uint32_t builtin = 0;
  // Indices that may be beyond the length they index, with LowerOptions::checkIndices: told when the pointer is used.
  struct Check {
    Value index;
    std::uint32_t count;
  };
  std::vector<Check> checks;
  std::uint32_t path = 0;                     // ir::PathStep
  std::uint32_t operands = 0;                 // ir::Order: what the memory operands of the access say,
  std::uint32_t alignedAt = 0;                // ... of what begins at this offset
  bool coherent = false, isVolatile = false;  // what is decorated so, of all that it went through
};

// The value of a SPIR-V id: the leaves of its type, or a pointer, or (images and samplers) the descriptor it was loaded from.
struct Val {
  const Type* type = nullptr;
  Values leaves;
  std::optional<Pointer> pointer;
  std::optional<Pointer> sampler;  // of a sampled image made of two
};

class Lowering {
 public:
  Lowering(const spirv::Module& module, const LowerOptions& options);
  Expected<Lowered> run();

 private:
  using Inst = spirv::Instruction;

  // lower_globals.cpp
  Status globals();
  Values undefinedLeaves(const Inst& inst, const Type& type);
  void specConstant(const Inst& inst);
  void variable(const Inst& inst);
  void startAsZero(const Pointer& variable);
  void workgroupVariable(const Inst& inst, Pointer& p);
  void resourceVariable(const Inst& inst);
  bool executionModes(const spirv::EntryPoint& entry);
  // lowering.cpp
  std::optional<std::uint32_t> decidedBranch(const Inst& inst);
  const std::unordered_set<std::uint32_t>& liveLabels(const spirv::FunctionRange& range);
  std::size_t stepsOf(const spirv::FunctionRange& range, std::unordered_map<std::uint32_t, std::size_t>& known);
  void functionBody(const spirv::FunctionRange& range, std::uint32_t returnBlock, std::uint32_t returnLocal, bool isEntry);
  void instruction(const Inst& inst);
  void call(const Inst& inst);
  void beginCallBody(const spirv::FunctionRange& range, std::uint32_t after);
  ir::Switch switchOf(const Inst& inst);
  void terminator(const Inst& inst);
  void phi(const Inst& inst);
  void fillPhis();
  std::uint32_t blockOf(std::uint32_t label);
  std::uint32_t newBlock();
  std::uint32_t newLocal(const Type* type, const Inst& inst);
  std::uint64_t localLeaves_ = 0;  // of all locals

  // lower_types.cpp
  Status readDeclarations();
  const Type* typeOf(std::uint32_t id);
  void refuse(const Type& type);
  const Type* scalarType(Scalar scalar);

  // lower_pointer.cpp: pointers as values.
  std::optional<Pointer> pointerOf(std::uint32_t id);
  Values leavesOf(const Val& v);
  Values wordsOf(const Pointer& p);
  Value byteOffset(const Pointer& p);
  Value descriptorOf(const Pointer& p);
  bool isDescriptorArray(const Type& type) const;
  Pointer stepDescriptor(Pointer p, Value index);
  Value addressOf(const Pointer& p);
  Pointer advance(Pointer p, Value index, std::uint32_t stride);
  Pointer addBytes(Pointer p, std::uint32_t bytes);
  Value pointerIndex(const Pointer& p, const Val& index);
  void elementOf(Pointer& p, const Type* pointer, const Val& element);
  std::uint32_t strideOf(const Pointer& p, const Type* pointer);
  bool pointerOperation(const Inst& inst);

  // Helpers for making nodes.
  Value make(ir::Code op, Scalar type, std::initializer_list<Value> args) { return make(op, type, std::span(args.begin(), args.size())); }
  Value make(ir::Code op, Scalar type, std::span<const Value> args);                            // folds when every argument is constant
  Value effect(ir::Code op, Scalar type, std::span<const Value> args, ir::NodeKind what = {});  // always appended
  Value results(Value parent, Scalar type, std::uint32_t index);
  Value constantU32(std::uint32_t value) { return f_.constant(Scalar::kI32, value); }
  Value toIndex(const Val& index);  // any integer, as 32 bits; out of range stays out of range
  std::uint32_t origin(std::uint8_t component = 0);
  bool isStep(const Inst& inst) const;
  void beginStep() { stepBlocks_.push_back(block_); }
  void numberSteps();
  const Val& val(std::uint32_t id);
  Value scalar(std::uint32_t id) { return leaf(val(id), 0); }
  Value leaf(const Val& v, std::uint32_t i);
  void define(const Inst& inst, Val v);
  void defineLeaves(const Inst& inst, Values leaves);
  void fail(Outcome outcome, std::string what, std::string hint = "");
  void unsupported(const std::string& what) { fail(Outcome::kUnsupported, what + " is not supported"); }
  std::optional<std::uint64_t> constantOf(std::uint32_t id);

  // lower_arithmetic.cpp: true if the opcode was theirs.
  bool arithmetic(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  static Values repeated(const Val& constituent, const Type& type);  // as often as it fits
  bool composite(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  bool acrossComponents(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  Values dynamicComponent(bool insert, std::span<const std::uint32_t> w);
  std::pair<std::uint32_t, const Type*> walk(const Type* type, std::span<const std::uint32_t> path);
  bool intel(const Inst& inst, std::span<const std::uint32_t> w);  // lower_intel.cpp
  Value intelScalar(spv::Op code, Value a, Value b);
  Value convertFloat(Value v, Scalar to);
  bool newerArithmetic(const Inst& inst, std::span<const std::uint32_t> w);
  bool matrix(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  bool elementwise(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  Value dot(std::span<const Value> a, std::span<const Value> b, Scalar type);
  Value addSaturating(Value a, Value b, bool isSigned);
  bool integerDot(spv::Op op, const Inst& inst, std::span<const std::uint32_t> w);
  // lower_extended.cpp
  void extended(const Inst& inst);
  void glsl(const Inst& inst, std::uint32_t number, std::span<const std::uint32_t> w);
  bool glslVector(const Inst& inst, std::uint32_t number, std::span<const std::uint32_t> w);
  Value ldexpExponent(Value v);
  Values geometric(std::uint32_t number, const std::vector<Val>& args, Scalar s);
  Values twoParts(std::uint32_t number, const Type* type, const std::vector<Val>& args, std::span<const std::uint32_t> w);
  void print(std::span<const std::uint32_t> w);
  bool amd(const Inst& inst, const std::string& set, std::uint32_t number, std::span<const std::uint32_t> w);  // lower_amd.cpp
  bool amdBallot(const Type& type, std::uint32_t number, const std::vector<Val>& args, Values& leaves);
  Values amdCube(std::span<const Value> direction, bool coordinates);
  bool matrixInverse(const Inst& inst, bool determinantOnly, const Val& m);
  // lower_memory.cpp
  bool memory(const Inst& inst);
  void accessChain(const Inst& inst);
  Pointer step(Pointer p, Value index);
  static std::uint32_t elementStride(const Pointer& p);
  void checkIndices(const Pointer& p);
  void checkIndex(Value index, std::uint32_t count, std::uint32_t variable);
  Value localIndex(const Pointer& p);
  Pointer stepStruct(Pointer p, std::uint32_t member);
  Values load(const Pointer& p);
  void store(const Pointer& p, std::span<const Value> leaves);
  using LeafVisitor = std::function<void(const Pointer&, Scalar)>;
  void forEachLeaf(const Pointer& p, const LeafVisitor& visit);
  Value loadLeaf(const Pointer& p, Scalar type);
  void storeLeaf(const Pointer& p, Scalar type, Value v);
  std::uint32_t access(const Pointer& p, Scalar type);
  Values addressArguments(const Pointer& p);
  Values loadInput(const Pointer& p);
  Value inputLeaf(std::uint32_t builtin, std::uint32_t component);
  Value inputRow(ir::InputRow row);
  void storeOpaque(std::uint32_t local, Val v);
  bool atomic(const Inst& inst);
  // lower_order.cpp: what the module says of an access: its order and its path.
  std::uint32_t orderIndex(const ir::Order& order);
  std::uint32_t memoryOperands(std::span<const std::uint32_t> w);
  std::uint32_t imageOrder(std::uint32_t mask, std::span<const std::uint32_t> scopes);
  static void say(Pointer& p, std::uint32_t operands);
  std::uint32_t accessOrder(const Pointer& p, bool write);
  std::uint32_t atomicOrder(const Inst& inst, const Pointer& p);
  void barrier(const Inst& inst);
  void copyMemory(const Inst& inst);
  Value accessEffect(ir::Code op, Scalar type, std::span<const Value> args, ir::NodeKind what, const Pointer& p, bool write);
  void qualify(Pointer& p, std::uint32_t id);
  void qualifyMember(Pointer& p, std::uint32_t member);
  void beginPath(Pointer& p, ir::PathStep::Kind kind, std::uint32_t id, ir::PathStep::Layout layout);
  void addElement(Pointer& p, std::uint32_t stride, std::uint32_t indexId);
  void addStep(Pointer& p, const Pointer& before, std::uint32_t indexId);
  // lower_variables.cpp: what debuggers ask for; see ir/variables.h.
  void keepVariable(std::uint32_t id, const Pointer& p);
  static ir::Memory memoryOf(const Pointer& p);
  void prepareRecords();
  void recordInputs();
  void beginRecords(const spirv::FunctionRange& range);
  void holdRecords(std::uint32_t instruction);
  void recordHeld();
  ir::RecordedVariable* recordOf(const spirv::DebugLocation& at);
  void addRecord(const spirv::DebugLocation& at);
  const Type* recordedType(const spirv::DebugLocation& at);
  const Type* typeOfDebug(std::uint32_t type, std::uint32_t depth = 0);
  void record(const spirv::DebugLocation& at);
  void recordLeaf(const ir::RecordedVariable& r, std::uint32_t leaf, Value v, std::uint32_t note);
  void note(std::uint32_t local, Value leaf, std::uint32_t note);
  void addNotes(std::uint32_t local);
  void forgetNotes(std::uint32_t local);
  void forget(const Pointer& variable);
  // lower_image.cpp
  bool image(const Inst& inst);
  void texelPointer(const Inst& inst);
  std::uint32_t imageAccess(const Pointer& p, const Type* image);
  Values texelArguments(const Pointer& p, const Type& image, const Val& coordinate);
  struct ImageOperands {  // what an instruction has; nullptr: it has not
    const Val *bias = nullptr, *lod = nullptr, *dx = nullptr, *dy = nullptr, *offset = nullptr, *offsets = nullptr, *sample = nullptr,
              *minLod = nullptr;
    std::uint32_t order = 0;  // ir::Order
  };
  struct SampleForm {
    bool compare = false, project = false, gather = false, sparse = false, queryLod = false, implicit = false;
  };
  ImageOperands imageOperands(std::span<const std::uint32_t> w);
  void texelOperands(const ImageOperands& given, ir::ImageAccess& a, Values& args);
  Value elementOf(const Pointer& p);
  Value asFloat(Value v);
  void defineTexel(const Inst& inst, Value operation, const Type& texel, bool sparse);
  static const SampleForm* sampleForm(spv::Op op);
  Values quadGradient(std::span<const Value> coordinates);
  void sample(const Inst& inst, const SampleForm& form);
  const Pointer* imageOf(const Inst& inst, const Type*& type);
  void readTexel(const Inst& inst, bool sparse);
  void writeTexel(const Inst& inst);
  void queryImage(const Inst& inst);
  Value imageAtomic(const Inst& inst, const Val& target, Scalar type, std::span<const Value> values);
  // lower_subgroup.cpp
  bool subgroup(const Inst& inst);
  Value subgroupEffect(spv::Op op, spv::GroupOperation group, Scalar type, std::span<const Value> args);
  Values acrossLanes(spv::Op op, spv::GroupOperation group, const Type& type, std::vector<Val> operands);
  bool derivative(const Inst& inst);
  bool clock(const Inst& inst);

  const spirv::Module& m_;
  const LowerOptions& options_;
  const spirv::EntryPoint* entry_ = nullptr;
  Lowered out_;
  ir::Function& f_;
  std::optional<Error> error_;
  spirv::Declarations declared_;
  std::unordered_map<std::uint32_t, const Type*> types_;  // those that were asked for
  std::map<Scalar, const Type*> scalars_;
  std::unordered_map<std::uint32_t, Val> vals_;
  // By pointer type: how what values of it point to is laid out, where the type alone does not say so.
  struct PointeeLayout {
    std::uint32_t matrixStride = 0;
    bool rowMajor = false;
    std::uint32_t componentStride = 0;
    bool operator==(const PointeeLayout&) const = default;
  };
  std::unordered_map<std::uint32_t, PointeeLayout> pointerLayouts_;
  std::unordered_map<std::uint32_t, Val> opaqueLocals_;  // by local variable: the descriptor that is stored in it
  std::map<ir::InputRow, Value> inputs_;
  std::map<std::array<std::uint32_t, 6>, std::uint32_t> accessIndex_;
  std::map<ir::Order, std::uint32_t> orderIndex_;
  bool decoratedOrder_ = true;  // not the memory model VulkanKHR: decorations say what is coherent and volatile
  std::vector<bool> used_;      // by id: spirv/uses.h
  std::vector<WorkgroupVariable> workgroup_;
  std::unordered_map<std::uint32_t, std::unordered_set<std::uint32_t>> liveLabels_;  // by function
  bool explicitWorkgroup_ = false;                                                   // workgroup variables are blocks
  // While a function is being inlined.
  struct Frame {
    std::unordered_map<std::uint32_t, std::uint32_t> blocks;  // label -> IR block where it starts
    std::unordered_map<std::uint32_t, std::uint32_t> ends;    // label -> IR block where it ends
    std::uint32_t returnBlock = 0, returnLocal = 0;
    std::uint32_t label = 0;
    bool isEntry = false;
    std::uint32_t caller = 0;  // origin of the call
  };
  struct PendingPhi {
    Value phi;
    std::vector<std::pair<std::uint32_t, Value>> incoming;  // (IR block, value)
  };
  struct OpenPhi {
    const Inst* inst;
    Values phis;
  };
  Frame* frame_ = nullptr;
  std::vector<OpenPhi>* openPhis_ = nullptr;
  std::vector<PendingPhi> pendingPhis_;
  std::uint32_t block_ = 0;  // where nodes are appended
  const Inst* inst_ = nullptr;
  std::uint32_t originCache_ = 0;
  std::vector<std::uint32_t> stepBlocks_;             // by step, as they are lowered: the block that it is in
  std::uint32_t mergeBlock_ = 0, continueBlock_ = 0;  // set by OpSelectionMerge and OpLoopMerge for the next terminator
  std::vector<std::uint32_t> functionStack_;
  spirv::DebugInfo debug_;                                         // faithful
  std::vector<std::uint8_t> recorded_;                             // by location of debug_: it needs a record
  std::vector<std::uint32_t> held_;                                // locations whose instructions have passed
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> records_;  // by variable, inlinedAt and caller
};

}  // namespace lanewise
