// Accepted findings, those of an earlier check, and what findings are called.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "model/base/text.h"
#include "model/check/race_text.h"
#include "tools/check/check.h"

namespace lanewise {

Status acceptFindings(CheckResult& result, const std::string& file, const std::string& text) {
  constexpr std::string_view kReason = " # ";
  std::istringstream in(text);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos || line[0] == '#') continue;
    const std::size_t reason = line.find(kReason);
    if (reason == std::string::npos || line.find_first_not_of(' ', reason + kReason.size()) == std::string::npos)
      return Error{Outcome::kBadInput, "an accepted finding without a reason", fmt::format("{}, line {}", file, number),
                   "write: KEY # why it is accepted"};
    const std::string key = trimmed(line.substr(0, reason));
    bool occurs = false;
    for (CheckFinding& f : result.findings)
      if (f.key() == key) {
        f.accepted = line.substr(reason + kReason.size());
        occurs = true;
      }
    // Of an interrupted check that is not known.
    if (!occurs && !result.interrupted) result.unmatched.push_back(key);
  }
  return std::nullopt;
}

Status leaveOutKnown(CheckResult& result, const std::string& file, const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const Error wrong{Outcome::kBadInput, "not what `lanewise check --json` prints", file,
                    "write it with: lanewise check SUBJECT --json > FILE"};
  if (!json.is_object() || !json.contains("findings") || !json["findings"].is_array()) return wrong;
  std::set<std::string> known;
  for (const nlohmann::json& f : json["findings"]) {
    if (!f.is_object() || !f.contains("key") || !f["key"].is_string()) return wrong;
    known.insert(f["key"].get<std::string>());
  }
  result.inBaseline = std::erase_if(result.findings, [&](const CheckFinding& f) { return known.contains(f.key()); });
  return std::nullopt;
}

std::string CheckFinding::kind() const {
  switch (what) {
    case What::kReported:
      return findingName(finding.kind);
    case What::kWrongResult:
      return "wrong result";
    case What::kDependence:
      return fmt::format("depends on {}", axisName(axis));
    case What::kError:
      break;
  }
  return outcomeName(outcome);
}

std::string CheckFinding::key() const {
  const auto orderOf = [](const InstructionPlace& p) { return std::tuple(p.file, p.line, p.line == 0 ? p.word : 0); };
  const InstructionPlace *place = &finding.at, *other = &finding.otherAt;
  // Whichever of the two a run meets first.
  if (what == What::kReported && isRace(finding.kind) && !other->empty() && orderOf(*place) < orderOf(*other)) std::swap(place, other);
  std::string key = fmt::format("{} {}", kind(), place->empty() ? group : place->text());
  if (!finding.object.variable.empty()) key += " " + finding.object.variable;
  // Who would store what one waits for differs from order to order.
  if (!other->empty() && finding.kind != FindingKind::kWaits) key += " against " + other->text();
  return alsoLoads ? key + ", two stores" : key;
}

}  // namespace lanewise
