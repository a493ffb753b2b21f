// Which words of a dispatch's buffers its parts have accessed, while compiled code runs them side by side (parallel_code.h). Every part
// marks in bits of its own (compiled/frame.h), so nothing is atomic and nothing is refused. When all have ended, meet() says whether one
// has stored to a word that another one accessed. Only then could their order show.
//
// The memory is the system's zeros until it is marked: parts that access few words cost few pages. It is used again: a fresh page costs
// more than its marks.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "model/compiled/frame.h"

namespace lanewise {

// Memory of zeros, one piece of which is kept until much of it was in use. Thread safety: everything may be called from several threads at
// once.
class ZeroMemory {
 public:
  struct Piece {
    std::byte* data = nullptr;
    std::uint64_t size = 0;
    std::vector<bool> pages;  // that are in use, or were; kPage bytes each
    std::uint64_t used = 0;   // bytes of these
    static constexpr std::uint64_t kPage = 4096;
    // Something was stored there.
    void use(std::uint64_t begin, std::uint64_t end);
  };
  static constexpr std::uint64_t kMost = std::uint64_t{512} << 20, kMostUsed = std::uint64_t{128} << 20;  // of what is kept
  ZeroMemory() = default;
  ZeroMemory(const ZeroMemory&) = delete;
  ZeroMemory& operator=(const ZeroMemory&) = delete;
  ~ZeroMemory();
  // Throws std::bad_alloc.
  Piece take(std::uint64_t size);
  // Has only zeros again.
  void giveBack(Piece piece);

 private:
  std::mutex mutex_;
  Piece kept_;
};

class Marks {
 public:
  // `bytes`: of each buffer. `memory` must outlive it. Throws std::bad_alloc.
  Marks(std::span<const std::uint64_t> bytes, std::uint32_t parts, ZeroMemory& memory);
  Marks(const Marks&) = delete;
  Marks& operator=(const Marks&) = delete;
  ~Marks();

  // What the marks of one part take at most, for a buffer of so many bytes.
  static std::uint64_t bytesFor(std::uint64_t bytes);
  // Fills what a window says of the marks of a part in a buffer, from 0 on.
  void put(std::uint32_t part, std::size_t buffer, compiled::Window& window) const;
  bool meet() const;

 private:
  struct Buffer {
    std::uint64_t words = 0;  // a multiple of kMarksTogether
    std::uint64_t offset = 0;
  };
  const std::byte* marksOf(std::uint32_t part, const Buffer& b) const { return memory_.data + part * each_ + b.offset; }
  // `begin`: where marks are; `used`: gets the pages that have any.
  void clear(std::uint64_t begin, const Buffer& b, std::vector<std::uint64_t>& used) const;
  bool meetIn(const Buffer& buffer, std::uint64_t chunk) const;  // kMarksTogether words

  std::vector<Buffer> buffers_;
  std::uint64_t each_ = 0;  // bytes of a part
  std::uint32_t parts_ = 0;
  ZeroMemory& from_;
  ZeroMemory::Piece memory_;
};

}  // namespace lanewise
