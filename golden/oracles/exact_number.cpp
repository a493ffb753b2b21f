#include "golden/oracles/exact_number.h"

#include <algorithm>
#include <numeric>

namespace lanewise::golden {
namespace {

constexpr std::uint64_t kBillion = 1'000'000'000;

Natural greatestCommonDivisor(Natural a, Natural b) {
  while (!b.isZero()) {
    Natural rest = divide(a, b).remainder;
    a = std::move(b);
    b = std::move(rest);
  }
  return a;
}

// The least common multiple of 1 to 255: each prime as often as fits.
Natural commonDenominator() {
  Natural product = 1;
  for (std::uint64_t p = 2; p < 256; ++p) {
    bool prime = true;
    for (std::uint64_t d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
    std::uint64_t power = p;
    while (power * p < 256) power *= p;
    if (prime) product = product * power;
  }
  return product;
}

std::string nineDigits(std::uint64_t n) {
  const std::string digits = std::to_string(n);
  return std::string(9 - digits.size(), '0') + digits;
}

}  // namespace

std::string numberText(const Natural& n) {
  std::string text;
  Natural rest = n;
  while (rest >= Natural(kBillion)) {
    const Division d = divide(rest, kBillion);
    text = nineDigits(d.remainder.low64()) + text;
    rest = d.quotient;
  }
  return std::to_string(rest.low64()) + text;
}

std::string ExactNumber::fraction() const {
  const Natural common = greatestCommonDivisor(value.numerator, value.denominator);
  const std::string above = numberText(divide(value.numerator, common).quotient),
                    below = numberText(divide(value.denominator, common).quotient);
  return (root ? "the square root of " : "") + above + (below == "1" ? "" : "/" + below);
}

std::string ExactNumber::decimal() const {
  // Twice the billions, rounded down; half of it, rounded up, is the nearest.
  const Natural scale = root ? Natural(4) * kBillion * kBillion : Natural(2) * kBillion;
  const Natural scaled = divide(value.numerator * scale, value.denominator).quotient;
  const Division parts = divide((root ? squareRoot(scaled) : scaled) + 1, 2);
  const Division d = divide(parts.quotient, kBillion);
  return numberText(d.quotient) + "." + nineDigits(d.remainder.low64());
}

ExactNumber meanSaturation(const Image& sums, std::uint64_t texels) {
  const Natural common = commonDenominator();
  Natural total;
  for (std::uint32_t m = 1; m < 256; ++m) total = total + divide(common, m).quotient * sums.get<std::uint64_t>(0, m, 0);
  return {"mean saturation", {total, common * texels}};
}

std::vector<ExactNumber> sobelMoments(const Image& sums, std::uint64_t texels) {
  const Natural sum = sums.get<std::uint64_t>(0, 0, 0), squares = sums.get<std::uint64_t>(0, 1, 0), n = texels;
  return {{"mean of the edges", {sum, n}}, {"variance of the edges", {n * squares - sum * sum, n * n}}};
}

ExactNumber cosineOf(const Image& sums) {
  const auto sum = [&](std::uint32_t which) {
    Natural n;
    for (std::uint32_t word = 4; word-- > 0;) n = (n << 32) + sums.get<std::uint32_t>(0, 4 * which + word, 0);
    return n;
  };
  const Natural dot = sum(0);
  return {"cosine", {dot * dot, sum(1) * sum(2)}, true};
}

}  // namespace lanewise::golden
