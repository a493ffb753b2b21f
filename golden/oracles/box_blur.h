// The oracles of the box blur, in exact integers (docs/contracts.md, 1, 3 and 14).
//
// With k = 2r + 1:
//   double  T = floor((2 * sum + k) / (2k)) over k texels of a row, stored in 8 bits; then the same over k texels of a column of T
//   single  floor((2S + K) / (2K)), K = k * k, S the sum of the k x k texels: one rounding
// The divisor is odd, so no mean is a tie. Radius 0 is the identity. Every channel is treated alike, alpha too.
//
// Window sums are differences of prefix sums, so the time does not depend on the radius. The tests compare them with loops over the window.
// Thread safety: pure functions. Errors: bad input for a picture that is not 8 bits or a radius outside the contract's domain.
#pragma once

#include <cstdint>
#include <vector>

#include "golden/image/image.h"
#include "golden/oracles/edge.h"
#include "model/base/outcome.h"

namespace lanewise::golden {

inline constexpr int kBoxBlurVersion = 1;

enum class BoxForm : std::uint8_t { kDouble, kSingle };

// The greatest radius of a form. single: 1448 (docs/contracts.md, 14). double: where 2 * sum + k still fits 32 bits, 511 * (2r + 1) < 2^32.
std::uint32_t boxBlurMaxRadius(BoxForm form);
Status boxBlurDomain(BoxForm form, std::uint32_t radius);

Expected<Image> boxBlur(BoxForm form, const Image& picture, std::uint32_t radius, Edge edge);

// The exact sums S of the single form, one for each component in the order of the bytes. Same domain and errors.
Expected<std::vector<std::uint32_t>> boxSums(const Image& picture, std::uint32_t radius, Edge edge);
// The exact sums of one pass of the double form, along columns or along rows.
Expected<std::vector<std::uint32_t>> boxLineSums(const Image& picture, std::uint32_t radius, Edge edge, bool vertical);

}  // namespace lanewise::golden
