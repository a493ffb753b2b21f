// The differences between an expected image and an image of a run: the evidence of a validation.
//
// Differences are counted in units of the format. For integers these are steps of one. For floats it is the number of representable values
// between the two (ULP; +0 and -0 are one apart unless the contract says they are equal). A NaN differs by the greatest count from
// everything but a NaN of the same bits. The tolerance is 0 unless a proof of a bound is named. Components are visited level by level, row
// by row, x, then channel; "first" is in that order.
//
// Undefined: outputs start as poison. A texel whose bytes are all poison although another value was expected was most likely never written,
// and is also counted separately. A texel that should be all poison cannot be recognised, and a texel of one byte can be poison by chance.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

// A limit on the root of the mean squared difference of an output, or of one of its channels.
struct MeanLimit {
  std::size_t output = 0;
  std::optional<std::uint32_t> channel{};  // none: all together
  double most = 0;
};

// Which values are equal.
struct Contract {
  std::string name;                                   // e.g. "box-blur/double"
  std::uint64_t tolerance = 0;                        // the greatest allowed difference in units of the format
  std::string proof;                                  // where the bound is derived; must not be empty when the tolerance is not 0
  std::string allows{};                               // what is allowed, in words, where it is no tolerance in units
  std::vector<MeanLimit> means{};                     // of expectations that have centres (Bounds)
  bool zerosEqual = false;                            // +0 and -0 are the same value (depth, docs/contracts.md 5)
  std::optional<std::byte> poison = std::byte{0xA7};  // what an output was filled with before the run
};

// One component that differs.
struct TexelDiff {
  std::uint32_t level = 0, x = 0, y = 0, channel = 0;
  std::uint64_t expectedBits = 0, gotBits = 0;
  std::uint64_t units = 0;
  bool undefined = false;                         // the whole texel looks as if it was never written
  std::uint64_t leastBits = 0, greatestBits = 0;  // what may be there, where bounds leave more than one value; else equal
};

struct Diff {
  static constexpr std::size_t kWorst = 8;
  static constexpr std::size_t kBuckets = 65;

  Component component = Component::kU8;
  std::uint64_t components = 0;  // compared
  std::uint64_t differing = 0;   // components with any difference
  std::uint64_t beyond = 0;      // components beyond the tolerance: the failures
  std::uint64_t maximum = 0;     // greatest difference, in units
  std::uint64_t undefinedTexels = 0;
  std::optional<TexelDiff> first;  // the first beyond the tolerance
  std::vector<TexelDiff> worst;    // the greatest differences, at most kWorst, greatest first, earlier first among equals
  // histogram[0]: equal; histogram[i]: differences of 2^(i-1) to 2^i - 1 units.
  std::array<std::uint64_t, kBuckets> histogram{};
  // 10 log10(peak^2 / mean squared error) in dB, peak 2^bits - 1 or 1 for floats; infinite if the values are equal, NaN if a value is.
  double psnr = 0;

  bool withinTolerance() const { return beyond == 0; }
};

// Compares all levels. Bad input: two shapes that differ, or a tolerance without a proof.
Expected<Diff> compareImages(const Image& expected, const Image& got, const Contract& contract);

// The results that a form may give, if its bound is proved for each component: everything from `low` to `high`, both included.
struct Bounds {
  Image low, high;
  Image centre{};  // the value itself, where a mean difference from it is limited
};
// Compares each component with the nearest value inside its bounds, which is then the "expected" one of the evidence. The contract's
// tolerance stays 0; its zerosEqual and poison are used. Where both bounds are one NaN, it is right; where they are two, any
// NaN is. Bad input: different shapes, or a low above its high.
Expected<Diff> compareWithin(const Bounds& bounds, const Image& got, const Contract& contract);

// The root of the mean squared difference of all components, or of one channel. Of floats a difference that is not finite makes it
// infinite, unless both are NaN.
double rootMeanSquare(const Image& expected, const Image& got, std::optional<std::uint32_t> channel);

// The filled buckets: "equal 1020, 1: 3, 2-3: 1".
std::string histogramText(const Diff& diff);

// The difference |expected - got| of one level as a picture of 8 bits: each difference in units times `factor`, at most 255 (1 to 4
// channels). Alpha, the last of 2 or 4 channels, is shown as 255 so that the picture can be seen, and its differences are added to the
// colours. factor 0 chooses the one that makes the greatest difference 255, at least 1.
struct DifferenceImage {
  Image picture;             // u8, the channels of the compared images
  std::uint64_t factor = 1;  // what a difference was multiplied by
};
Expected<DifferenceImage> differenceImage(const Image& expected, const Image& got, std::uint32_t level = 0, std::uint64_t factor = 0);

}  // namespace lanewise::golden
