// The execution state of one batch of lanes: a plain value that can be copied, kept and resumed.
//
// The lanes of a batch are invocations of one workgroup, in one or several whole subgroups, or of several small workgroups that execute
// together (ir/together.h). A strand is a set of lanes at the same place in the program. The strand that is furthest behind runs, so lanes
// meet again where their paths join: in a Program's order of blocks every merge block comes after its construct.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "model/ir/program.h"

namespace lanewise {

struct LaneMask {
  std::uint64_t word[2] = {0, 0};
  bool any() const { return (word[0] | word[1]) != 0; }
  bool test(std::uint32_t lane) const { return (word[lane / 64] >> (lane % 64)) & 1; }
  // The lanes of one vector step, one bit each.
  std::uint32_t group(std::uint32_t g) const { return static_cast<std::uint32_t>(word[g / 4] >> (g % 4 * kGroup)) & 0xFFFF; }
  void set(std::uint32_t lane) { word[lane / 64] |= std::uint64_t{1} << (lane % 64); }
  friend LaneMask operator&(LaneMask a, LaneMask b) { return {{a.word[0] & b.word[0], a.word[1] & b.word[1]}}; }
  friend LaneMask operator|(LaneMask a, LaneMask b) { return {{a.word[0] | b.word[0], a.word[1] | b.word[1]}}; }
  friend LaneMask without(LaneMask a, LaneMask b) { return {{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1]}}; }
  friend bool operator==(const LaneMask&, const LaneMask&) = default;
};

// Bytes at a 64-byte boundary; copied by value.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size) : storage_(size + 64), size_(size) {}
  AlignedBytes(const AlignedBytes& other) : AlignedBytes(other.size_) {
    if (size_) std::memcpy(data(), other.data(), size_);
  }
  AlignedBytes& operator=(const AlignedBytes& other) {
    if (this != &other) {
      AlignedBytes copy(other);
      *this = std::move(copy);
    }
    return *this;
  }
  AlignedBytes(AlignedBytes&&) = default;
  AlignedBytes& operator=(AlignedBytes&&) = default;
  std::byte* data() { return aligned(storage_.data()); }
  const std::byte* data() const { return aligned(const_cast<std::byte*>(storage_.data())); }
  std::size_t size() const { return size_; }

 private:
  static std::byte* aligned(std::byte* p) {
    return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(p) + 63) & ~std::uintptr_t{63});
  }
  std::vector<std::byte> storage_;
  std::size_t size_ = 0;
};

struct BufferView {
  std::byte* data = nullptr;
  std::uint64_t size = 0;
  std::uint32_t resource = 0;  // index into Job::resources
  std::uint64_t offset = 0;    // of data in the resource
};

// A level as the engine keeps it. Rows are padded, so that the texels of a column do not all map to one set of the host's cache.
struct ImageLevel {
  std::byte* data = nullptr;
  Extent3 extent{0, 0, 0};  // z is slices, or layers times samples
  std::uint64_t rowBytes = 0, sliceBytes = 0;
  std::uint64_t offset = 0;  // in the resource's own bytes, whose rows have no padding
};

// A view of one or more levels. The inherited fields are those of its first level. A texel buffer is one row.
struct ImageView : ImageLevel {
  const FormatInfo* format = nullptr;
  const ImageLevel* chain = nullptr;  // `levels` of them
  std::uint32_t levels = 1;
  std::uint32_t layers = 1;
  std::uint32_t samples = 1;
  std::uint32_t dimensions = 2;
  std::uint32_t resource = 0;
};

// The device address of resource r is (r + 1) << kAddressShift. So no two of them are adjacent, and 0 is no address.
inline constexpr std::uint32_t kAddressShift = 32;

// The position of a resource's descriptors in the flat arrays: as many as it declares, or for a runtime array as many as are bound.
struct DescriptorRange {
  std::uint32_t first = 0, count = 0;
};

// kAsked: no fault, but so many steps that somebody should look whether it waits (exec/wait_watch.h). kWaits: it does, and nobody is
// promised to end it. kStopped: no fault either, but Environment::stop was set.
enum class Fault : std::uint8_t { kNone, kStepLimit, kDivergentBarrier, kUnreachable, kInternal, kAsked, kWaits, kStopped };

class Observers;
class Claims;

