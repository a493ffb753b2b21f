#include "model/base/outcome.h"

#include <algorithm>

#include "model/base/visible.h"

namespace lanewise {

const char* outcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kFinding:
      return "finding";
    case Outcome::kBadInput:
      return "bad input";
    case Outcome::kUnsupported:
      return "unsupported";
    case Outcome::kDeviceTrouble:
      return "device trouble";
    case Outcome::kGoldenTrouble:
      return "golden trouble";
    case Outcome::kIoError:
      return "input/output error";
    case Outcome::kInternal:
      return "internal error";
    case Outcome::kInterrupted:
      return "interrupted";
  }
  return "unknown outcome";
}

Outcome gravest(std::span<const Outcome> seen) {
  constexpr Outcome kWorstFirst[] = {Outcome::kInternal, Outcome::kFinding,     Outcome::kGoldenTrouble, Outcome::kDeviceTrouble,
                                     Outcome::kIoError,  Outcome::kUnsupported, Outcome::kBadInput};
  for (const Outcome worst : kWorstFirst)
    if (std::ranges::find(seen, worst) != seen.end()) return worst;
  return Outcome::kOk;
}

std::string Error::text() const {
  std::string out = what;
  if (!where.empty()) out += " (" + where + ")";
  if (!hint.empty()) out += "; " + hint;
  return visible(out);  // it may quote a file
}

}  // namespace lanewise
