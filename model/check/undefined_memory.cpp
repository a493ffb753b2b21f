#include "model/check/undefined_memory.h"

#include <algorithm>
#include <bit>

namespace lanewise::undefined {

bool Memory::surelyDefined(const LaneRun& run) {
  if (!any_) return true;
  if (!shadow_.isOfPlaces(run)) return false;
  // Cells of defined places differ from kWritten in no bit of these.
  const std::uint32_t differ = undefined_ ? ~0u : ~(kAsItBegan ^ kWritten);
  const std::uint32_t count = !run.list && run.stride == 0 ? 1 : run.count;
  if (run.list || run.stride != run.size) {
    const auto isDefined = [&](std::uint32_t cell) { return ((cell ^ kWritten) & differ) == 0; };
    return shadow_.places(
               0, count, run.size, [&](std::uint32_t i) { return run.offsetOf(i); }, isDefined) == count;
  }
  for (std::uint32_t i = 0; i < count;) {
    const auto [cells, bytes] = shadow_.cellsFrom(run.offsetOf(i), run.size);
    if (!cells) return false;
    const auto neighbours = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes >> std::countr_zero(run.size), count - i));
    std::uint32_t others = 0;
    for (std::uint32_t k = 0; k < neighbours; ++k) others |= (cells[k] ^ kWritten) & differ;
    if (others != 0) return false;
    i += neighbours;
  }
  return true;
}

void Memory::define(const LaneRun& run) {
  if (!any_) return;
  if (run.isWhole()) return set(run.offset, run.bytes(), 0);
  const auto write = [](std::uint32_t& cell) {
    cell = kWritten;
    return true;
  };
  const bool ofPlaces = shadow_.isOfPlaces(run);
  for (std::uint32_t i = 0; i < run.count; ++i) {
    if (ofPlaces)
      i = shadow_.places(
          i, run.count, run.size, [&](std::uint32_t k) { return run.offsetOf(k); }, write);
    if (i < run.count) set(run.offsetOf(i), run.size, 0);
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
