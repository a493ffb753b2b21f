// Why a mutant may survive: changes that no conforming run can tell from the kernel as it is. A row names the rule, a part of the place and
// a part of the change, and says why. A survivor without a row is a hole in the quick set.
#include "tools/selftest/selftest.h"

namespace lanewise {
namespace {

struct Reason {
  const char* rule;    // empty: any
  const char* module;  // a part of its name; empty: any
  const char* place;
  const char* change;
  const char* why;
};

constexpr Reason kReasons[] = {
    {"barrier weakened", "", "", "", "order that only a checker of races sees: the model runs barriers and atomics in one order of memory"},
};

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

std::string survivorReason(const MutantResult& m) {
  for (const Reason& r : kReasons)
    if (holds(m.rule, r.rule) && holds(m.module, r.module) && holds(m.place, r.place) && holds(m.change, r.change)) return r.why;
  return {};
}

}  // namespace lanewise
