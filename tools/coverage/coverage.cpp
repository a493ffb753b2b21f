#include "tools/coverage/coverage.h"

#include <fmt/format.h>

#include <spirv/unified1/GLSL.std.450.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <spirv/unified1/spirv.hpp11>

#include "model/ir/ir.h"
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

struct Capability {
  std::uint32_t number;
  const char* name;
};
constexpr Capability kCapabilities[] = {
#include "tools/coverage/capabilities.inc"
};

// kTestedInstructions, kTestedExtended, kTestedCapabilities: written by lanewise-coverage-scan, rising.
#include "tools/coverage/tested.inc"

// Capabilities that need nothing but instructions and types that others bring.
constexpr spv::Capability kFreeCapabilities[] = {
    spv::Capability::UniformBufferArrayDynamicIndexing,
    spv::Capability::SampledImageArrayDynamicIndexing,
    spv::Capability::StorageImageArrayDynamicIndexing,
};

bool in(std::span<const std::uint32_t> rising, std::uint32_t number) {
  return std::binary_search(rising.begin(), rising.end(), number);
}

// What no program has the model refuses: tests/tools/coverage/coverage_test.cpp tries.
Coverage coverageIn(std::span<const std::uint32_t> tested, std::uint32_t number) {
  return in(tested, number) ? Coverage::kTested : Coverage::kRefused;
}

Coverage capabilityCoverage(std::uint32_t number) {
  if (in(kTestedCapabilities, number)) return Coverage::kTested;
  const auto listed = std::find(std::begin(kFreeCapabilities), std::end(kFreeCapabilities), static_cast<spv::Capability>(number));
  return listed != std::end(kFreeCapabilities) ? Coverage::kExecuted : Coverage::kRefused;
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
  for (const ListedInstruction& i : kInstructions)
    out.instructions.push_back(
        {i.number, spirv::opName(static_cast<spv::Op>(i.number)), i.group, i.capabilities, coverageIn(kTestedInstructions, i.number)});
  for (const std::uint32_t number : kTestedInstructions)
    if (std::none_of(std::begin(kInstructions), std::end(kInstructions), [&](const ListedInstruction& i) { return i.number == number; }))
      out.instructions.push_back({number, spirv::opName(static_cast<spv::Op>(number)), "Others", "", Coverage::kTested});
  for (std::uint32_t number = GLSLstd450Round; number <= GLSLstd450NClamp; ++number)
    out.extended.push_back({number, codeName(ir::kGlsl + number), "GLSL.std.450", "", coverageIn(kTestedExtended, number)});
  for (const Capability& c : kCapabilities) out.capabilities.push_back({c.number, c.name, "", "", capabilityCoverage(c.number)});
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
        out += fmt::format("\n## {}\n\n| name | allowed by | model |\n|---|---|---|\n", group.empty() ? "Capabilities" : group);
      }
      out += fmt::format("| {} | {} | {} |\n", r.name, r.capabilities, coverageName(r.coverage));
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
      list.push_back(std::move(row));
    }
    json[keys[i++]] = std::move(list);
  });
  return json.dump(1) + "\n";
}

}  // namespace lanewise
