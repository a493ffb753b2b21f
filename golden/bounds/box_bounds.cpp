#include "golden/bounds/box_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanewise::golden {
namespace {

// One pass, as proved in the header: the error of its means from the error of its inputs.
double passError(const BoxFloatForm& form, double error, std::uint32_t length, double k) {
  const double u = std::ldexp(1.0, -form.sumBits);
  const double n = form.segment == 0 ? length : std::min(length, form.segment);
  const double roundings = form.accumulated ? k + 2 * (n - 1) : k - 1;
  if (roundings * u >= 1) return std::numeric_limits<double>::infinity();
  const double sum = roundings * u / (1 - roundings * u) * (form.accumulated ? (k + 1) / k : 1);
  return error + (1 + error) * ((1 + sum) * (1 + 6 * u) - 1);
}

double u(const BoxFloatForm& form) {
  return std::ldexp(1.0, -form.sumBits);
}

// E from the error of a mean. The last factor covers the roundings of this computation.
double inCodes(const BoxFloatForm& form, double error) {
  return (255 * error + 512 * u(form)) * (1 + 1e-9);
}

// E of one pass over codes.
double codeError(const BoxFloatForm& form, std::uint32_t length, std::uint32_t radius, bool vertical) {
  return inCodes(form, passError(form, 2 * u(form) + form.loadError[vertical], length, 2.0 * radius + 1));
}

// floor(sum / divisor - E + 1/2) of every sum, or + E, as codes.
void addCodes(Image& codes, const std::vector<std::uint32_t>& sums, std::uint64_t divisor, double error) {
  // In units of 2^-20 codes, rounded up; 256 codes say everything.
  const double most = std::clamp(error, -256.0, 256.0);
  const auto shift = static_cast<std::int64_t>(std::copysign(std::ceil(std::ldexp(std::fabs(most), 20)), most));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const __int128 numerator = (static_cast<__int128>(sums[i]) << 21) + static_cast<__int128>(divisor) * (2 * shift + (1 << 20));
    const __int128 code = numerator < 0 ? 0 : numerator / (static_cast<__int128>(divisor) << 21);
    codes.bytes[i] = static_cast<std::byte>(std::min<__int128>(255, code));
  }
}

// One pass with codes before and after, of both ends of the bounds.
Status codePass(const BoxFloatForm& form, Bounds& bounds, std::uint32_t radius, Edge edge, bool vertical) {
  const double error = codeError(form, vertical ? bounds.low.extent.height : bounds.low.extent.width, radius, vertical);
  for (const auto& [end, sign] : {std::pair{&bounds.low, -1.0}, std::pair{&bounds.high, 1.0}}) {
    const auto sums = boxLineSums(*end, radius, edge, vertical);
    if (!sums) return sums.error();
    addCodes(*end, *sums, 2 * std::uint64_t{radius} + 1, sign * error);
  }
  return std::nullopt;
}

}  // namespace

double boxFloatError(const BoxFloatForm& form, Extent extent, std::uint32_t radius) {
  if (form.contract == BoxForm::kDouble)
    return std::max(codeError(form, extent.width, radius, false), codeError(form, extent.height, radius, true));
  const double k = 2.0 * radius + 1;
  const double loading = 2 * u(form) + form.loadError[0];
  if (form.onePass) return inCodes(form, passError(form, loading, 1, k * k));
  double error = passError(form, loading, extent.width, k);
  error += std::ldexp(2.0, -form.storeBits) * (1 + error);
  return inCodes(form, passError(form, error + form.loadError[1], extent.height, k));
}

Expected<Bounds> boxBlurBounds(const BoxFloatForm& form, const Image& picture, std::uint32_t radius, Edge edge) {
  Bounds bounds{picture, picture};
  if (form.contract == BoxForm::kDouble) {
    if (Status bad = codePass(form, bounds, radius, edge, false)) return *bad;
    if (Status bad = codePass(form, bounds, radius, edge, true)) return *bad;
    return bounds;
  }
  const auto sums = boxSums(picture, radius, edge);
  if (!sums) return sums.error();
  const std::uint64_t k = 2 * std::uint64_t{radius} + 1;
  const double error = boxFloatError(form, picture.extent, radius);
  addCodes(bounds.low, *sums, k * k, -error);
  addCodes(bounds.high, *sums, k * k, error);
  return bounds;
}

}  // namespace lanewise::golden
