// The decoded program: a flat array of instructions with operand slots in a register file of lanes, ready to execute.
//
// A register file belongs to one batch: `width` lanes that execute together. A slot is a row of lanes: 4 bytes a lane (8 for 64-bit
// scalars; narrower ones sit in 4 bytes, zero extended; a boolean is 0 or all ones). A value that is the same for all lanes ("uniform")
// has a slot of one group of 16 lanes, all equal, and is computed once.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/contract/device.h"
#include "model/ir/control_codes.h"
#include "model/ir/ir.h"
#include "model/ir/kinds.h"
#include "model/ir/own_place.h"
#include "model/ir/resource_use.h"
#include "model/scalar/mode.h"
#include "model/spirv/module.h"

namespace lanewise {

inline constexpr std::uint32_t kGroup = 16;      // lanes of one vector step
inline constexpr std::uint32_t kMaxLanes = 128;  // of a batch

struct Instr;
struct Batch;
using Handler = const Instr* (*)(const Instr*, Batch&);

struct Operand {
  std::uint32_t offset = 0;  // bytes into the register file
  std::uint32_t step = 0;    // bytes from one group of lanes to the next: 0 for a uniform value
};

// What an instruction says besides its slots: nothing where it computes lane by lane.
using InstrKind = std::variant<std::monostate, kind::Jump, kind::Branch, kind::Switch, kind::Return, kind::Barrier, kind::Memory,
                               kind::Atomic, kind::ArrayLength, kind::LaneMemory, kind::Image, kind::Subgroup, kind::Ballot, kind::Print,
                               kind::CheckIndex, kind::CheckOperands>;

struct Instr {
  Handler run = nullptr;
  std::uint32_t dst = 0, a = 0, b = 0, c = 0;    // slots
  std::uint8_t stepA = 0, stepB = 0, stepC = 0;  // Operand::step / 64
  std::uint8_t groups = 1;                       // groups of lanes to compute: 1 for a uniform result
  std::uint32_t operands = 0;                    // the first in Program::operands: arguments, then results
  InstrKind what;

