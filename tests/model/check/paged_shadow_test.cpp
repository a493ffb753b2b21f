// Cells of words and of bytes against a map from bytes, on random accesses.
#include "model/check/paged_shadow.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace lanewise {
namespace {

using U = std::uint32_t;

TEST(PagedShadow, KnowsEachByteAsAMapDoes) {
  std::mt19937 random(1);
  for (const U unit : {1u, 4u, 8u, 16u}) {
    PagedShadow<std::vector<U>> shadow(unit);
    std::map<std::uint64_t, U> bytes;
    // In three pages: at first whole places alone, then any bytes.
    const std::uint64_t most = 3 * 1024 * unit;
    for (U value = 1; value <= 600; ++value) {
      const U step = value < 300 ? unit : 1;
      const std::uint64_t byte = random() % (most / step) * step, size = std::min<std::uint64_t>((random() % 40 + 1) * step, most - byte);
      std::uint64_t told = byte;
      shadow.rows(byte, size, [&](const auto& row) {
        EXPECT_EQ(row.byte, told) << "rows stand side by side";
        told += row.count * row.unit;
        for (U i = 0; i < row.count; ++i) row.cells[row.first + i] = value;
      });
      EXPECT_EQ(told, byte + size) << "and are the access";
      for (std::uint64_t b = byte; b < byte + size; ++b) bytes[b] = value;
      for (std::uint64_t b = byte < 64 ? 0 : byte - 64; b < byte + size + 64; ++b)
        ASSERT_EQ(shadow.at(b), bytes.contains(b) ? bytes[b] : 0) << "byte " << b << ", places of " << unit;
    }
  }
}

TEST(PagedShadow, KeepsACellAWordUntilBytesGoThere) {
  PagedShadow<std::vector<U>> shadow;
  const auto cells = [&] {
    std::size_t count = 0;
    shadow.forEach([&](const auto& page) { count += page.size(); });
    return count;
  };
  shadow.rows(1 << 20, 64, [](const auto& row) { EXPECT_EQ(row.unit, 4u); });
  EXPECT_EQ(cells(), 1024u) << "one page, though it lies far behind";
  shadow.rows((1 << 20) + 2, 2, [](const auto& row) { EXPECT_EQ(row.unit, 1u); });
  EXPECT_EQ(cells(), 4096u);
}

}  // namespace
}  // namespace lanewise
