// Instructions, capabilities, extensions and modes that are newer than the linked SPIRV-Tools: the module is assembled with older ones in
// their places, whose numbers are changed here.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "model/ir/operation_names.h"
#include "model/model.h"
#include "model/spirv/parse.h"
#include "model/spirv/validate.h"
#include "tests/model/spirv/newer_modules.h"

namespace lanewise {
namespace {

RunResult runWords(Words words, std::vector<std::byte> bytes = std::vector<std::byte>(32, kPoisonByte)) {
  Job job;
  job.resources = {undefinedBuffer("out", bytes.size())};
  job.resources[0].bytes() = std::move(bytes);
  Dispatch d;
  d.module = std::make_shared<const ShaderModule>(ShaderModule{"newer", std::move(words)});
  d.bindings = {{.resource = "out"}};
  job.dispatches = {d};
  return Model().run(job);
}

TEST(NewerSpirv, Runs) {
  const RunResult result = runWords(newerModule());
  ASSERT_FALSE(result.error) << result.error->text();
  std::uint32_t got[8];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  // 2x + 0.5 + x * x + 0.5; all of lanes 0 to 3 are below 5, of lanes 4 to 7 only one is.
  EXPECT_THAT(got, testing::ElementsAre(1101, 1104, 1109, 1116, 1025, 1036, 1049, 1064));
}

// What the copy for the validator leaves out changes nothing that the validator would refuse otherwise.
TEST(NewerSpirv, TheRestIsStillValidated) {
  Words words = newerModule();
  change(words, spv::Op::OpConvertUToF, 0, [](const Words& w) { return renumbered(w, spv::Op::OpFNegate); });
  const RunResult result = runWords(words);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->outcome, Outcome::kBadInput);
  EXPECT_THAT(result.error->text(), testing::HasSubstr("OpFNegate"));
}

// What becomes of a module in which an instruction has other words. The words before `at` stay.
Status validated(const Words& words, std::size_t at, std::size_t count, Words inst) {
  inst[0] = static_cast<std::uint32_t>(inst.size()) << 16 | (inst[0] & 0xffff);
  Words changed(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
  changed.insert(changed.end(), inst.begin(), inst.end());
  changed.insert(changed.end(), words.begin() + static_cast<std::ptrdiff_t>(at + count), words.end());
  return spirv::validate("changed", changed);
}

// Each operand of an instruction becomes every value of another type, and every one that is not defined yet. Each must be refused.
void expectOperandsAreChecked(const Words& words, const spirv::Module& m, const spirv::Instruction& inst) {
  const std::size_t count = words[inst.offset] >> 16;
  const Words before(words.begin() + inst.offset, words.begin() + static_cast<std::ptrdiff_t>(inst.offset + count));
  ASSERT_FALSE(validated(words, inst.offset, count, before));
  const auto refused = [&](const Words& after, const std::string& what) {
    const Status error = validated(words, inst.offset, count, after);
    ASSERT_TRUE(error) << spirv::opName(inst.op) << " with " << what;
    EXPECT_EQ(error->outcome, Outcome::kBadInput) << error->text();
    EXPECT_THAT(error->text(), testing::HasSubstr("word"));
  };
  for (std::size_t i = 3; i < count; ++i) {
    const spirv::Instruction* operand = m.definition(before[i]);
    ASSERT_TRUE(operand);
    for (const spirv::Instruction& value : m.instructions) {
      if (value.type == 0 || value.op == spv::Op::OpFunction || (value.type == operand->type && value.offset < inst.offset)) continue;
      Words after = before;
      after[i] = value.result;
      refused(after, fmt::format("operand {} %{}, {}", i - 3, value.result, spirv::opName(value.op)));
    }
  }
  refused({before.begin(), before.end() - 1}, "an operand less");
  Words more = before;
  more.push_back(before.back());
  refused(more, "an operand more");
}

TEST(NewerSpirv, OperandsOfEachAreChecked) {
  std::set<spv::Op> seen{spirv::newer::OpExtInstWithForwardRefsKHR};  // which is left out
  for (const Words& words : newerModules()) {
    const Expected<spirv::Module> m = spirv::parse("newer", words);
    ASSERT_TRUE(m);
    for (const spirv::Instruction& inst : m->instructions)
      if (!spirv::newerName(inst.op).empty() && inst.op != spirv::newer::OpExtInstWithForwardRefsKHR) {
        seen.insert(inst.op);
        expectOperandsAreChecked(words, *m, inst);
      }
  }
  for (std::uint32_t op = 0; op <= 0xffff; ++op)
    EXPECT_EQ(seen.contains(spv::Op{op}), !spirv::newerName(spv::Op{op}).empty()) << spirv::opName(spv::Op{op});
}

TEST(NewerSpirv, ForwardReferencesAreForDebugInformation) {
  Words words = fusedModule();
  change(words, spv::Op::OpExtInst, 0, [](const Words& w) { return renumbered(w, spirv::newer::OpExtInstWithForwardRefsKHR); });
  const Status error = spirv::validate("newer", words);
  ASSERT_TRUE(error);
  EXPECT_THAT(error->text(), testing::HasSubstr("OpExtInstWithForwardRefsKHR is not of a set of debug information"));
}

// 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, and so on for halves and doubles.
TEST(NewerSpirv, FmaIsRoundedOnce) {
  const RunResult result = runWords(fusedModule(), std::vector<std::byte>(20));
  ASSERT_FALSE(result.error) << result.error->text();
  float got[5];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  EXPECT_THAT(got, testing::ElementsAre(0x1p-24f, 0x1p-24f, 0x1p-12f, 0x1p-54f, 0.0f));
}

// The numbers of the registry. 6030 is the capability FMAKHR, and as an instruction another one.
TEST(NewerSpirv, IsNamedInMessages) {
  EXPECT_EQ(spirv::opName(spv::Op{4427}), "OpFmaKHR");
  EXPECT_EQ(codeName(4427), "OpFmaKHR");
  EXPECT_EQ(spirv::opName(spv::Op{6916}), "OpFDot2MixAcc32VALVE");
  EXPECT_EQ(spirv::opName(spv::Op::OpIAdd), "OpIAdd");
  EXPECT_EQ(spirv::newerName(spv::Op{6030}), "");
}

// SPV_NV_shader_atomic_fp16_vector: an atomic operation on each component.
TEST(NewerSpirv, AtomicsOnVectorsOfHalves) {
  constexpr const char* kVectors = R"(
OpCapability Shader
OpCapability Float16
OpCapability StorageBuffer16BitAccess
OpCapability Matrix
OpExtension "SPV_NV_shader_atomic_fp16_vector"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %out
OpExecutionMode %main LocalSize 4 1 1
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 4
OpMemberDecorate %block 2 Offset 8
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%h = OpTypeFloat 16
%v2 = OpTypeVector %h 2
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%h1 = OpConstant %h 1.5
%h2 = OpConstant %h -2
%v = OpConstantComposite %v2 %h1 %h2
%block = OpTypeStruct %v2 %v2 %v2
%pblock = OpTypePointer StorageBuffer %block
%pv = OpTypePointer StorageBuffer %v2
%out = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%l = OpLabel
%p0 = OpAccessChain %pv %out %c0
%p1 = OpAccessChain %pv %out %c1
%p2 = OpAccessChain %pv %out %c2
%r0 = OpAtomicFAddEXT %v2 %p0 %c1 %c0 %v
%r1 = OpAtomicFMaxEXT %v2 %p1 %c1 %c0 %v
%r2 = OpAtomicFMinEXT %v2 %p2 %c1 %c0 %v
OpReturn
OpFunctionEnd
)";
  Words words;
  ASSERT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(kVectors, &words));
  change(words, spv::Op::OpCapability, 3, [](Words w) {
    w[1] = 5404;
    return w;
  });
  const RunResult result = runWords(words, std::vector<std::byte>(32));
  ASSERT_FALSE(result.error) << result.error->text();
  std::uint16_t got[6];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  EXPECT_THAT(got, testing::ElementsAre(0x4600, 0xc800, 0x3e00, 0, 0, 0xc000));  // 6, -8; 1.5, 0; 0, -2
  const Expected<spirv::Module> m = spirv::parse("vectors", words);
  ASSERT_TRUE(m);
  for (const spirv::Instruction& inst : m->instructions)
    if (inst.op == spv::Op::OpAtomicFAddEXT || inst.op == spv::Op::OpAtomicFMaxEXT || inst.op == spv::Op::OpAtomicFMinEXT)
      expectOperandsAreChecked(words, *m, inst);
}

