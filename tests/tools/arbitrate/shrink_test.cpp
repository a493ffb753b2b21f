// Shrinking: the smallest failing case, how few runs it takes, and sizes that a kernel does not have.
#include <fmt/format.h>

#include "model/model.h"
#include "tests/tools/fake_device.h"
#include "tests/tools/side_of.h"
#include "tools/arbitrate/shrink.h"

namespace lanewise {
namespace {

TEST(Shrink, FindsTheSmallestFailingCase) {
  Model model;
  const Side side = sideOf("model", model);
  const Shrunk s = shrink(*parseCase("broken/box-blur-remainder-x4 @ 55x43 radius=5 edge=zero input=noise:3"), side, Inputs(), {});
  EXPECT_TRUE(s.finished);
  EXPECT_EQ(s.what.size.width * s.what.size.height, 2u) << s.what.name();
  EXPECT_THAT(s.what.input, testing::StartsWith("list:"));
  EXPECT_EQ(runCase(s.what, side, Inputs(), nullptr).verdict, Verdict::kMismatch);
  // A case that passes stays as it is.
  const Case good = *parseCase("box-blur/double/naive @ 9x9");
  EXPECT_EQ(shrink(good, side, Inputs(), {}).what, good);
}

// Few runs are as large as it.
TEST(Shrink, ALargeCaseFirstLosesItsTexels) {
  Model model;
  const Side side = sideOf("model", model);
  const Shrunk s = shrink(*parseCase("broken/box-blur-remainder-x4 @ 331x199 radius=1 edge=zero input=noise:3"), side, Inputs(), {});
  EXPECT_TRUE(s.finished);
  EXPECT_LE(s.what.size.width * s.what.size.height, 4u) << s.what.name();
}

// What fails where both sides are long cannot lose its texels at once: all runs together have at most twice those of the case.
TEST(Shrink, ACaseThatIsLargeInBothSidesCostsTwoRunsOfItself) {
  std::uint64_t texels = 0;
  FakeDevice device([&](const Job& job, RunResult& result) {
    const Extent3 size = std::get<ImageData>(job.resources[0].data).extent;
    texels += std::uint64_t{size.x} * size.y;
    if (size.x > 300 && size.y > 300) result.outputs[0].bytes()[0] ^= std::byte{1};
  });
  const Shrunk s =
      shrink(*parseCase("box-blur/double/naive @ 900x800 radius=1 edge=clamp input=noise:3"), sideOf("fake", device), Inputs(), {});
  EXPECT_FALSE(s.finished);
  EXPECT_LE(texels, 3u * 900 * 800) << "the case itself, and twice its texels";
  EXPECT_LE(std::max(s.what.size.width, s.what.size.height), 360u) << s.what.name();
  EXPECT_GT(std::min(s.what.size.width, s.what.size.height), 300u) << s.what.name();
}

// Sizes that the kernel does not have say nothing about those around them.
TEST(Shrink, PassesOverSizesThatTheKernelDoesNotHave) {
  const auto smallest = [](const char* name, const auto& has, std::uint32_t fails) {
    FakeDevice device([fails](const Job& job, RunResult& result) {
      const Extent3 size = std::get<ImageData>(job.resources[0].data).extent;
      if (size.x >= fails && size.y >= fails) result.outputs[0].bytes()[0] ^= std::byte{1};
    });
    Case c = *parseCase(name);
    Kernel kernel = *c.kernel;
    kernel.fits = [has](const Case& asked) {
      return has(asked) ? Status{} : Status{Error{Outcome::kBadInput, "the kernel has no such case", "", ""}};
    };
    c.kernel = &kernel;
    const Shrunk s = shrink(c, sideOf("fake", device), Inputs(), {});
    EXPECT_TRUE(s.finished);
    return fmt::format("{}x{} radius={}", s.what.size.width, s.what.size.height, s.what.value("radius"));
  };
  const auto sixteens = [](const Case& c) { return c.size.width % 16 == 0 && c.value("radius") % 4 == 3; };
  EXPECT_EQ(smallest("box-blur/double/naive @ 80x9 radius=7 edge=clamp input=noise:3", sixteens, 1), "16x1 radius=3");
  EXPECT_EQ(smallest("box-blur/double/naive @ 1600x90 radius=7 edge=clamp input=noise:3", sixteens, 20), "32x20 radius=3");
  const auto squares = [](const Case& c) { return c.size.width == c.size.height; };
  EXPECT_EQ(smallest("box-blur/double/naive @ 40x40 radius=1 edge=clamp input=noise:3", squares, 9), "9x9 radius=0");
  EXPECT_EQ(smallest("box-blur/double/naive @ 400x400 radius=1 edge=clamp input=noise:3", squares, 9), "9x9 radius=0");
  const auto flat = [](const Case& c) { return c.size.width * 2 == c.size.height * 3; };
  EXPECT_EQ(smallest("box-blur/double/naive @ 60x40 radius=1 edge=clamp input=noise:3", flat, 5), "9x6 radius=0");
  EXPECT_EQ(smallest("box-blur/double/naive @ 600x400 radius=1 edge=clamp input=noise:3", flat, 9), "15x10 radius=0");
}

TEST(Shrink, TriesNoMoreThanItMay) {
  Model model;
  ShrinkOptions options;
  options.most = 0;
  const Case c = *parseCase("broken/box-blur-remainder-x4 @ 55x43 radius=5");
  const Shrunk s = shrink(c, sideOf("model", model), Inputs(), options);
  EXPECT_FALSE(s.finished);
  EXPECT_EQ(s.what, c);
}

}  // namespace
}  // namespace lanewise
