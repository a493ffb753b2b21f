// The sieve's loops over the marks of many cells (race_cells.h): what is easy is done, without a branch a cell.
//
// Easy is a cell that nobody else has used since `since` in a way that could matter, by its marks alone; race_sieve.h looks at the others.
#pragma once

#include "model/check/race_cells.h"
#include "model/state/batch.h"

namespace lanewise::race {

// Who uses them. A lane has the mark own + lane.
struct User {
  Mark own, since;
  Mark anybody;           // the mark of anybody who means the same; where there is none, of many lanes
  std::uint32_t alike;    // a period of others who mean the same, whose loads and atomics become anybody's; 0: none
  bool commutes = false;  // atomics that race with none of their kind
};

// Cells side by side, 1 << shift of them a lane, from `lane` on. False: not all were easy, and nothing is done.
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
// Those of a page that are equally far apart, no two of them one.
struct Strided {
  Marks& marks;
  std::uint32_t first, step, firstLane, count;
  std::uint32_t cell(std::uint32_t i) const { return first + i * step; }
  std::uint32_t lane(std::uint32_t i) const { return firstLane + i; }
};
// They return a bit for each that was not easy; the others are done. `At` is one of the two.
template <class At>
LaneMask readEach(const At& at, const User& user);
template <class At>
LaneMask writeEach(const At& at, const User& user);
template <class At>
LaneMask atomicEach(const At& at, const User& user);

// Several lanes at one cell. False: it was not easy, and nothing is done.
bool readOne(Marks& marks, std::uint32_t cell, const User& user);
bool atomicOne(Marks& marks, std::uint32_t cell, const User& user);

}  // namespace lanewise::race
