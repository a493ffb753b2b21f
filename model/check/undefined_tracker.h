// Follows undefined values through registers and memory, and tells where one goes into a branch, an address, an atomic or an output of the
// job, and where it comes from.
//
// Source: SPIR-V 1.6, OpUndef, OpVariable without an initializer, and what each operation says of its operands (ir/rows/definedness.h);
// OpGroup- NonUniformShuffle and its kin of a lane that is not active; Vulkan 1.3: undefined values may be any, and differ at each use.
//
// Each byte of a register, of lane memory, of workgroup memory and of a resource has a mark if it is undefined. Stores and loads carry it
// on; so do operations, byte by byte where that matters (ir/undefined_bytes.h). Moving undefined bytes about is no finding, nor is a
// selection that takes the other side. A source is told once, by the first place that it reaches; then what comes of it there counts as
// defined.
//
// Promise: the source and the way from it to the place happened in this run. Gaps: blits; an undefined texel of which a filter takes
// nothing; lanes of a scan that come before the undefined one of another cluster.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "model/check/undefined_memory.h"
#include "model/contract/device.h"
#include "model/contract/finding.h"
#include "model/ir/operation_info.h"
#include "model/state/observer.h"

namespace lanewise::undefined {

class Tracker final : public Observer {
 public:
  // The job must outlive it.
  explicit Tracker(const Job& job);

  std::uint32_t watches() const override { return watch::kWorkgroup | watch::kBefore | watch::kAccess | watch::kOperands | watch::kBlit; }
  Answer beforeInstruction(const InstructionEvent& event) override;
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;

  // `found`: what the FindingsObserver found in the same run. Reads of unwritten memory that reach nothing are left out of it, the others
  // say what they reach, and other undefined values are added. `complete`: the run has ended, and its outputs are looked at.
  std::vector<RunFinding> finish(bool complete, std::vector<RunFinding> found);
  // Between two dispatches.
  void forgetWorkgroups() { groups_.clear(); }

 private:
  // Of a register or a word of lane memory in one lane: a mark, and which bytes. 0: all are defined.
  struct Cell {
    Mark mark = 0;
    ir::ByteMask bytes = 0;
    explicit operator bool() const { return bytes != 0; }
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Where {
    std::uint32_t dispatch = 0, pc = 0;
    std::array<std::uint32_t, 3> workgroup{}, invocation{};
  };
  struct Source {
    enum class Kind : std::uint8_t { kMemory, kVariable, kUndef, kNoResult, kInactiveLane };
    Kind kind{};
    Where at;                 // of kVariable and kUndef only the dispatch
    std::uint32_t value = 0;  // kVariable: the OpVariable, 0 for a returned value; kUndef: in Program::origins
  };
  // What a mark stands for: a source, and the store that put it where it is now.
  struct Way {
    std::uint32_t source = 0;  // in sources_
    Where stored;
    bool isStored = false;
  };
  enum class Sink : std::uint8_t { kBranch, kAddress, kAtomic, kOutput };
  struct Reached {
    Sink sink{};
    Where at;
    PlaceName object;
    std::uint64_t count = 0;
  };
  // What an instruction does with values, by pc.
  struct Step {
    enum class Does : std::uint8_t { kNothing, kComputes, kMoves, kBranches, kAccesses, kLocals, kCrosses, kForgets };
    Does does = Does::kNothing;
    std::uint8_t values = 0xff;  // of an access: the first argument that is a value, and no address
  };
  // A word of lane memory.
  struct Word {
    LaneMask undefined;  // the lanes in which it is
    LaneMask stored;     // those of them that have a cell each; the others have `same`
    Cell same;
  };
  struct Lanes {
    std::vector<Cell> cells;       // by word of the register file: a row of lanes for each register
    std::vector<LaneMask> marked;  // by 64 bytes of the register file: the lanes of the row that begins there whose cells count, a
                                   // uniform one's as lane 0; others are defined
    std::vector<Word> words;       // of lane memory
    std::vector<Cell> stored;      // by word and lane
  };
  struct Group {
    MarkedMemory memory{4, 0, false};
    std::vector<Lanes> batches;
  };
  struct Watched {
    const Program* program = nullptr;
    std::vector<Step> steps;
    std::vector<Mark> unwritten;  // by word of lane memory: its variable's, 0 for none
  };

