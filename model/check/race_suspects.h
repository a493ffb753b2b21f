// The places that may have a race: texels, words of four bytes of buffers, and words of workgroup memory, of whichever workgroup.
#pragma once

#include <cstdint>
#include <vector>

#include "model/check/paged_shadow.h"
#include "model/contract/device.h"
#include "model/state/access.h"

namespace lanewise::race {

class Suspects {
 public:
  // Empty.
  explicit Suspects(const Job& job) : memories_(job.resources.size() + 1) {
    for (const Resource& r : job.resources) units_.push_back(placeBytes(r));
    units_.push_back(4);
  }

  void add(Place place, std::uint32_t resource, std::uint64_t byte) {
    std::vector<bool>& own = memories_[memoryOf(place, resource)];
    const std::uint64_t unit = byte / units_[memoryOf(place, resource)];
    if (unit >= own.size()) own.resize(unit + 1);
    own[unit] = true;
    any_ = true;
  }
  void addAll() { any_ = all_ = true; }
  bool any() const { return any_; }
  bool has(Place place, std::uint32_t resource, std::uint64_t byte) const {
    if (all_) return true;
    const std::vector<bool>& own = memories_[memoryOf(place, resource)];
    const std::uint64_t unit = byte / units_[memoryOf(place, resource)];
    return unit < own.size() && own[unit];
  }
  // Whether there is any in the memory that the access goes to.
  bool near(const AccessEvent& event) const {
    for (const LaneRun& run : event.runs)
      if (all_ || !memories_[memoryOf(event.place, run.resource)].empty()) return true;
    return false;
  }

 private:
  std::size_t memoryOf(Place place, std::uint32_t resource) const { return place == Place::kWorkgroup ? memories_.size() - 1 : resource; }
  std::vector<std::vector<bool>> memories_;  // by resource; the last is workgroup memory
  std::vector<std::uint32_t> units_;
  bool any_ = false, all_ = false;
};

}  // namespace lanewise::race