// What all batches of a workgroup, or one of several (ir/together.h), share while they run. It is no part of the state: it is rebuilt.
struct Environment {
  const Program* program = nullptr;
  const DescriptorRange* descriptors = nullptr;  // by resource of the program
  const BufferView* buffers = nullptr;           // by flat descriptor index
  const BufferView* addressable = nullptr;       // by resource of the job; empty for images
  std::uint32_t addressableCount = 0;
  const ImageView* images = nullptr;
  const SamplerState* samplers = nullptr;
  std::byte* workgroupMemory = nullptr;
  const std::byte* push = nullptr;
  std::uint32_t pushBytes = 0;
  Extent3 groups, group;  // the dispatch's size, and this workgroup, or the first of those in the batch
  std::uint32_t dispatch = 0;
  std::uint64_t place = 0;  // this workgroup's position in the schedule
  std::uint32_t slot = 0;   // its slot among the resident workgroups
  const Profile* profile = nullptr;
  Observers* observers = nullptr;
  std::uint32_t watches = 0;  // what the observers want: bits of watch::Kind
  // While parts of a dispatch run side by side: who has accessed what, and the number of this part.
  Claims* claims = nullptr;
  std::uint32_t part = 0;
  std::uint32_t subgroupSize = 32;
  std::uint64_t maxSteps = 0;  // that an invocation may make ...
  bool asks = false;           // ... before it is looked at (Fault::kAsked)
  // Set from another thread: a batch stops where it would go round a loop or end (Fault::kStopped). nullptr: nobody does.
  const std::atomic<bool>* stop = nullptr;
  bool isStopped() const { return stop && stop->load(std::memory_order_relaxed); }
};

struct Strand {
  std::uint32_t pc = 0;
  LaneMask lanes;
  std::uint64_t steps = 0;  // that it was charged; its lanes may have made others: Batch::ownSteps
};

// A lane that runs alone; see lanes.h.
struct LoneLane {
  enum class Status : std::uint8_t {
    kAbsent,  // no invocation, or it has returned
    kReady,   // can continue
    kMet,     // can continue past a meeting point
    kWaiting  // waits at a meeting point
  };
  Status status = Status::kAbsent;
  std::uint32_t pc = 0;
  std::uint64_t steps = 0;
  std::uint64_t waits = 0;  // as Batch::waits
};
inline constexpr std::uint32_t kNoLane = 0xffffffffu;

struct Batch {
  // kRefused: another part of the dispatch has accessed the same place (claims.h). It can go on with the access later.
  enum class Status : std::uint8_t { kReady, kAtBarrier, kDone, kFaulted, kRefused };

  // The state.
  AlignedBytes registers;
  AlignedBytes laneMemory;      // [word][lane]
  LaneMask mask;                // lanes of the running strand
  LaneMask live;                // lanes that have an invocation and have not returned
  std::vector<Strand> waiting;  // other strands, by descending pc: the last is furthest behind
  std::uint32_t pc = 0;
  Status status = Status::kReady;
  Fault fault = Fault::kNone;
  std::uint32_t index = 0;  // in the workgroup
  // The steps of a lane are those that its strand was charged, at the end of every block, and its own: where strands join that were charged
  // different steps, the difference becomes the lanes' own. `mostOwnSteps`: no lane has more.
  std::uint64_t steps = 0;  // of the running strand
  std::array<std::uint64_t, kMaxLanes> ownSteps{};
  std::uint64_t mostOwnSteps = 0;
  // If lanes run alone: every lane, and the one that runs. mask, pc and steps are then of that lane.
  std::vector<LoneLane> lone;
  std::uint32_t lane = kNoLane;
  // It was seen to go round and round, and others go first: the number of that proof (Part::proofs), the later the higher. 0: it was not.
  std::uint64_t waits = 0;

  // Derived from the state.
  std::byte* regs = nullptr;
  const Instr* base = nullptr;  // the code that pc indexes
  const Environment* env = nullptr;
  std::uint32_t width = 0;
  bool singleStep = false;                         // a handler returns after one instruction: there is an observer
  bool full = false;                               // every lane of the batch is in the mask
  bool together = false;                           // every live lane is in the mask: others' registers are not needed
  bool everyGroup = false;                         // results of all lanes are needed: compiled code computes with whole rows
  std::uint32_t groups = kMaxLanes / kGroup;       // as many as have lanes of the mask: nobody needs results of those behind
  alignas(64) std::int32_t lanes[kMaxLanes] = {};  // the mask as -1 and 0

  void setMask(LaneMask m);

  template <class T>
  [[gnu::always_inline]] T* slot(std::uint32_t offset) const {
    return reinterpret_cast<T*>(regs + offset);
  }
};

// How many groups of its row an instruction computes.
[[gnu::always_inline]] inline std::uint32_t groupsOf(const Instr* ip, const Batch& s) {
  return std::min(std::uint32_t{ip->groups}, s.groups);
}

// The steps that a lane of the running strand has made when it has executed the instruction at `pc`: the instructions of the module on its
// own path, however its batch is made and scheduled.
inline std::uint64_t stepsAt(const Batch& s, std::uint32_t pc, std::uint32_t lane) {
  const bool waits = !s.lone.empty() && lane != s.lane;
  return (waits ? s.lone[lane].steps : s.steps + s.ownSteps[lane]) + s.env->program->info[pc].steps;
}

}  // namespace lanewise