  void beginWorkgroup(const Environment& env);
  void beginBatch(const Environment& env, const Watched& watched, Lanes& lanes);
  const Watched& watched(const Environment& env);
  static Step stepOf(const Program& program, std::uint32_t pc);
  Lanes& lanesOf(const Batch& batch) { return groups_[batch.env->slot].batches[batch.index]; }

  static Cell get(const Lanes& l, const DescribedOperand& o, std::uint32_t lane);
  static void set(Lanes& l, const DescribedOperand& o, std::uint32_t lane, Cell cell);
  static void setLanes(Lanes& l, const DescribedOperand& o, const LaneMask& lanes, const Cell* cells);
  static LaneMask markedOf(const Lanes& l, std::span<const DescribedOperand> operands, const LaneMask& lanes);
  static void clear(Lanes& l, const InstructionEvent& event);
  Cell computed(const InstructionEvent& event, const Lanes& l, std::uint32_t lane) const;
  void compute(const InstructionEvent& event, Lanes& l);
  template <class Use>
  static void setResult(const InstructionEvent& event, Lanes& l, const LaneMask& lanes, const Use& use);
  void cross(const InstructionEvent& event, Lanes& l);
  void shuffle(const InstructionEvent& event, Lanes& l, ir::Source which);
  void reduce(const InstructionEvent& event, Lanes& l, bool ofFirst);
  void reach(Sink sink, const InstructionEvent& event, const Lanes& l, std::span<const DescribedOperand> arguments);

  MarkedMemory& memoryOf(const AccessEvent& event, const LaneRun& run);
  Cell read(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t byte, std::uint32_t size);
  void texel(const AccessEvent& event, Lanes& l, const LaneRun& run, std::uint32_t lane, std::uint64_t byte);
  void store(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t byte, std::uint32_t size, Cell cell);
  void atomic(const AccessEvent& event, Lanes& l, const LaneRun& run, std::uint32_t lane, std::uint64_t byte);
  void locals(const InstructionEvent& event, Lanes& l);
  static void storeLocal(const InstructionEvent& event, Lanes& l, const LaneMask& lanes, std::uint32_t word, const DescribedOperand& value);
  static void loadLocal(const InstructionEvent& event, Lanes& l, const LaneMask& lanes, std::uint32_t word);

  Where whereOf(const Batch& batch, std::uint32_t pc, std::uint32_t lane) const;
  Mark markOf(Source::Kind kind, const Where& at, std::uint32_t value = 0);
  Mark markStored(Mark mark, const Where& at);
  void tell(Sink sink, Mark mark, const Where& at, PlaceName object = {});
  void lookAtOutputs();
  std::vector<std::uint8_t> namedBytes(std::uint32_t resource) const;
  std::string sourceText(const Source& source) const;
  RunFinding findingOf(const Source& source, const Reached& reached) const;
  std::string reachedText(const Reached& reached) const;

  const Job& job_;
  std::vector<MarkedMemory> resources_;
  std::vector<Group> groups_;     // by slot
  std::vector<Watched> watched_;  // by dispatch
  std::vector<Source> sources_;
  std::vector<Way> ways_{Way{}};                         // by mark
  std::map<std::array<std::uint32_t, 4>, Mark> known_;   // sources
  std::map<std::array<std::uint32_t, 3>, Mark> stored_;  // by source, dispatch and pc
  std::map<std::uint32_t, Reached> reached_;             // by source
  // Of the operation that follows: the lanes in which it has no result.
  const Batch* without_ = nullptr;
  LaneMask withoutResult_;
};

inline Tracker::Cell Tracker::get(const Lanes& l, const DescribedOperand& o, std::uint32_t lane) {
  const std::uint32_t at = o.slot.step == 0 ? 0 : lane;
  if (!l.marked[o.slot.offset / 64].test(at)) return {};
  Cell cell = l.cells[o.slot.offset / 4 + at];
  cell.bytes &= ir::allBytes(o.type);
  return cell;
}

}  // namespace lanewise::undefined
