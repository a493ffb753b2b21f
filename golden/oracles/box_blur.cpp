// How the fast form works. Along one axis let P[i] be the sum of the first i of n values. Consider the edge-extended values, and their sum
// at 0 .. m-1 for any integer m (for a negative m: minus the values at m .. -1). That sum is a combination of at most six P's, which
// addExtendedSum() finds. A window sum is the difference of two such sums. Everything is computed in integers modulo 2^64, which is exact
// because the result is below 2^33.
#include "golden/oracles/box_blur.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lanewise::golden {
namespace {

constexpr std::uint32_t kMaxRadiusSingle = 1448;
constexpr std::uint32_t kMaxRadiusDouble = ((0xFFFFFFFFu / 511) - 1) / 2;

// coefficient * P[index]
struct Term {
  std::int64_t index;
  std::int64_t coefficient;
};

struct Terms {
  Term list[12];  // at most six for either end of a window
  int count = 0;
  void add(std::int64_t index, std::int64_t coefficient) {
    if (index != 0 && coefficient != 0) list[count++] = {index, coefficient};  // P[0] is 0
  }
};

// Adds sign times the sum of the extended values at 0 .. m-1.
void addExtendedSum(Terms& terms, std::int64_t m, std::int64_t n, Edge edge, std::int64_t sign) {
  if (edge == Edge::kClamp || edge == Edge::kZero) {
    terms.add(std::clamp<std::int64_t>(m, 0, n), sign);
    if (edge == Edge::kZero) return;
    if (m < 0) terms.add(1, sign * m);  // m copies of value 0, which is P[1]
    if (m > n) {                        // m - n copies of value n-1, which is P[n] - P[n-1]
      terms.add(n, sign * (m - n));
      terms.add(n - 1, -sign * (m - n));
    }
    return;
  }
  // One period is the values forward, then backward: all of them (mirror), or all but both ends (mirror-101).
  const std::int64_t period = edge == Edge::kMirror ? 2 * n : std::max<std::int64_t>(1, 2 * n - 2);
  const std::int64_t backEnd = period - n;  // how many values come backward; the first of them ends at P[mirrorAt]
  const std::int64_t mirrorAt = edge == Edge::kMirror ? n : n - 1;
  std::int64_t periods = m / period;
  std::int64_t rest = m % period;
  if (rest < 0) {
    rest += period;
    --periods;
  }
  terms.add(n, sign * periods);
  if (backEnd > 0) {
    terms.add(mirrorAt, sign * periods);
    terms.add(mirrorAt - backEnd, -sign * periods);
  }
  terms.add(std::min(rest, n), sign);
  if (rest > n) {
    terms.add(mirrorAt, sign);
    terms.add(mirrorAt - (rest - n), -sign);
  }
}

// The window sums at 0 .. n-1.
std::vector<Terms> windowTerms(std::int64_t n, std::uint32_t radius, Edge edge) {
  std::vector<Terms> windows(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    addExtendedSum(windows[static_cast<std::size_t>(i)], i + radius + 1, n, edge, 1);
    addExtendedSum(windows[static_cast<std::size_t>(i)], i - radius, n, edge, -1);
  }
  return windows;
}

// Window sums along the middle axis of values[outer][n][inner]. finish(sum) gives the value to store. The inner axis is processed in
// strips, so that the prefix sums stay in the cache.
template <class In, class Out, class Finish>
void windowSums(const In* values, Out* out, std::size_t outer, std::size_t n, std::size_t inner, std::uint32_t radius, Edge edge,
                Finish finish) {
  constexpr std::size_t kStrip = 256;
  std::vector<std::uint64_t> prefix((n + 1) * std::min(inner, kStrip));
  std::vector<std::uint64_t> sums(std::min(inner, kStrip));
  const std::vector<Terms> windows = windowTerms(static_cast<std::int64_t>(n), radius, edge);
  for (std::size_t o = 0; o < outer; ++o)
    for (std::size_t begin = 0; begin < inner; begin += kStrip) {
      const std::size_t lanes = std::min(kStrip, inner - begin);
      const In* from = values + o * n * inner + begin;
      Out* to = out + o * n * inner + begin;
      std::fill_n(prefix.begin(), lanes, 0);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t l = 0; l < lanes; ++l) prefix[(i + 1) * lanes + l] = prefix[i * lanes + l] + from[i * inner + l];
      for (std::size_t i = 0; i < n; ++i) {
        const Terms& terms = windows[i];
        std::fill_n(sums.begin(), lanes, 0);
        for (int t = 0; t < terms.count; ++t) {
          const std::uint64_t* p = prefix.data() + static_cast<std::size_t>(terms.list[t].index) * lanes;
          const auto coefficient = static_cast<std::uint64_t>(terms.list[t].coefficient);
          for (std::size_t l = 0; l < lanes; ++l) sums[l] += coefficient * p[l];
        }
        for (std::size_t l = 0; l < lanes; ++l) to[i * inner + l] = finish(sums[l]);
      }
    }
}