  template <class T>
  const T& as() const {
    return kind::as<T>(what);
  }
  template <class T>
  const T& known() const {
    return kind::known<T>(what);
  }
  bool operator==(const Instr&) const = default;
};
static_assert(sizeof(Instr) == 48, "as small as an instruction was: the executing loop reads one after the other");

// What the debugger, the trace and every report know about an instruction; kept beside the hot array.
struct InstrInfo {
  ir::Code op = 0;
  std::uint32_t origin = 0;
  Scalar type = Scalar::kNone;
  std::uint8_t arguments = 0, results = 0;
  std::uint32_t firstOperand = 0;  // in Program::described: see argumentsOf()
  std::uint32_t order = 0;         // of an access or a barrier: in Program::orders
  std::uint32_t path = 0;          // of an access, or up to an index that is checked: in Program::paths (path_text.h)
  std::uint32_t steps = 0;         // that a lane has made when it has executed this, besides those charged (batch.h: stepsAt())
};

struct DescribedOperand {
  Operand slot;
  Scalar type = Scalar::kNone;
};

// A uniform slot that is filled before a workgroup starts.
struct ConstantSlot {
  std::uint32_t offset = 0;
  bool wide = false;  // lanes of 8 bytes
  std::uint64_t bits = 0;
  bool operator==(const ConstantSlot&) const = default;
};

// A register of zeros that stands for an undefined value.
struct UndefinedSlot {
  Operand slot;
  Scalar type = Scalar::kNone;
  std::uint32_t origin = 0;  // an OpUndef, or the OpVariable that is read before it is written
};

struct ProgramOptions {
  std::string entryPoint = "main";
  std::vector<SpecConstant> spec;
  Profile profile;
  std::uint32_t subgroupSize = 32;
  bool checkIndices = false;  // an observer is told of indices beyond a declared length, and of operands for which there is no result
  ir::Flavour flavour = ir::Flavour::kQuick;
  bool separateLanes = false;      // lanes may be scheduled one by one: nothing is kept once for all of them
  bool separateSubgroups = false;  // subgroups may be scheduled one by one: each is a batch of its own
  bool everyIndex = false;         // with checkIndices: an observer is told of every index that is not constant, with no length (0)
};

// What a program is decoded and run with: a profile, and the float modes that result from it and the module's execution modes.
struct Choices {
  Profile profile;
  scalar::Mode mode16, mode32, mode64;  // by width of float
};

struct Program {
  std::vector<Instr> code;      // quiet
  std::vector<Instr> observed;  // the same instructions with the observed handlers
  std::vector<InstrInfo> info;  // parallel to code
  std::vector<Operand> operands;
  std::vector<DescribedOperand> described;
  std::vector<ir::SwitchTable> switches;  // targets: indices of instructions
  std::vector<ir::Order> orders{ir::Order{}};
  std::vector<ir::PathStep> paths{ir::PathStep{}};
  std::vector<ir::Access> accesses;
  std::vector<ir::ImageAccess> imageAccesses;
  ir::OwnPlaces ownPlaces;  // by access and image access
  std::vector<ir::ResourceDeclaration> resources;
  ir::ResourceUses uses;
  std::vector<ir::Origin> origins;
  std::vector<std::unique_ptr<Type>> types;
  std::vector<ConstantSlot> constants;
  std::vector<UndefinedSlot> undefined;
  std::optional<Operand> inputs[static_cast<std::size_t>(ir::InputRow::kCount)];
  std::uint32_t registerBytes = 0;
  std::uint32_t laneWords = 0;    // 32-bit words of lane memory
  std::uint32_t recordWords = 0;  // where those of records begin: ir::LocalVariable
  std::vector<ir::LocalVariable> locals;
  std::vector<ir::ModuleVariable> variables;
  std::vector<ir::RecordedVariable> recorded;
  std::vector<SpecConstant> spec;  // that it was specialized with
  std::uint32_t workgroupBytes = 0;
  bool countsMore = false;                                             // ir::Function
  std::vector<std::pair<std::uint32_t, std::uint32_t>> workgroupZero;  // offset and size
  std::vector<ir::Print> prints;
  std::uint32_t pushBytes = 0;
  std::uint32_t localSize[3] = {1, 1, 1};
  std::uint32_t invocations = 1;  // of a workgroup
  std::uint32_t width = 64;       // lanes of a batch, which may have several workgroups (together.h)
  std::uint32_t subgroupSize = 32;
  std::uint32_t batches = 1;  // of a workgroup
  bool separateLanes = false, separateSubgroups = false;
  std::vector<std::uint32_t> laneOrder;  // LocalInvocationIndex of each lane of the workgroup, `invocations` for none; empty: in order
  std::vector<std::uint8_t> meets;       // with separateLanes, parallel to code: lanes meet here; see exec/lanes.h
  struct Rows {                          // with separateLanes: the offsets of the registers that instructions write, by width
    std::vector<std::uint32_t> narrow, wide;
  } written;
  std::vector<std::uint8_t> switchPoints;  // parallel to code: bits of SwitchPoint
  ir::Flavour flavour = ir::Flavour::kQuick;
  Choices choices;
  // What its dispatches have shown of workgroups side by side (exec/parallel.h).
  struct SideBySide {
    std::atomic<bool> orderShows = false;
    // Of the dispatches with the most workgroups, `groups`.
    struct Pace {
      std::atomic<std::uint64_t> groups = 0;
      // The time of a workgroup in nanoseconds, the least and a mean of the last ones; 0: none ran so.
      std::atomic<double> inOrder = 0, inParts = 0;
      std::atomic<double> estimate = 0;      // of `inOrder`, by the first workgroups of a run in parts
      std::atomic<bool> isDoubtful = false;  // a run in parts was hardly quicker than it would have been in order
      std::atomic<std::uint32_t> lost = 0;   // the first runs in parts, which do not count; then runs in order
    };
    Pace byInterpreter, byCode;
  };
  mutable SideBySide sideBySide;
  spirv::Module module;         // what info's origins point into
  std::uint32_t nanWidths = 0;  // of floats that keep NaNs (nans.h)

