// The bounds of the box blur's float forms (docs/contracts.md, 3): which 8-bit results a correct kernel can give.
//
// The forms. Two passes, horizontal then vertical; each texel's k = 2r + 1 taps are summed in floats and divided by k; the intermediate
// picture is a float image, or codes of 8 bits; at the end floor(255 m + 1/2) is stored. Texels count as 0 to 1. `sumBits` and `storeBits`
// are the precisions p of the sums and of the intermediate (24 for f32, 11 for f16), u = 2^-p. accumulated: the sum of the first texel of a
// row, a column or a segment of one is carried on by one addition and one subtraction a step, in any order (a scan adds the same terms).
//
// The proof. Let e bound the error of a pass's inputs, all in [0, 1] when exact.
//  - Loading: converting a code to c / 255 costs at most 2u. A pass may read its texels through a filter or from a picture of halves,
//    which errs by loadError (golden/bounds/filter_bounds.h): a mean of samples errs by no more than the samples.
//        e0 = 2u + loadError
//  - Direct sum: at most k - 1 roundings of sums of terms that are not negative, so the relative error is at most
//        g = (k - 1) u / (1 - (k - 1) u)
//  - Accumulated sum: N = k + 2 (n - 1) additions at most, n the length of the segment. If every computed sum is at most M in magnitude,
//    each rounding errs by at most u M. The exact sums are at most (k + 1)(1 + e), so M <= (k + 1)(1 + e) + N u M, which is
//        M <= (k + 1)(1 + e) / (1 - N u)
//    and the error of a mean is at most g (1 + e) with
//        g = N u (k + 1) / (k (1 - N u))
//    For N u >= 1 there is no bound, and every code is allowed.
//  - Division by k, or multiplication by a reciprocal: 2.5 ULP (5u) and one rounding (Vulkan, "Precision of Individual Operations"):
//        d = 6u
//  - A pass therefore ends with
//        e' = e + (1 + e) ((1 + g)(1 + d) - 1)
//  - Storing a float intermediate: rounded either way, 2u of storeBits. Below the least normal number it may be flushed, at most 2^-14
//    for f16, which 2u covers.
//  - Rounding to a code, two roundings of numbers up to 256 in f32 at most, or in sumBits if that is less:
//        E = 255 e' + 512 u codes
//
// In one pass the K taps are summed directly, K in the place of k above. Taps taken two at a time are half as many, which leaves roundings
// out.
// Single form (float intermediate): the result is a code from floor(S/K - E + 1/2) to floor(S/K + E + 1/2), within 0 to 255, with the error
// of all passes in E.
// Double form (codes between the passes): the intermediate is a code from floor(s/k - E1 + 1/2) to floor(s/k + E1 + 1/2), s the row's sum;
// it is stored as it is, and a mean grows with each of its terms, so the result is a code from floor(s'/k - E2 + 1/2) over the least
// intermediates to floor(s'/k + E2 + 1/2) over the greatest.
#pragma once

#include <cstdint>

#include "golden/image/compare.h"
#include "golden/oracles/box_blur.h"

namespace lanewise::golden {

struct BoxFloatForm {
  BoxForm contract = BoxForm::kSingle;
  int sumBits = 24;
  int storeBits = 24;  // of a float intermediate
  bool accumulated = false;
  bool onePass = false;          // K = k * k taps summed at once, of the single form
  std::uint32_t segment = 0;     // texels that one sum is carried over; 0: the whole row or column
  double loadError[2] = {0, 0};  // of what each pass reads, of full light 1
};

// E in codes, of both passes of the single form, or of the longer pass of the double form; infinite where there is no bound.
double boxFloatError(const BoxFloatForm& form, Extent extent, std::uint32_t radius);

// Bad input as boxBlur of the form's contract.
Expected<Bounds> boxBlurBounds(const BoxFloatForm& form, const Image& picture, std::uint32_t radius, Edge edge);

}  // namespace lanewise::golden
