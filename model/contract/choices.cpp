#include "model/contract/choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>
#include <vector>

namespace lanewise {
namespace {

// `Field` gives the field of a profile.
template <auto Field>
using TypeOf = std::remove_reference_t<decltype(Field(std::declval<Profile&>()))>;

// Values are counted from the strict one: the value itself, except for a bool that is true in the strict profile.
template <auto Field>
constexpr Choice choice(const char* name, const char* clause, const ChoiceValue (&values)[kValueCount<TypeOf<Field>>], Taken taken) {
  using T = TypeOf<Field>;
  return {name,
          clause,
          values,
          taken,
          [](const Profile& p) {
            const Profile strict;
            return static_cast<std::uint32_t>(Field(p)) ^ static_cast<std::uint32_t>(Field(strict));
          },
          [](Profile& p, std::uint32_t value) {
            const Profile strict;
            Field(p) = static_cast<T>(value ^ static_cast<std::uint32_t>(Field(strict)));
          }};
}

constexpr Choice together(Choice c) {
  c.withPrevious = true;
  return c;
}

#define FIELD(name)      \
  [](auto& p) -> auto& { \
    return p.name;       \
  }

constexpr ChoiceValue kRounding[] = {{"to-nearest-even", ""}, {"toward-zero", "rounding toward zero"}};
constexpr ChoiceValue kDenormals[] = {{"preserve", ""}, {"flush", "denormals flushed"}};
constexpr ChoiceValue kFused[] = {{"no", ""}, {"yes", "fused multiply-add"}};
constexpr ChoiceValue kMinMax[] = {
    {"number", ""}, {"number-second", "min and max give the second zero"}, {"second", "min and max give the second operand"}};
constexpr ChoiceValue kTies[] = {{"even", ""}, {"away-from-zero", "ties away from zero"}};
constexpr ChoiceValue kMix[] = {{"weights", ""}, {"delta", "mix as x + (y - x) * a"}, {"fused-delta", "mix as x + (y - x) * a, fused"}};
constexpr ChoiceValue kSmoothStep[] = {{"square-first", ""}, {"square-last", "smoothstep as t * (t * (3 - 2t))"}};
constexpr ChoiceValue kFract[] = {{"subtract", ""}, {"below-one", "fract below one"}};
constexpr ChoiceValue kInverseSqrt[] = {{"correct", ""}, {"reciprocal", "inversesqrt as 1 / sqrt"}};
constexpr ChoiceValue kPowZeroZero[] = {{"one", ""}, {"zero", "pow(0, 0) gives 0"}, {"nan", "pow(0, 0) gives a NaN"}};
constexpr ChoiceValue kFloatToInteger[] = {{"saturate", ""},
                                           {"all-ones", "a float that does not fit gives all ones"},
                                           {"split", "a float that does not fit is converted in halves"}};
constexpr ChoiceValue kPackHalf[] = {{"to-nearest-even", ""}, {"toward-zero", "halves packed toward zero"}};
constexpr ChoiceValue kUnpackNorm[] = {{"divide", ""}, {"reciprocal", "codes unpacked through 1 / max"}};
constexpr ChoiceValue kDivideByZero[] = {
    {"all-ones", ""}, {"signed-zero", "division by zero gives 0 if signed"}, {"divisor-all-ones", "division by zero divides by all ones"}};
constexpr ChoiceValue kSignedModulo[] = {{"floor", ""}, {"remainder", "modulo of a negative number as the remainder"}};
constexpr ChoiceValue kDecode[] = {{"divide", ""}, {"reciprocal", "texels decoded through 1 / max"}};
constexpr ChoiceValue kEncode[] = {{"nearest-even", ""}, {"truncated", "texels encoded by truncation"}};
constexpr ChoiceValue kNan[] = {
    {"zero", ""}, {"lowest", "a NaN is stored as the lowest code"}, {"largest", "a NaN is stored as the largest code"}};
constexpr ChoiceValue kTexelHalf[] = {{"to-nearest-even", ""}, {"toward-zero", "float texels rounded toward zero"}};
constexpr ChoiceValue kSaturate[] = {{"yes", ""}, {"no", "integers that do not fit keep their low bits"}};
constexpr ChoiceValue kOutsideBuffer[] = {{"zero", ""}, {"within", "accesses outside of a buffer go to its end"}};
constexpr ChoiceValue kOutsideImage[] = {
    {"zero", ""}, {"by-format", "alpha 1 outside of an image whose format has none"}, {"alpha-one", "alpha 1 outside of every image"}};
constexpr ChoiceValue kCutWeights[] = {{"no", ""}, {"yes", "filter weights cut"}};
constexpr ChoiceValue kBothLevels[] = {{"no", ""}, {"yes", "levels of weight 0 filtered too"}};
constexpr ChoiceValue kFusedFilter[] = {{"no", ""}, {"yes", "filtering fused"}};
constexpr ChoiceValue kSubgroupMapping[] = {{"linear", ""}, {"interleaved", "interleaved subgroups"}};

constexpr const char* kPrecision = "Vulkan, Precision of Core SPIR-V Instructions";
constexpr const char* kGlslPrecision = "Vulkan, Precision of GLSL.std.450 Instructions";
constexpr const char* kGlsl = "GLSL.std.450";
constexpr const char* kSpirv = "SPIR-V, undefined";
constexpr const char* kTexels = "Vulkan, Floating-Point and Fixed-Point Conversions";
constexpr const char* kBounds = "Vulkan, Shader Memory Access Bounds Checking";
constexpr const char* kReplacement = "Vulkan, Texel Replacement";
constexpr const char* kFiltering = "Vulkan, Texel Filtering";

constexpr Choice kChoices[] = {
    choice<FIELD(rounding)>("rounding", kPrecision, kRounding, {}),
    choice<FIELD(denormals)>("denormals", kPrecision, kDenormals, {.swiftshader = 1, .nvidia = 1}),
    together(choice<FIELD(denormals16)>("denormals16", kPrecision, kDenormals, {})),
    together(choice<FIELD(denormals64)>("denormals64", kPrecision, kDenormals, {})),
    choice<FIELD(fusedMultiplyAdd)>("fusedMultiplyAdd", kGlsl, kFused, {.nvidia = 1}),
    choice<FIELD(minMax)>("minMax", kGlsl, kMinMax, {.adverse = 2, .lavapipe = 1, .swiftshader = 2}),
    choice<FIELD(roundTies)>("roundTies", kGlsl, kTies, {}),
    choice<FIELD(mix)>("mix", kGlslPrecision, kMix, {.adverse = 2, .swiftshader = 1, .nvidia = 2}),
    choice<FIELD(smoothStep)>("smoothStep", kGlslPrecision, kSmoothStep, {.lavapipe = 1}),
    choice<FIELD(fract)>("fract", kGlslPrecision, kFract, {.swiftshader = 1}),
    choice<FIELD(inverseSqrt)>("inverseSqrt", kGlslPrecision, kInverseSqrt, {.lavapipe = 1, .swiftshader = 1}),
    choice<FIELD(powZeroZero)>("powZeroZero", kGlsl, kPowZeroZero, {.adverse = 2, .lavapipe = 1, .nvidia = 2}),
    choice<FIELD(floatToInteger)>("floatToInteger", kSpirv, kFloatToInteger, {.lavapipe = 1, .swiftshader = 2}),
    choice<FIELD(packHalf)>("packHalf", kPrecision, kPackHalf, {}),
    choice<FIELD(unpackNorm)>("unpackNorm", kGlslPrecision, kUnpackNorm, {.swiftshader = 1, .nvidia = 1}),
    choice<FIELD(divideByZero)>("divideByZero", kSpirv, kDivideByZero, {.adverse = 2, .lavapipe = 1, .swiftshader = 2}),
    choice<FIELD(signedModulo)>("signedModulo", kPrecision, kSignedModulo, {.lavapipe = 1}),
    choice<FIELD(texel.decode)>("texel.decode", kTexels, kDecode, {.lavapipe = 1, .swiftshader = 1}),
    choice<FIELD(texel.encode)>("texel.encode", kTexels, kEncode, {.nvidia = 1}),
    choice<FIELD(texel.nan)>("texel.nan", kTexels, kNan, {.adverse = 2, .lavapipe = 2, .swiftshader = 1}),
    choice<FIELD(texel.half)>("texel.half", kTexels, kTexelHalf, {.lavapipe = 1, .nvidia = 1}),
    choice<FIELD(texel.saturateIntegers)>("texel.saturateIntegers", kTexels, kSaturate, {.swiftshader = 1}),
    choice<FIELD(outsideBuffer)>("outsideBuffer", kBounds, kOutsideBuffer, {}),
    choice<FIELD(outsideImage)>("outsideImage", kReplacement, kOutsideImage, {.adverse = 2, .lavapipe = 1, .swiftshader = 1, .nvidia = 1}),
    choice<FIELD(cutWeights)>("cutWeights", kFiltering, kCutWeights, {}),
    choice<FIELD(bothLevels)>("bothLevels", kFiltering, kBothLevels, {}),
    choice<FIELD(fusedFilter)>("fusedFilter", kFiltering, kFusedFilter, {.lavapipe = 1}),
    choice<FIELD(subgroupMapping)>("subgroupMapping", "Vulkan, Subgroups", kSubgroupMapping, {}),
};
#undef FIELD

template <class Row>
std::string namesOf(std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.emplace_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::span<const Choice> choices() {
  return kChoices;
}

Status setChoice(Profile& profile, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : assignment.substr(equals + 1);
  for (const Choice& c : kChoices) {
    if (name != c.name) continue;
    for (std::uint32_t i = 0; i < c.values.size(); ++i)
      if (value == c.values[i].name) {
        c.set(profile, i);
        return {};
      }
    return Error{Outcome::kBadInput, fmt::format("'{}' is not a value of the choice {}", value, name), "--profile",
                 fmt::format("one of {}", namesOf(c.values))};
  }
  return Error{Outcome::kBadInput, fmt::format("no such choice of a profile: '{}'", name), "--profile",
               fmt::format("one of {}", namesOf(choices()))};
}

}  // namespace lanewise
