// The result of a check for programs: JSON, SARIF 2.1.0, JUnit.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/check/check.h"
#include "tools/check/rules.h"
#include "tools/report/escape.h"
#include "tools/report/junit.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json textJson(const std::string& says) {
  return {{"text", says}};
}

// As RFC 3986 writes a path.
std::string escapedUri(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

constexpr std::string_view kFileScheme = "file://";
std::string fileUri(const std::string& path) {
  return fmt::format("{}{}", kFileScheme, escapedUri(path));
}

// A file as RFC 3986 names it: relative to the folder in which the program runs where it is below that, which is what viewers of a
// repository take; else whole.
std::string uriOf(const std::string& file) {
  std::error_code none;
  const std::filesystem::path here = std::filesystem::current_path(none), path = (here / file).lexically_normal();
  const std::filesystem::path relative = path.lexically_relative(here);
  const bool isBelow = !relative.empty() && *relative.begin() != "..";
  return isBelow ? escapedUri(relative.string()) : fileUri(path.string());
}

// The folder in which the program runs, to which relative names belong: an editor opens them from there, GitHub from the repository's root.
constexpr const char* kRoot = "%SRCROOT%";

Json rootsOf() {
  std::error_code none;
  return {
      {kRoot, {{"uri", fileUri((std::filesystem::current_path(none) / "").string())}, {"description", textJson("where lanewise ran")}}}};
}

// Where there is no line the first one: viewers of a repository refuse a whole file with a result that has no place in it.
Json locationOf(const std::string& file, std::uint32_t line) {
  const std::string uri = uriOf(file);
  Json artifact = {{"uri", uri}};
  if (!uri.starts_with(kFileScheme)) artifact["uriBaseId"] = kRoot;
  return {{"physicalLocation", {{"artifactLocation", artifact}, {"region", {{"startLine", std::max(line, 1u)}}}}}};
}

// GitHub wants all three texts, and shows the one in Markdown.
Json sarifRule(const CheckFinding& finding) {
  const FindingRule rule = ruleOf(finding);
  const std::string kind = finding.kind();
  const auto help = [&](const char* bold, const char* between) {
    return fmt::format("{0}{1}{0}: {2}.{3}{4}{5} and docs/check.md say more.", bold, kind, rule.what, between,
                       rule.mends.empty() ? "" : fmt::format("{0}What mends it{0}: {1}.{2}", bold, rule.mends, between), pageOf(finding));
  };
  return {{"id", kind},
          {"shortDescription", textJson(kind)},
          {"fullDescription", textJson(std::string(rule.what))},
          {"defaultConfiguration", {{"level", "error"}}},
          {"help", {{"text", help("", " ")}, {"markdown", help("**", "\n\n")}}}};
}

}  // namespace

std::string checkJson(const CheckResult& r, const std::string& subject) {
  Json json = {{"schema", "lanewise-check-1"},
               {"version", LANEWISE_VERSION},
               {"subject", subject},
               {"outcome", outcomeName(r.outcome())},
               {"findings", Json::array()}};
  for (const CheckFinding& f : r.findings)
    json["findings"].push_back({{"key", f.key()},
                                {"kind", f.kind()},
                                {"line", f.finding.at.text()},
                                {"object", f.finding.object.text()},
                                {"invocation", f.finding.invocation},
                                {"text", f.says},
                                {"mend", f.finding.mend},
                                {"subject", f.subject},
                                {"way", f.way},
                                {"promised", f.finding.promised == Schedule::Progress::kNone ? "" : progressName(f.finding.promised)},
                                {"opens", f.opens},
                                {"count", f.count},
                                {"accepted", f.accepted},
                                {"outcome", outcomeName(f.outcome)}});
  json["acceptedButGone"] = r.unmatched;
  json["dependsOn"] = Json::object();
  for (const auto& [axis, example] : r.depends) json["dependsOn"][axisName(axis)] = example.text;
  json["reduced"] = Json();
  if (const auto& m = r.reduced)
    json["reduced"] = {{"file", m->file}, {"before", m->before}, {"after", m->after}, {"tried", m->tried}, {"finished", m->finished}};
  if (!r.notReduced.empty()) json["reduced"] = {{"file", nullptr}, {"why", r.notReduced}};
  json["progress"] = progressName(r.progress);
  json["ways"] = r.ways;
  json["unable"] = r.unable;
  json["leftOut"] = r.leftOut;
  json["waiting"] = Json::array();
  for (const auto& [name, ended] : r.waiting) json["waiting"].push_back(name);
  json["large"] = r.large;
  json["beyondTheProfile"] = r.beyond;
  json["inBaseline"] = r.inBaseline;
  json["forgottenUses"] = r.forgottenUses;
  json["neverExecuted"] = r.coverage ? Json(missedLines(*r.coverage)) : Json();
  json["neverRead"] = r.coverage && r.cut == 0 ? Json(r.unread) : Json();
  json["deviceFaults"] = r.deviceFaults;
  json["excused"] = r.excused;
  json["refereed"] = {{"races", r.refereed.races}, {"silences", r.refereed.silences}, {"tooLong", r.refereed.tooLong}};
  json["orderFree"] = r.orderFree;
  const Certificate& c = r.certificate;
  json["explored"] = {{"jobs", c.explored},
                      {"withoutSubgroups", c.withoutSubgroups},
                      {"executions", c.executions},
                      {"repeated", c.repeated},
                      {"turns", c.turns},
                      {"staleSeeds", c.staleSeeds},
                      {"open", c.open}};
  json["jobs"] = r.jobs;
  json["runs"] = r.runs;
  json["unsupported"] = r.unsupported;
  json["seconds"] = r.seconds;
  return textOf(json);
}

