// The accesses of an instruction to memory, reported once for all its lanes.
//
// The locations are a list of runs. A run is neighbouring lanes at equal distances (uniform, contiguous, strided), or with a location for
// each lane (scattered). A lane that reads several texels (a filter) is in several runs.
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
// An atomic that may store nothing: whether it stored is known from its values, and its last argument is the comparator.
bool compares(spv::Op op);
// The kind of an atomic instruction.
AccessKind atomicKind(spv::Op op);

// kLaneMemory: function and private variables in memory. Each lane has its own memory, and offsets count from its start.
enum class Place : std::uint8_t { kBuffer, kWorkgroup, kPush, kImage, kLaneMemory, kPhysical };

// Why an access is out of range: no descriptor there, no such mip level or sample, or outside of the resource or view.
enum class Miss : std::uint8_t { kNone, kDescriptor, kLevel, kSample, kOutside };

// Lanes `lane`, `lane + 1`, ..., all of them active, at `offset`, `offset + stride`, ..., or at list[0], list[1], ...
struct LaneRun {
  std::uint32_t lane = 0, count = 0;
  std::uint32_t resource = 0;  // index into Job::resources; buffers and images
  std::uint32_t size = 0;      // bytes of a lane's access
  std::uint32_t stride = 0;    // 0: all at the same place; `size`: adjacent
  std::uint64_t offset = 0;    // bytes from the start of the resource (images: of its tight bytes), or of the memory
  const std::uint64_t* list = nullptr;
  std::uint32_t element = 0;  // of the array of descriptors; buffers and images

  std::uint64_t offsetOf(std::uint32_t i) const { return list ? list[i] : offset + std::uint64_t{i} * stride; }
  // Whether they access each byte from offset to offset + bytes().
  bool isWhole() const { return !list && (count == 1 || stride <= size); }
  std::uint64_t bytes() const { return std::uint64_t{count - 1} * stride + size; }
};

// A lane whose access is out of range. It reads and writes as Vulkan's robust accesses do.
struct Outside {
  std::uint32_t lane = 0;
  Miss miss = Miss::kOutside;
  std::uint32_t resource = 0, size = 0;
  std::uint64_t offset = 0;
  std::uint32_t element = 0;             // of the array of descriptors
  std::uint32_t variable = 0;            // id of the OpVariable
  std::int32_t texel[4] = {0, 0, 0, 0};  // images: coordinates, then the level; kSample: then the sample
  Extent3 extent{0, 0, 0};  // images: of the level as the view has it, z is slices or layers; 0 without a level. kSample: x is samples
};

// Reported after the instruction. What the module says about it (order, scope, path of the variable) is in the Program, by `pc`.
struct AccessEvent {
  const Batch& batch;
  std::uint32_t pc;
  Place place;
  AccessKind kind;
  std::uint32_t variable;  // id of the OpVariable, 0 if unknown
  LaneMask lanes;          // the lanes that executed the instruction
  std::span<const LaneRun> runs;
  std::span<const Outside> outside;
  // With watch::kValues, and always for an atomic that compares: the bytes before and after, `size` of them for each lane of each run, in
  // their order. For an atomic they are those just before and after that lane's operation; for a store "after" is when all lanes have
  // stored.
  std::span<const std::byte> before, after;
};

// Calls use(lane, run, offset) for each lane of each run.
template <class Use>
void forEachLane(const AccessEvent& event, const Use& use) {
  for (const LaneRun& run : event.runs)
    for (std::uint32_t i = 0; i < run.count; ++i) use(run.lane + i, run, run.offsetOf(i));
}

}  // namespace lanewise
