// The shadow of one memory: what a check knows about each place of it, in pages that are made when a place is first used. Findings, last
// writers, both checkers of races and their suspects use it.
//
// A place is a word of four bytes, or a texel. A texel with an odd number of bytes has several cells. Each place has a cell. In a page with
// smaller or unaligned accesses, each byte has one. Cells are an array of what a check keeps, or several arrays of equal length: `Cells(n)`
// makes n of them, and `spread(cells, shift)` gives each of the 2^shift bytes of a place the cell of the place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/contract/device.h"
#include "model/state/access.h"

namespace lanewise {

// The bytes of a place: for an image those of a texel, else 4.
inline std::uint32_t placeBytes(const Resource& resource) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  const FormatInfo* format = image ? formatInfo(image->format) : nullptr;
  return format ? format->texelBytes : 4;
}

// The places of a page as a power of two, for a memory of known size of which all or much is used.
inline constexpr std::uint32_t kMostPlaceBits = 14;
constexpr std::uint32_t placeBitsOf(std::uint64_t bytes, std::uint32_t placeBytes) {
  return std::min(kMostPlaceBits, static_cast<std::uint32_t>(std::bit_width(bytes / placeBytes)));
}

template <class T>
std::vector<T> spread(const std::vector<T>& places, std::uint32_t shift) {
  std::vector<T> bytes(places.size() << shift);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = places[i >> shift];
  return bytes;
}

template <class Cells>
class PagedShadow {
 public:
  struct Page {
    bool whole = true;  // it has one cell per place
    Cells cells;
  };

  // A page has 1 << placeBits places.
  explicit PagedShadow(std::uint32_t placeBytes = 4, std::uint32_t placeBits = 10)
      : shift_(static_cast<std::uint32_t>(std::countr_zero(placeBytes))), pageBits_(placeBits + shift_) {}

  PagedShadow(PagedShadow&&) noexcept = default;
  PagedShadow& operator=(PagedShadow&&) noexcept = default;
  PagedShadow(const PagedShadow& other) : shift_(other.shift_), pageBits_(other.pageBits_) {
    for (const std::unique_ptr<Page>& p : other.pages_) pages_.push_back(p ? std::make_unique<Page>(*p) : nullptr);
  }
  PagedShadow& operator=(const PagedShadow&) = delete;
  ~PagedShadow() = default;

  // The bytes of a place, and of a page.
  std::uint32_t unit() const { return 1u << shift_; }
  std::uint64_t pageBytes() const { return std::uint64_t{1} << pageBits_; }
  // The page of a byte. It becomes a page of bytes unless the access consists of `whole` places.
  Page& page(std::uint64_t byte, bool whole) {
    const std::uint64_t number = byte >> pageBits_;
    if (number < pages_.size() && pages_[number] && (pages_[number]->whole == whole || !pages_[number]->whole)) return *pages_[number];
    return make(number, whole);
  }