// The nearest integer to sum / divisor, for an odd divisor.
std::uint8_t roundedQuotient(std::uint64_t sum, std::uint64_t divisor) {
  return static_cast<std::uint8_t>((2 * sum + divisor) / (2 * divisor));
}

Status checkPicture(BoxForm form, const Image& picture, std::uint32_t radius) {
  if (picture.component != Component::kU8 || picture.levels != 1 || !picture.wellFormed())
    return Error{Outcome::kBadInput, "the box blur takes a picture of 8 bits and one level", shapeText(picture), ""};
  return boxBlurDomain(form, radius);
}

const std::uint8_t* bytesOf(const Image& image) {
  return reinterpret_cast<const std::uint8_t*>(image.bytes.data());
}
std::uint8_t* bytesOf(Image& image) {
  return reinterpret_cast<std::uint8_t*>(image.bytes.data());
}

}  // namespace

std::uint32_t boxBlurMaxRadius(BoxForm form) {
  return form == BoxForm::kSingle ? kMaxRadiusSingle : kMaxRadiusDouble;
}

Status boxBlurDomain(BoxForm form, std::uint32_t radius) {
  if (radius <= boxBlurMaxRadius(form)) return std::nullopt;
  return Error{Outcome::kBadInput,
               fmt::format("radius {} is beyond the {}-pass box blur", radius, form == BoxForm::kSingle ? "single" : "double"), "radius",
               fmt::format("the greatest is {}", boxBlurMaxRadius(form))};
}

Expected<Image> boxBlur(BoxForm form, const Image& picture, std::uint32_t radius, Edge edge) {
  if (Status bad = checkPicture(form, picture, radius)) return *bad;
  const std::size_t width = picture.extent.width, height = picture.extent.height, channels = picture.channels;
  const std::uint64_t k = 2 * std::uint64_t{radius} + 1;
  Image out = picture;
  if (form == BoxForm::kDouble) {
    Image rows = picture;
    const auto round = [k](std::uint64_t sum) { return roundedQuotient(sum, k); };
    windowSums(bytesOf(picture), bytesOf(rows), height, width, channels, radius, edge, round);
    windowSums(bytesOf(rows), bytesOf(out), 1, height, width * channels, radius, edge, round);
    return out;
  }
  const auto sums = boxSums(picture, radius, edge);
  if (!sums) return sums.error();
  for (std::size_t i = 0; i < sums->size(); ++i) bytesOf(out)[i] = roundedQuotient((*sums)[i], k * k);
  return out;
}

Expected<std::vector<std::uint32_t>> boxSums(const Image& picture, std::uint32_t radius, Edge edge) {
  if (Status bad = checkPicture(BoxForm::kSingle, picture, radius)) return *bad;
  const std::size_t width = picture.extent.width, height = picture.extent.height, channels = picture.channels;
  const auto keep = [](std::uint64_t sum) { return static_cast<std::uint32_t>(sum); };
  std::vector<std::uint32_t> rows(picture.bytes.size()), sums(picture.bytes.size());
  windowSums(bytesOf(picture), rows.data(), height, width, channels, radius, edge, keep);
  windowSums(rows.data(), sums.data(), 1, height, width * channels, radius, edge, keep);
  return sums;
}

Expected<std::vector<std::uint32_t>> boxLineSums(const Image& picture, std::uint32_t radius, Edge edge, bool vertical) {
  if (Status bad = checkPicture(BoxForm::kDouble, picture, radius)) return *bad;
  const std::size_t width = picture.extent.width, height = picture.extent.height, channels = picture.channels;
  const auto keep = [](std::uint64_t sum) { return static_cast<std::uint32_t>(sum); };
  std::vector<std::uint32_t> sums(picture.bytes.size());
  if (vertical)
    windowSums(bytesOf(picture), sums.data(), 1, height, width * channels, radius, edge, keep);
  else
    windowSums(bytesOf(picture), sums.data(), height, width, channels, radius, edge, keep);
  return sums;
}

}  // namespace lanewise::golden
