// Which ids an entry point uses: a literal is no id, whatever number it is. In each module the variable %out is used, and a variable whose
// id is the literal of an instruction is not.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <span>
#include <spirv-tools/libspirv.hpp>

#include "model/spirv/parse.h"
#include "model/spirv/uses.h"
#include "model/spirv/validate.h"
#include "tests/text/compute_module.h"
#include "tests/text/program_modules.h"

namespace lanewise {
namespace {

struct Family {
  std::uint32_t id;  // of the variable that nobody uses
  const char* body;
  const char* name;
  const char* function = "";  // a second one
  const char* first = "";     // what stands before the body

  friend void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }
};

const Family kFamilies[] = {
    {7, "", "StorageClass", "", "%t = OpVariable %pf_u Function\n"},
    {2, "%t = OpFunctionCall %void %callee", "FunctionControl",
     "%callee = OpFunction %void DontInline %fn\n%cl = OpLabel\nOpReturn\nOpFunctionEnd\n"},
    {4, "%t = OpLoad %uint %at Aligned 4", "AlignedLoad"},
    {2, "OpStore %at %zero Aligned 4", "AlignedStore"},
    {2, "OpCopyMemory %at %at Aligned 4", "CopyMemory"},
    {2, "%t = OpCompositeExtract %uint %uv4 2", "CompositeExtract"},
    {3, "%t = OpVectorShuffle %u4 %uv4 %uv4 3 3 3 3", "VectorShuffle"},
    {9, "OpSelectionMerge %end None\nOpSwitch %zero %end 9 %end\n%end = OpLabel", "Switch"},
    {2, "OpSelectionMerge %end DontFlatten\nOpBranchConditional %true %then %end\n%then = OpLabel\nOpBranch %end\n%end = OpLabel",
     "SelectionControl"},
    {5, "OpSelectionMerge %end None\nOpBranchConditional %true %then %end 5 5\n%then = OpLabel\nOpBranch %end\n%end = OpLabel",
     "BranchWeights"},
    {50, "%t = OpExtInst %f %std Fma %f0 %f0 %f0", "ExtInst"},
    {1, "%t = OpGroupNonUniformIAdd %uint %subgroup InclusiveScan %zero", "GroupOperation"},
    {3, "%t = OpGroupNonUniformFMax %f %subgroup ClusteredReduce %f0 %c4", "ClusteredReduce"},
    {2, "%t = OpGroupNonUniformBallotBitCount %uint %subgroup ExclusiveScan %uv4", "BallotBitCount"},
    {6, "%t = OpGroupNonUniformPartitionNV %u4 %zero\n%s = OpGroupNonUniformLogicalAnd %bool %subgroup PartitionedReduceNV %true %t",
     "PartitionedReduce"},
    {2, "%t = OpImageSampleExplicitLod %f4 %sampled %f2v Lod %f0", "Sample"},
    {2, "%t = OpImageSampleDrefExplicitLod %f %shadow %f2v %f0 Lod %f0", "SampleDref"},
    {2, "%t = OpImageSampleProjExplicitLod %f4 %sampled %f3v Lod %f0", "SampleProj"},
    {2, "%t = OpImageSampleProjDrefExplicitLod %f %shadow %f3v %f0 Lod %f0", "SampleProjDref"},
    {2, "%t = OpImageSparseSampleExplicitLod %sparse4 %sampled %f2v Lod %f0", "SparseSample"},
    {2, "%t = OpImageSparseSampleDrefExplicitLod %sparse %shadow %f2v %f0 Lod %f0", "SparseSampleDref"},
    {8, "%t = OpImageGather %f4 %sampled %f2v %zero ConstOffset %i2v", "Gather"},
    {8, "%t = OpImageDrefGather %f4 %shadow %f2v %f0 ConstOffset %i2v", "DrefGather"},
    {8, "%t = OpImageSparseGather %sparse4 %sampled %f2v %zero ConstOffset %i2v", "SparseGather"},
    {8, "%t = OpImageSparseDrefGather %sparse4 %shadow %f2v %f0 ConstOffset %i2v", "SparseDrefGather"},
    {2, "%i = OpImage %plain %sampled\n%t = OpImageFetch %f4 %i %i2v Lod %zero", "Fetch"},
};

// The words of a module with a body. Numbers keep their ids.
std::vector<std::uint32_t> wordsOf(const Family& family, const std::string& more = "") {
  const std::string unused = fmt::format("%{}", family.id);
  const std::string text = text::computeText({
      .body = family.first + std::string(R"(
%sampled = OpLoad %plains %image
%shadow = OpLoad %shadows %depth
%at = OpAccessChain %word %out %zero %zero
)") + family.body +
              "\n" + more,
      .globals = R"(
%true = OpConstantTrue %bool
%i32 = OpTypeInt 32 1
%f = OpTypeFloat 32
%u4 = OpTypeVector %uint 4
%i2 = OpTypeVector %i32 2
%f2 = OpTypeVector %f 2
%f3 = OpTypeVector %f 3
%f4 = OpTypeVector %f 4
%sparse = OpTypeStruct %uint %f
%sparse4 = OpTypeStruct %uint %f4
%subgroup = OpConstant %uint 3
%c4 = OpConstant %uint 4
%f0 = OpConstant %f 0
%uv4 = OpConstantNull %u4
%i2v = OpConstantNull %i2
%f2v = OpConstantNull %f2
%f3v = OpConstantNull %f3
%pf_u = OpTypePointer Function %uint
%plain = OpTypeImage %f 2D 0 0 0 1 Unknown
%plains = OpTypeSampledImage %plain
%pplains = OpTypePointer UniformConstant %plains
%depths = OpTypeImage %f 2D 1 0 0 1 Unknown
%shadows = OpTypeSampledImage %depths
%pshadows = OpTypePointer UniformConstant %shadows
%image = OpVariable %pplains UniformConstant
%depth = OpVariable %pshadows UniformConstant
)" + fmt::format("{} = OpVariable %pblock StorageBuffer\n", unused),
      .functions = family.function,
      .decorations = fmt::format("OpDecorate {0} DescriptorSet 0\nOpDecorate {0} Binding 3\n", unused) + R"(
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 1
OpDecorate %depth DescriptorSet 0
OpDecorate %depth Binding 2
)",
      .interface = "%image %depth " + unused,
      .head = R"(
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformPartitionedNV
OpCapability SparseResidency
OpExtension "SPV_NV_shader_subgroup_partitioned"
%std = OpExtInstImport "GLSL.std.450")",
  });
  std::vector<std::uint32_t> words;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* said) { ADD_FAILURE() << said; });
  EXPECT_TRUE(tools.Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));
  return words;
}

