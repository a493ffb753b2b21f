#include "tools/run/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/run/times.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

std::string hashOf(const Resource& r) {
  return golden::hashText(golden::hashBytes(r.bytes()));
}

// Text from files may not be UTF-8.
std::string dumped(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json errorJson(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return {{"outcome", outcomeName(error->outcome)}, {"what", error->what}, {"where", error->where}, {"hint", error->hint}};
}

Json outputJson(const RunOutput& output, const Resource& r) {
  Json json = {{"binding", output.slot.text()}, {"name", output.binding->name}, {"kind", descriptorKindName(output.binding->kind)}};
  if (const auto* image = std::get_if<ImageData>(&r.data)) {
    json["format"] = formatInfo(image->format)->name;
    json["extent"] = {image->extent.x, image->extent.y, image->extent.z};
    json["levels"] = image->levels;
    json["layers"] = image->layers;
  }
  json["bytes"] = r.bytes().size();
  json["xxh3"] = hashOf(r);
  return json;
}

// The values of an output that goes to the terminal, as JSON: numbers where JSON has them.
Json valuesJson(const RunOutput& output, const OutArgument& file, const Resource& r) {
  Json values = Json::array();
  for (const std::string& text : outputValues(output, file.type, r)) {
    const Json number = Json::parse(text, nullptr, false);
    values.push_back(number.is_number() ? number : Json(text));
  }
  return values;
}

Json sideJson(const RunJob& runJob, const SideRun& side) {
  Json json = {{"name", side.name}, {"description", side.description}, {"subgroupSize", side.subgroupSize}};
  if (!side.schedule.empty()) json["schedule"] = side.schedule;
  json["error"] = errorJson(side.result.error);
  if (side.wrong) json["asExpected"] = side.wrong->empty();
  if (side.wrong && !side.wrong->empty()) json["firstWrong"] = *side.wrong;
  if (!side.opens.empty()) json["opens"] = side.opens;
  json["seconds"] = side.result.seconds;
  if (!side.warm.empty()) json["warm"] = {{"medianSeconds", median(side.warm)}, {"seconds", side.warm}, {"parted", side.parted}};
  if (const auto& c = side.compiled) {
    json["compiled"] = {
        {"dispatches", c->dispatches}, {"programs", c->programs}, {"kept", c->kept}, {"seconds", c->seconds}, {"refusals", c->refusals}};
    if (!c->notKept.empty()) json["compiled"]["notKept"] = c->notKept;
  }
  Json outputs = Json::array();
  std::size_t file = 0;
  for (std::size_t i = 0; i < side.result.outputs.size() && !side.result.error; ++i) {
    const RunOutput& output = runJob.outputs[i];
    Json one = outputJson(output, side.result.outputs[i]);
    for (const OutArgument& out : output.files) {
      const std::string name = file < side.files.size() ? side.files[file++] : "";
      if (out.file == kTerminal)
        one["values"] = valuesJson(output, out, side.result.outputs[i]);
      else if (!name.empty())
        one["files"].push_back(name);
    }
    outputs.push_back(std::move(one));
  }
  json["outputs"] = std::move(outputs);
  json["printed"] = Json::array();
  for (const Printed& p : side.result.printed)
    json["printed"].push_back({{"invocation", {p.invocation.x, p.invocation.y, p.invocation.z}}, {"text", p.text}});
  json["unprinted"] = side.result.unprinted;
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < side.result.findings.size(); ++i) {
    const RunFinding& f = side.result.findings[i];
    json["findings"].push_back({{"kind", findingName(f.kind)},
                                {"line", f.at.text()},
                                {"instruction", f.instruction},
                                {"object", f.object.text()},
                                {"place", f.place},
                                {"invocation", f.invocation},
                                {"other", f.other},
                                {"mend", f.mend},
                                {"opens", i < side.findingOpens.size() ? side.findingOpens[i] : ""},
                                {"count", f.count}});
  }
  return json;
}

std::string extentText(Extent3 e) {
  return fmt::format("{}x{}x{}", e.x, e.y, e.z);
}

std::string localSizeText(const InterfaceEntry& e) {
  return fmt::format("{}x{}x{}", e.localSize[0], e.localSize[1], e.localSize[2]);
}

Json dispatchJson(const Dispatch& d, const InterfaceEntry& entry) {
  Json json = {
      {"module", {{"file", d.module->name}, {"xxh3", golden::hashText(golden::hashBytes(std::as_bytes(std::span(d.module->words))))}}},
      {"entryPoint", d.entryPoint},
      {"groups", {d.groups.x, d.groups.y, d.groups.z}},
      {"localSize", {entry.localSize[0], entry.localSize[1], entry.localSize[2]}}};
  json["specialization"] = Json::array();
  for (const SpecConstant& s : d.spec) json["specialization"].push_back({{"id", s.id}, {"bits", s.value}});
  std::string push;
  for (const std::byte b : d.push) push += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  json["push"] = push;
  return json;
}

}  // namespace