  // What the instruction at `pc` takes and gives: its arguments, and behind them its results.
  std::span<const DescribedOperand> operandsOf(std::uint32_t pc) const {
    return std::span(described).subspan(info[pc].firstOperand, std::size_t{info[pc].arguments} + info[pc].results);
  }
  std::span<const DescribedOperand> argumentsOf(std::uint32_t pc) const { return operandsOf(pc).first(info[pc].arguments); }
  std::span<const DescribedOperand> resultsOf(std::uint32_t pc) const { return operandsOf(pc).subspan(info[pc].arguments); }
  // What the instruction at `pc` accesses; nullptr: no memory, no image.
  const ir::Access* accessOf(std::uint32_t pc) const;
  const ir::ImageAccess* imageAccessOf(std::uint32_t pc) const;
  // The resource that it surely accesses, a buffer or an image. Whoever asks for a size accesses none.
  std::optional<std::uint32_t> resourceOf(std::uint32_t pc) const;
  // How many of its first arguments say where in memory the instruction at `pc` accesses it; of an image none do.
  std::uint32_t placeArguments(std::uint32_t pc) const;
  // How many components of a texel the instruction at `pc` stores; 0: it is no such store.
  std::uint32_t componentsStored(std::uint32_t pc) const;
  // Whether anything uses the result of the instruction at `pc`.
  bool isResultUsed(std::uint32_t pc) const;
  // SPIR-V's own opcode of an atomic or a subgroup operation, which stands for many; any other's ir::Code.
  ir::Code codeOf(std::uint32_t pc) const;
  // True for what writes down for debuggers, and for what makes a called function's variables undefined: no instruction of the module.
  bool isRecord(std::uint32_t pc) const;
  // Of the instructions that may be executed next, the first in the program: at `pc` or before it, and the one at `pc` ends a loop's round.
  std::uint32_t earliestNext(std::uint32_t pc) const;
  // What follows is no part of the same instruction of the module. What is written down for debuggers is part of the one before it.
  bool endsStep(std::uint32_t pc) const;
  // The LocalInvocationIndex of the n-th lane of the workgroup; `invocations` or more where the lane has none.
  std::uint32_t invocationOf(std::uint32_t lane) const { return lane < laneOrder.size() ? laneOrder[lane] : lane; }
  // The same by batch, and back.
  struct LanePlace {
    std::uint32_t batch = 0, lane = 0;
  };
  std::uint32_t invocationOf(LanePlace place) const;
  LanePlace placeOf(std::uint32_t invocation) const;
  // SubgroupId.
  std::uint32_t subgroupOf(LanePlace place) const { return (place.batch * lanesPerBatch() + place.lane) / subgroupSize; }
  // That have an invocation, at most.
  std::uint32_t lanesPerBatch() const { return separateLanes || separateSubgroups ? std::min(subgroupSize, width) : width; }

  // "box_blur_naive.comp:31" of an instruction, the innermost place; empty if unknown.
  std::string lineOf(std::uint32_t pc) const;
  InstructionPlace instructionPlace(std::uint32_t pc) const;
  // The same, or, as branches often have no line, of the last one with a line among the `most` before it.
  InstructionPlace placeBefore(std::uint32_t pc, std::uint32_t most = ~0u) const;
  // ... of the next one with a line; empty: there is none.
  InstructionPlace placeBehind(std::uint32_t pc) const;
  // The line of the loop that the jump at `pc` goes round; unknown if it goes round none or has no line.
  spirv::SourceLine loopLineOf(std::uint32_t pc) const;
  // "the loop of box_blur_naive.comp:31", "a loop of main"; "main" where the instruction at `pc` goes round none.
  std::string loopOf(std::uint32_t pc) const;
  // "OpIAdd", "GLSL.std.450 FClamp", "load".
  std::string opOf(std::uint32_t pc) const;
  // A quotient of 0 by 0 is a NaN here, and not undefined.
  bool keepsNan(std::uint32_t pc) const;
  // The module's instruction that it is a part of.
  const spirv::Instruction& instructionOf(std::uint32_t pc) const;
  // ... and its name: "OpIAdd", "FClamp".
  std::string moduleOpOf(std::uint32_t pc) const;
};

}  // namespace lanewise
