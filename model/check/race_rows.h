// The sieve's loops over the marks of many cells (race_cells.h). They handle the easy cells, without a branch per cell.
//
// A cell is easy if its marks show that nobody else has used it since `since` in a way that matters. race_sieve.h handles the others.
#pragma once

#include "model/base/host_level.h"
#include "model/check/race_cells.h"
#include "model/state/batch.h"

namespace lanewise::race {

// The users of the cells. A lane has the mark own + lane.
struct User {
  Mark own, since;
  Mark anybody;           // the mark of anybody with the same meaning; without one, of many lanes
  std::uint32_t alike;    // a period of others with the same meaning, whose loads and atomics become anybody's; 0: none
  bool commutes = false;  // atomics that race with none of their kind
  HostLevel level{};      // which code the loops take
};

// Adjacent cells, 1 << shift of them per lane, from `lane` on. False if not all were easy; then nothing is done.
struct Row {
  Marks& marks;
  std::uint32_t cell, count, shift, lane;
};
bool readRow(const Row& row, const User& user);
bool writeRow(const Row& row, const User& user);

// Cells anywhere in a page, each with its lane: at most kMaxLanes.
struct Scattered {
  Marks& marks;
  const std::uint32_t *cells, *lanes;
  std::uint32_t count;
  std::uint32_t cell(std::uint32_t i) const { return cells[i]; }
  std::uint32_t lane(std::uint32_t i) const { return lanes[i]; }
};
// Cells of a page at equal distances, all different.
struct Strided {
  Marks& marks;
  std::uint32_t first, step, firstLane, count;
  std::uint32_t cell(std::uint32_t i) const { return first + i * step; }
  std::uint32_t lane(std::uint32_t i) const { return firstLane + i; }
};
// Each returns a bit for every cell that was not easy; the others are done. `At` is one of the two types above.
template <class At>
LaneMask readEach(const At& at, const User& user);
template <class At>
LaneMask writeEach(const At& at, const User& user);
template <class At>
LaneMask atomicEach(const At& at, const User& user);

// Several lanes at one cell. False if it was not easy; then nothing is done.
bool readOne(Marks& marks, std::uint32_t cell, const User& user);
bool atomicOne(Marks& marks, std::uint32_t cell, const User& user);

}  // namespace lanewise::race
