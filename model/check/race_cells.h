// The last users of each place of one memory, in 32 bits each for stores, loads and atomics. The sieve keeps these (race_sieve.h).
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

// The marks of the cells of a page.
struct Marks {
  std::vector<Mark> writes, reads;
  std::vector<Mark> atomics;  // empty until there is one

  explicit Marks(std::size_t cells) : writes(cells), reads(cells) {}
  Marks(std::vector<Mark> w, std::vector<Mark> r, std::vector<Mark> a) : writes(std::move(w)), reads(std::move(r)), atomics(std::move(a)) {}
};
inline Marks spread(const Marks& places, std::uint32_t shift) {
  return {lanewise::spread(places.writes, shift), lanewise::spread(places.reads, shift), lanewise::spread(places.atomics, shift)};
}

using MarkShadow = PagedShadow<Marks>;

}  // namespace lanewise::race
