#include "gpu/canary.h"

#include <gmock/gmock.h>

namespace lanewise {
namespace {

struct Guarded {
  explicit Guarded(std::size_t n) : size(n), memory(guardedSize(n)) { writeCanaries(memory, size); }
  std::byte& data(std::ptrdiff_t at) { return memory[std::size_t(std::ptrdiff_t(kCanaryBytes) + at)]; }
  std::size_t size;
  std::vector<std::byte> memory;
};

TEST(Canary, WritesInsideAreFine) {
  for (const std::size_t size : {1u, 3u, 4u, 12u, 1000u}) {
    Guarded g(size);
    for (std::size_t i = 0; i < size; ++i) g.data(std::ptrdiff_t(i)) = std::byte{0x55};
    EXPECT_EQ(checkCanaries(g.memory, g.size), std::nullopt) << size;
  }
}

TEST(Canary, TheBytesNextToTheDataAreWatched) {
  Guarded before(12), after(12), far(12);
  before.data(-1) = std::byte{1};
  EXPECT_THAT(checkCanaries(before.memory, 12).value(), testing::HasSubstr("4 bytes before its start"));
  after.data(12) = std::byte{0};
  EXPECT_THAT(checkCanaries(after.memory, 12).value(),
              testing::HasSubstr("0 bytes after its end is 0xc5a11e00 and not the canary 0xc5a11e40"));
  far.memory.back() = std::byte{0};
  EXPECT_THAT(checkCanaries(far.memory, 12).value(), testing::HasSubstr("252 bytes after its end"));
}

TEST(Canary, PaddingOfAnOddSizeIsNotWatched) {
  Guarded g(5);
  g.data(5) = g.data(7) = std::byte{1};
  EXPECT_EQ(checkCanaries(g.memory, 5), std::nullopt);
  g.data(8) = std::byte{1};
  EXPECT_THAT(checkCanaries(g.memory, 5).value(), testing::HasSubstr("3 bytes after its end"));
}

}  // namespace
}  // namespace lanewise
