// The events of an execution, and how to subscribe to them.
//
// An observer says once which kinds of event it wants; other kinds are not produced for it. Several may observe one run (observers.h), and
// each gets an event in the order of the list. Every event is reported once, where it happens, with everything that is known there. So no
// observer has to decode an instruction again or guess where a workgroup began. One that starts in the middle of a run gets the events from
// there on.
//
// An observer stops the run by answering kStop. beforeInstruction() then stops it before that instruction, all others after the instruction
// that reported the event. The run can be resumed there. References and spans in events are valid until the call returns.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "model/state/access.h"

namespace lanewise {

namespace watch {
enum Kind : std::uint32_t {
  kNothing = 0,
  kDispatch = 1u << 0,    // DispatchBegins, DispatchEnds
  kWorkgroup = 1u << 1,   // WorkgroupBegins, WorkgroupEnds
  kSubgroup = 1u << 2,    // SubgroupBegins, SubgroupEnds
  kBarrier = 1u << 3,     // BarrierReached, BarrierReleased, FencePassed
  kStrand = 1u << 4,      // StrandSplits, StrandsJoin, LanesReturn
  kBefore = 1u << 5,      // beforeInstruction()
  kAfter = 1u << 6,       // afterInstruction()
  kAccess = 1u << 7,      // access(): buffers, images, workgroup memory, push constants
  kLaneMemory = 1u << 8,  // access(): function and private variables in memory
  kValues = 1u << 9,      // accesses come with their bytes, before and after
  kIndex = 1u << 10,      // IndexOutside; only in programs decoded with ProgramOptions::checkIndices
  kPrint = 1u << 11,      // PrintReached
  kFault = 1u << 12,      // Faulted
  kBlit = 1u << 13,       // BlitTexel
  kOperation = 1u << 14,  // SubgroupOperates
  kOperands = 1u << 15,   // OperandsUndefined; only in programs decoded with ProgramOptions::checkIndices
  kLocals = 1u << 16,     // LocalsUsed
};
// With any of these the observed handlers run instead of the quiet ones.
inline constexpr std::uint32_t kObservedCode = kBefore | kAfter | kAccess | kLaneMemory | kIndex | kOperation | kOperands | kLocals;
// With any of these a program of ir::Flavour::kUnwatched cannot be used: in it lanes load for sides that they do not take.
inline constexpr std::uint32_t kFlow = kObservedCode | kStrand;
// With any of these instructions are executed one by one.
inline constexpr std::uint32_t kEachInstruction = kBefore | kAfter;
}  // namespace watch

// Instruction `pc` for the lanes of the mask. Arguments and results are rows of registers; a uniform one (slot.step 0) has sixteen equal
// lanes. A result may use the register of an argument.
struct InstructionEvent {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
  const InstrInfo& info;
  std::span<const DescribedOperand> arguments, results;
};

struct DispatchBegins {
  const Environment& env;
};
struct DispatchEnds {
  const Environment& env;
};
struct WorkgroupBegins {
  const Environment& env;
};
struct WorkgroupEnds {
  const Environment& env;
};
struct SubgroupBegins {
  const Batch& batch;
  std::uint32_t subgroup;  // SubgroupId
  LaneMask lanes;          // the lanes of the batch that have an invocation of the subgroup
};
// The subgroup's last lane has returned.
struct SubgroupEnds {
  const Batch& batch;
  std::uint32_t subgroup;
};
// `lanes` have reached the control barrier at `pc`. The program has its scope.
struct BarrierReached {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
  spv::Scope scope;
};
// They continue after it.
struct BarrierReleased {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
  spv::Scope scope;
};
// They have executed the memory barrier at `pc`.
struct FencePassed {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
// The branch at `pc` sends the lanes of a strand to several places. A part that reaches the place of a waiting strand joins it.
struct StrandSplits {
  const Batch& batch;
  std::uint32_t pc;
  std::span<const Strand> parts;
};
// Lanes that met at `pc` and continue together: all of them.
struct StrandsJoin {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
struct LanesReturn {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
// They have executed the subgroup operation at `pc` together.
struct SubgroupOperates {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
// Indices at or beyond a declared length. Of an instruction on an image: texel offsets plus half the number of those that every device
// takes.
struct IndexOutside {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;  // the lanes whose index is outside
  Operand index;   // of 32 bits
  std::uint32_t count, variable;
};
// For these lanes the operation at `pc`, or behind it if it is a kCheckOperands, has no result: definedness.h, or a subgroup operation that
// reads a lane that is not active.
struct OperandsUndefined {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
// They are about to load or store function or private variables in memory: kLaneMemory for who reads the places in the registers.
struct LocalsUsed {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
// NonSemantic.DebugPrintf: a line for each lane of the mask.
struct PrintReached {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
// The run ends with Batch::fault.
struct Faulted {
  const Batch& batch;
  std::uint32_t pc;
  LaneMask lanes;
};
// A blit wrote the texel at byte `written` of its image. It read those at `read`, in ascending order; some may occur twice.
struct BlitTexel {
  const Blit& blit;
  std::uint64_t written;
  std::span<const std::uint64_t> read;
};

using Moment = std::variant<DispatchBegins, DispatchEnds, WorkgroupBegins, WorkgroupEnds, SubgroupBegins, SubgroupEnds, BarrierReached,
                            BarrierReleased, FencePassed, StrandSplits, StrandsJoin, LanesReturn, IndexOutside, PrintReached, Faulted,
                            BlitTexel, SubgroupOperates, OperandsUndefined, LocalsUsed>;

enum class Answer : std::uint8_t { kGoOn, kStop };

// For std::visit on a Moment: the cases that an observer handles, and `[](const auto&) {}` for the others.
template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

// Thread safety: an observer is called from one thread at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  // Bits of watch::Kind. Called once per run.
  virtual std::uint32_t watches() const = 0;
  virtual Answer beforeInstruction(const InstructionEvent&) { return Answer::kGoOn; }
  virtual Answer afterInstruction(const InstructionEvent&) { return Answer::kGoOn; }
  virtual Answer access(const AccessEvent&) { return Answer::kGoOn; }
  // Whether it needs loads of a resource, or of push constants (kPushConstants), that are in range. Asked where a dispatch begins. False:
  // they may be left out, as long as no index was told of.
  static constexpr std::uint32_t kPushConstants = 0xffffffffu;
  virtual bool needsLoads(std::uint32_t /*resource*/) const { return true; }
  virtual Answer moment(const Moment&) { return Answer::kGoOn; }
};

}  // namespace lanewise