Outcome RunReport::outcome() const {
  if (!differences.empty()) return Outcome::kFinding;
  for (const SideRun& side : sides)
    if (side.result.error) return side.result.error->outcome;
  for (const SideRun& side : sides)
    if (!side.result.findings.empty() || side.parted != 0 || (side.wrong && !side.wrong->empty())) return Outcome::kFinding;
  return Outcome::kOk;
}

std::vector<Difference> compareSides(const RunJob& runJob, const std::vector<SideRun>& sides) {
  std::vector<Difference> out;
  const SideRun* first = nullptr;
  for (const SideRun& side : sides) {
    if (side.result.error) continue;
    if (!first) {
      first = &side;
      continue;
    }
    for (std::size_t i = 0; i < runJob.outputs.size(); ++i) {
      const Resource &a = first->result.outputs[i], &b = side.result.outputs[i];
      std::string text = differenceText(runJob.outputs[i], a, first->name, b, side.name);
      if (!text.empty()) out.push_back({runJob.outputs[i].slot.text(), first->name, side.name, std::move(text)});
    }
  }
  return out;
}

bool sameBytes(const SideRun& a, const SideRun& b) {
  return std::ranges::equal(a.result.outputs, b.result.outputs,
                            [](const Resource& x, const Resource& y) { return x.bytes() == y.bytes(); });
}

namespace {

bool sameSide(const SideRun& a, const SideRun& b) {
  if (a.result.error || b.result.error || a.wrong != b.wrong || a.parted != b.parted) return false;
  const bool files = !b.files.empty();  // each of its files has a line
  const bool says = !b.result.printed.empty() || !b.result.findings.empty();
  return !files && !says && sameBytes(a, b);
}

// Sides with equal results together, in the order of the first of each.
std::vector<std::vector<std::size_t>> alike(const RunReport& report) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < report.sides.size(); ++i) {
    const auto found =
        std::ranges::find_if(groups, [&](const auto& group) { return sameSide(report.sides[group.front()], report.sides[i]); });
    if (found == groups.end())
      groups.push_back({i});
    else
      found->push_back(i);
  }
  return groups;
}

std::string openText(const std::string& command) {
  return command.empty() ? "" : fmt::format("  open it there: {}\n", command);
}

std::string timesText(const SideRun& side) {
  const std::string first = fmt::format("{:.3f} ms", side.result.seconds * 1e3);
  if (side.warm.empty()) return first;
  const auto [least, most] = std::ranges::minmax(side.warm);
  return fmt::format("{} at first, then {:.3f} ms ({:.3f} to {:.3f} in {} runs)", first, median(side.warm) * 1e3, least * 1e3, most * 1e3,
                     side.warm.size());
}

std::string sideText(const RunJob& runJob, const SideRun& side) {
  if (side.result.error)
    return fmt::format("{}: {}: {}\n{}{}", side.name, outcomeName(side.result.error->outcome), side.result.error->text(), printedText(side),
                       openText(side.opens));
  std::string out = fmt::format("{}: {}, subgroups of {} ({})\n", side.name, timesText(side), side.subgroupSize, side.description);
  if (side.parted != 0) out += fmt::format("  {} of the {} further runs gave other bytes than the first\n", side.parted, side.warm.size());
  std::size_t file = 0;
  for (std::size_t i = 0; i < runJob.outputs.size(); ++i) {
    const Resource& r = side.result.outputs[i];
    out += fmt::format("  {}: {}, xxh3 {}", runJob.outputs[i].title, shapeText(r), hashOf(r));
    if (runJob.outputs[i].slot.element != 0 || runJob.outputs[i].binding->array)
      out += fmt::format(", element {}", runJob.outputs[i].slot.element);
    for (std::size_t f = 0; f < runJob.outputs[i].files.size(); ++f, ++file)
      if (file < side.files.size() && side.files[file] != kTerminal) out += ", written to " + side.files[file];
    out += "\n";
  }
  if (side.wrong) out += side.wrong->empty() ? "  as expected\n" : fmt::format("  NOT as expected: {}\n", *side.wrong);
  if (side.wrong && !side.wrong->empty()) out += openText(side.opens);
  out += printedText(side);
  for (std::size_t i = 0; i < side.result.findings.size(); ++i) {
    out += fmt::format("  finding: {}\n", side.result.findings[i].text());
    if (i < side.findingOpens.size()) out += openText(side.findingOpens[i]);
  }
  return out;
}

