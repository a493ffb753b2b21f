// Large blocks of memory, such as pictures: a host's system hands them out page by page as they are touched first, which can cost more than
// what is then done with them. In large pages it costs a fraction, where the system has some.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace lanewise {

// Before the bytes are touched. No more than a hint: without large pages all goes on as before.
inline void preferLargePages(void* bytes, std::size_t size) {
  constexpr std::size_t kLarge = std::size_t{1} << 21;
  constexpr std::uintptr_t kPage = 4096;
  if (size < 2 * kLarge) return;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(bytes) + kPage - 1) & ~(kPage - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(bytes) + size) & ~(kPage - 1);
  static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
}

// The same for a vector that is about to get so many elements.
template <class Vector>
void reserveLarge(Vector& vector, std::size_t size) {
  vector.reserve(size);
  preferLargePages(vector.data(), size * sizeof(typename Vector::value_type));
}

}  // namespace lanewise
