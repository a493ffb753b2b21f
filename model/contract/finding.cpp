#include "model/contract/finding.h"

#include <fmt/format.h>

namespace lanewise {

const char* findingName(FindingKind kind) {
#define FINDING(kind, name, ...) name,
  constexpr const char* kNames[] = {
#include "model/contract/findings.inc"
  };
#undef FINDING
  return kNames[static_cast<std::size_t>(kind)];
}

bool says(FindingKind kind, unsigned any) {
  using namespace finding;
#define FINDING(kind, name, says, ...) says,
  constexpr unsigned kSays[] = {
#include "model/contract/findings.inc"
  };
#undef FINDING
  return (kSays[static_cast<std::size_t>(kind)] & any) != 0;
}

FindingRule findingRule(FindingKind kind) {
#define FINDING(kind, name, says, what, mends) {what, mends},
  constexpr FindingRule kRules[] = {
#include "model/contract/findings.inc"
  };
#undef FINDING
  return kRules[static_cast<std::size_t>(kind)];
}

std::string InstructionPlace::text() const {
  if (empty()) return {};
  return line != 0 ? fmt::format("{}:{}", file, line) : fmt::format("{}, word {}", file, word);
}

std::string RunFinding::text() const {
  std::string out = at.empty() ? std::string() : at.text() + ": ";
  out += findingName(kind);
  if (!instruction.empty()) out += fmt::format(": {}{}", instruction, object.variable.empty() ? "" : " of");
  if (!object.variable.empty()) out += fmt::format(" '{}'", object.text());
  if (!place.empty()) out += ", " + place;
  if (!at.empty()) out += fmt::format(", invocation {},{},{} of dispatch {}", invocation[0], invocation[1], invocation[2], dispatch);
  if (!other.empty()) out += "; " + other;
  if (!mend.empty()) out += "; " + mend;
  if (count > 1) out += fmt::format(" ({} times)", count);
  return out;
}

}  // namespace lanewise
