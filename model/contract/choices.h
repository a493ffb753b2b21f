// The list of a profile's choices: for each its name, its values, the clause that leaves it open, and what the shipped profiles take.
//
// A choice is a field of Profile (profile.h, where its comment says what each value does) and a row of choices.cpp. From the row derive
// the shipped profiles (profiles.cpp), `--profile NAME,choice=value`, what a profile is printed as, what a worker sends of its device, and
// the variations that a ruling tries (tools/arbitrate).
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
  const char* text;  // "rounding toward zero": what differs from the strict value, for people
};

// What each shipped profile takes, as an index into the values; strict takes 0.
struct Taken {
  std::uint8_t adverse = 1, lavapipe = 0, swiftshader = 0, nvidia = 0;
};

struct Choice {
  const char* name;    // "minMax", "texel.decode"
  const char* clause;  // who leaves it open
  std::span<const ChoiceValue> values;
  Taken taken;
  std::uint32_t (*get)(const Profile&);
  void (*set)(Profile&, std::uint32_t);
  bool withPrevious = false;  // varied together with the choice before it
};

std::span<const Choice> choices();

// Sets "minMax=second". The Error (bad input) names what is allowed.
Status setChoice(Profile& profile, std::string_view assignment);

}  // namespace lanewise
