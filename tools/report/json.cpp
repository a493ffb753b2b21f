#include <nlohmann/json.hpp>

#include "tools/report/report.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

const char* goldenText(GoldenState state) {
  constexpr const char* kNames[] = {"not checked", "agrees", "oracle only", "trouble"};
  return kNames[static_cast<std::size_t>(state)];
}

Json errorJson(const Error& error) {
  return {{"outcome", outcomeName(error.outcome)}, {"what", error.what}, {"where", error.where}, {"hint", error.hint}};
}

Json diffJson(const golden::Diff& diff) {
  Json json = {{"components", diff.components}, {"differing", diff.differing}, {"beyondTolerance", diff.beyond}, {"maximum", diff.maximum}};
  if (diff.undefinedTexels != 0) json["neverWrittenTexels"] = diff.undefinedTexels;
  if (diff.first)
    json["first"] = {{"level", diff.first->level},
                     {"x", diff.first->x},
                     {"y", diff.first->y},
                     {"channel", diff.first->channel},
                     {"expected", golden::valueText(diff.component, diff.first->expectedBits)},
                     {"got", golden::valueText(diff.component, diff.first->gotBits)}};
  return json;
}

Json sideJson(const SideResult& side) {
  Json json = {{"verdict", verdictName(side.verdict)}};
  if (side.seconds > 0) json["seconds"] = side.seconds;
  if (side.hash) json["hash"] = golden::hashText(*side.hash);
  if (side.diff) json["output"] = side.output;
  if (side.diff) json["diff"] = diffJson(*side.diff);
  if (side.error) json["error"] = errorJson(*side.error);
  return json;
}

Json caseJson(const SweepResult& result, const CaseResult& c) {
  Json json = {{"name", c.what.name()}, {"kernel", c.what.kernel->name}, {"golden", goldenText(c.golden)}};
  if (c.trouble) json["trouble"] = errorJson(*c.trouble);
  const std::string verdict = arbitration(result, c);
  if (!verdict.empty()) json["arbitration"] = verdict;
  for (std::size_t s = 0; s < c.sides.size(); ++s) json["sides"][result.sides[s].name] = sideJson(c.sides[s]);
  return json;
}

Json summaryJson(const SweepResult& result) {
  Json rows = Json::array();
  for (const KernelRow& row : kernelRows(result)) {
    Json json = {{"kernel", row.kernel},
                 {"cases", row.cases},
                 {"goldenAgrees", row.golden},
                 {"oracleOnly", row.oracle},
                 {"goldenTrouble", row.trouble}};
    for (std::size_t s = 0; s < row.sides.size(); ++s) {
      Json& side = json["sides"][result.sides[s].name];
      for (std::size_t v = 0; v < row.sides[s].counts.size(); ++v) side[verdictName(static_cast<Verdict>(v))] = row.sides[s].counts[v];
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

}  // namespace

std::string jsonText(const SweepResult& result, const ReportHeader& header) {
  Json json = {{"schema", "lanewise-report-1"},
               {"version", LANEWISE_VERSION},
               {"command", header.command},
               {"date", header.date},
               {"outcome", outcomeName(result.outcome())},
               {"exitCode", static_cast<int>(result.outcome())},
               {"interrupted", result.interrupted},
               {"seconds", result.seconds},
               {"notes", result.notes}};
  json["sides"] = Json::array();
  for (const SideInfo& side : result.sides)
    json["sides"].push_back({{"name", side.name}, {"description", side.description}, {"subgroupSize", side.subgroupSize}});
  json["summary"] = summaryJson(result);
  json["cases"] = Json::array();
  for (const CaseResult& c : result.cases) json["cases"].push_back(caseJson(result, c));
  // File names may hold any bytes: those that are no UTF-8 are replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanewise
