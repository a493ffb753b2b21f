// Collects the access of an instruction in its handler: begin(), then the location of each lane in order. At its end Observers::access()
// reports it. Neighbouring lanes become runs.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "model/state/access.h"
#include "model/state/claims.h"

namespace lanewise {

// Where the bytes of a run are in the host: lane i at data + i * step, and each word of four bytes `word` bytes after the previous one.
struct HostBytes {
  const std::byte* data = nullptr;
  std::size_t step = 0;
  std::size_t word = 4;
};

// Where all lanes of a batch accessed memory when an instruction was last executed. The next time they are often all moved by one distance.
struct AccessShape {
  std::uint32_t size = 0, width = 0;
  std::uint32_t low = 0, high = 0;             // the lanes with the lowest and the highest address
  std::array<std::uint32_t, kMaxLanes> apart;  // by lane, the distance of its address from that of lane 0
  std::vector<LaneRun> runs;                   // their offsets are distances, too
  std::int32_t credit = 8;                     // what a hit adds and a miss takes; none left: it is given up
};

class AccessLog {
 public:
  void begin(const Batch& batch, std::uint32_t pc, Place place, AccessKind kind, std::uint32_t variable, bool values);
  // Adds accesses that are in range. With values the bytes are read now, and again in finish().
  void add(const LaneRun& run, HostBytes at);
  void add(const Outside& outside) { outside_.push_back(outside); }
  // Adds those of the lanes first, first + 1, ..., first + 15 that have a bit in `lanes`, each with a location of its own. All are in
  // range. A lane's bytes are at data + hosts[lane] in the host; only values need that.
  void add(std::uint32_t first, std::uint32_t lanes, std::uint32_t resource, std::uint32_t element, std::uint32_t size,
           const std::uint64_t* places, const std::byte* data, const std::uint64_t* hosts);
  // The shape of the instruction's last access, if it may be used for one of `size` bytes by `width` lanes.
  const AccessShape* shape(std::uint32_t size, std::uint32_t width) const;
  // Adds the accesses of that shape; `base`: where lane 0 is in the resource.
  void addMoved(std::uint32_t resource, std::uint32_t element, std::uint64_t base);
  // The shape to fill in for what was added, where lane 0 is at `base`; nullptr if it is of no use.
  AccessShape* keep(std::uint32_t size, std::uint32_t width, std::uint64_t base);
  // For an atomic: a lane has just written `bytes`, and the next lane has not started. finish() then reads nothing more.
  void left(const std::byte* data, std::size_t bytes);
  AccessEvent finish();
  // Writes back what was there before the access that was collected with values.
  void undo() const;

  // Whether what was added may be accessed: false where it belongs to another part of the dispatch.
  bool isGranted() const { return granted_; }

 private:
  void append(const LaneRun& run);
  void append(LaneRun run, const std::uint64_t* places);
  static void copy(const LaneRun& run, const HostBytes& at, std::vector<std::byte>& to);

  const Batch* batch_ = nullptr;
  std::uint32_t pc_ = 0, variable_ = 0;
  Place place_{};
  AccessKind kind_{};
  bool values_ = false, left_ = false, granted_ = true;
  Claims* claims_ = nullptr;
  LaneMask lanes_;
  std::vector<LaneRun> runs_;
  // The locations that lists of runs point to. Where they do not fit, each lane gets a run.
  std::array<std::uint64_t, std::size_t{8} * kMaxLanes> places_;
  std::size_t listed_ = 0;
  std::vector<std::pair<LaneRun, HostBytes>> sources_;  // for stores with values: what was added
  std::vector<Outside> outside_;
  std::vector<std::byte> before_, after_;
  const Program* program_ = nullptr;                  // of the shapes
  std::vector<std::unique_ptr<AccessShape>> shapes_;  // by pc
};

}  // namespace lanewise