std::string checkSarif(const CheckResult& r, const SarifTool& tool) {
  Json rules = Json::array(), results = Json::array();
  std::set<std::string> kinds;
  for (const CheckFinding& f : r.findings) {
    if (kinds.insert(f.kind()).second) rules.push_back(sarifRule(f));
    Json result = {
        {"ruleId", f.kind()}, {"level", "error"}, {"message", {{"text", f.says}}}, {"partialFingerprints", {{"key/v1", f.key()}}}};
    const InstructionPlace &at = f.finding.at, &other = f.finding.otherAt;
    result["locations"] = Json::array({locationOf(at.file.empty() ? f.group : at.file, at.line)});
    if (!other.empty() && !sameLine(at, other)) {
      Json related = locationOf(other.file, other.line);
      related["id"] = 1;
      related["message"] = textJson(f.finding.other);
      result["relatedLocations"] = Json::array({related});
    }
    if (!f.accepted.empty()) result["suppressions"] = Json::array({Json{{"kind", "external"}, {"justification", f.accepted}}});
    results.push_back(std::move(result));
  }
  Json driver = {{"name", "lanewise"}, {"version", tool.version}, {"rules", rules}};
  if (!tool.homepage.empty()) driver["informationUri"] = tool.homepage;
  Json run = {{"tool", {{"driver", driver}}}, {"originalUriBaseIds", rootsOf()}, {"results", results}};
  if (r.interrupted) run["invocations"] = Json::array({Json{{"executionSuccessful", false}}});
  return textOf({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}});
}

std::string checkJunit(const CheckResult& r, const std::string& subject) {
  JunitSuite suite{.name = subject, .seconds = r.seconds};
  const auto add = [&](const std::string& name, const char* element, const std::string& message, const std::string& text = {}) {
    ++suite.tests;
    suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(subject), escaped(name));
    suite.cases +=
        *element ? fmt::format("><{0} message=\"{1}\">{2}</{0}></testcase>\n", element, escaped(message), escaped(text)) : "/>\n";
  };
  for (const CheckFinding& f : r.findings) {
    ++(f.accepted.empty() ? suite.failures : suite.skipped);
    std::string text = fmt::format("{}\nin {}, {}\n", f.says, f.subject, f.way);
    if (f.says.find(f.finding.mend) == std::string::npos) text += f.finding.mend + "\n";
    if (!f.opens.empty()) text += "open it there: " + f.opens + "\n";
    add(f.key(), f.accepted.empty() ? "failure" : "skipped", f.accepted.empty() ? f.says : f.accepted, text);
  }
  for (const std::string& key : r.unmatched) {
    ++suite.failures;
    add(key, "failure", "accepted, but not found");
  }
  if (const Outcome all = r.outcome(); suite.tests == 0 && all == Outcome::kOk) {
    add("check", "", "");
  } else if (suite.tests == 0) {  // nothing was found, and not everything was looked at
    ++suite.skipped;
    add("check", "skipped", outcomeName(all));
  }
  return junitDocument({&suite, 1});
}

}  // namespace lanewise
