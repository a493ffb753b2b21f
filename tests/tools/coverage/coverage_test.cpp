// The table of what the model executes is true: what it calls refused is refused by name, and the page in docs/ is the table's.
#define SPV_ENABLE_UTILITY_CODE
#include <fstream>
#include <map>
#include <spirv/unified1/spirv.hpp11>

#include "model/ir/operation_info.h"
#include "model/ir/operation_names.h"
#include "model/program/lower.h"
#include "model/spirv/parse.h"
#include "tools/coverage/coverage.h"

namespace lanewise {
namespace {

using testing::HasSubstr;

// A compute shader with nothing in it but two constants and one instruction, unvalidated: its operands are constants of u32.
std::vector<std::uint32_t> moduleWith(std::uint32_t op, bool result, bool type) {
  std::vector<std::uint32_t> w = {spv::MagicNumber, 0x00010600, 0, 20, 0};
  const auto add = [&](spv::Op code, std::initializer_list<std::uint32_t> operands) {
    w.push_back(static_cast<std::uint32_t>((operands.size() + 1) << 16) | static_cast<std::uint32_t>(code));
    w.insert(w.end(), operands);
  };
  add(spv::Op::OpCapability, {1});
  add(spv::Op::OpMemoryModel, {0, 1});
  add(spv::Op::OpEntryPoint, {5, 4, 0x6e69616d, 0});
  add(spv::Op::OpExecutionMode, {4, 17, 1, 1, 1});
  add(spv::Op::OpTypeVoid, {2});
  add(spv::Op::OpTypeFunction, {3, 2});
  add(spv::Op::OpTypeInt, {5, 32, 0});
  add(spv::Op::OpConstant, {5, 6, 1});
  add(spv::Op::OpFunction, {2, 4, 0, 3});
  add(spv::Op::OpLabel, {7});
  const auto code = static_cast<spv::Op>(op);
  if (result && type)
    add(code, {5, 8, 6, 6, 6, 6});
  else if (result)
    add(code, {8, 6, 6, 6, 6});
  else
    add(code, {6, 6, 6, 6});
  add(spv::Op::OpReturn, {});
  add(spv::Op::OpFunctionEnd, {});
  return w;
}

TEST(Coverage, WhatIsRefusedIsRefusedByName) {
  std::size_t refused = 0;
  for (const CoverageRow& row : coverageTables().instructions) {
    if (row.coverage != Coverage::kRefused || row.name.find("Type") != std::string::npos) continue;
    ++refused;
    bool result = false, type = false;
    spv::HasResultAndType(static_cast<spv::Op>(row.number), &result, &type);
    Expected<spirv::Module> module = spirv::parse("probe", moduleWith(row.number, result, type));
    ASSERT_TRUE(module) << row.name << ": " << module.error().text();
    LowerOptions options;
    const Expected<Lowered> lowered = lower(*module, options);
    ASSERT_FALSE(lowered) << row.name << " is executed: a program in tests/programs has to show it";
    EXPECT_EQ(lowered.error().outcome, Outcome::kUnsupported) << row.name;
    EXPECT_THAT(lowered.error().text(), HasSubstr(row.name)) << "it may be executed: a program in tests/programs has to show it";
  }
  EXPECT_GT(refused, 0u);
}

// Every row of the table of operations that is SPIR-V's is in the page's tables, once; what has none is refused there.
TEST(Coverage, SaysWhatTheTableOfOperationsSays) {
  const CoverageTables tables = coverageTables();
  std::map<ir::Code, Coverage> said;
  for (const CoverageRow& row : tables.instructions) EXPECT_TRUE(said.emplace(row.number, row.coverage).second) << row.name;
  for (const CoverageRow& row : tables.extended) EXPECT_TRUE(said.emplace(ir::kGlsl + row.number, row.coverage).second) << row.name;
  for (const ir::OperationInfo& row : ir::operationInfos())
    if (row.code < ir::kOwn) {
      EXPECT_EQ(said[row.code], Coverage::kTested) << codeName(row.code);
    }
  for (const auto& [code, coverage] : said) EXPECT_EQ(coverage == Coverage::kRefused, !ir::operationInfo(code)) << codeName(code);
  EXPECT_EQ(said[ir::core(spv::Op::OpCooperativeMatrixMulAddNV)], Coverage::kRefused);
}

std::string contents(const char* path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Coverage, ThePageIsTodays) {
  const std::string page = contents(LANEWISE_COVERAGE_PAGE);
  EXPECT_TRUE(page == coverageMarkdown(coverageTables()))
      << "docs/coverage.md is out of date: run `lanewise coverage --markdown > docs/coverage.md`";
}

}  // namespace
}  // namespace lanewise
