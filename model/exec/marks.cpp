#include "model/exec/marks.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "model/base/parallel_for.h"

namespace lanewise {
namespace {

using compiled::kMarksTogether;

constexpr std::uint64_t kPage = ZeroMemory::Piece::kPage;  // of marks: so many words, and so many chunks
constexpr std::uint32_t kChunks = kPage / kMarksTogether;

std::uint64_t wordsOf(std::uint64_t bytes) {
  return (bytes / 4 / kPage + 1) * kPage;
}
bool isAny(const std::byte* touched) {
  static constexpr std::byte kNone[kChunks] = {};
  return std::memcmp(touched, kNone, kChunks) != 0;
}

}  // namespace

std::uint64_t Marks::bytesFor(std::uint64_t bytes) {
  return 2 * wordsOf(bytes) + 2 * wordsOf(bytes) / kMarksTogether;
}

ZeroMemory::~ZeroMemory() {
  if (kept_.data) ::munmap(kept_.data, kept_.size);
}

void ZeroMemory::Piece::use(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t page = begin / kPage; page * kPage < end; ++page) {
    if (pages[page]) continue;
    pages[page] = true;
    used += kPage;
  }
}

ZeroMemory::Piece ZeroMemory::take(std::uint64_t size) {
  {
    const std::lock_guard lock(mutex_);
    if (kept_.size >= size) return std::exchange(kept_, {});
  }
  std::vector<bool> pages((size + Piece::kPage - 1) / Piece::kPage);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<std::byte*>(memory), size, std::move(pages)};
}

void ZeroMemory::giveBack(Piece piece) {
  const std::lock_guard lock(mutex_);
  if (piece.size <= kMost && piece.used <= kMostUsed && piece.size > kept_.size) std::swap(piece, kept_);
  if (piece.data) ::munmap(piece.data, piece.size);
}

Marks::Marks(std::span<const std::uint64_t> bytes, std::uint32_t parts, ZeroMemory& memory) : parts_(parts), from_(memory) {
  for (const std::uint64_t one : bytes) {
    buffers_.push_back({wordsOf(one), each_});
    each_ += (bytesFor(one) + 63) / 64 * 64;
  }
  if (each_ != 0) memory_ = memory.take(each_ * parts_);
}

Marks::~Marks() {
  if (!memory_.data) return;
  std::vector<std::vector<std::uint64_t>> used(parts_);  // pages that have marks
  parallelFor(parts_, [&](std::size_t p) {
    for (const Buffer& b : buffers_) clear(p * each_ + b.offset, b, used[p]);
  });
  for (const std::vector<std::uint64_t>& pages : used)
    for (const std::uint64_t page : pages) memory_.use(page * kPage, (page + 1) * kPage);
  from_.giveBack(std::move(memory_));
}

void Marks::clear(std::uint64_t begin, const Buffer& b, std::vector<std::uint64_t>& used) const {
  std::byte* const marks = memory_.data + begin;
  std::byte* const touched = marks + 2 * b.words;
  for (std::uint64_t first = 0; first < 2 * b.words / kMarksTogether; first += kChunks) {
    if (!isAny(touched + first)) continue;
    for (std::uint64_t chunk = first; chunk < first + kChunks; ++chunk)
      if (touched[chunk] != std::byte{0}) std::memset(marks + chunk * kMarksTogether, 0, kMarksTogether);
    std::memset(touched + first, 0, kChunks);
    const std::uint64_t at = begin + first * kMarksTogether;
    used.insert(used.end(), {at / kPage, (at + kPage - 1) / kPage, (begin + 2 * b.words + first) / kPage});
  }
}

void Marks::put(std::uint32_t part, std::size_t buffer, compiled::Window& window) const {
  const Buffer& b = buffers_[buffer];
  window.marks = memory_.data + part * each_ + b.offset;
  window.touched = window.marks + 2 * b.words;
  window.loads = b.words;
}

bool Marks::meetIn(const Buffer& buffer, std::uint64_t chunk) const {
  using Words = const std::uint64_t*;  // of eight marks
  constexpr std::uint32_t kWords = kMarksTogether / 8;
  std::vector<std::uint32_t> stores, loads;
  const std::uint64_t chunks = buffer.words / kMarksTogether;
  for (std::uint32_t p = 0; p < parts_; ++p) {
    const std::byte* touched = marksOf(p, buffer) + 2 * buffer.words;
    if (touched[chunk] != std::byte{0}) stores.push_back(p);
    if (touched[chunks + chunk] != std::byte{0}) loads.push_back(p);
  }
  if (stores.empty() || (stores.size() == 1 && (loads.empty() || loads == stores))) return false;
  const auto storesOf = [&](std::uint32_t p) { return reinterpret_cast<Words>(marksOf(p, buffer)) + chunk * kWords; };
  std::uint64_t all[kWords] = {};
  for (const std::uint32_t p : stores) {
    const Words own = storesOf(p);
    std::uint64_t met = 0;
    for (std::uint32_t i = 0; i < kWords; ++i) {
      met |= all[i] & own[i];
      all[i] |= own[i];
    }
    if (met != 0) return true;
  }
  for (const std::uint32_t p : loads) {
    static constexpr std::uint64_t kNone[kWords] = {};
    const Words own = std::ranges::binary_search(stores, p) ? storesOf(p) : kNone;
    const Words loaded = reinterpret_cast<Words>(marksOf(p, buffer) + buffer.words) + chunk * kWords;
    std::uint64_t met = 0;
    for (std::uint32_t i = 0; i < kWords; ++i) met |= loaded[i] & (all[i] ^ own[i]);  // own is among all
    if (met != 0) return true;
  }
  return false;
}

// A chunk that one part has stored to and another one touched: only there words have to be compared.
bool Marks::meetFrom(const Buffer& buffer, std::uint64_t first) const {
  const std::uint64_t chunks = buffer.words / kMarksTogether;
  const auto storesOf = [&](std::uint32_t p) {
    return reinterpret_cast<const std::uint8_t*>(marksOf(p, buffer)) + 2 * buffer.words + first;
  };
  std::uint8_t once[kChunks] = {}, twice[kChunks] = {}, shared[kChunks];  // 0 or 1
  for (std::uint32_t p = 0; p < parts_; ++p) {
    const std::uint8_t* stores = storesOf(p);
    for (std::uint32_t i = 0; i < kChunks; ++i) {
      twice[i] |= once[i] & stores[i];
      once[i] |= stores[i];
    }
  }
  std::copy(twice, twice + kChunks, shared);
  for (std::uint32_t p = 0; p < parts_; ++p) {
    const std::uint8_t *stores = storesOf(p), *loads = stores + chunks;
    for (std::uint32_t i = 0; i < kChunks; ++i) shared[i] |= static_cast<std::uint8_t>(loads[i] & once[i] & (twice[i] | (stores[i] ^ 1)));
  }
  for (std::uint32_t i = 0; i < kChunks; ++i)
    if (shared[i] != 0 && meetIn(buffer, first + i)) return true;
  return false;
}

bool Marks::meet() const {
  std::atomic<bool> met = false;
  for (const Buffer& buffer : buffers_)
    parallelFor(buffer.words / kPage, [&](std::uint64_t page) {
      if (!met.load(std::memory_order_relaxed) && meetFrom(buffer, page * kChunks)) met = true;
    });
  return met;
}

}  // namespace lanewise
