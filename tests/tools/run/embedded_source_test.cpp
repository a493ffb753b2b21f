// The names and texts of its sources that a compiled module holds, whatever glslang makes of characters that are not ASCII.
#include "tools/run/embedded_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spirv/literal.h"
#include "model/spirv/parse.h"
#include "tools/run/module_file.h"
#include "tools/run/source_text.h"

namespace lanewise {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::Not;

std::vector<std::string> literalsOf(const std::vector<std::uint32_t>& words) {
  std::vector<std::string> out;
  const Expected<spirv::Module> module = spirv::parse("", words);
  if (!module) return out;
  for (const spirv::Instruction& inst : module->instructions) {
    if (inst.op == spv::Op::OpString) out.push_back(spirv::literalString(inst.operands));
    if (inst.op == spv::Op::OpSource && inst.operands.size() > 3) out.push_back(spirv::literalString(inst.operands.subspan(3)));
  }
  return out;
}

class EmbeddedSource : public testing::Test {
 protected:
  void SetUp() override {
    if (!compileText({.file = "a.comp", .text = "#version 450\nvoid main() {}\n"}, {})) GTEST_SKIP() << "a build without shaderc";
  }
};

// A character at each byte of a word, with a line end behind it in that word; and one that is last.
TEST_F(EmbeddedSource, HoldsEveryCharacter) {
  const std::string lines = "// é\n// aé\n// aaé\n// aaaé\n// 大きさ\n";
  const std::vector<std::pair<std::string, std::string>> files = {{"größe.glsl", "// Größe\n#define N 3 // é\n"}};
  for (const std::string& last : {std::string("// é"), std::string("// aé"), std::string("\n")}) {
    const std::string text = "#version 450\n#extension GL_GOOGLE_include_directive : enable\n" + lines +
                             "#include \"größe.glsl\"\nlayout(binding = 0) buffer B { int b; };\nvoid main() { b = N; }\n" + last;
    const auto words = compileText({.file = "ö.comp", .text = text, .files = &files}, {});
    ASSERT_TRUE(words) << words.error().text();
    EXPECT_THAT(literalsOf(*words), Contains("ö.comp"));
    EXPECT_THAT(literalsOf(*words), Contains(EndsWith(text)));
    EXPECT_THAT(literalsOf(*words), Contains("größe.glsl"));
  }
}

TEST_F(EmbeddedSource, AnErrorAtTheEndIsInTheSameLine) {
  for (const std::string letter : {"e", "é"}) {
    const auto words = compileText({.file = "a.comp", .text = "#version 450\nvoid main() {\n// " + letter + "\n"}, {});
    ASSERT_FALSE(words);
    EXPECT_THAT(words.error().text(), testing::HasSubstr("a.comp:4: error")) << letter;
  }
}

TEST_F(EmbeddedSource, HoldsThoseOfHlsl) {
  const std::string text = "// Größe\nRWBuffer<uint> b;\n[numthreads(1, 1, 1)] void main() { b[0] = 1; } // é\n";
  const auto words = compileText({.file = "ö.hlsl", .text = text, .hlsl = true}, {});
  ASSERT_TRUE(words) << words.error().text();
  EXPECT_THAT(literalsOf(*words), Contains("ö.hlsl"));
  EXPECT_THAT(literalsOf(*words), Contains(EndsWith(text)));
}

// A literal that only looks spoilt is another text.
TEST_F(EmbeddedSource, LeavesOtherTextsAlone) {
  const auto words = compileText({.file = "a.comp", .text = "#version 450\n// é\nvoid main() {}\n"}, {});
  ASSERT_TRUE(words) << words.error().text();
  EXPECT_EQ(withSource(*words, "// è", "// è"), *words);
  EXPECT_THAT(literalsOf(withSource(*words, "// é", "// e")), Not(Contains(testing::HasSubstr("é"))));
}

}  // namespace
}  // namespace lanewise
