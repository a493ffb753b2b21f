// The definitions beside the text programs: each one is asked for, each asked for is there, and one wrong bit of any is seen.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "model/model.h"
#include "tests/text/program_modules.h"

namespace lanewise::text {
namespace {

TEST(Definitions, AreExactlyThoseAskedFor) {
  std::set<std::string> asked, there;
  for (const std::string& file : programFiles()) {
    const ProgramText program = readProgram(programPath(file));
    EXPECT_EQ(program.problem, "") << file;
    for (const auto& [name, segments] : program.expected)
      for (const Segment& s : segments) {
        if (!s.defined) continue;
        EXPECT_FALSE(s.bytes.empty()) << file;
        EXPECT_TRUE(asked.insert(file + " " + name + " " + s.type).second) << file << " asks twice";
      }
  }
  for (const auto& d : definitions::all())
    EXPECT_TRUE(there.insert(std::string(d.program) + " " + std::string(d.line)).second) << d.program << " is defined twice";
  EXPECT_FALSE(there.empty());
  EXPECT_EQ(asked, there);
}

TEST(Definitions, ThatAreMissingAreAProblem) {
  const std::string path = testing::TempDir() + "/bits.comp";  // a file name with a definition, but of binding 1
  for (const auto& [binding, problem] : {std::pair{"1", ""}, {"2", "no definition of '2 u32'"}}) {
    std::ofstream(path) << "// buffer 0 u32: 8*1\n// expect " << binding << " u32: definition\n";
    const std::string got = readProgram(path).problem;
    EXPECT_TRUE(*problem == 0 ? got.empty() : got.starts_with(problem)) << got;
  }
}

// Every definition as it is agrees with the model's bytes; with one bit changed it does not.
TEST(Definitions, WithOneWrongBitAreSeen) {
  for (const auto& d : definitions::all()) {
    SCOPED_TRACE(d.program);
    ProgramText program = readProgram(programPath(std::string(d.program)));
    const auto module = programModule(std::string(d.program));
    ASSERT_TRUE(module.ok()) << module.error().text();
    program.job.dispatches[0].module = *module;
    const RunResult result = Model().run(program.job);
    ASSERT_FALSE(result.error) << result.error->text();
    for (const Resource& r : result.outputs) {
      if (!program.expected.contains(r.name)) continue;
      std::vector<Segment>& segments = program.expected.at(r.name);
      EXPECT_EQ(difference(segments, r.bytes()), "");
      for (Segment& s : segments) {
        if (!s.defined) continue;
        for (const std::size_t at : {std::size_t{0}, s.bytes.size() / 2, s.bytes.size() - 1}) {
          s.bytes[at] ^= std::byte{1};
          EXPECT_NE(difference(segments, r.bytes()), "") << "byte " << at;
          s.bytes[at] ^= std::byte{1};
        }
      }
    }
  }
}

// Numbers of the lines that say what a program must give and that are wider than a page.
std::vector<std::size_t> wideExpectations(std::istream& in) {
  std::vector<std::size_t> out;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if ((line.starts_with("// expect ") || line.starts_with("; expect ")) && line.size() > 120) out.push_back(number);
  }
  return out;
}

TEST(Definitions, StandWhereALineWouldBeTooWide) {
  for (const std::string& file : programFiles()) {
    std::ifstream in(programPath(file));
    EXPECT_EQ(wideExpectations(in), std::vector<std::size_t>()) << file;
  }
  std::stringstream both;
  for (const char* mark : {"// expect 1 u32:", "; expect 1 u32:", "// buffer 1 u32:"})
    for (const std::size_t width : {120u, 121u}) both << mark << std::string(width - std::strlen(mark), '1') << "\n";
  EXPECT_EQ(wideExpectations(both), (std::vector<std::size_t>{2, 4}));
}

}  // namespace
}  // namespace lanewise::text
