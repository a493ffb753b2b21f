// See canary.h.
#include "gpu/canary.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace lanewise {
namespace {

constexpr std::size_t kWords = kCanaryBytes / 4;

// Each word differs, so that a copied canary is seen too.
std::uint32_t canary(std::size_t word) {
  return 0xc5a11e00u + std::uint32_t(word);
}

std::size_t padded(std::size_t size) {
  return (size + 3) / 4 * 4;
}

}  // namespace

std::size_t guardedSize(std::size_t size) {
  return padded(size) + 2 * kCanaryBytes;
}

void writeCanaries(std::span<std::byte> memory, std::size_t size) {
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint32_t before = canary(i), after = canary(kWords + i);
    std::memcpy(memory.data() + 4 * i, &before, 4);
    std::memcpy(memory.data() + kCanaryBytes + padded(size) + 4 * i, &after, 4);
  }
}

std::optional<std::string> checkCanaries(std::span<const std::byte> memory, std::size_t size) {
  for (std::size_t i = 0; i < 2 * kWords; ++i) {
    const bool before = i < kWords;
    const std::size_t offset = before ? 4 * i : kCanaryBytes + padded(size) + 4 * (i - kWords);
    std::uint32_t word = 0;
    std::memcpy(&word, memory.data() + offset, 4);
    if (word == canary(i)) continue;
    const std::size_t distance = before ? kCanaryBytes - offset : offset - kCanaryBytes - size;
    return fmt::format("the word {} bytes {} is {:#010x} and not the canary {:#010x}", distance,
                       before ? "before its start" : "after its end", word, canary(i));
  }
  return std::nullopt;
}

}  // namespace lanewise
