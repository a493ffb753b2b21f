// What reads bytes from outside, each as a function that takes any bytes. A finding is a crash, a sanitizer's report, or an abort by
// `require` where an answer is not one of the kinds that it may be.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace lanewise::fuzz {

using Bytes = std::span<const std::byte>;

void module(Bytes bytes);       // SPIR-V words: validated, parsed, run with findings within small limits
void assembly(Bytes bytes);     // the same, from text
void changed(Bytes bytes);      // a valid module, changed so that it stays valid
void description(Bytes bytes);  // a described kernel (TOML, formulas)
void script(Bytes bytes);       // AmberScript and its older form
void capsule(Bytes bytes);      // and what was read is written and read again
void state(Bytes bytes);        // the saved state of a run; what is taken runs to its end
void golden(Bytes bytes);       // a file of the store
void journal(Bytes bytes);      // of an interrupted run
void picture(Bytes bytes);      // a picture file, by the module for pictures

struct Target {
  std::string_view name;
  void (*run)(Bytes bytes);
};
inline constexpr Target kTargets[] = {
    {"module", module},   {"assembly", assembly}, {"changed", changed}, {"description", description}, {"script", script},
    {"capsule", capsule}, {"state", state},       {"golden", golden},   {"journal", journal},         {"picture", picture},
};

}  // namespace lanewise::fuzz
