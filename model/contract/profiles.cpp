#include "model/contract/profiles.h"

namespace lanewise {
namespace {

void setLimits(Profile& p, std::uint32_t invocations, std::uint32_t sizeZ, std::uint32_t shared, std::uint32_t push) {
  p.maxWorkgroupInvocations = invocations;
  p.maxWorkgroupSize[0] = p.maxWorkgroupSize[1] = invocations;
  p.maxWorkgroupSize[2] = sizeZ;
  p.maxSharedMemory = shared;
  p.maxPushConstants = push;
}

// Signed zeros, infinities and NaNs can be preserved by all three; the rest as named.
FloatControls controls(bool denormPreserve, bool rte, bool rtz) {
  return {.denormPreserve = denormPreserve, .denormFlushToZero = false, .roundingModeRTE = rte, .roundingModeRTZ = rtz};
}

Profile adverse() {
  Profile p;
  p.name = "adverse";
  p.subgroupMapping = SubgroupMapping::kInterleaved;
  for (std::uint32_t& count : p.maxWorkgroupCount) count = 65535;
  p.rounding = Rounding::kTowardZero;
  p.denormals = p.denormals16 = p.denormals64 = Denormals::kFlush;
  p.fusedMultiplyAdd = true;
  p.minMax = MinMax::kSecond;
  p.roundTies = Ties::kAwayFromZero;
  p.mix = Mix::kFusedDelta;
  p.smoothStep = SmoothStep::kSquareLast;
  p.fract = Fract::kBelowOne;
  p.inverseSqrt = InverseSqrt::kReciprocal;
  p.powZeroZero = PowZeroZero::kNan;
  p.floatToInteger = FloatToInteger::kAllOnes;
  p.packHalf = Rounding::kTowardZero;
  p.unpackNorm = NormDecode::kReciprocal;
  p.divideByZero = DivideByZero::kDivisorAllOnes;
  p.signedModulo = SignedModulo::kRemainder;
  p.texel = {.decode = NormDecode::kReciprocal,
             .encode = NormEncode::kTruncated,
             .nan = NanStore::kLargest,
             .saturateIntegers = false,
             .half = Rounding::kTowardZero};
  p.outsideBuffer = OutsideBuffer::kWithin;
  p.outsideImage = OutsideImage::kAlphaOne;
  p.cutWeights = true;
  p.bothLevels = true;
  p.fusedFilter = true;
  return p;
}

Profile lavapipe() {
  Profile p;
  p.name = "lavapipe";
  p.description = "Mesa 22.3.6, LLVM 15, 256-bit vectors";
  p.apiVersion = "1.3.230";
  p.subgroupSize = p.minSubgroupSize = p.maxSubgroupSize = 8;
  setLimits(p, 1024, 1024, 32768, 128);
  for (std::uint32_t& count : p.maxWorkgroupCount) count = 65535;
  p.minMax = MinMax::kNumberSecond;
  p.smoothStep = SmoothStep::kSquareLast;
  p.inverseSqrt = InverseSqrt::kReciprocal;
  p.powZeroZero = PowZeroZero::kZero;
  p.floatToInteger = FloatToInteger::kAllOnes;
  p.divideByZero = DivideByZero::kSignedZero;
  p.signedModulo = SignedModulo::kRemainder;
  p.float16 = p.float32 = p.float64 = controls(false, true, false);
  p.texel = {.decode = NormDecode::kReciprocal, .nan = NanStore::kLargest, .half = Rounding::kTowardZero};
  p.outsideImage = OutsideImage::kByFormat;
  p.subTexelBits = 0;
  p.fusedFilter = true;
  return p;
}

Profile swiftshader() {
  Profile p;
  p.name = "swiftshader";
  p.description = "SwiftShader of Chromium 156 (Subzero)";
  p.apiVersion = "1.3.0";
  p.subgroupSize = p.minSubgroupSize = p.maxSubgroupSize = 4;
  setLimits(p, 256, 64, 32768, 128);
  for (std::uint32_t& count : p.maxWorkgroupCount) count = 65535;
  p.denormals = Denormals::kFlush;
  p.minMax = MinMax::kSecond;
  p.mix = Mix::kDelta;
  p.fract = Fract::kBelowOne;
  p.inverseSqrt = InverseSqrt::kReciprocal;
  p.floatToInteger = FloatToInteger::kSplit;
  p.unpackNorm = NormDecode::kReciprocal;
  p.divideByZero = DivideByZero::kDivisorAllOnes;
  p.float16 = p.float32 = p.float64 = controls(false, false, false);
  p.denormIndependence = p.roundingIndependence = Independence::kNone;
  p.texel = {.decode = NormDecode::kReciprocal, .nan = NanStore::kLowest, .saturateIntegers = false};
  p.outsideImage = OutsideImage::kByFormat;
  p.subTexelBits = 0;
  return p;
}

Profile nvidia() {
  Profile p;
  p.name = "nvidia";
  p.description = "NVIDIA H200, driver 580.159.04";
  p.apiVersion = "1.4.312";
  p.subgroupSize = p.minSubgroupSize = p.maxSubgroupSize = 32;
  setLimits(p, 1024, 64, 49152, 256);
  p.maxWorkgroupCount[0] = 0x7fffffffu;
  p.maxWorkgroupCount[1] = p.maxWorkgroupCount[2] = 65535;
  p.denormals = Denormals::kFlush;
  p.fusedMultiplyAdd = true;
  p.mix = Mix::kFusedDelta;
  p.powZeroZero = PowZeroZero::kNan;
  p.unpackNorm = NormDecode::kReciprocal;
  p.float16 = controls(true, true, false);
  p.float32 = p.float64 = controls(false, true, true);
  p.texel = {.encode = NormEncode::kTruncated, .half = Rounding::kTowardZero};
  p.outsideImage = OutsideImage::kByFormat;
  return p;
}

}  // namespace

std::vector<std::string_view> profileNames() {
  return {"strict", "adverse", "lavapipe", "swiftshader", "nvidia"};
}

std::optional<Profile> profileByName(std::string_view name) {
  if (name == "strict") return Profile{};
  if (name == "adverse") return adverse();
  if (name == "lavapipe") return lavapipe();
  if (name == "swiftshader") return swiftshader();
  if (name == "nvidia") return nvidia();
  return std::nullopt;
}

}  // namespace lanewise
