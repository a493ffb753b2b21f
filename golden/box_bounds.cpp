#include "golden/box_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanewise::golden {
namespace {

// One pass, as the header proves: the error of its means from the error of its inputs.
double passError(const BoxFloatForm& form, double error, double n, double k) {
  const double u = std::ldexp(1.0, -form.sumBits);
  const double roundings = form.accumulated ? k + 2 * (n - 1) : k - 1;
  if (roundings * u >= 1) return std::numeric_limits<double>::infinity();
  const double sum = roundings * u / (1 - roundings * u) * (form.accumulated ? (k + 1) / k : 1);
  return error + (1 + error) * ((1 + sum) * (1 + 6 * u) - 1);
}

}  // namespace

double boxFloatError(const BoxFloatForm& form, Extent extent, std::uint32_t radius) {
  const double u = std::ldexp(1.0, -form.sumBits), k = 2.0 * radius + 1;
  double error = passError(form, 2 * u, extent.width, k);
  error += std::ldexp(2.0, -form.storeBits) * (1 + error);
  error = passError(form, error, extent.height, k);
  return (255 * error + 512 * u + form.extra) * (1 + 1e-9);  // the last factor for the roundings of this very computation
}

Expected<Bounds> boxBlurBounds(const BoxFloatForm& form, const Image& picture, std::uint32_t radius, Edge edge) {
  const auto sums = boxSums(picture, radius, edge);
  if (!sums) return sums.error();
  // In units of 2^-20 codes, rounded up; 256 codes say everything.
  const double error = std::min(256.0, boxFloatError(form, picture.extent, radius));
  const auto units = static_cast<std::int64_t>(std::ceil(std::ldexp(error, 20)));
  const auto divisor = static_cast<__int128>(2 * std::uint64_t{radius} + 1) * (2 * radius + 1);
  const auto code = [&](std::uint32_t sum, std::int64_t shift) {
    // floor(sum / divisor + shift / 2^20 + 1/2)
    const __int128 numerator = (static_cast<__int128>(sum) << 21) + divisor * (2 * shift + (1 << 20));
    return numerator < 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::min<__int128>(255, numerator / (divisor << 21)));
  };
  Bounds bounds{picture, picture};
  for (std::size_t i = 0; i < sums->size(); ++i) {
    bounds.low.bytes[i] = std::byte{code((*sums)[i], -units)};
    bounds.high.bytes[i] = std::byte{code((*sums)[i], units)};
  }
  return bounds;
}

}  // namespace lanewise::golden
