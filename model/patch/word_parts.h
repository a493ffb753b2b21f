// Integers of 8 and 16 bits, for which there are no atomics, as parts of 32-bit words: what a programmer would declare to mend a race of
// updates of them.
//
// Source: SPIR-V 1.6, 3.42.18 "Atomic Instructions". Promise: another variable of words takes the place of the one of parts, in all
// accesses; updates are atomics of the word, other stores clear their part and then set it, loads take it from the word. Gaps: the variable
// is an array of such integers in workgroup memory, or a buffer that is no array of descriptors, and all that goes there loads or stores
// one part by an access chain; a sum that leaves its part changes the next one. The result is not validated.
#pragma once

#include <set>

#include "model/patch/additions.h"

namespace lanewise {

// Whether the variable can be one of words.
bool takesWords(const spirv::Module& module, std::uint32_t variable);

// Makes it one. `before`: by the word of an instruction what is put in front of it; `dropped`: what goes.
void makeWords(const spirv::Module& module, std::uint32_t variable, Additions& added, std::map<std::uint32_t, Additions::Words>& before,
               std::set<std::uint32_t>& dropped);

}  // namespace lanewise
