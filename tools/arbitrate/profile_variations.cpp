#include "tools/arbitrate/profile_variations.h"

#include <fmt/format.h>

#include <utility>

#include "model/contract/profiles.h"

namespace lanewise {
namespace {

template <class Change>
void vary(std::vector<ProfileVariation>& all, const char* name, const Change& change) {
  Profile p;
  change(p);
  all.push_back({name, std::move(p)});
}

}  // namespace

std::vector<ProfileVariation> profileVariations() {
  std::vector<ProfileVariation> all;
  vary(all, "rounding toward zero", [](Profile& p) { p.rounding = Rounding::kTowardZero; });
  vary(all, "denormals flushed", [](Profile& p) { p.denormals = p.denormals16 = p.denormals64 = Denormals::kFlush; });
  vary(all, "fused multiply-add", [](Profile& p) { p.fusedMultiplyAdd = true; });
  vary(all, "min and max give the second operand", [](Profile& p) { p.minMax = MinMax::kSecond; });
  vary(all, "min and max give the second zero", [](Profile& p) { p.minMax = MinMax::kNumberSecond; });
  vary(all, "ties away from zero", [](Profile& p) { p.roundTies = Ties::kAwayFromZero; });
  vary(all, "mix as x + (y - x) * a", [](Profile& p) { p.mix = Mix::kDelta; });
  vary(all, "mix as x + (y - x) * a, fused", [](Profile& p) { p.mix = Mix::kFusedDelta; });
  vary(all, "smoothstep as t * (t * (3 - 2t))", [](Profile& p) { p.smoothStep = SmoothStep::kSquareLast; });
  vary(all, "fract below one", [](Profile& p) { p.fract = Fract::kBelowOne; });
  vary(all, "inversesqrt as 1 / sqrt", [](Profile& p) { p.inverseSqrt = InverseSqrt::kReciprocal; });
  vary(all, "a float that does not fit gives all ones", [](Profile& p) { p.floatToInteger = FloatToInteger::kAllOnes; });
  vary(all, "a float that does not fit is converted in halves", [](Profile& p) { p.floatToInteger = FloatToInteger::kSplit; });
  vary(all, "halves packed toward zero", [](Profile& p) { p.packHalf = Rounding::kTowardZero; });
  vary(all, "codes unpacked through 1 / max", [](Profile& p) { p.unpackNorm = NormDecode::kReciprocal; });
  vary(all, "division by zero gives 0 if signed", [](Profile& p) { p.divideByZero = DivideByZero::kSignedZero; });
  vary(all, "division by zero divides by all ones", [](Profile& p) { p.divideByZero = DivideByZero::kDivisorAllOnes; });
  vary(all, "modulo of a negative number as the remainder", [](Profile& p) { p.signedModulo = SignedModulo::kRemainder; });
  vary(all, "texels decoded through 1 / max", [](Profile& p) { p.texel.decode = NormDecode::kReciprocal; });
  vary(all, "texels encoded by truncation", [](Profile& p) { p.texel.encode = NormEncode::kTruncated; });
  vary(all, "float texels rounded toward zero", [](Profile& p) { p.texel.half = Rounding::kTowardZero; });
  vary(all, "integers that do not fit keep their low bits", [](Profile& p) { p.texel.saturateIntegers = false; });
  vary(all, "accesses outside of a buffer go to its end", [](Profile& p) { p.outsideBuffer = OutsideBuffer::kWithin; });
  vary(all, "alpha 1 outside of an image whose format has none", [](Profile& p) { p.outsideImage = OutsideImage::kByFormat; });
  vary(all, "alpha 1 outside of every image", [](Profile& p) { p.outsideImage = OutsideImage::kAlphaOne; });
  vary(all, "filter weights cut", [](Profile& p) { p.cutWeights = true; });
  vary(all, "filter weights with all bits of a float", [](Profile& p) { p.subTexelBits = 0; });
  for (const std::string_view name : profileNames())
    if (name != "strict") all.push_back({fmt::format("profile {}", name), *profileByName(name)});
  return all;
}

}  // namespace lanewise
