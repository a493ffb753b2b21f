// The language of a source, and what it calls order.
#include "model/spirv/source_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "model/spirv/parse.h"
#include "tests/text/program_modules.h"

namespace lanewise::spirv {
namespace {

struct Said {
  std::uint32_t source, generator, language;
  const char *barrier, *fence, *atomic;
};

// OpSource says it, or else who made the module; 8 and 13 compile GLSL and HLSL.
TEST(SourceWords, AreThoseOfTheLanguage) {
  const Said all[] = {
      {2, 8, 2, "barrier()", "memoryBarrierBuffer()", "atomic"},
      {5, 8, 5, "GroupMemoryBarrierWithGroupSync()", "DeviceMemoryBarrier()", "Interlocked"},
      {10, 0, 10, "workgroupBarrier()", "OpMemoryBarrier", "atomic"},
      {11, 0, 11, "GroupMemoryBarrierWithGroupSync()", "DeviceMemoryBarrier()", "Interlocked"},
      {0, 14, 5, "GroupMemoryBarrierWithGroupSync()", "DeviceMemoryBarrier()", "Interlocked"},
      {0, 28, 10, "workgroupBarrier()", "OpMemoryBarrier", "atomic"},
      {2, 28, 2, "barrier()", "memoryBarrierBuffer()", "atomic"},
      {0, 7, 0, "barrier()", "memoryBarrierBuffer()", "atomic"},
  };
  const std::vector<std::uint32_t> plain =
      text::assembled("OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n")->words;
  const Expected<Module> parsed = parse("plain", plain);
  ASSERT_TRUE(parsed.ok());
  const auto first = std::ranges::find(parsed->instructions, spv::Op::OpTypeVoid, &Instruction::op);
  ASSERT_NE(first, parsed->instructions.end());
  for (const Said& said : all) {
    std::vector<std::uint32_t> words = plain;
    words[2] = said.generator << 16;
    const std::uint32_t source[] = {3u << 16 | static_cast<std::uint32_t>(spv::Op::OpSource), said.source, 1};
    words.insert(words.begin() + first->offset, std::begin(source), std::end(source));
    const Expected<Module> m = parse("said", words);
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(sourceLanguage(*m), said.language);
    const SourceWords& own = sourceWords(*m);
    EXPECT_STREQ(own.barrierOf(static_cast<std::uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory)), said.barrier);
    EXPECT_STREQ(own.fenceOf(static_cast<std::uint32_t>(spv::MemorySemanticsMask::UniformMemory)), said.fence);
    EXPECT_STREQ(own.atomic, said.atomic);
  }
}

}  // namespace
}  // namespace lanewise::spirv
