#include "tools/coverage/coverage.h"

#include <fmt/format.h>

#include <spirv/unified1/GLSL.std.450.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <spirv/unified1/spirv.hpp11>

#include "model/program/ir.h"
#include "model/program/names.h"
#include "model/spirv/module.h"

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

struct Instruction {
  std::uint32_t number;
  const char* group;
  const char* capabilities;
};
constexpr Instruction kInstructions[] = {
#include "tools/coverage/instructions.inc"
};

struct Capability {
  std::uint32_t number;
  const char* name;
};
constexpr Capability kCapabilities[] = {
#include "tools/coverage/capabilities.inc"
};

// kTestedInstructions, kTestedExtended, kTestedCapabilities: written by the build, rising.
#include "tested.inc"

// What the model takes though no text program has it: debug information and texts, and what only other tests try (tests/scalar_*,
// the kernels' goldens).
constexpr spv::Op kExecuted[] = {
    spv::Op::OpNop,
    spv::Op::OpSourceContinued,
    spv::Op::OpSource,
    spv::Op::OpSourceExtension,
    spv::Op::OpString,
    spv::Op::OpLine,
    spv::Op::OpNoLine,
    spv::Op::OpModuleProcessed,
    spv::Op::OpDecorateId,
    spv::Op::OpExecutionModeId,
    spv::Op::OpDecorationGroup,
    spv::Op::OpGroupDecorate,
    spv::Op::OpGroupMemberDecorate,
    spv::Op::OpMemberName,
    spv::Op::OpDecorateString,
    spv::Op::OpMemberDecorateString,
    spv::Op::OpConstantNull,
    spv::Op::OpSpecConstantTrue,
    spv::Op::OpInBoundsAccessChain,
    spv::Op::OpVectorInsertDynamic,
    spv::Op::OpExpectKHR,
    spv::Op::OpQuantizeToF16,
    spv::Op::OpSRem,
    spv::Op::OpFRem,
    spv::Op::OpFMod,
    spv::Op::OpMatrixTimesScalar,
    spv::Op::OpOuterProduct,
    spv::Op::OpSUDotAccSatKHR,
    spv::Op::OpLogicalNotEqual,
    spv::Op::OpSGreaterThan,
    spv::Op::OpSGreaterThanEqual,
    spv::Op::OpULessThanEqual,
    spv::Op::OpSLessThanEqual,
    spv::Op::OpFUnordEqual,
    spv::Op::OpFOrdNotEqual,
    spv::Op::OpFUnordLessThan,
    spv::Op::OpFUnordGreaterThan,
    spv::Op::OpFUnordLessThanEqual,
    spv::Op::OpFOrdGreaterThanEqual,
    spv::Op::OpFUnordGreaterThanEqual,
    spv::Op::OpImage,
    spv::Op::OpImageSampleDrefImplicitLod,
    spv::Op::OpImageSampleProjImplicitLod,
    spv::Op::OpImageSampleProjExplicitLod,
    spv::Op::OpImageSampleProjDrefImplicitLod,
    spv::Op::OpImageSparseSampleImplicitLod,
    spv::Op::OpImageSparseSampleDrefImplicitLod,
    spv::Op::OpDPdx,
    spv::Op::OpDPdy,
    spv::Op::OpFwidth,
    spv::Op::OpFwidthCoarse,
    spv::Op::OpGroupAll,
    spv::Op::OpGroupAny,
    spv::Op::OpGroupBroadcast,
    spv::Op::OpGroupIAdd,
    spv::Op::OpGroupFAdd,
    spv::Op::OpGroupFMin,
    spv::Op::OpGroupUMin,
    spv::Op::OpGroupSMin,
    spv::Op::OpGroupFMax,
    spv::Op::OpGroupUMax,
    spv::Op::OpGroupSMax,
    spv::Op::OpImageQuerySamples,
    spv::Op::OpAtomicLoad,
    spv::Op::OpAtomicStore,
    spv::Op::OpAtomicIIncrement,
    spv::Op::OpAtomicIDecrement,
    spv::Op::OpAtomicISub,
    spv::Op::OpAtomicFAddEXT,
    spv::Op::OpAtomicFMinEXT,
    spv::Op::OpAtomicFMaxEXT,
    spv::Op::OpGroupNonUniformFMul,
    spv::Op::OpGroupNonUniformLogicalAnd,
    spv::Op::OpGroupNonUniformLogicalOr,
    spv::Op::OpGroupNonUniformLogicalXor,
};

// Capabilities that need nothing but instructions and types that others bring.
constexpr spv::Capability kFreeCapabilities[] = {
    spv::Capability::Matrix,
    spv::Capability::UniformBufferArrayDynamicIndexing,
    spv::Capability::SampledImageArrayDynamicIndexing,
    spv::Capability::StorageBufferArrayDynamicIndexing,
    spv::Capability::StorageImageArrayDynamicIndexing,
    spv::Capability::UniformBufferArrayNonUniformIndexing,
    spv::Capability::StorageImageReadWithoutFormat,
    spv::Capability::StorageImageWriteWithoutFormat,
    spv::Capability::UniformAndStorageBuffer16BitAccess,
    spv::Capability::StoragePushConstant16,
    spv::Capability::UniformAndStorageBuffer8BitAccess,
    spv::Capability::StoragePushConstant8,
    spv::Capability::VulkanMemoryModel,
    spv::Capability::VulkanMemoryModelDeviceScope,
};

bool in(std::span<const std::uint32_t> rising, std::uint32_t number) {
  return std::binary_search(rising.begin(), rising.end(), number);
}

Coverage instructionCoverage(std::uint32_t number) {
  if (in(kTestedInstructions, number)) return Coverage::kTested;
  const auto listed = std::find(std::begin(kExecuted), std::end(kExecuted), static_cast<spv::Op>(number));
  return listed != std::end(kExecuted) ? Coverage::kExecuted : Coverage::kRefused;
}

// All but interpolation, which is for fragments, and IMix, a number that is reserved.
Coverage extendedCoverage(std::uint32_t number) {
  const bool refused =
      number == GLSLstd450IMix || (number >= GLSLstd450InterpolateAtCentroid && number <= GLSLstd450InterpolateAtOffset);
  return in(kTestedExtended, number) ? Coverage::kTested : refused ? Coverage::kRefused : Coverage::kExecuted;
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
  for (const Instruction& i : kInstructions)
    out.instructions.push_back(
        {i.number, spirv::opName(static_cast<spv::Op>(i.number)), i.group, i.capabilities, instructionCoverage(i.number)});
  for (const std::uint32_t number : kTestedInstructions)
    if (std::none_of(std::begin(kInstructions), std::end(kInstructions), [&](const Instruction& i) { return i.number == number; }))
      out.instructions.push_back({number, spirv::opName(static_cast<spv::Op>(number)), "Others", "", Coverage::kTested});
  for (std::uint32_t number = GLSLstd450Round; number <= GLSLstd450NClamp; ++number)
    out.extended.push_back({number, codeName(ir::kGlsl + number, 0), "GLSL.std.450", "", extendedCoverage(number)});
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
      "Written by `lanewise coverage --markdown`; a test holds this page to the program. \"Executed and tested\" occurs in a program of\n"
      "tests/programs, which runs in every schedule and subgroup size and after the optimiser. A module with a refused instruction ends "
      "with\n"
      "exit code 3 and the instruction's name and line.\n\n";
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
