#include "model/check/undefined_memory.h"

#include <algorithm>

namespace lanewise::undefined {

bool Memory::surelyDefined(const LaneRun& run) {
  if (!any_) return true;
  const std::uint32_t first = undefined_ ? kWritten : kAsItBegan;
  const auto isDefined = [&](std::uint32_t cell) { return cell - first <= kWritten - first; };
  const bool adjacent = !run.list && run.stride == run.size;
  for (std::uint32_t i = 0; i < run.count;) {
    const auto [cells, bytes] = shadow_.cellsFrom(run.offsetOf(i), run.size);
    if (!cells || run.offsetOf(i) % run.size != 0) return false;
    const auto count = adjacent ? static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes / run.size, run.count - i)) : 1;
    if (!std::all_of(cells, cells + count, isDefined)) return false;
    i += count;
  }
  return true;
}

void Memory::define(const LaneRun& run) {
  if (!any_) return;
  if (run.isWhole()) return set(run.offset, run.bytes(), 0);
  for (std::uint32_t i = 0; i < run.count; ++i) {
    const std::uint64_t byte = run.offsetOf(i);
    if (const auto [cells, bytes] = shadow_.cellsFrom(byte, run.size); cells && byte % run.size == 0)
      *cells = kWritten;
    else
      set(byte, run.size, 0);
  }
}

void Memory::set(std::uint64_t byte, std::uint64_t size, Mark mark) {
  if (mark == 0 && !any_) return;
  any_ = true;
  shadow_.rows(byte, size, [&](const auto& row) {
    std::fill_n(row.cells.begin() + static_cast<std::ptrdiff_t>(row.first), row.count, kWritten + mark);
  });
}

}  // namespace lanewise::undefined
