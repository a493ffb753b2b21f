// Values of a kernel's parameters on the command line: `--with NAME=VALUE`, and the short options for it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/catalogue/catalogue.h"

namespace lanewise {

// A list of "radius=0..3,7" or "edge=clamp,zero". Bad input: no '=', an empty name or value, a parameter named twice.
Expected<std::vector<NamedValues>> parseWith(std::span<const std::string> pairs);

// The same for a short option, with a value such as "0..3,7" or "clamp,zero". Does nothing if the option was not given.
Status addShort(std::string_view option, const char* parameter, const std::string& text, std::vector<NamedValues>& into);

// Bad input if none of these kernels has a parameter that --with names.
Status checkKnown(std::span<const NamedValues> with, std::span<const Kernel* const> kernels);

// The case with these values, one for each named parameter. Bad input: several values, or a parameter that the kernel does not have.
Expected<Case> withValues(Case c, std::span<const NamedValues> with);

// Whether the case has one of the values for every named parameter.
bool hasValues(const Case& c, std::span<const NamedValues> with);

}  // namespace lanewise
