// How a handler collects the access of its instruction: begin(), then the location of each lane in order; at its end Observers::access()
// reports it. Neighbours become runs.
#pragma once

#include <array>
#include <vector>

#include "model/state/access.h"

namespace lanewise {

// Where the bytes of a run stand in the host: lane i at data + i * step; each word of four bytes `word` behind the one before.
struct HostBytes {
  const std::byte* data = nullptr;
  std::size_t step = 0;
  std::size_t word = 4;
};

class AccessLog {
 public:
  void begin(const Batch& batch, std::uint32_t pc, Place place, AccessKind kind, std::uint32_t variable, bool values);
  // In range. With values the bytes are read now, and once more in finish().
  void add(const LaneRun& run, HostBytes at);
  void add(const Outside& outside) { outside_.push_back(outside); }
  // Of lanes first, first + 1, ..., first + 15 those with a bit in `lanes`: each goes to its own place, all of which are in range. In the
  // host a lane's bytes stand at data + hosts[lane], which only values need.
  void add(std::uint32_t first, std::uint32_t lanes, std::uint32_t resource, std::uint32_t size, const std::uint64_t* places,
           const std::byte* data, const std::uint64_t* hosts);
  // Of an atomic: a lane has just left `bytes` there, before the next one comes; finish() reads nothing more.
  void left(const std::byte* data, std::size_t bytes);
  AccessEvent finish();

 private:
  void append(const LaneRun& run);
  void append(LaneRun run, const std::uint64_t* places);
  static void copy(const LaneRun& run, const HostBytes& at, std::vector<std::byte>& to);

  const Batch* batch_ = nullptr;
  std::uint32_t pc_ = 0, variable_ = 0;
  Place place_{};
  AccessKind kind_{};
  bool values_ = false, left_ = false;
  LaneMask lanes_;
  std::vector<LaneRun> runs_;
  // What lists of runs point to. What does not fit is told lane by lane.
  std::array<std::uint64_t, std::size_t{8} * kMaxLanes> places_;
  std::size_t listed_ = 0;
  std::vector<std::pair<LaneRun, HostBytes>> sources_;  // of stores with values: what was added
  std::vector<Outside> outside_;
  std::vector<std::byte> before_, after_;
};

}  // namespace lanewise
