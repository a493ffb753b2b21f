// What an instruction does to memory, reported once for all its lanes.
//
// The locations are a list of runs: neighbouring lanes at equal distances (uniform, contiguous, strided), or with a location for each lane
// (scattered). A lane that reads several texels (a filter) is in several runs.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>

#include "model/state/batch.h"

namespace lanewise {

enum class AccessKind : std::uint8_t { kRead, kWrite, kAtomicRead, kAtomicWrite, kAtomic };
constexpr bool isAtomic(AccessKind k) {
  return k >= AccessKind::kAtomicRead;
}
constexpr bool reads(AccessKind k) {
  return k != AccessKind::kWrite && k != AccessKind::kAtomicWrite;
}
constexpr bool writes(AccessKind k) {
  return k != AccessKind::kRead && k != AccessKind::kAtomicRead;
}
// An atomic that may store nothing: its values say what it did.
constexpr bool compares(spv::Op op) {
  return op == spv::Op::OpAtomicCompareExchange || op == spv::Op::OpAtomicCompareExchangeWeak;
}
// Of an atomic instruction.
constexpr AccessKind atomicKind(spv::Op op) {
  return op == spv::Op::OpAtomicLoad                                        ? AccessKind::kAtomicRead
         : op == spv::Op::OpAtomicStore || op == spv::Op::OpAtomicFlagClear ? AccessKind::kAtomicWrite
                                                                            : AccessKind::kAtomic;
}

// kLaneMemory: function and private variables that stand in memory. Each lane has its own, and offsets count in it.
enum class Place : std::uint8_t { kBuffer, kWorkgroup, kPush, kImage, kLaneMemory, kPhysical };

// Why an access is out of range: no descriptor there, no such mip level, or outside of what the descriptor names.
enum class Miss : std::uint8_t { kNone, kDescriptor, kLevel, kOutside };

// Lanes `lane`, `lane + 1`, ..., all of them active, at `offset`, `offset + stride`, ..., or at list[0], list[1], ...
struct LaneRun {
  std::uint32_t lane = 0, count = 0;
  std::uint32_t resource = 0;  // index into Job::resources; buffers and images
  std::uint32_t size = 0;      // bytes of a lane's access
  std::uint32_t stride = 0;    // 0: all at one place; `size`: side by side
  std::uint64_t offset = 0;    // bytes from the start of the resource (images: of its tight bytes), or of the memory
  const std::uint64_t* list = nullptr;

  std::uint64_t offsetOf(std::uint32_t i) const { return list ? list[i] : offset + std::uint64_t{i} * stride; }
  // That they access each byte from offset to offset + bytes().
  bool isWhole() const { return !list && (count == 1 || stride <= size); }
  std::uint64_t bytes() const { return std::uint64_t{count - 1} * stride + size; }
};

// A lane that is out of range: it reads and writes as Vulkan's robust accesses say.
struct Outside {
  std::uint32_t lane = 0;
  Miss miss = Miss::kOutside;
  std::uint32_t resource = 0, size = 0;
  std::uint64_t offset = 0;
  std::uint32_t element = 0;             // of the descriptor
  std::uint32_t variable = 0;            // id of the OpVariable
  std::int32_t texel[4] = {0, 0, 0, 0};  // images: coordinates, then the level
  Extent3 extent{0, 0, 0};               // images: the level's as its view has it, z slices or layers; 0 where there is none
};

// Told when the instruction has done it. What the module says of it (order, scope, path of the variable) stands in the Program, by `pc`.
struct AccessEvent {
  const Batch& batch;
  std::uint32_t pc;
  Place place;
  AccessKind kind;
  std::uint32_t variable;  // id of the OpVariable, 0 where it is not known
  LaneMask lanes;          // that executed the instruction
  std::span<const LaneRun> runs;
  std::span<const Outside> outside;
  // With watch::kValues, and always of an atomic that compares: for each lane of each run, in their order, its `size` bytes as they were
  // and as they are. Of an atomic what the lane itself found and left; of a store what stands there when all lanes have stored.
  std::span<const std::byte> before, after;
};

// Calls use(lane, run, offset) for each lane of each run.
template <class Use>
void forEachLane(const AccessEvent& event, const Use& use) {
  for (const LaneRun& run : event.runs)
    for (std::uint32_t i = 0; i < run.count; ++i) use(run.lane + i, run, run.offsetOf(i));
}

}  // namespace lanewise
