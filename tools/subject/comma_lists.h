// Lists on the command line. Every Error is bad input and names the option and what is allowed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/contract/profile.h"
#include "tools/catalogue/kernel.h"

namespace lanewise {

// "33x65,1..8x1..8": single sizes, and ranges for either side, which give every combination.
Expected<std::vector<Size>> parseSizes(std::string_view option, std::string_view text);
// "0,1,7" and "0..63", as texts for Parameter::parse; each number is at most 2^32 - 1.
Expected<std::vector<std::string>> parseNumbers(std::string_view option, std::string_view text);
// "a,b,c": names, none empty.
Expected<std::vector<std::string>> parseNames(std::string_view option, std::string_view text);
// The same for inputs, whose values may have commas: a comma ends an input if a letter follows it, as in "noise:1,list:255,0,ramp". Inputs
// are returned as golden/image/inputs.h prints them.
Expected<std::vector<std::string>> parseInputs(std::string_view option, std::string_view text);
// "1,4,32".
Expected<std::vector<std::uint32_t>> parseSubgroupSizes(std::string_view option, std::string_view text);
// A profile by its name, and choices that differ from it: "lavapipe,minMax=number".
Expected<Profile> parseProfile(const std::string& text);
// The help text of `--profile`.
std::string profileHelp();
// "3", "3,0" or "3,0,1", as gl_GlobalInvocationID.
Expected<Extent3> parseInvocation(std::string_view option, std::string_view text);

}  // namespace lanewise
