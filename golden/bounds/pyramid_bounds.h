// The bound of the float mean pyramids: which results a correct kernel can give that averages in floats inside a dispatch and starts the
// next dispatch from what the last one stored (docs/contracts.md, 6: energy-float, AMD's chain inside a tile, f16 and packed shared memory,
// float formats).
//
// Method: intervals. Each texel of each level has a least and a greatest possible value; a mean is monotone in its inputs, so the interval
// of a mean is the mean of the ends, widened by what rounding may do; what is stored is the rounded end; the next dispatch starts from the
// stored interval. The interval holds the exact chain of the schedule and every result of a kernel that errs by no more than this, with v
// the greatest magnitude among the taps and u = 2^-bits:
//
//  - loading: 2 u v, and loadError more (absolute, of full light 1: what the device's filtering or sRGB decoding may err)
//  - an axis of even size: (a + b) / 2, one rounding and an exact halving: 2 u v covers it
//  - an axis of odd size 2n + 1: weights from one reciprocal (5u by "Precision of Individual Operations"; 6u after the product), the third
//    perhaps 1 - w0 - w1 (6u (w0 + w1) + 2u): 14u for the three. Two products and two sums more, 3u: 17u v, taken as 18 u v. The integers
//    up to 2n + 1 must be exact, so energy forms with a side beyond 2^bits are refused
//  - both axes by one reciprocal of the product of their divisors, over sums of codes in rows that are exact (pyramid_cascade.comp, which
//    rounds every level): 17u v. Where an axis is odd that is less than the 18 u v of it. Else a mean is a multiple of 1/2 code: no error
//    below 1/4 changes what is stored, except of a middle, beside which both codes lie within the bound
//  - a first level that the device's filter averages (`filtered`): each axis of two texels has a weight that errs by filterWeightError,
//    times what its texels differ by, and a stage of filterStageError (golden/bounds/filter_bounds.h)
//  - a level that a blit makes (kFilter, `filtered`): the same. Where the side is odd, the place between two texels may pass to their
//    neighbours, so that these count among the texels that differ. The value moves with the place without a jump, by less than they differ
//  - values that wait in workgroup memory with sharedBits: 2 u' v, each level; packedShared: they wait there as 8-bit codes, or not at all
//  - storing codes: floor(255 m + 1/2) errs by 768 u codes, a product below 256 and a sum below 512 (256 are added so that the code stands
//    in the float's bits), and by encodeError (codes, sRGB); storing floats: to either neighbour
//  - denormals may be flushed wherever a value is made (at most 10 times a level), waits, is stored or loaded
//
// Everything is computed in double precision; its own rounding, below 2^-45 a level, is added too.
// The proof holds for any order of the additions and for fused operations, which only leave roundings out.
#pragma once

#include <cstdint>
#include <span>

#include "golden/image/compare.h"
#include "golden/oracles/mean_pyramid.h"

namespace lanewise::golden {

struct PyramidFloatForm {
  PyramidKernel kernel = PyramidKernel::kEnergy;
  Encoding encoding = Encoding::kLinear;  // kSrgb for pictures of 8 bits
  int bits = 24;                          // precision of the arithmetic
  int sharedBits = 24;                    // precision of what waits in workgroup memory
  bool packedShared = false;
  double loadError = 0, encodeError = 0;
  std::uint32_t filtered = 0;                  // bit i: the first level of dispatch i is averaged by the device's filter
  Component filteredTexels = Component::kF32;  // what the filter reads
};

// `schedule` is the number of levels of each dispatch in turn; their sum and the base make the levels of the result. The base is u8, f16 or
// f32 of one level; float bases are linear, finite, and at most 2^14 in magnitude. Level 0 of both bounds is the base. Bad input: anything
// else.
Expected<Bounds> pyramidBounds(const PyramidFloatForm& form, const Image& base, std::span<const std::uint32_t> schedule);

}  // namespace lanewise::golden