// Whether the variable is used, and whether %out is.
std::pair<bool, bool> uses(const std::vector<std::uint32_t>& words, std::uint32_t id) {
  const Expected<spirv::Module> m = spirv::parse("uses", words);
  if (!m) {
    ADD_FAILURE() << m.error().text();
    return {};
  }
  const std::vector<bool> used = spirv::usedIds(*m, m->entryPoints[0].function);
  std::uint32_t out = 0;
  for (const spirv::Instruction& inst : m->instructions)
    if (inst.op == spv::Op::OpVariable && m->decorationNumber(inst.result, spv::Decoration::Binding) == 0) out = inst.result;
  return {used[id], used[out]};
}

// A literal of a switch has as many words as its selector.
TEST(Targets, OfASwitchAreItsLabels) {
  const auto targets = [](const char* selector) {
    const std::string text =
        text::computeText({.body = fmt::format(R"(
OpSelectionMerge %50 None
OpSwitch {} %50 40 %41 50 %42
%41 = OpLabel
OpBranch %42
%42 = OpLabel
OpBranchConditional %true %50 %43
%43 = OpLabel
OpBranch %50
%50 = OpLabel
)",
                                               selector),
                           .globals = "%true = OpConstantTrue %bool\n%long = OpTypeInt 64 0\n%wide = OpConstant %long 9\n",
                           .head = "OpCapability Int64"});
    std::vector<std::uint32_t> words;
    EXPECT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));
    const Expected<spirv::Module> m = spirv::parse("targets", words);
    std::vector<std::vector<std::uint32_t>> all;
    if (m)
      for (const spirv::Instruction& inst : m->instructions)
        if (std::vector<std::uint32_t> one = spirv::targetsOf(*m, inst); !one.empty()) all.push_back(std::move(one));
    return all;
  };
  using Ids = std::vector<std::uint32_t>;
  for (const char* selector : {"%zero", "%wide"})
    EXPECT_THAT(targets(selector), testing::ElementsAre(Ids{50, 41, 42}, Ids{42}, Ids{50, 43}, Ids{50})) << selector;
}

