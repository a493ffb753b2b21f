// Large blocks of memory, such as pictures, ask the host's system for large pages, wherever the program makes them. The system hands memory
// out page by page as it is touched first, and clears it. For 64 MiB that takes 80 ms in pages of 4 KiB, and half of that in large ones
// where it has some. So the last blocks that were given back are kept, up to 256 MiB, for whoever asks for as much next: a debugger makes
// and drops copies of a run.
#include <malloc.h>
#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

// Sanitizers have their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

constexpr std::size_t kLarge = std::size_t{4} << 20;
constexpr std::size_t kMostKept = std::size_t{256} << 20;

// No more than a hint: without large pages all goes on as before.
void preferLargePages(void* block, std::size_t size) {
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(block) + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(block) + size) & ~(kPage - 1);
  static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

// Blocks that nobody has, the oldest first.
class KeptBlocks {
 public:
  // nullptr: there is none of this size, or one that is a little larger.
  void* take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = count_; i-- > 0;)
      if (blocks_[i].size >= size && blocks_[i].size - size <= size / 8) return removed(i);
    return nullptr;
  }
  // False: it is too large to be kept.
  bool give(void* block, std::size_t size) {
    if (size > kMostKept) return false;
    const std::lock_guard lock(mutex_);
    while (count_ == blocks_.size() || bytes_ + size > kMostKept) std::free(removed(0));
    blocks_[count_++] = {block, size};
    bytes_ += size;
    return true;
  }
  void drop() {
    const std::lock_guard lock(mutex_);
    while (count_ != 0) std::free(removed(count_ - 1));
  }

 private:
  struct Block {
    void* at = nullptr;
    std::size_t size = 0;
  };
  void* removed(std::size_t i) {
    const Block block = blocks_[i];
    for (; i + 1 < count_; ++i) blocks_[i] = blocks_[i + 1];
    --count_;
    bytes_ -= block.size;
    return block.at;
  }
  std::mutex mutex_;
  std::array<Block, 16> blocks_{};
  std::size_t count_ = 0, bytes_ = 0;
};

constinit KeptBlocks keptBlocks;

void release(void* block) {
  const std::size_t size = block == nullptr ? 0 : malloc_usable_size(block);
  if (size < kLarge || !keptBlocks.give(block, size)) std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
  if (size >= kLarge)
    if (void* kept = keptBlocks.take(size)) return kept;
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) {
    keptBlocks.drop();
    block = std::malloc(size == 0 ? 1 : size);
  }
  if (block == nullptr) throw std::bad_alloc();
  if (size >= kLarge) preferLargePages(block, size);
  return block;
}

void operator delete(void* block) noexcept {
  release(block);
}

void operator delete(void* block, std::size_t) noexcept {
  release(block);
}
#endif
