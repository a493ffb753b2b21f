// Every choice that Vulkan leaves to an implementation, as one value. The model makes none of these choices itself but reads these fields.
// For a Vulkan device they are filled with what it reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanewise {

// The number of values of a choice's type, if it is not two. Values count from 0, the strict one.
template <class T>
inline constexpr std::uint32_t kValueCount = 2;

// Rounding direction of FAdd, FSub, FMul and conversions (spirvenv, "Precision of Core SPIR-V Instructions": correctly rounded, direction
// implementation-defined unless RoundingModeRTE or RTZ is declared).
enum class Rounding : std::uint8_t { kToNearestEven, kTowardZero };
// Denormal operands and results (spirvenv: "any denormalized value ... may be flushed to 0" unless DenormPreserve is declared).
enum class Denormals : std::uint8_t { kPreserve, kFlush };
// A float out of the range of the integer (OpConvertFToU, OpConvertFToS: "behavior is undefined"). kSaturate: the nearest integer, NaN
// gives 0. kAllOnes: x86's integer indefinite, unsigned all ones and signed the minimum. kSplit: unsigned as a signed conversion below
// 2^31, of x - 2^31 above, 0 if negative; signed the minimum.
enum class FloatToInteger : std::uint8_t { kSaturate, kAllOnes, kSplit };
template <>
inline constexpr std::uint32_t kValueCount<FloatToInteger> = 3;
// A zero divisor (OpUDiv, OpSDiv, OpUMod, OpSRem, OpSMod: "behavior is undefined"). kAllOnes: quotient and remainder have all bits set.
// kSignedZero: the same, but a signed quotient is 0. kDivisorAllOnes: the divisor becomes the integer with all bits set.
enum class DivideByZero : std::uint8_t { kAllOnes, kSignedZero, kDivisorAllOnes };
template <>
inline constexpr std::uint32_t kValueCount<DivideByZero> = 3;
// OpSMod with a negative operand (spirvenv: undefined without maintenance8). kFloor: the sign of the divisor, as SPIR-V says. kRemainder:
// as OpSRem.
enum class SignedModulo : std::uint8_t { kFloor, kRemainder };
// FMin, FMax, FClamp and, for zeros, NMin, NMax, NClamp (GLSL.std.450: a NaN operand gives either operand; +0 and -0 are equal). kNumber:
// never the NaN, -0 below +0. kNumberSecond: never the NaN, the second of two zeros. kSecond: the second operand unless the first is
// strictly less (greater), so a NaN gives the second.
enum class MinMax : std::uint8_t { kNumber, kNumberSecond, kSecond };
template <>
inline constexpr std::uint32_t kValueCount<MinMax> = 3;
// Round of a fraction of exactly 0.5 (GLSL.std.450 Round: "a direction chosen by the implementation").
enum class Ties : std::uint8_t { kEven, kAwayFromZero };
// FMix (GLSL.std.450: x*(1-a)+y*a, precision inherited, rearrangement allowed): the formula, x+(y-x)*a, or the same with one fma.
enum class Mix : std::uint8_t { kWeights, kDelta, kFusedDelta };
template <>
inline constexpr std::uint32_t kValueCount<Mix> = 3;
// SmoothStep (GLSL.std.450: t*t*(3-2t)): (t*t)*(3-2t) or t*(t*(3-2t)).
enum class SmoothStep : std::uint8_t { kSquareFirst, kSquareLast };
// Fract (GLSL.std.450: x - floor(x)): the formula, which gives 1 for a tiny negative x, or the largest number below 1
// unless the formula's value is less, also for NaN and infinities.
enum class Fract : std::uint8_t { kSubtract, kBelowOne };
// InverseSqrt (spirvenv: 2 ULP): correctly rounded, or 1/sqrt(x) with each operation rounded.
enum class InverseSqrt : std::uint8_t { kCorrect, kReciprocal };
// Pow(0, 0) (GLSL.std.450: undefined).
enum class PowZeroZero : std::uint8_t { kOne, kZero, kNan };
template <>
inline constexpr std::uint32_t kValueCount<PowZeroZero> = 3;
// A normalised code to a float (Vulkan, "Conversion From Normalized Fixed-Point": no rounding stated): the correctly rounded c/max, or
// c times the rounded 1/max.
enum class NormDecode : std::uint8_t { kDivide, kReciprocal };
// A float to a normalised texel (Vulkan, "Conversion From Floating-Point": one of the two nearest integers). kNearestEven: of the f32
// product x*max. kTruncated: |x| cut to 4 places more than the code has, then max times that, ties toward 0 (measured on NVIDIA for 8, 10
// and 16 bits).
enum class NormEncode : std::uint8_t { kNearestEven, kTruncated };

// A NaN to a normalised texel (Vulkan says nothing): 0, the lowest code (the same unless signed) or the largest.
enum class NanStore : std::uint8_t { kZero, kLowest, kLargest };
template <>
inline constexpr std::uint32_t kValueCount<NanStore> = 3;

// How texels are converted to shader values and back.
struct TexelRules {
  NormDecode decode = NormDecode::kDivide;
  NormEncode encode = NormEncode::kNearestEven;
  NanStore nan = NanStore::kZero;
  bool saturateIntegers = true;  // an integer that does not fit ("undefined") stores as the nearest that does, or keeps its low bits
  Rounding half = Rounding::kToNearestEven;  // float to 16-, 11- and 10-bit floats ("Floating-Point Format Conversions": either neighbour)
  friend bool operator==(const TexelRules&, const TexelRules&) = default;
};

// The float-control execution modes that a device supports for one width (VkPhysicalDeviceFloatControlsProperties).
struct FloatControls {
  bool signedZeroInfNanPreserve = true;
  bool denormPreserve = true;
  bool denormFlushToZero = true;
  bool roundingModeRTE = true;
  bool roundingModeRTZ = true;
};

