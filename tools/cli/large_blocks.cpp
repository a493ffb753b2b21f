// Large blocks of memory, such as pictures, ask the host's system for large pages, wherever the program makes them. The system hands memory
// out page by page as it is touched first. For 64 MiB that takes 80 ms in pages of 4 KiB, and a fraction in large ones where it has some.
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

// No more than a hint: without large pages all goes on as before.
[[maybe_unused]] void preferLargePages(void* block, std::size_t size) {
  constexpr std::size_t kLarge = std::size_t{1} << 21;
  constexpr std::uintptr_t kPage = 4096;
  if (size < 2 * kLarge) return;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(block) + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(block) + size) & ~(kPage - 1);
  static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

}  // namespace

// Sanitizers have their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void* operator new(std::size_t size) {
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  preferLargePages(block, size);
  return block;
}

void operator delete(void* block) noexcept {
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
#endif
