// What can be seen of an execution. The observed engine calls these hooks before each instruction and each access; every argument they
// need is passed, nothing is global. The quiet engine has no trace of them.
#pragma once

#include <cstdint>
#include <span>

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
// Of an atomic instruction.
constexpr AccessKind atomicKind(spv::Op op) {
  return op == spv::Op::OpAtomicLoad                                        ? AccessKind::kAtomicRead
         : op == spv::Op::OpAtomicStore || op == spv::Op::OpAtomicFlagClear ? AccessKind::kAtomicWrite
                                                                            : AccessKind::kAtomic;
}
enum class Place : std::uint8_t { kBuffer, kWorkgroup, kPush, kImage, kLaneMemory, kPhysical };

// Why an access is out of range: no descriptor there, no such mip level, or outside of what the descriptor names.
enum class Miss : std::uint8_t { kNone, kDescriptor, kLevel, kOutside };

// One lane's access, before it happens.
struct MemoryEvent {
  Place place = Place::kBuffer;
  AccessKind kind = AccessKind::kRead;
  std::uint32_t lane = 0;
  std::uint32_t resource = 0;  // index into Job::resources; buffers and images
  std::uint64_t offset = 0;    // bytes from the start of the resource (images: of its bytes), or of workgroup memory
  std::uint32_t size = 0;      // bytes
  bool inRange = true;
  Miss miss = Miss::kNone;
  std::uint32_t element = 0;             // of the descriptor
  std::int32_t texel[4] = {0, 0, 0, 0};  // images: coordinates, then the level
  Extent3 extent{0, 0, 0};               // images: the level's as its view has it, z slices or layers; 0 where there is none
  std::uint32_t variable = 0;            // id of the OpVariable
};

// One lane's index into something with a declared length, at or beyond it.
struct IndexEvent {
  std::uint32_t lane = 0, index = 0, count = 0;
  std::uint32_t variable = 0;
};

// Thread safety: an observer is called from one thread at a time.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  // Before instruction `pc` for the lanes of batch.mask. False stops the run there; it can be resumed.
  virtual bool beforeInstruction(const Batch& batch, std::uint32_t pc) = 0;
  virtual void afterInstruction(const Batch& batch, std::uint32_t pc, LaneMask lanes) = 0;
  virtual void access(const Batch& batch, std::uint32_t pc, const MemoryEvent& event) = 0;
  // A blit made the texel at byte `written` of its image from those at `read`, which rise; some perhaps twice.
  virtual void blitTexel(const Blit&, std::uint64_t /*written*/, std::span<const std::uint64_t> /*read*/) {}
  // Only where the program was decoded with ProgramOptions::checkIndices.
  virtual void index(const Batch&, std::uint32_t, const IndexEvent&) {}
};

}  // namespace lanewise
