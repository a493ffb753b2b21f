// Which bytes of one memory are undefined, and why: a mark for each.
#pragma once

#include "model/check/paged_shadow.h"

namespace lanewise::undefined {

// 0: defined. Others are the Tracker's.
using Mark = std::uint32_t;
// Nobody has written the byte.
inline constexpr Mark kUnwritten = 0xffffffffu;

class MarkedMemory {
 public:
  // `undefined`: whether it is, until something is written.
  explicit MarkedMemory(std::uint32_t placeBytes, std::uint64_t bytes, bool undefined)
      : shadow_(placeBytes, placeBitsOf(bytes, placeBytes)), bytes_(bytes), undefined_(undefined), any_(undefined) {}

  // No byte is, or ever was, undefined.
  bool clean() const { return !any_; }
  Mark at(std::uint64_t byte) const {
    const std::uint32_t cell = shadow_.at(byte);
    return cell == kAsItBegan ? (undefined_ ? kUnwritten : 0) : cell == kWritten ? 0 : cell - kWritten;
  }
  // Whether all bytes of a run surely are defined. False where that takes more than a look at neighbouring cells.
  bool surelyDefined(const LaneRun& run);
  // All bytes of a run are defined now.
  void define(const LaneRun& run);
  void set(std::uint64_t byte, std::uint64_t size, Mark mark);
  // Calls use(byte, mark) for every byte that was written with a mark.
  template <class Use>
  void forEachMarked(const Use& use) {
    shadow_.rows(0, any_ ? bytes_ : 0, [&](const auto& row) {
      for (std::uint64_t i = 0; i < row.count; ++i)
        if (const std::uint32_t cell = row.cells[row.first + i]; cell > kWritten)
          for (std::uint32_t k = 0; k < row.unit; ++k) use(row.byte + i * row.unit + k, cell - kWritten);
    });
  }

 private:
  static constexpr std::uint32_t kAsItBegan = 0, kWritten = 1;  // above: a mark + kWritten
  PagedShadow<std::vector<std::uint32_t>> shadow_;
  std::uint64_t bytes_;
  bool undefined_, any_;
};

}  // namespace lanewise::undefined
