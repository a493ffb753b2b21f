// Who used each place of one memory last, in 32 bits each for stores, loads and atomics: the shadow of the sieve (race_sieve.h).
//
// A use is a period (race_sieve.h) and a lane of its batch, or many lanes. Periods are counted up, so that a use below some number is one
// of long ago: nothing is ever cleared. A cell a texel or a word of four bytes; a page in which something smaller or unaligned goes has one
// a byte.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanewise::race {

using Mark = std::uint32_t;  // period << 8, and kMany or the lane; below any period in use: nobody
inline constexpr Mark kMany = 0x80;
inline constexpr std::uint32_t kMostPeriods = 1u << 24;
constexpr Mark markOf(std::uint32_t period, std::uint32_t lane = 0) {
  return period << 8 | lane;
}
constexpr std::uint32_t periodOf(Mark m) {
  return m >> 8;
}

inline constexpr std::uint32_t kPageBits = 14;

class Cells {
 public:
  struct Page {
    bool whole = true;
    std::vector<Mark> writes, reads;
    std::vector<Mark> atomics;  // empty until there is one
  };

  // A place of some odd number of bytes has several cells. A page has 1 << pageBits of them, where it is whole.
  explicit Cells(std::uint32_t placeBytes = 4, std::uint32_t pageBits = kPageBits)
      : shift_(static_cast<std::uint32_t>(std::countr_zero(placeBytes))), pageBits_(pageBits) {}
  std::uint32_t unit() const { return 1u << shift_; }
  void clear() { pages_.clear(); }
  std::uint64_t pageOf(std::uint64_t byte) const { return byte >> shift_ >> pageBits_; }
  std::uint64_t pageBytes() const { return std::uint64_t{1} << pageBits_ << shift_; }
  // `whole`: what goes there is made of whole places.
  Page& page(std::uint64_t number, bool whole) {
    if (number < pages_.size() && pages_[number] && (pages_[number]->whole == whole || !pages_[number]->whole)) return *pages_[number];
    return make(number, whole);
  }
  // Calls use(page, cell, byte) for each cell of an access.
  template <class Visit>
  void each(std::uint64_t byte, std::uint32_t size, const Visit& use) {
    const bool whole = ((byte | size) & (unit() - 1)) == 0;
    for (const std::uint64_t end = byte + size; byte < end;) {
      Page& p = page(pageOf(byte), whole);
      const std::uint32_t at = static_cast<std::uint32_t>(byte) & static_cast<std::uint32_t>(pageBytes() - 1);
      use(p, p.whole ? at >> shift_ : at, byte);
      byte += p.whole ? unit() : 1;
    }
  }

 private:
  Page& make(std::uint64_t number, bool whole);
  std::uint32_t shift_, pageBits_;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace lanewise::race