class Uses : public testing::TestWithParam<Family> {};

TEST_P(Uses, ALiteralIsNoId) {
  const std::vector<std::uint32_t> words = wordsOf(GetParam());
  const Status error = spirv::validate("uses", words);
  ASSERT_FALSE(error) << error->text();
  EXPECT_EQ(uses(words, GetParam().id), std::pair(false, true));
}

// The near miss: the same number as an operand that is an id.
TEST_P(Uses, AnIdIs) {
  const std::vector<std::uint32_t> words = wordsOf(GetParam(), fmt::format("%near = OpAccessChain %word %{} %zero %zero", GetParam().id));
  const Status error = spirv::validate("uses", words);
  ASSERT_FALSE(error) << error->text();
  EXPECT_EQ(uses(words, GetParam().id), std::pair(true, true));
}

INSTANTIATE_TEST_SUITE_P(Families, Uses, testing::ValuesIn(kFamilies), [](const auto& one) { return std::string(one.param.name); });

// Where SPIRV-Tools knows an instruction not, what stands after it is still used.
TEST(UsesUnknown, WhatStandsAfterAnUnknownInstruction) {
  std::vector<std::uint32_t> words = wordsOf({100, "%t = OpFNegate %f %f0", "unknown"}, "%near = OpAccessChain %word %100 %zero %zero");
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpFNegate)) words[at] = (words[at] & 0xffff0000) | 0xfff0;
  EXPECT_EQ(uses(words, 100), std::pair(true, true));
}

// The ids of each instruction, by its word, as SPIRV-Tools says them; empty: it does not know the module.
std::map<std::size_t, std::vector<std::uint32_t>> saidByTools(const std::vector<std::uint32_t>& words) {
  struct Said {
    std::map<std::size_t, std::vector<std::uint32_t>> ids;
    std::size_t word = 5;
  } said;
  const auto take = [](void* data, const spv_parsed_instruction_t* inst) {
    Said& to = *static_cast<Said*>(data);
    std::vector<std::uint32_t>& ids = to.ids[to.word];
    for (const spv_parsed_operand_t& o : std::span(inst->operands, inst->num_operands))
      if (o.type == SPV_OPERAND_TYPE_ID || o.type == SPV_OPERAND_TYPE_SCOPE_ID || o.type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID)
        ids.push_back(inst->words[o.offset]);
    to.word += inst->num_words;
    return SPV_SUCCESS;
  };
  const spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
  const bool known = spvBinaryParse(context.CContext(), &said, words.data(), words.size(), nullptr, take, nullptr) == SPV_SUCCESS;
  return known ? said.ids : decltype(said.ids)();
}

// Most of a module is named without SPIRV-Tools.
TEST(Names, AreThoseOfTheTools) {
  std::size_t compared = 0;
  for (const std::string& file : text::allProgramFiles()) {
    const auto made = text::programModule(file);
    ASSERT_TRUE(made) << made.error().text();
    const Expected<spirv::Module> m = spirv::parse(file, (*made)->words);
    ASSERT_TRUE(m) << m.error().text();
    const auto said = saidByTools(m->words);
    if (said.empty()) continue;
    for (const spirv::Instruction& inst : m->instructions) {
      const spirv::InstructionSet set = m->setOf(inst);
      if (spirv::isNonSemantic(set) || set == spirv::InstructionSet::kDebugPrintf) continue;
      const std::span<const std::uint32_t> own = m->namedBy(inst);
      ASSERT_EQ(std::vector(own.begin(), own.end()), said.at(inst.offset)) << file << ", " << spirv::opName(inst.op);
      ++compared;
    }
  }
  EXPECT_GT(compared, 40000u);
}

}  // namespace
}  // namespace lanewise
