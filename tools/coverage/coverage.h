// What the model executes of SPIR-V: every instruction, GLSL.std.450 instruction and capability that a compute module may have.
//
// An instruction with a row in model/ir/rows is executed, and also tested: a test requires a text program in tests/programs for every row.
// Only "executed" are the few capabilities that no program needs to name. Everything else is "refused": a module with it gives the error
// "unsupported" with its name, which tests/tools/coverage/coverage_test.cpp checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanewise {

enum class Coverage : std::uint8_t { kTested, kExecuted, kRefused };
const char* coverageName(Coverage coverage);  // "executed and tested", "executed", "refused"

struct CoverageRow {
  std::uint32_t number = 0;
  std::string name;
  std::string group;         // the class of an instruction
  std::string capabilities;  // any one of them allows it
  Coverage coverage = Coverage::kRefused;
  std::string open;  // what Vulkan leaves open about its result
};

struct CoverageTables {
  std::vector<CoverageRow> instructions, extended, capabilities;
};

CoverageTables coverageTables();

std::string coverageText(const CoverageTables& tables);
std::string coverageMarkdown(const CoverageTables& tables);
std::string coverageJson(const CoverageTables& tables, const std::string& version);

}  // namespace lanewise
