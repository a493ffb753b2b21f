// The state of workgroups that have ended, for the next dispatch of their program: to make and to fill it takes as long as a small dispatch
// itself. As where a workgroup follows another in its slot, nothing of what the last one computed shows.
//
// Thread safety: everything may be called from several threads at once.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "model/exec/turns.h"

namespace lanewise {

class IdleWorkgroups {
 public:
  static constexpr std::size_t kMost = std::size_t{8} << 20;  // bytes that are kept

  // One of this program; empty: there is none.
  std::optional<WorkgroupState> take(const Program& program);
  // In place of those that wait longest, if need be.
  void keep(WorkgroupState workgroup);

 private:
  std::mutex mutex_;
  std::vector<WorkgroupState> all_;  // the last used one is the last
  std::uint64_t bytes_ = 0;
};

}  // namespace lanewise
