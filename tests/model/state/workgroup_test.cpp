// Where an invocation is, by its index in its workgroup and by its place in the dispatch.
#include "model/state/workgroup.h"

#include <gtest/gtest.h>

#include <array>

namespace lanewise {
namespace {

TEST(Workgroup, IndicesCountAlongXFirst) {
  constexpr std::uint32_t kSize[3] = {3, 5, 2};
  EXPECT_EQ(localInvocation(kSize, 0), (Extent3{0, 0, 0}));
  EXPECT_EQ(localInvocation(kSize, 2), (Extent3{2, 0, 0}));
  EXPECT_EQ(localInvocation(kSize, 3), (Extent3{0, 1, 0}));
  EXPECT_EQ(localInvocation(kSize, 15), (Extent3{0, 0, 1}));
  EXPECT_EQ(globalInvocation(kSize, {7, 1, 4}, 29), (Extent3{7 * 3 + 2, 1 * 5 + 4, 4 * 2 + 1}));
}

TEST(Workgroup, EveryInvocationHasOnePlace) {
  for (const auto& size : {std::array{1u, 1u, 1u}, std::array{4u, 1u, 1u}, std::array{3u, 5u, 2u}, std::array{1u, 2u, 7u}}) {
    const std::uint32_t local[3] = {size[0], size[1], size[2]};
    const Extent3 group{2, 3, 1};
    for (std::uint32_t i = 0; i < size[0] * size[1] * size[2]; ++i) {
      const InvocationPlace place = placeOfInvocation(local, globalInvocation(local, group, i));
      EXPECT_EQ(place.group, group);
      EXPECT_EQ(place.index, i);
    }
  }
}

}  // namespace
}  // namespace lanewise
