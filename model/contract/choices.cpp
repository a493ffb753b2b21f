#include "model/contract/choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <type_traits>
#include <vector>

namespace lanewise {
namespace {

constexpr const char* kPrecision = "Vulkan, Precision of Core SPIR-V Instructions";
constexpr const char* kGlslPrecision = "Vulkan, Precision of GLSL.std.450 Instructions";
constexpr const char* kGlsl = "GLSL.std.450";
constexpr const char* kSpirv = "SPIR-V, undefined";
constexpr const char* kTexels = "Vulkan, Floating-Point and Fixed-Point Conversions";
constexpr const char* kBounds = "Vulkan, Shader Memory Access Bounds Checking";
constexpr const char* kReplacement = "Vulkan, Texel Replacement";
constexpr const char* kFiltering = "Vulkan, Texel Filtering";

// The names of a type's values.
template <class T>
constexpr const char* kNames[kValueCount<T>];
#define VALUES(type) \
  template <>        \
  constexpr const char* kNames<type>[] = {
#define VALUE(enumerator, name) name,
#define END \
  }         \
  ;
#include "model/contract/profile.inc"

template <std::size_t N>
using Values = std::array<ChoiceValue, N>;
template <class T, std::size_t N>
constexpr Values<N + 1> valuesOf(const char* const (&texts)[N]) {
  static_assert(N + 1 == kValueCount<T>, "a value has no text");
  Values<N + 1> out{ChoiceValue{kNames<T>[0], ""}};
  for (std::size_t i = 0; i < N; ++i) out[i + 1] = {kNames<T>[i + 1], texts[i]};
  return out;
}
constexpr Values<2> yesOrNo(bool strict, const char* text) {
  return {ChoiceValue{strict ? "yes" : "no", ""}, {strict ? "no" : "yes", text}};
}

// By field.
namespace values {
#define CHOICE(type, field, clause, taken, ...) constexpr auto field = valuesOf<type>({__VA_ARGS__});
#define FLAG(strict, field, clause, taken, text) constexpr auto field = yesOrNo(strict, text);
#include "model/contract/profile.inc"
namespace texel {
#define TEXEL(type, field, clause, taken, ...) constexpr auto field = valuesOf<type>({__VA_ARGS__});
#define TEXEL_FLAG(strict, field, clause, taken, text) constexpr auto field = yesOrNo(strict, text);
#include "model/contract/profile.inc"
}  // namespace texel
}  // namespace values

// `Field` gives the field of a profile. Values are counted from the strict one: the value itself, except for a bool that is true in the
// strict profile.
template <auto Field>
constexpr Choice choice(const char* name, const char* clause, std::span<const ChoiceValue> values, Taken taken, bool withPrevious = false) {
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
            auto& field = Field(p);
            field = static_cast<std::remove_reference_t<decltype(field)>>(value ^ static_cast<std::uint32_t>(Field(strict)));
          },
          withPrevious};
}

#define FIELD(name)      \
  [](auto& p) -> auto& { \
    return p.name;       \
  }
#define TAKEN(...) \
  Taken {          \
    __VA_ARGS__    \
  }
constexpr Choice kChoices[] = {
#define CHOICE(type, field, clause, taken, ...) choice<FIELD(field)>(#field, clause, values::field, taken),
#define WITH_PREVIOUS(type, field, clause, taken, ...) choice<FIELD(field)>(#field, clause, values::field, taken, true),
#define FLAG CHOICE
#define TEXEL(type, field, clause, taken, ...) choice<FIELD(texel.field)>("texel." #field, clause, values::texel::field, taken),
#define TEXEL_FLAG TEXEL
#include "model/contract/profile.inc"
};
#undef FIELD
#undef TAKEN

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
