// Who used each place since the last write of it: the shadow of one memory.
//
// A cell a texel, or a word of four bytes; a page in which something smaller or unaligned goes has one a byte. A cell is 16 bytes: the last
// plain write, and the read since; several reads, and atomics, are a list beside. A use is an execution (race_sync.h) and lanes of it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/state/batch.h"

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
  std::vector<Uses> reads, atomics;  // atomics that write; one that only reads is a read
  // Every one of `atomics` reaches the device, through one reference.
  bool alike = true;
  std::uint32_t reference = 0;
};

struct Cell {
  Use write = 0;
  Use read = 0;  // kList and the index of a list where there is more than one read
};
inline constexpr Use kList = Use{1} << 63;

class Shadow {
 public:
  explicit Shadow(std::uint32_t unit = 4) : unit_(unit) {}
  void clear();
  // The cell's list, made of its single read where there was none.
  UseList& listOf(Cell& cell);
  UseList* listIf(const Cell& cell) { return (cell.read & kList) != 0 ? &lists_[cell.read & ~kList] : nullptr; }
  // Nobody has read it.
  void drop(Cell& cell) {
    if ((cell.read & kList) != 0) free_.push_back(cell.read & ~kList);
    cell.read = 0;
  }
  // Calls use(cell, byte) for each cell of an access.
  template <class Visit>
  void each(std::uint64_t byte, std::uint32_t size, const Visit& use) {
    const bool whole = byte % unit_ == 0 && size % unit_ == 0;
    for (const std::uint64_t end = byte + size; byte < end;) {
      Page& p = page(byte / (kCells * unit_), whole);
      const std::uint32_t step = p.whole ? unit_ : 1;
      use(p.cells[byte % (kCells * unit_) / step], byte);
      byte += step;
    }
  }

 private:
  static constexpr std::uint64_t kCells = 1024;
  struct Page {
    bool whole = true;
    std::vector<Cell> cells;
  };
  Page& page(std::uint64_t number, bool whole) {
    if (number < pages_.size() && pages_[number] && (pages_[number]->whole == whole || !pages_[number]->whole)) return *pages_[number];
    return make(number, whole);
  }
  Page& make(std::uint64_t number, bool whole);
  std::uint32_t unit_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<UseList> lists_;
  std::vector<std::uint64_t> free_;
};

}  // namespace lanewise::race
