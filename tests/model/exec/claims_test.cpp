// What parts of a dispatch claim of the bytes that they access.
#include "model/state/claims.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace lanewise {
namespace {

struct Bytes {
  std::vector<std::byte> bytes = std::vector<std::byte>(4096);
  Scratch memory;
  Claims claims{2, memory};
  Bytes(std::uint32_t unit, bool byBlocks) { claims.track(1, bytes, unit, byBlocks); }
  bool take(std::uint32_t part, std::uint64_t offset, std::uint32_t size, bool stores, std::uint32_t count = 1, std::size_t step = 0) {
    return claims.take(part, {1, size, count, bytes.data() + offset, step, stores});
  }
};

// Claims that start anew after each that is refused: with those that were granted so far.
struct Granted {
  std::uint32_t unit;
  std::vector<std::function<bool(Bytes&)>> all;
  bool take(std::uint32_t part, std::uint64_t offset, std::uint32_t size, bool stores, std::uint32_t count = 1, std::size_t step = 0) {
    Bytes bytes(unit, false);
    for (const auto& each : all) EXPECT_TRUE(each(bytes));
    const auto one = [=](Bytes& b) { return b.take(part, offset, size, stores, count, step); };
    const bool taken = one(bytes);
    if (taken) all.emplace_back(one);
    return taken;
  }
};

TEST(Claims, AreOfOnePartOrOfReaders) {
  Granted b{4, {}};
  EXPECT_TRUE(b.take(1, 0, 4, true));
  EXPECT_TRUE(b.take(1, 0, 4, false)) << "its own";
  EXPECT_TRUE(b.take(1, 0, 4, true));
  EXPECT_FALSE(b.take(2, 0, 4, false)) << "stored to by another part";
  EXPECT_FALSE(b.take(2, 0, 4, true));
  EXPECT_TRUE(b.take(2, 4, 4, true)) << "the next word is free";
  EXPECT_TRUE(b.take(1, 64, 16, false));
  EXPECT_TRUE(b.take(1, 68, 4, true)) << "loaded by itself alone";
  EXPECT_TRUE(b.take(2, 64, 4, false)) << "loaded by two";
  EXPECT_FALSE(b.take(1, 64, 4, true)) << "another part has loaded it";
  EXPECT_TRUE(b.take(3, 64, 4, false));
}

TEST(Claims, AreOfTrackedResources) {
  Bytes b(4, false);
  EXPECT_TRUE(b.claims.take(1, {0, 4, 1, b.bytes.data(), 0, true})) << "nobody claims the other resource";
  EXPECT_TRUE(b.claims.take(2, {0, 4, 1, b.bytes.data(), 0, true}));
}

TEST(Claims, AreRefusedToAllWhenPartsHaveMet) {
  Bytes b(4, false);
  EXPECT_TRUE(b.take(1, 0, 4, true));
  EXPECT_FALSE(b.take(2, 0, 4, true));
  EXPECT_FALSE(b.take(1, 0, 4, true)) << "its own, but all ends here";
}

TEST(Claims, OfLanesAreThoseOfTheirBytes) {
  Granted b{1, {}};
  EXPECT_TRUE(b.take(7, 5, 1, true, 16, 100));
  for (std::uint64_t at = 0; at < 1700; at += at % 100 < 8 ? 1 : 31) {
    const bool own = at >= 5 && (at - 5) % 100 == 0 && (at - 5) / 100 < 16;
    EXPECT_EQ(b.take(8, at, 1, false), !own) << at;
  }
  EXPECT_TRUE(b.take(7, 2001, 4, true, 16, 4));
  for (std::uint64_t at : {2000u, 2001u, 2064u, 2065u}) EXPECT_EQ(b.take(8, at, 1, true), at == 2000 || at == 2065) << at;
}

TEST(Claims, OfBlocksWaitUntilTheyAreShared) {
  Bytes b(4, true);
  EXPECT_TRUE(b.take(1, 0, 4, true, 3, 4));
  EXPECT_TRUE(b.take(2, 64, 4, true)) << "another block";
  EXPECT_FALSE(b.take(2, 12, 4, true)) << "taken";
  EXPECT_TRUE(b.claims.share(2)) << "for no other reason";
  EXPECT_TRUE(b.take(2, 12, 4, true)) << "a free unit of a shared block";
  EXPECT_FALSE(b.take(2, 8, 4, true)) << "a unit that was marked without atomics";
  EXPECT_FALSE(b.claims.share(2));
  EXPECT_FALSE(b.take(1, 12, 4, true)) << "whoever took the block claims as others do";
}

TEST(Claims, OfAllBlocksCanBeShared) {
  Bytes b(4, true);
  EXPECT_TRUE(b.take(1, 0, 4, true));
  b.claims.shareAll();
  EXPECT_TRUE(b.take(2, 4, 4, true));
  EXPECT_FALSE(b.take(2, 0, 4, true));
}

}  // namespace
}  // namespace lanewise
