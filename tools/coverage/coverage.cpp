#include "tools/coverage/coverage.h"

#include <fmt/format.h>

#include <spirv/unified1/GLSL.std.450.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/spirv/module.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

struct ListedInstruction {
  std::uint32_t number;
  const char* group;
  const char* capabilities;
};
constexpr ListedInstruction kInstructions[] = {
#include "tools/coverage/instructions.inc"
};

using enum Coverage;
struct Capability {
  std::uint32_t number;
  const char* name;
  Coverage coverage;
};
constexpr Capability kCapabilities[] = {
#include "tools/coverage/capabilities.inc"
};

// What has a row is in a program of tests/programs, and what has none the model refuses: the tests of both tables try.
CoverageRow rowOf(std::uint32_t number, ir::Code code, const char* group, const char* capabilities) {
  const ir::OperationInfo* row = ir::operationInfo(code);
  std::string open = ir::undefinedText(ir::definednessOf(code));
  if (const ir::Openness* allowed = ir::openness(code)) open += (open.empty() ? "" : "; ") + std::string(allowed->allowed);
  return {number, codeName(code), group, capabilities, row ? Coverage::kTested : Coverage::kRefused, open};
}

// "276 instructions: 250 executed and tested, 14 executed, 12 refused".
std::string countText(const char* what, const std::vector<CoverageRow>& rows) {
  const auto count = [&](Coverage c) {
    return std::count_if(rows.begin(), rows.end(), [&](const CoverageRow& r) { return r.coverage == c; });
  };
  return fmt::format("{} {}: {} executed and tested, {} executed, {} refused", rows.size(), what, count(Coverage::kTested),
                     count(Coverage::kExecuted), count(Coverage::kRefused));
}

constexpr const char* kTitles[] = {"instructions", "instructions of GLSL.std.450", "capabilities"};

template <class Visit>
void eachTable(const CoverageTables& t, Visit visit) {
  visit(kTitles[0], t.instructions);
  visit(kTitles[1], t.extended);
  visit(kTitles[2], t.capabilities);
}

}  // namespace

const char* coverageName(Coverage coverage) {
  constexpr const char* kNames[] = {"executed and tested", "executed", "refused"};
  return kNames[static_cast<std::size_t>(coverage)];
}

CoverageTables coverageTables() {
  CoverageTables out;
  for (const ListedInstruction& i : kInstructions) out.instructions.push_back(rowOf(i.number, i.number, i.group, i.capabilities));
  for (const ir::OperationInfo& row : ir::operationInfos())
    if (row.code < ir::kGlsl && std::ranges::find(kInstructions, row.code, &ListedInstruction::number) == std::end(kInstructions))
      out.instructions.push_back(rowOf(row.code, row.code, "Others", ""));
  for (std::uint32_t number = GLSLstd450Round; number <= GLSLstd450NClamp; ++number)
    out.extended.push_back(rowOf(number, ir::kGlsl + number, "GLSL.std.450", ""));
  for (const Capability& c : kCapabilities) out.capabilities.push_back({c.number, c.name, "", "", c.coverage, ""});
  return out;
}

std::string coverageText(const CoverageTables& tables) {
  std::string out;
  eachTable(tables, [&](const char* title, const std::vector<CoverageRow>& rows) {
    out += countText(title, rows) + "\n";
    for (const CoverageRow& r : rows) out += fmt::format("  {:<20} {:<36} {}\n", coverageName(r.coverage), r.name, r.capabilities);
  });
  return out;
}

std::string coverageMarkdown(const CoverageTables& tables) {
  std::string out =
      "# What the model executes\n\n"
      "`lanewise coverage --markdown` writes this page; a test holds it to the program. \"Executed and tested\" occurs in a\n"
      "program of tests/programs, which runs in every schedule and subgroup size and after the optimiser. A module with a\n"
      "refused instruction ends with exit code 3 and the instruction's name and line.\n\n";
  eachTable(tables, [&](const char* title, const std::vector<CoverageRow>& rows) { out += fmt::format("- {}\n", countText(title, rows)); });
  std::string group = "-";
  eachTable(tables, [&](const char* title, const std::vector<CoverageRow>& rows) {
    for (const CoverageRow& r : rows) {
      if (r.group != group || &r == &rows[0]) {
        group = r.group;
        out += group.empty() ? "\n## Capabilities\n\n| name | model |\n|---|---|\n"
                             : fmt::format("\n## {}\n\n| name | allowed by | model | Vulkan leaves open |\n|---|---|---|---|\n", group);
      }
      if (group.empty())
        out += fmt::format("| {} | {} |\n", r.name, coverageName(r.coverage));
      else
        out += fmt::format("| {} | {} | {} | {} |\n", r.name, r.capabilities, coverageName(r.coverage), r.open);
    }
    static_cast<void>(title);
  });
  return out;
}

std::string coverageJson(const CoverageTables& tables, const std::string& version) {
  Json json = {{"schema", "lanewise-coverage-1"}, {"version", version}};
  const char* keys[] = {"instructions", "extendedInstructions", "capabilities"};
  std::size_t i = 0;
  eachTable(tables, [&](const char*, const std::vector<CoverageRow>& rows) {
    Json list = Json::array();
    for (const CoverageRow& r : rows) {
      Json row = {{"number", r.number}, {"name", r.name}, {"model", coverageName(r.coverage)}};
      if (!r.group.empty()) row["group"] = r.group;
      if (!r.capabilities.empty()) row["capabilities"] = r.capabilities;
      if (!r.open.empty()) row["open"] = r.open;
      list.push_back(std::move(row));
    }
    json[keys[i++]] = std::move(list);
  });
  return json.dump(1) + "\n";
}

}  // namespace lanewise
