// Values of a kernel's parameters as the command line gives them: `--with NAME=VALUE`, and the options that are short for it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/catalogue/catalogue.h"

namespace lanewise {

// Options of their own for two parameters that nearly every kernel has.
inline constexpr const char* kRadiusParameter = "radius";
inline constexpr const char* kEdgeParameter = "edge";

// "radius=0..3,7" or "edge=clamp,zero", one after another. Bad input: no '=', an empty name or value, a parameter named twice.
Expected<std::vector<NamedValues>> parseWith(std::span<const std::string> pairs);

// The same for a short option, whose value is "0..3,7" or "clamp,zero"; nothing where it was not given.
Status addShort(std::string_view option, const char* parameter, const std::string& text, std::vector<NamedValues>& into);

// Bad input where a parameter that --with names belongs to none of these kernels.
Status checkKnown(std::span<const NamedValues> with, std::span<const Kernel* const> kernels);

// The case with these values, one for each parameter that is named. Bad input: several values, or a parameter that the kernel has not.
Expected<Case> withValues(Case c, std::span<const NamedValues> with);

// Has the case one of the values for every parameter that is named?
bool hasValues(const Case& c, std::span<const NamedValues> with);

}  // namespace lanewise