  // Neighbouring cells of one page, for the bytes from `byte` on, `unit` each.
  struct Row {
    Cells& cells;
    std::uint64_t first, count, byte;
    std::uint32_t unit;
  };
  // Calls use(row) for each row of an access.
  template <class Use>
  void rows(std::uint64_t byte, std::uint64_t size, const Use& use) {
    for (const std::uint64_t end = byte + size; byte < end;) {
      const std::uint64_t stop = std::min(end, ((byte >> pageBits_) + 1) << pageBits_);
      Page& p = page(byte, ((byte | stop) & (unit() - 1)) == 0);
      const std::uint32_t shift = p.whole ? shift_ : 0;
      use(Row{p.cells, (byte & (pageBytes() - 1)) >> shift, (stop - byte) >> shift, byte, 1u << shift});
      byte = stop;
    }
  }
  // For an array: calls use(cell) for the places at byteOf(i), byteOf(i + 1), ... of `size` bytes, as long as each has a cell of its own
  // and use() returns true. Returns the first i for which that is not so, or `end`.
  template <class ByteOf, class Use>
  std::uint32_t places(std::uint32_t i, std::uint32_t end, std::uint32_t size, const ByteOf& byteOf, const Use& use) {
    const std::uint32_t pageShift = pageBits_;
    auto* cells = static_cast<typename Cells::value_type*>(nullptr);
    std::uint32_t shift = 0;
    for (std::uint64_t page = ~std::uint64_t{0}, inPage = 0; i < end; ++i) {
      const std::uint64_t byte = byteOf(i), number = byte >> pageShift;
      if (number != page) {
        Page* const p = number < pages_.size() ? pages_[number].get() : nullptr;
        if (!p || size != 1u << (p->whole ? shift_ : 0)) return i;
        shift = p->whole ? shift_ : 0;
        cells = p->cells.data();
        inPage = (std::uint64_t{1} << (pageShift - shift)) - 1;
        page = number;
      }
      if (!use(cells[(byte >> shift) & inPage])) return i;  // NOLINT(clang-analyzer-core.*): the first byte is in no page before
    }
    return i;
  }
  // For an array: the cells of a page from that of the place of `size` bytes at `byte` on, and the number of their bytes; nullptr if the
  // place has no cell of its own yet.
  auto cellsFrom(std::uint64_t byte, std::uint32_t size) {
    Page* const p = byte >> pageBits_ < pages_.size() ? pages_[byte >> pageBits_].get() : nullptr;
    if (!p || size != (p->whole ? unit() : 1)) return std::pair(static_cast<typename Cells::value_type*>(nullptr), std::uint64_t{0});
    const std::uint64_t inPage = byte & (pageBytes() - 1);
    return std::pair(p->cells.data() + (inPage >> std::countr_zero(size)), pageBytes() - inPage);
  }
  // For an array and a run of places at equal distances: calls use(cells, step, count) for the lanes of each page, whose cells are
  // cells[0], cells[step], ..., as long as it returns true. False if it did not, or if a place has no cell of its own yet.
  template <class Use>
  bool strides(const LaneRun& run, const Use& use) {
    for (std::uint32_t i = 0; i < run.count;) {
      const auto [cells, bytes] = cellsFrom(run.offsetOf(i), run.size);
      if (!cells) return false;
      const bool here = (run.count - i - 1) * std::uint64_t{run.stride} < bytes;
      const std::uint32_t count = here ? run.count - i : static_cast<std::uint32_t>((bytes - 1) / run.stride + 1);
      if (!use(cells, std::size_t{run.stride} >> std::countr_zero(run.size), count)) return false;
      i += count;
    }
    return true;
  }
  // Whether all lanes of a run access exactly one place or byte each.
  bool isOfPlaces(const LaneRun& run) const {
    std::uint64_t low = run.offset | run.stride;
    for (std::uint32_t i = 0; run.list && i < run.count; ++i) low |= run.list[i];
    return run.size == 1 || (run.size == unit() && (low & (run.size - 1)) == 0);
  }
  // Calls use(cells) for the cells of each page.
  template <class Use>
  void forEach(const Use& use) {
    for (const std::unique_ptr<Page>& p : pages_)
      if (p) use(p->cells);
  }
  // For an array: the cell of a byte, or a new cell's value.
  auto at(std::uint64_t byte) const {
    const std::uint64_t number = byte >> pageBits_;
    if (number >= pages_.size() || !pages_[number]) return typename Cells::value_type{};
    const Page& p = *pages_[number];
    return p.cells[(byte & (pageBytes() - 1)) >> (p.whole ? shift_ : 0)];
  }
  void clear() { pages_.clear(); }

 private:
  [[gnu::noinline]] Page& make(std::uint64_t number, bool whole) {
    if (number >= pages_.size()) pages_.resize(number + 1);
    std::unique_ptr<Page>& p = pages_[number];
    if (p)
      *p = {false, spread(p->cells, shift_)};
    else
      p = std::make_unique<Page>(Page{whole, Cells(pageBytes() >> (whole ? shift_ : 0))});
    return *p;
  }

  std::uint32_t shift_, pageBits_;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace lanewise
