// jsonText() of report.h. read.cpp reads it.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/report/report.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

Json errorJson(const Error& error) {
  return {{"outcome", outcomeName(error.outcome)}, {"what", error.what}, {"where", error.where}, {"hint", error.hint}};
}

Json texelJson(const golden::TexelDiff& t, golden::Component component) {
  Json json = {{"level", t.level},
               {"x", t.x},
               {"y", t.y},
               {"channel", t.channel},
               {"expected", golden::valueText(component, t.expectedBits)},
               {"got", golden::valueText(component, t.gotBits)},
               {"expectedBits", t.expectedBits},
               {"gotBits", t.gotBits},
               {"units", t.units}};
  if (t.leastBits != t.greatestBits) json["leastBits"] = t.leastBits, json["greatestBits"] = t.greatestBits;
  return json;
}

// The filled buckets: the least difference of each, and how many components.
Json histogramJson(const golden::Diff& diff) {
  Json json = Json::array();
  for (std::size_t i = 0; i < golden::Diff::kBuckets; ++i)
    if (diff.histogram[i] != 0) json.push_back({i == 0 ? 0 : std::uint64_t{1} << (i - 1), diff.histogram[i]});
  return json;
}

Json diffJson(const golden::Diff& diff) {
  Json json = {{"component", golden::componentName(diff.component)},
               {"components", diff.components},
               {"differing", diff.differing},
               {"beyondTolerance", diff.beyond},
               {"maximum", diff.maximum},
               {"histogram", histogramJson(diff)}};
  if (std::isfinite(diff.psnr)) json["psnr"] = diff.psnr;
  if (diff.undefinedTexels != 0) json["neverWrittenTexels"] = diff.undefinedTexels;
  if (diff.first) json["first"] = texelJson(*diff.first, diff.component);
  for (const golden::TexelDiff& t : diff.worst) json["worst"].push_back(texelJson(t, diff.component));
  return json;
}

Json sideJson(const SideResult& side) {
  Json json = {{"verdict", verdictName(side.verdict)}};
  if (side.seconds > 0) json["seconds"] = side.seconds;
  if (side.hash) json["hash"] = golden::hashText(*side.hash);
  if (side.diff) json["output"] = side.output;
  if (side.diff) json["extent"] = {side.extent.width, side.extent.height}, json["channels"] = side.channels;
  if (side.diff) json["diff"] = diffJson(*side.diff);
  if (side.error) json["error"] = errorJson(*side.error);
  return json;
}

Json caseJson(const SweepResult& result, const CaseResult& c) {
  Json json = {{"name", c.what.name()}, {"kernel", c.what.kernel->name}, {"golden", goldenName(c)}};
  if (c.trouble) json["trouble"] = errorJson(*c.trouble);
  if (!c.refused.empty()) json["refused"] = c.refused;
  for (const NumberText& n : c.numbers) json["numbers"].push_back({{"name", n.name}, {"fraction", n.fraction}, {"decimal", n.decimal}});
  const std::string verdict = arbitration(result, c);
  if (!verdict.empty()) json["arbitration"] = verdict;
  if (!c.opens.empty()) json["opens"] = c.opens;
  for (std::size_t s = 0; s < c.sides.size(); ++s) json["sides"][result.sides[s].name] = sideJson(c.sides[s]);
  return json;
}

Json summaryJson(const SweepResult& result) {
  Json rows = Json::array();
  for (const KernelRow& row : kernelRows(result)) {
    Json json = {{"kernel", row.kernel},         {"cases", row.cases},      {"goldenAgrees", row.golden}, {"oracleOnly", row.oracle},
                 {"goldenTrouble", row.trouble}, {"noReference", row.none}, {"recorded", row.recorded}};
    for (std::size_t s = 0; s < row.sides.size(); ++s) {
      Json& side = json["sides"][result.sides[s].name];
      for (std::size_t v = 0; v < row.sides[s].counts.size(); ++v) side[verdictName(static_cast<Verdict>(v))] = row.sides[s].counts[v];
    }
    rows.push_back(std::move(json));
  }
  return rows;
}

Json arbitrationJson(const SweepResult& result, const Arbitration& f) {
  return {{"case", result.cases[f.caseIndex].what.name()},
          {"smallest", f.smallest},
          {"texel", f.texel},
          {"shrinking", f.shrinking},
          {"stored", f.stored},
          {"opens", f.opens},
          {"sliceSummary", f.sliceSummary},
          {"slice", f.slice},
          {"suspects", f.suspects},
          {"rulings", f.rulings},
          {"reasons", f.reasons},
          {"capsule", f.capsule}};
}

}  // namespace

std::string jsonText(const SweepResult& result, const ReportHeader& header) {
  Json json = {{"schema", "lanewise-report-1"},
               {"version", LANEWISE_VERSION},
               {"command", header.command},
               {"date", header.date},
               {"outcome", outcomeName(result.outcome())},
               {"exitCode", static_cast<int>(result.outcome())},
               {"verdict", verdictText(result)},
               {"judged", unprovedText(result)},
               {"interrupted", result.interrupted},
               {"seconds", result.seconds},
               {"recalled", result.recalled},
               {"notes", result.notes}};
  json["plan"] = {{"cases", result.plan.cases},
                  {"hash", fmt::format("{:016x}", result.plan.hash)},
                  {"shard", result.shard.index},
                  {"of", result.shard.count}};
  if (result.trouble) json["trouble"] = errorJson(*result.trouble);
  json["sides"] = Json::array();
  for (const SideInfo& side : result.sides)
    json["sides"].push_back(
        {{"name", side.name}, {"description", side.description}, {"subgroupSize", side.subgroupSize}, {"isModel", side.isModel}});
  json["summary"] = summaryJson(result);
  json["cases"] = Json::array();
  for (const CaseResult& c : result.cases)
    if (c.began()) json["cases"].push_back(caseJson(result, c));
  json["findings"] = Json::array();
  for (const Arbitration& f : result.arbitrations) json["findings"].push_back(arbitrationJson(result, f));
  // File names may hold any bytes: those that are no UTF-8 are replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lanewise
