// What other programs read of this one: exit codes, and each --json document against its schema in docs/schemas. A field that goes or
// changes its meaning needs a new number of its schema, and a line in CHANGELOG.md; a new field needs a word in the schema.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/base/outcome.h"
#include "tests/tools/amber/scripts.h"
#include "tests/tools/cli/cli_fixture.h"
#include "tests/tools/cli/schema.h"

namespace lanewise {
namespace {

struct Document {
  const char* schema;
  const char* command;
  const char* file = nullptr;  // where the document is, if it is not what the command prints
  int code = 0;
};

constexpr Document kDocuments[] = {
    {"lanewise-report-1", "validate photo/sobel/checked --sizes 3x2 --devices model --report report", "report/report.json"},
    {"lanewise-report-1", "validate own.toml --devices model --no-arbitration --report own", "own/report.json", 1},
    {"lanewise-report-1", "validate broken/spd-lanes --sizes 1x4 --devices model --report broken", "broken/report.json", 1},
    {"lanewise-check-1", "check photo/sobel/checked --size 3x2 --devices model --json"},
    {"lanewise-check-1", "check own.comp --buffer B=zeros:16 --devices model --json", nullptr, 1},
    {"lanewise-run-1", "run photo/sobel/checked --size 3x2 --json"},
    {"lanewise-run-1", "run own.comp --buffer B=zeros:20 --out B=- --tier compiled --repeat 2 --json"},
    {"lanewise-run-1", "run own.comp --buffer B=zeros:20 --then '--groups 1' --json"},
    {"lanewise-run-1", "run own.comp --buffer B=zeros:16 --findings --json", nullptr, 1},
    {"lanewise-run-1", "run size.comp --buffer B=zeros:4 --subgroup-size 4,8 --json", nullptr, 1},
    {"lanewise-run-1", "run bad.amber --json", nullptr, 1},
    {"lanewise-scripts-1", "run scripts --json"},
    {"lanewise-inspect-1", "inspect own.comp --json"},
    {"lanewise-inspect-subject-1", "inspect photo/sobel/checked --size 3x2 --json"},
    {"lanewise-coverage-1", "coverage --json"},
    {"lanewise-bench-1", "bench photo/sobel/checked --size 3x2 --devices model --runs 1 --json bench.json", "bench.json"},
    {"lanewise-selftest-1", "selftest photo/sobel/checked --part 1/100 --json selftest.json", "selftest.json"},
    {"lanewise-measure-1", "measure picture.png --json"},
};

class Documents : public Scratch {
 protected:
  void SetUp() override {
    std::ofstream(path("own.comp")) << "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
                                       "void main() { data[gl_GlobalInvocationID.x + 1u] = 1u; }\n";
    std::ofstream(path("size.comp")) << "#version 450\n#extension GL_KHR_shader_subgroup_basic : require\n"
                                        "layout(binding = 0) buffer B { uint data[]; };\nvoid main() { data[0] = gl_SubgroupSize; }\n";
    std::ofstream(path("own.toml")) << "lanewise = 1\n[size]\ndimensions = 1\n[modules.own]\nfile = \"own.comp\"\n[modules.size]\n"
                                       "file = \"size.comp\"\n[resources.B]\nbuffer = \"u32\"\nelements = 5\noutput = true\n"
                                       "[[dispatches]]\nmodule = \"own\"\ngroups = 1\n"
                                       "[[reference.dispatches]]\nmodule = \"size\"\ngroups = 1\n";
    std::ofstream(path("bad.amber")) << amber::kDouble << "RUN p 4 1 1\nEXPECT numbers IDX 0 EQ 3\n";
    std::filesystem::create_directories(path("scripts"));
    std::ofstream(path("scripts/idle.amber")) << "#!amber\n";
  }
  // In the folder of the test, without what it says beside its document.
  Ran here(const std::string& arguments) const {
    return shell(fmt::format("cd {} && {} {} 2>/dev/null", folder_.string(), LANEWISE_PROGRAM, arguments));
  }
};

TEST_F(Documents, AreWhatTheirSchemasSay) {
  ASSERT_EQ(here("golden image photo/sobel/checked --size 5x3 --input ramp --out made").code, 0);
  ASSERT_EQ(shell(fmt::format("cp {0}/made/*/input.png {0}/picture.png", folder_.string())).code, 0);
  for (const Document& d : kDocuments) {
    Ran ran = here(d.command);
    EXPECT_EQ(ran.code, d.code) << d.command;
    std::ifstream file(path(d.file ? d.file : "none"));
    if (d.file) ran.text.assign(std::istreambuf_iterator<char>(file), {});
    const auto json = nlohmann::json::parse(ran.text, nullptr, false);
    EXPECT_EQ(Schema(d.schema).wrong(json), "") << d.command << " printed " << ran.text;
  }
}

// A trace is an object a line: the schema, the steps, the outputs.
TEST_F(Documents, ATraceBeginsWithItsSchema) {
  const Ran ran = here("trace own.comp --buffer B=zeros:20 --json");
  EXPECT_EQ(ran.code, 0);
  std::istringstream lines(ran.text);
  std::vector<nlohmann::json> all;
  for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line, nullptr, false));
  ASSERT_GT(all.size(), 2u) << ran.text;
  EXPECT_EQ(all.front().value("schema", ""), "lanewise-trace-1");
  for (const nlohmann::json& line : all) EXPECT_EQ(Schema("lanewise-trace-1").wrong(line), "") << line;
  EXPECT_EQ(all.back()["output"], "0:0");
}