TEST(NewerSpirv, DotProductsOfHalvesAndWhatGlslangWrites) {
  Words words = halvesModule();
  const RunResult result = runWords(words);
  ASSERT_FALSE(result.error) << result.error->text();
  float got[3];
  std::memcpy(got, result.outputs[0].bytes().data(), sizeof got);
  EXPECT_THAT(got, testing::ElementsAre(-5.75f, -4.5f, 1.5f));  // 1.5 * -2 + -2 * 1.5, and 0.25 or 1.5
  // The near miss: a conversion to another type of the same width is still refused.
  change(words, spv::Op::OpFConvert, 1, [](const Words& w) { return renumbered(w, spv::Op::OpUConvert); });
  const RunResult wrong = runWords(words);
  ASSERT_TRUE(wrong.error);
  EXPECT_EQ(wrong.error->outcome, Outcome::kBadInput);
}

TEST(NewerSpirv, WhatIsNotExecutedIsRefusedByName) {
  Words words = newerModule();
  change(words, spv::Op::OpCapability, 1, [](Words w) {
    w[1] = 6022;
    return w;
  });
  const RunResult result = runWords(words);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->outcome, Outcome::kUnsupported);
  EXPECT_THAT(result.error->text(), testing::HasSubstr("CooperativeMatrixKHR"));
}

// OpSource names Slang, which the linked SPIRV-Tools may not know; 99 is no language.
TEST(NewerSpirv, TheLanguageOfTheSourceMayBeNewer) {
  for (const std::uint32_t language : {2u, 7u, 10u, 11u, 13u, 99u}) {
    Words words = newerModule();
    const Expected<spirv::Module> m = spirv::parse("newer", words);
    ASSERT_TRUE(m.ok());
    const auto first = std::ranges::find_if(m->instructions, [](const spirv::Instruction& i) {  // which debug information comes before
      return i.op == spv::Op::OpName || i.op == spv::Op::OpMemberName || i.op == spv::Op::OpDecorate || i.op == spv::Op::OpTypeVoid;
    });
    ASSERT_NE(first, m->instructions.end());
    const std::size_t at = first->offset;
    const std::uint32_t source[] = {3u << 16 | static_cast<std::uint32_t>(spv::Op::OpSource), language, 1};
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), std::begin(source), std::end(source));
    const Status error = spirv::validate("newer", words);
    EXPECT_EQ(!error, language != 99) << language << ": " << (error ? error->text() : "");
  }
}

TEST(NewerSpirv, ACopyOfAnythingIsHarmless) {
  EXPECT_TRUE(spirv::withoutNewer({}).words.empty());
  const Words cut{spv::MagicNumber, 0x10600, 0, 9, 0, 0x00ff13f6};  // one that runs past the end
  EXPECT_EQ(spirv::withoutNewer(cut).words, cut);
}

}  // namespace
}  // namespace lanewise
