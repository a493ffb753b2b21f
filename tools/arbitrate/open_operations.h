// What Vulkan leaves open, as data: the operations whose result two conforming devices may differ in, and the variations of Profile that
// stand for the known ways of doing them.
//
// Sources: Vulkan, "Precision and Operation of SPIR-V Instructions" (spirvenv), its format conversion rules, SPIR-V and GLSL.std.450. An
// operation that is not in the table has one result. Integers wrap, comparisons of numbers and bit operations are exact; images read and
// written as integers are exact where the value fits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/profile.h"
#include "tools/arbitrate/slice.h"

namespace lanewise {

struct OpenOperation {
  enum class When : std::uint8_t { kAlways, kOnFloats, kByZero };
  std::uint32_t code = 0;  // ir::Code: SPIR-V's number, or GLSL.std.450's with kGlsl added
  When when = When::kAlways;
  const char* open = "";  // what is left open, with the bound where there is one
};

// nullptr where Vulkan leaves nothing open in what this step did.
const OpenOperation* openOperation(const SliceStep& step);

// One way of doing things, as a change of the strict profile.
struct ProfileVariation {
  std::string name;  // "denormals flushed", "profile nvidia"
  Profile profile;
};
std::vector<ProfileVariation> profileVariations();

}  // namespace lanewise
