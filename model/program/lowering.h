// The lowering of a module, in layers. Each uses those above it in this list and has what its instructions need.
//
//   NodeMaker           operations, their origins and steps, errors                 lower_nodes.h
//   ValueTable          types, and the value of each id                             lower_values.h
//   MemoryLowering      pointers, local variables, accesses, atomics, barriers      lower_memory.h
//   SubgroupLowering    what lanes do together                                      lower_subgroup.h
//   ArithmeticLowering  arithmetic, composites, matrices, extended sets             lower_arithmetic.h
//   ImageLowering       images and samplers                                         lower_image.h
//   RecordLowering      what debuggers ask for                                      lower_records.h
//   Lowering            the entry point, variables, functions, calls, control flow  here
#pragma once

#include <deque>

#include "model/program/held_variables.h"
#include "model/program/lower_records.h"

namespace lanewise {

class Lowering : public RecordLowering {
 public:
  Lowering(const spirv::Module& module, const LowerOptions& options)
      : RecordLowering(module, options), held_(module), labelAt_(module.instructions.size() + 1) {}
  Expected<Lowered> run();

 private:
  // lower_globals.cpp
  Status globals();
  void specConstant(const Inst& inst);
  void variable(const Inst& inst);
  void startAsZero(const Pointer& variable);
  void workgroupVariable(const Inst& inst, Pointer& p);
  void resourceVariable(const Inst& inst);
  bool executionModes(const spirv::EntryPoint& entry);
  // A function.
  struct Flow {
    std::uint32_t ends = 0;            // so many reachable blocks have no successor
    std::vector<Lowerable> code;       // of these
    std::vector<std::uint32_t> calls;  // functions
    std::size_t steps = 0;             // of its own
    std::uint32_t lastReturn = 0;
    bool continues = false;  // it returns at its end and nowhere else: its last block and what follows a call can be one
  };
  // A block of the module.
  struct Label {
    std::uint32_t part = 0;            // its place among the blocks of its function
    std::uint32_t fromLater = 0;       // edges from itself and those behind it
    std::uint32_t lastFrom = 0;        // the part that the last of these is from
    bool isHeader = false;             // of a loop
    bool isLive = false;               // reachable
    std::uint32_t frame = 0;           // in which this and the following was found out
    std::uint32_t start = 0, end = 0;  // blocks: where it starts, 0 for not yet, and where it ends
    bool ends = false;                 // it is lowered
  };
  // lower_flow.cpp
  std::optional<std::uint32_t> decidedBranch(const Inst& inst, bool here);
  const Flow& flowOf(const spirv::FunctionRange& range);
  void collect(Flow& flow, const spirv::FunctionRange& range);
  bool isHeldVariable(const Inst* inst) const;
  bool isSameValue(const Inst& inst);
  // lowering.cpp
  Label& labelOf(std::uint32_t label);
  Label& place(std::uint32_t label);
  std::size_t stepsOf(const spirv::FunctionRange& range, std::unordered_map<std::uint32_t, std::size_t>& known);
  Values functionBody(const spirv::FunctionRange& range, std::uint32_t returnBlock, std::uint32_t returnLocal, std::uint32_t caller);
  void instruction(const Inst& inst);
  void call(const Inst& inst);
  void beginCallBody(const Flow& flow, std::uint32_t after);
  bool beginBlock();
  ir::Switch switchOf(const Inst& inst);
  void terminator(const Inst& inst);
  void phi(const Inst& inst);
  void fillPhis();
  std::uint32_t blockOf(std::uint32_t label);
  void enter(bool follows);

  const spirv::EntryPoint* entry_ = nullptr;
  std::vector<bool> used_;  // by id: spirv/uses.h
  std::vector<WorkgroupVariable> workgroup_;
  std::unordered_map<std::uint32_t, Flow> flows_;  // by function
  static constexpr std::uint32_t kSameBlock = ~0u;
  // While a function is being inlined.
  struct Frame {
    std::uint32_t number = 0;
    std::uint32_t returnBlock = 0, returnLocal = 0;  // kSameBlock: what follows the call is added to the block that returns
    Values returned;                                 // with kSameBlock
    std::uint32_t label = 0;
    std::vector<const Label*> headers;  // that are lowered
  };
  struct PendingPhi {
    Value phi;
    std::vector<std::pair<std::uint32_t, Value>> incoming;  // (IR block, value)
  };
  struct OpenPhi {
    const Inst* inst;
    Values phis;
  };
  HeldVariables held_;
  std::vector<std::uint32_t> labelAt_;  // by instruction plus 1: its place in labels_, 0 for none yet
  std::deque<Label> labels_ = std::deque<Label>(1);
  std::uint32_t frames_ = 0;
  Frame* frame_ = nullptr;
  std::vector<OpenPhi>* openPhis_ = nullptr;
  std::vector<PendingPhi> pendingPhis_;
  std::uint32_t mergeBlock_ = 0, continueBlock_ = 0;  // set by OpSelectionMerge and OpLoopMerge for the next terminator
  std::vector<std::uint32_t> functionStack_;
};

}  // namespace lanewise
