// The users of each place since its last write. RaceChecker keeps these.
//
// A place has the last plain write and the read since then. Several reads, and atomics, are in a separate list. A use is an execution
// (race_sync.h) and lanes of it.
#pragma once

#include "model/check/paged_shadow.h"
#include "model/state/lane_masks.h"

namespace lanewise::race {

using Use = std::uint64_t;  // index of an execution << 7 | lane; 0: nobody
constexpr Use useOf(std::uint32_t execution, std::uint32_t lane) {
  return std::uint64_t{execution} << 7 | lane;
}
static_assert(kMaxLanes == 1u << 7);

struct Uses {
  std::uint32_t execution = 0;
  LaneMask lanes;
};

struct UseList {
  std::vector<Uses> reads, atomics;  // by execution. Atomics that write; an atomic that only reads is a read
  // Every one of `atomics` has device scope or more, and all use one reference.
  bool alike = true;
  std::uint32_t reference = 0;
};

struct Cell {
  Use write = 0;
  Use read = 0;                   // if there is no list
  std::unique_ptr<UseList> list;  // if there is more than one read

  Cell() = default;
  Cell(Cell&&) = default;
  Cell& operator=(Cell&&) = default;
  Cell(const Cell& other) : write(other.write), read(other.read), list(other.list ? std::make_unique<UseList>(*other.list) : nullptr) {}
  Cell& operator=(const Cell& other) { return *this = Cell(other); }
  ~Cell() = default;

  // The list; made from the single read if there was none.
  UseList& listed() {
    if (list) return *list;
    list = std::make_unique<UseList>();
    if (const Use one = std::exchange(read, 0); one != 0) {
      list->reads.push_back({static_cast<std::uint32_t>(one >> 7), oneLane(static_cast<std::uint32_t>(one & (kMaxLanes - 1)))});
    }
    return *list;
  }
  // Whether nobody has read it.
  void drop() {
    list.reset();
    read = 0;
  }
};

using Shadow = PagedShadow<std::vector<Cell>>;

}  // namespace lanewise::race
