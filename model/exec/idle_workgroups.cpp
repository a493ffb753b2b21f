#include "model/exec/idle_workgroups.h"

#include <algorithm>
#include <utility>

#include "model/exec/part.h"

namespace lanewise {

std::optional<WorkgroupState> IdleWorkgroups::take(const Program& program) {
  const std::lock_guard lock(mutex_);
  for (auto it = all_.rbegin(); it != all_.rend(); ++it) {
    if (it->program.get() != &program) continue;
    WorkgroupState found = std::move(*it);
    all_.erase(std::prev(it.base()));
    bytes_ -= stateBytes(program);
    return found;
  }
  return {};
}

void IdleWorkgroups::keep(WorkgroupState workgroup) {
  if (!workgroup.program || workgroup.running) return;
  const std::uint64_t bytes = stateBytes(*workgroup.program);
  if (bytes > kMost) return;
  const std::lock_guard lock(mutex_);
  std::size_t away = 0;
  for (; bytes_ + bytes > kMost; ++away) bytes_ -= stateBytes(*all_[away].program);
  all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(away));
  all_.push_back(std::move(workgroup));
  bytes_ += bytes;
}

}  // namespace lanewise
