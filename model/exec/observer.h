// What can be seen of an execution. The observed engine calls these hooks before each instruction and each access; every argument they
// need is passed, nothing is global. The quiet engine has no trace of them.
#pragma once

#include <cstdint>
#include <span>

#include "model/exec/batch.h"

namespace lanewise {

enum class AccessKind : std::uint8_t { kRead, kWrite, kAtomic };
enum class Place : std::uint8_t { kBuffer, kWorkgroup, kPush, kImage, kLaneMemory, kPhysical };

// One lane's access, before it happens.
struct MemoryEvent {
  Place place = Place::kBuffer;
  AccessKind kind = AccessKind::kRead;
  std::uint32_t lane = 0;
  std::uint32_t resource = 0;  // index into Job::resources; buffers and images
  std::uint64_t offset = 0;    // bytes from the start of the resource (images: of its bytes), or of workgroup memory
  std::uint32_t size = 0;      // bytes
  bool inRange = true;
  std::int32_t texel[4] = {0, 0, 0, 0};  // images: coordinates, then the level
  std::uint32_t variable = 0;            // id of the OpVariable
};

// Thread safety: an observer is called from one thread at a time.
class ExecutionObserver {
 public:
  virtual ~ExecutionObserver() = default;
  // Before instruction `pc` for the lanes of batch.mask. False stops the run there; it can be resumed.
  virtual bool beforeInstruction(const Batch& batch, std::uint32_t pc) = 0;
  virtual void afterInstruction(const Batch& batch, std::uint32_t pc, LaneMask lanes) = 0;
  virtual void access(const Batch& batch, std::uint32_t pc, const MemoryEvent& event) = 0;
};

}  // namespace lanewise
