// The last users of each place of one memory, in 32 bits each for stores, loads and atomics, as far as there are any. The sieve keeps these
// (race_sieve.h).
//
// A use is a period (race_sieve.h) and one lane of its batch, or several lanes. Periods are counted up. So a use below a certain number is
// old, and nothing has to be cleared.
#pragma once

#include "model/check/paged_shadow.h"

namespace lanewise::race {

using Mark = std::uint32_t;  // period << 8, and kMany or the lane; nobody if below all current periods
inline constexpr Mark kMany = 0x80;
inline constexpr std::uint32_t kMostPeriods = 1u << 24;
constexpr Mark markOf(std::uint32_t period, std::uint32_t lane = 0) {
  return period << 8 | lane;
}
constexpr std::uint32_t periodOf(Mark m) {
  return m >> 8;
}

// Of the cells of a page, those of one kind of access: none until there is one. No mark is above `newest`, so where that is old nobody has
// to look at them.
struct KindMarks {
  std::vector<Mark> all;
  Mark newest = 0;
  Mark at(std::uint32_t cell) const { return all.empty() ? 0 : all[cell]; }
  void forget(std::uint32_t cell) {
    if (!all.empty()) all[cell] = 0;
  }
};

// The marks of the cells of a page.
struct Marks {
  std::size_t cells;
  KindMarks writes, reads, atomics;

  explicit Marks(std::size_t count) : cells(count) {}
};
inline Marks spread(const Marks& places, std::uint32_t shift) {
  Marks bytes(places.cells << shift);
  for (const auto kind : {&Marks::writes, &Marks::reads, &Marks::atomics})
    bytes.*kind = {lanewise::spread((places.*kind).all, shift), (places.*kind).newest};
  return bytes;
}

using MarkShadow = PagedShadow<Marks>;

}  // namespace lanewise::race