// Standard output is one document then too, also where nothing compiles.
TEST_F(Documents, ErrorsAreDocuments) {
  std::ofstream(path("wrong.comp")) << "#version 450\nvoid main() { x = 1; }\n";
  const std::pair<const char*, const char*> wrong[] = {{"check wrong.comp --json 2>no", "lanewise-error-1"},
                                                       {"inspect wrong.comp --json 2>no", "lanewise-error-1"},
                                                       {"trace wrong.comp --invocation 0,0 --json 2>no", "lanewise-error-1"},
                                                       {"run wrong.comp --json 2>no", "lanewise-run-1"}};
  for (const auto& [command, schema] : wrong) {
    const Ran ran = shell("cd " + folder_.string() + " && " LANEWISE_PROGRAM " " + command);
    EXPECT_EQ(ran.code, 2) << command;
    const auto json = nlohmann::json::parse(ran.text, nullptr, false);
    ASSERT_TRUE(json.is_object()) << command << " printed " << ran.text;
    EXPECT_EQ(Schema(schema).wrong(json), "") << command;
    EXPECT_EQ(json["exitCode"], 2) << command;
    EXPECT_NE(json["error"]["what"].get<std::string>().find("it does not compile"), std::string::npos) << command;
  }
}

TEST_F(Documents, ExitCodesAreThoseOfTheReadme) {
  const std::pair<Outcome, const char*> codes[] = {
      {Outcome::kOk, "check own.comp --devices model --buffer 0:0=zeros:20"},
      {Outcome::kFinding, "check own.comp --devices model --buffer 0:0=zeros:16"},
      {Outcome::kBadInput, "check own.comp --devices model"},
      {Outcome::kOk, "inspect own.comp --entry main"},
      {Outcome::kBadInput, "inspect own.comp --entry nope"},
#ifdef LANEWISE_GPU
      {Outcome::kDeviceTrouble, "run own.comp --buffer 0:0=zeros:16 --device no-such"},
#endif
      {Outcome::kIoError, "run own.comp --buffer 0:0=missing.bin"},
  };
  for (const auto& [outcome, command] : codes) EXPECT_EQ(here(command).code, static_cast<int>(outcome)) << command;
  constexpr int kNumbers[] = {0, 1, 2, 3, 4, 5, 6, 70, 130};
  constexpr Outcome kOutcomes[] = {Outcome::kOk,          Outcome::kFinding,       Outcome::kBadInput,
                                   Outcome::kUnsupported, Outcome::kDeviceTrouble, Outcome::kGoldenTrouble,
                                   Outcome::kIoError,     Outcome::kInternal,      Outcome::kInterrupted};
  for (std::size_t i = 0; i < std::size(kNumbers); ++i) EXPECT_EQ(static_cast<int>(kOutcomes[i]), kNumbers[i]);
}

}  // namespace
}  // namespace lanewise