// For a float-control choice: which widths of float may choose differently (VkShaderFloatControlsIndependence). k32Only: 32 bits may, but
// 16 and 64 bits choose the same; kNone: all choose the same. In the order of how much they require.
enum class Independence : std::uint8_t { kAll, k32Only, kNone };
// Whether two widths of float must choose the same.
constexpr bool makeOneChoice(Independence independence, std::uint32_t width, std::uint32_t other) {
  return width == other || independence == Independence::kNone || (independence == Independence::k32Only && width != 32 && other != 32);
}

// Which invocations of a workgroup are which lanes of which subgroup (Vulkan says only that each is in one). kLinear: in the order of
// LocalInvocationIndex, as on all measured devices. kInterleaved: of n subgroups, invocation i is in subgroup i mod n.
enum class SubgroupMapping : std::uint8_t { kLinear, kInterleaved };
// An access outside of a uniform or storage buffer (Vulkan, "Shader Memory Access Bounds Checking"). kZero: a load gives 0, a store or
// atomic does nothing: all that robustBufferAccess2 allows. kWithin: each means the last whole element of the bound range, as
// robustBufferAccess allows: a load gives some value of the buffer, a store or atomic changes one. Its other answer to a load, (0, 0, 0,
// 1), is left out: whoever relies on 0 is told by kWithin. Memory of workgroups, push constants and device addresses have no robust access:
// always kZero.
enum class OutsideBuffer : std::uint8_t { kZero, kWithin };
// A texel read outside of an image or texel buffer, or of a level that is not there (Vulkan, "Texel Replacement"): 0, and alpha 0 (kZero);
// 1 where the format has no alpha (kByFormat, what robustImageAccess2 asks for); or 1 always (kAlphaOne, which robustImageAccess allows).
// A write outside is dropped by all.
enum class OutsideImage : std::uint8_t { kZero, kByFormat, kAlphaOne };
template <>
inline constexpr std::uint32_t kValueCount<OutsideImage> = 3;

struct Profile {
  std::string name = "strict";  // "strict", or the device's name as `--devices` takes it
  std::string description;      // the device's own name, driver and version; empty for the model
  std::string apiVersion;       // e.g. "1.3.230"; empty for the model

  // Execution.
  std::uint32_t subgroupSize = 32;    // subgroupSize of VkPhysicalDeviceSubgroupProperties; a power of two from 1 to 128
  std::uint32_t minSubgroupSize = 1;  // VkPhysicalDeviceSubgroupSizeControlProperties
  std::uint32_t maxSubgroupSize = 128;
  SubgroupMapping subgroupMapping = SubgroupMapping::kLinear;
  std::uint32_t maxWorkgroupInvocations = 1024;  // maxComputeWorkGroupInvocations
  std::uint32_t maxWorkgroupSize[3] = {1024, 1024, 64};
  std::uint32_t maxWorkgroupCount[3] = {0xffffffffu, 0xffffffffu, 0xffffffffu};
  std::uint32_t maxSharedMemory = 65536;  // maxComputeSharedMemorySize, bytes
  std::uint32_t maxPushConstants = 256;   // maxPushConstantsSize, bytes

  // Floating point.
  Rounding rounding = Rounding::kToNearestEven;
  Denormals denormals = Denormals::kPreserve;  // of 32-bit floats
  Denormals denormals16 = Denormals::kPreserve;
  Denormals denormals64 = Denormals::kPreserve;
  bool fusedMultiplyAdd = false;  // GLSL.std.450 Fma: one rounding (true) or FMul then FAdd
  MinMax minMax = MinMax::kNumber;
  Ties roundTies = Ties::kEven;
  Mix mix = Mix::kWeights;
  SmoothStep smoothStep = SmoothStep::kSquareFirst;
  Fract fract = Fract::kSubtract;
  InverseSqrt inverseSqrt = InverseSqrt::kCorrect;
  PowZeroZero powZeroZero = PowZeroZero::kOne;
  FloatToInteger floatToInteger = FloatToInteger::kSaturate;
  Rounding packHalf = Rounding::kToNearestEven;  // PackHalf2x16, OpQuantizeToF16: float controls do not apply (spirvenv)
  NormDecode unpackNorm = NormDecode::kDivide;   // UnpackUnorm4x8 and its kin

  // Integers.
  DivideByZero divideByZero = DivideByZero::kAllOnes;
  SignedModulo signedModulo = SignedModulo::kFloor;

  // Images, and what is not there.
  TexelRules texel;
  OutsideBuffer outsideBuffer = OutsideBuffer::kZero;
  OutsideImage outsideImage = OutsideImage::kZero;
  std::uint32_t subTexelBits = 8;  // subTexelPrecisionBits of linear filtering's weights; 0: the whole float fraction
  bool cutWeights = false;         // bits beyond these are cut off (true) or rounded to the nearest
  bool bothLevels = false;         // a mip level of weight 0 is filtered too, and counts as 0 times its value
  bool fusedFilter = false;        // linear filtering's a + (b - a) * t: one rounding for product and sum (true) or two

  // What a module may ask for.
  FloatControls float16, float32, float64;
  Independence denormIndependence = Independence::kAll;    // denormBehaviorIndependence
  Independence roundingIndependence = Independence::kAll;  // roundingModeIndependence
  // SPIR-V capabilities that a device takes, by name, in the order of their numbers, then "samplerFilterMinmax" if it has that feature, and
  // "vkCmdBlitImage" if its queue takes that command; empty for the model, which answers per instruction.
  std::vector<std::string> capabilities;
};

}  // namespace lanewise
