// The list of a profile's choices: for each its name, its values, the clause that leaves it open, and the values of the shipped profiles.
//
// A choice is a row of profile.inc, where a comment explains each value. These are derived from the row: the field of Profile, the shipped
// profiles (profiles.cpp), `--profile NAME,choice=value`, the printed profile, what a worker sends about its device, and the variations
// that a ruling tries (tools/arbitrate).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/base/outcome.h"
#include "model/contract/profile.h"

namespace lanewise {

struct ChoiceValue {
  const char* name;  // "toward-zero"
  const char* text;  // "rounding toward zero": the difference from the strict value, as text
};

// The choice of each shipped profile, as an index into the values; strict has 0.
struct Taken {
  std::uint8_t adverse = 1, lavapipe = 0, swiftshader = 0, nvidia = 0;
};

struct Choice {
  const char* name;    // "minMax", "texel.decode"
  const char* clause;  // the clause that leaves it open
  std::span<const ChoiceValue> values;
  Taken taken;
  std::uint32_t (*get)(const Profile&);
  void (*set)(Profile&, std::uint32_t);
  bool withPrevious = false;  // varied together with the choice before it
};

std::span<const Choice> choices();

// Sets a choice: "minMax=second". The Error (bad input) names what is allowed.
Status setChoice(Profile& profile, std::string_view assignment);

}  // namespace lanewise