// Sides with equal results differ in the same way: the first is told, and the names of the others.
std::string differencesText(const RunReport& report) {
  const auto side = [&](const Difference& d) -> const SideRun& { return *std::ranges::find(report.sides, d.second, &SideRun::name); };
  std::string out;
  std::vector<bool> told(report.differences.size());
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i]) continue;
    const Difference& d = report.differences[i];
    std::vector<std::string> names;
    for (std::size_t j = i + 1; j < told.size(); ++j) {
      const Difference& other = report.differences[j];
      if (other.binding != d.binding || !sameBytes(side(d), side(other))) continue;
      told[j] = true;
      names.push_back(other.second);
    }
    out += d.text;
    if (!names.empty()) out += fmt::format("  the same: {}\n", fmt::join(names, ", "));
    out += openText(d.opens);
  }
  return out;
}

// Of the further runs, to the first side that has any.
std::string ratiosText(const RunReport& report) {
  std::string out;
  const SideRun* first = nullptr;
  for (const SideRun& side : report.sides) {
    if (side.warm.empty() || side.result.error) continue;
    if (first) out += fmt::format("{}: {:.2f} x the time of {}\n", side.name, median(side.warm) / median(first->warm), first->name);
    if (!first) first = &side;
  }
  return out;
}

}  // namespace

std::string printedText(const SideRun& side) {
  std::string out;
  for (const Printed& p : side.result.printed)
    out += fmt::format("  printed by ({}, {}, {}): {}\n", p.invocation.x, p.invocation.y, p.invocation.z, p.text);
  if (side.result.unprinted != 0) out += fmt::format("  and {} more lines printed\n", side.result.unprinted);
  return out;
}

std::string runText(const RunJob& runJob, const RunReport& report) {
  std::string out = report.subject.empty() ? "" : report.subject + "\n";
  for (std::size_t i = 0; i < runJob.entries.size(); ++i) {
    const Dispatch& d = runJob.job.dispatches[i];
    const bool none = d.groups.x == 0 || d.groups.y == 0 || d.groups.z == 0;
    out += fmt::format("{}, entry point {}: {} workgroups of {}{}\n", d.module->name, d.entryPoint, extentText(d.groups),
                       localSizeText(*runJob.entries[i]), none ? ": nothing runs" : "");
  }
  if (!report.patch.empty()) out += fmt::format("patched: {}\n", report.patch);
  for (const std::vector<std::size_t>& group : alike(report)) {
    const SideRun& side = report.sides[group.front()];
    out += sideText(runJob, side);
    std::string names;
    for (std::size_t i = 1; i < group.size(); ++i) {
      const SideRun& other = report.sides[group[i]];
      names += (i == 1 ? "" : ", ") + other.name + (other.warm.empty() ? "" : ": " + timesText(other));
    }
    if (group.size() > 1) out += fmt::format("  the same: {}\n", names);
  }
  out += ratiosText(report);
  if (!report.compared) return out;
  out += differencesText(report);
  std::size_t ran = 0;
  for (const SideRun& side : report.sides) ran += side.result.error ? 0 : 1;
  if (report.differences.empty())
    out += ran < 2 ? "nothing to compare: fewer than two sides ran\n" : fmt::format("no difference between the {} sides\n", ran);
  return out;
}

std::string runErrorJson(const Error& error, const std::string& version) {
  return dumped({{"schema", "lanewise-run-1"},
                 {"version", version},
                 {"error", errorJson(error)},
                 {"outcome", outcomeName(error.outcome)},
                 {"exitCode", static_cast<int>(error.outcome)}});
}

std::string runJson(const RunJob& runJob, const RunReport& report, const std::string& version) {
  Json json = {{"schema", "lanewise-run-1"}, {"version", version}};
  if (report.subject.empty() && runJob.entries.size() == 1) {
    json.update(dispatchJson(runJob.job.dispatches[0], *runJob.entries[0]));
  } else {
    if (!report.subject.empty()) json["subject"] = report.subject;
    json["dispatches"] = Json::array();
    for (std::size_t i = 0; i < runJob.entries.size(); ++i)
      json["dispatches"].push_back(dispatchJson(runJob.job.dispatches[i], *runJob.entries[i]));
  }
  json["notes"] = runJob.notes;
  json["sides"] = Json::array();
  for (const SideRun& side : report.sides) json["sides"].push_back(sideJson(runJob, side));
  json["patch"] = report.patch;
  json["differences"] = Json::array();
  for (const Difference& x : report.differences)
    json["differences"].push_back({{"binding", x.binding}, {"sides", {x.first, x.second}}, {"text", x.text}, {"opens", x.opens}});
  json["outcome"] = outcomeName(report.outcome());
  json["exitCode"] = static_cast<int>(report.outcome());
  return dumped(json);
}

}  // namespace lanewise
