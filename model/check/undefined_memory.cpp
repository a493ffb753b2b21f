#include "model/check/undefined_memory.h"

#include <algorithm>
#include <bit>

namespace lanewise::undefined {

bool MarkedMemory::surelyDefined(const LaneRun& run) {
  if (!any_) return true;
  if (!shadow_.isOfPlaces(run)) return false;
  // Cells of defined places differ from kWritten in no bit of these.
  const std::uint32_t differ = undefined_ ? ~0u : ~(kAsItBegan ^ kWritten);
  if (run.list) {
    const auto isDefined = [&](std::uint32_t cell) { return ((cell ^ kWritten) & differ) == 0; };
    return shadow_.places(
               0, run.count, run.size, [&](std::uint32_t i) { return run.list[i]; }, isDefined) == run.count;
  }
  LaneRun all = run;
  if (run.stride == 0) all.count = 1;
  return shadow_.strides(all, [&](const std::uint32_t* cells, std::size_t step, std::uint32_t count) {
    std::uint32_t others = 0;
    for (std::uint32_t k = 0; k < count; ++k) others |= (cells[k * step] ^ kWritten) & differ;
    return others == 0;
  });
}

void MarkedMemory::define(const LaneRun& run) {
  if (!any_) return;
  if (run.isWhole()) return set(run.offset, run.bytes(), 0);
  const auto write = [](std::uint32_t* cells, std::size_t step, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) cells[k * step] = kWritten;
    return true;
  };
  const bool ofPlaces = shadow_.isOfPlaces(run);
  if (ofPlaces && !run.list && shadow_.strides(run, write)) return;
  for (std::uint32_t i = 0; i < run.count; ++i) {
    const auto one = [&](std::uint32_t& cell) { return write(&cell, 0, 1); };
    if (ofPlaces)
      i = shadow_.places(
          i, run.count, run.size, [&](std::uint32_t k) { return run.offsetOf(k); }, one);
    if (i < run.count) set(run.offsetOf(i), run.size, 0);
  }
}

void MarkedMemory::set(std::uint64_t byte, std::uint64_t size, Mark mark) {
  if (mark == 0 && !any_) return;
  any_ = true;
  shadow_.rows(byte, size, [&](const auto& row) {
    std::fill_n(row.cells.begin() + static_cast<std::ptrdiff_t>(row.first), row.count, kWritten + mark);
  });
}

}  // namespace lanewise::undefined
