#include "model/base/outcome.h"

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

std::string Error::text() const {
  std::string out = what;
  if (!where.empty()) out += " (" + where + ")";
  if (!hint.empty()) out += "; " + hint;
  return out;
}

}  // namespace lanewise
