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

constexpr std::uint64_t kPage = ZeroMemory::Piece::kPage;
constexpr std::uint64_t kChunkBytes = kMarksTogether / 8;

std::uint64_t wordsOf(std::uint64_t bytes) {
  return (bytes / 4 / kMarksTogether + 1) * kMarksTogether;
}

}  // namespace

std::uint64_t Marks::bytesFor(std::uint64_t bytes) {
  return 2 * wordsOf(bytes) / 8 + 2 * wordsOf(bytes) / kMarksTogether;
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
  std::byte* const touched = marks + 2 * b.words / 8;
  for (std::uint64_t chunk = 0; chunk < 2 * b.words / kMarksTogether; ++chunk) {
    if (touched[chunk] == std::byte{0}) continue;
    // A run of marks may have written, but not changed, what is behind it.
    const std::uint64_t at = begin + chunk * kChunkBytes;
    used.insert(used.end(), {at / kPage, (at + kChunkBytes) / kPage, (begin + 2 * b.words / 8 + chunk) / kPage});
    std::memset(marks + chunk * kChunkBytes, 0, kChunkBytes);
    touched[chunk] = std::byte{0};
  }
}

void Marks::put(std::uint32_t part, std::size_t buffer, compiled::Window& window) const {
  const Buffer& b = buffers_[buffer];
  window.marks = memory_.data + part * each_ + b.offset;
  window.touched = window.marks + 2 * b.words / 8;
  window.loads = b.words;
}

// Only what one part has stored to and another one touched has to be compared.
bool Marks::meetIn(const Buffer& buffer, std::uint64_t chunk) const {
  using Words = const std::uint64_t*;
  constexpr std::uint32_t kWords = kMarksTogether / 64;
  const std::uint64_t chunks = buffer.words / kMarksTogether;
  std::vector<std::uint32_t> stores, loads;
  for (std::uint32_t p = 0; p < parts_; ++p) {
    const std::byte* touched = marksOf(p, buffer) + 2 * buffer.words / 8;
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
    const Words loaded = reinterpret_cast<Words>(marksOf(p, buffer) + buffer.words / 8) + chunk * kWords;
    std::uint64_t met = 0;
    for (std::uint32_t i = 0; i < kWords; ++i) met |= loaded[i] & (all[i] ^ own[i]);  // own is among all
    if (met != 0) return true;
  }
  return false;
}

bool Marks::meet() const {
  std::atomic<bool> met = false;
  for (const Buffer& buffer : buffers_)
    parallelFor(buffer.words / kMarksTogether, [&](std::uint64_t chunk) {
      if (!met.load(std::memory_order_relaxed) && meetIn(buffer, chunk)) met = true;
    });
  return met;
}

}  // namespace lanewise
