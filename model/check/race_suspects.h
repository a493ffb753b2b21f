// The places that may have a race: texels, words of four bytes of buffers, and words of workgroup memory, of any workgroup.
#pragma once

#include "model/check/paged_shadow.h"

namespace lanewise::race {

class Suspects {
 public:
  // Starts empty.
  explicit Suspects(const Job& job) {
    for (const Resource& r : job.resources) memories_.push_back({Shadow(placeBytes(r))});
    memories_.emplace_back();
  }

  void add(Place place, std::uint32_t resource, std::uint64_t byte) {
    Memory& own = memories_[memoryOf(place, resource)];
    const std::uint32_t unit = own.suspect.unit();
    own.suspect.rows(byte / unit * unit, unit, [](const auto& row) { row.cells[row.first] = 1; });
    own.any = any_ = true;
  }
  void addAll() { any_ = all_ = true; }
  bool any() const { return any_; }
  bool has(Place place, std::uint32_t resource, std::uint64_t byte) const {
    return all_ || memories_[memoryOf(place, resource)].suspect.at(byte) != 0;
  }
  // Whether there is one in the memory of the access.
  bool near(const AccessEvent& event) const {
    for (const LaneRun& run : event.runs)
      if (all_ || memories_[memoryOf(event.place, run.resource)].any) return true;
    return false;
  }

 private:
  using Shadow = PagedShadow<std::vector<std::uint8_t>>;
  struct Memory {
    Shadow suspect;
    bool any = false;
  };
  std::size_t memoryOf(Place place, std::uint32_t resource) const { return place == Place::kWorkgroup ? memories_.size() - 1 : resource; }
  std::vector<Memory> memories_;  // by resource; the last is workgroup memory
  bool any_ = false, all_ = false;
};

}  // namespace lanewise::race
