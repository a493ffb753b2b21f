// Writes what the text programs contain, as tools/coverage/tested.inc: the instructions, GLSL.std.450 instructions and capabilities of
// every program that is expected to run, as arrays of rising numbers, one a line, so that two changes of the programs merge.
#include <cstdio>
#include <set>
#include <spirv/unified1/spirv.hpp11>

#include "tests/text/program_modules.h"

namespace {

using Numbers = std::set<std::uint32_t>;

struct Found {
  Numbers instructions, extended, capabilities;
};

void scan(const std::vector<std::uint32_t>& words, Found& found) {
  std::uint32_t glsl = 0;
  for (std::size_t at = 5; at < words.size();) {
    const std::uint32_t count = words[at] >> 16, op = words[at] & 0xffff;
    if (count == 0 || at + count > words.size()) return;
    found.instructions.insert(op);
    const auto is = [&](spv::Op o) { return op == static_cast<std::uint32_t>(o); };
    if (is(spv::Op::OpCapability)) found.capabilities.insert(words[at + 1]);
    if (is(spv::Op::OpExtInstImport) && reinterpret_cast<const char*>(&words[at + 2]) == std::string("GLSL.std.450")) glsl = words[at + 1];
    if (is(spv::Op::OpExtInst) && words[at + 3] == glsl) found.extended.insert(words[at + 4]);
    at += count;
  }
}

void print(const char* name, const Numbers& numbers) {
  std::printf("constexpr std::uint32_t %s[] = {\n", name);
  for (const std::uint32_t n : numbers) std::printf("    %u,\n", n);
  std::printf("};\n");
}

}  // namespace

int main() {
  using namespace lanewise::text;
  Found found;
  for (const std::string& file : programFiles()) {
    if (readProgram(programPath(file)).errorOutcome) continue;
    const auto module = programModule(file);
    if (!module) {
      std::fprintf(stderr, "%s\n", module.error().text().c_str());
      return 1;
    }
    scan((*module)->words, found);
  }
  std::printf("// Written by lanewise-coverage-scan from tests/programs.\n");
  print("kTestedInstructions", found.instructions);
  print("kTestedExtended", found.extended);
  print("kTestedCapabilities", found.capabilities);
  return 0;
}
