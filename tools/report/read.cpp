#include "tools/report/read.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>

#include "tools/catalogue/catalogue.h"
#include "tools/report/tally.h"

namespace lanewise {
namespace {

using Json = nlohmann::json;

constexpr const char* kReportHint = "name the folder of a report, as `lanewise validate --report FOLDER` writes it, or its report.json";

// One of a list of names by its number; Json's own exception for others, which readJson() catches.
template <class E, std::size_t n>
E named(const Json& json, const char* (*nameOf)(E), const E (&all)[n]) {
  const auto text = json.get<std::string>();
  for (const E e : all)
    if (nameOf(e) == text) return e;
  throw Json::other_error::create(501, fmt::format("'{}' is none of the names", text), &json);
}

Outcome outcomeOf(const Json& json) {
  return named(json, outcomeName,
               {Outcome::kOk, Outcome::kFinding, Outcome::kBadInput, Outcome::kUnsupported, Outcome::kDeviceTrouble,
                Outcome::kGoldenTrouble, Outcome::kIoError, Outcome::kInternal, Outcome::kInterrupted});
}

Verdict verdictOf(const Json& json) {
  return named(json, verdictName, {Verdict::kNotRun, Verdict::kOk, Verdict::kMismatch, Verdict::kError, Verdict::kNotApplicable});
}

Error errorOf(const Json& json) {
  return {outcomeOf(json.at("outcome")), json.at("what"), json.at("where"), json.at("hint")};
}

golden::Component componentOf(const Json& json) {
  const auto text = json.get<std::string>();
  if (const std::optional<golden::Component> c = golden::componentNamed(text)) return *c;
  throw Json::other_error::create(501, "no such component: " + text, &json);
}

golden::TexelDiff texelOf(const Json& json) {
  golden::TexelDiff t;
  t.level = json.at("level");
  t.x = json.at("x");
  t.y = json.at("y");
  t.channel = json.at("channel");
  t.expectedBits = json.at("expectedBits");
  t.gotBits = json.at("gotBits");
  t.units = json.at("units");
  t.leastBits = json.value("leastBits", std::uint64_t{0});
  t.greatestBits = json.value("greatestBits", std::uint64_t{0});
  return t;
}

golden::Diff diffOf(const Json& json) {
  golden::Diff diff;
  diff.component = componentOf(json.at("component"));
  diff.components = json.at("components");
  diff.differing = json.at("differing");
  diff.beyond = json.at("beyondTolerance");
  diff.maximum = json.at("maximum");
  diff.undefinedTexels = json.value("neverWrittenTexels", std::uint64_t{0});
  diff.psnr = json.value("psnr", std::numeric_limits<double>::quiet_NaN());
  for (const Json& bucket : json.at("histogram")) {
    const auto least = bucket.at(0).get<std::uint64_t>();
    diff.histogram[static_cast<std::size_t>(std::bit_width(least))] = bucket.at(1);
  }
  if (json.contains("first")) diff.first = texelOf(json["first"]);
  if (json.contains("worst"))
    for (const Json& t : json["worst"]) diff.worst.push_back(texelOf(t));
  return diff;
}

SideResult sideOf(const Json& json) {
  SideResult side;
  side.verdict = verdictOf(json.at("verdict"));
  side.seconds = json.value("seconds", 0.0);
  if (json.contains("hash")) side.hash = golden::hashFromText(json["hash"].get<std::string>());
  if (json.contains("error")) side.error = errorOf(json["error"]);
  if (!json.contains("diff")) return side;
  side.output = json.at("output");
  side.extent = {json.at("extent").at(0), json.at("extent").at(1)};
  side.channels = json.at("channels");
  side.diff = std::make_shared<const golden::Diff>(diffOf(json["diff"]));
  return side;
}

GoldenState goldenOf(const Json& json) {
  const auto text = json.get<std::string>();
  if (const std::optional<GoldenState> state = goldenStateOf(text)) return *state;
  throw Json::other_error::create(501, "not a state of a golden: " + text, &json);
}

using CaseOfName = std::function<Expected<Case>(std::string_view)>;

Expected<CaseResult> caseOf(const Json& json, const std::vector<SideInfo>& sides, const CaseOfName& named) {
  CaseResult c;
  Expected<Case> what = named(json.at("name").get<std::string>());
  if (!what) return what.error();
  c.what = std::move(*what);
  c.golden = goldenOf(json.at("golden"));
  if (json.contains("trouble")) c.trouble = errorOf(json["trouble"]);
  c.refused = json.value("refused", "");
  c.opens = json.value("opens", "");
  if (json.contains("numbers"))
    for (const Json& n : json["numbers"]) c.numbers.push_back({n.at("name"), n.at("fraction"), n.at("decimal")});
  for (const SideInfo& side : sides) c.sides.push_back(sideOf(json.at("sides").at(side.name)));
  return c;
}

Arbitration arbitrationOf(const Json& json, const SweepResult& result) {
  Arbitration f;
  const auto name = json.at("case").get<std::string>();
  while (f.caseIndex < result.cases.size() && result.cases[f.caseIndex].what.name() != name) ++f.caseIndex;
  if (f.caseIndex == result.cases.size()) throw Json::other_error::create(501, "an arbitration without a case: " + name, &json);
  f.smallest = json.at("smallest");
  f.texel = json.at("texel");
  f.shrinking = json.at("shrinking");
  f.stored = json.at("stored");
  f.opens = json.value("opens", "");
  f.sliceSummary = json.at("sliceSummary");
  f.slice = json.at("slice").get<std::vector<std::string>>();
  if (json.contains("suspects")) f.suspects = json["suspects"].get<std::vector<std::string>>();
  f.rulings = json.at("rulings").get<std::vector<std::string>>();
  f.reasons = json.at("reasons").get<std::vector<std::string>>();
  f.capsule = json.at("capsule");
  return f;
}

Expected<SweepResult> resultOf(const Json& json, const CaseOfName& named) {
  if (json.at("schema") != "lanewise-report-1")
    return Error{Outcome::kBadInput, "not a report of the schema lanewise-report-1", "", kReportHint};
  SweepResult result;
  const auto hash = json.at("plan").at("hash").get<std::string>();
  std::from_chars(hash.data(), hash.data() + hash.size(), result.plan.hash, 16);
  result.plan.cases = json.at("plan").at("cases");
  result.shard = {json.at("plan").at("shard"), json.at("plan").at("of")};
  if (result.shard.count == 0 || result.shard.index - 1 >= result.shard.count)
    return Error{Outcome::kBadInput, "no such part: " + result.shard.text(), "plan", ""};
  result.interrupted = json.at("interrupted");
  result.seconds = json.at("seconds");
  result.recalled = json.at("recalled");
  for (const Json& note : json.at("notes")) result.notes.push_back(note);
  if (json.contains("trouble")) result.trouble = errorOf(json["trouble"]);
  for (const Json& side : json.at("sides"))
    result.sides.push_back({side.at("name"), side.at("description"), side.at("subgroupSize"), side.at("isModel")});
  for (const Json& one : json.at("cases")) {
    Expected<CaseResult> c = caseOf(one, result.sides, named);
    if (!c) return c.error();
    result.cases.push_back(std::move(*c));
  }
  for (const Json& finding : json.at("findings")) result.arbitrations.push_back(arbitrationOf(finding, result));
  return result;
}

}  // namespace

Expected<SweepResult> readJson(std::string_view text, const CaseOfName& named) {
  try {
    return resultOf(Json::parse(text), named);
  } catch (const Json::parse_error& wrong) {
    return Error{Outcome::kBadInput, fmt::format("no JSON: it ends or is wrong at byte {}", wrong.byte), "", kReportHint};
  } catch (const Json::exception& wrong) {  // the library's way of saying that a field is missing or of another kind
    const std::string_view what = wrong.what();
    const std::size_t name = what.find("] ");  // "[json.exception.out_of_range.403] key 'schema' not found"
    return Error{Outcome::kBadInput, fmt::format("not a report.json: {}", name == what.npos ? what : what.substr(name + 2)), "",
                 kReportHint};
  }
}

}  // namespace lanewise
