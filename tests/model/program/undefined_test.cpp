// The decoded program has undefined values, with their origin: they are not folded away, and nothing is folded into one.
#include <fmt/format.h>

#include "tests/model/program/decoded.h"

namespace lanewise::text {
namespace {

using spv::Op;

// What is stored into a buffer's word, computed from constants and the undefined words %undef and %other.
std::shared_ptr<const Program> storing(const std::string& body, ir::Flavour flavour = ir::Flavour::kQuick) {
  return decoded(assembled(fmt::format(R"(
    OpCapability Shader
    %glsl = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %b %never
    OpExecutionMode %main LocalSize 1 1 1
    OpName %never "never"
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %b DescriptorSet 0
    OpDecorate %b Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %int = OpTypeInt 32 1
    %float = OpTypeFloat 32
    %true = OpConstantTrue %bool
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %eight = OpConstant %uint 8
    %ones = OpConstant %uint 4294967295
    %n24 = OpConstant %uint 24
    %n25 = OpConstant %uint 25
    %n31 = OpConstant %uint 31
    %n32 = OpConstant %uint 32
    %f1 = OpConstant %float 1
    %f2 = OpConstant %float 2
    %fminus = OpConstant %float -1
    %fbig = OpConstant %float 4294967296
    %fbelow = OpConstant %float 4294967040
    %undef = OpUndef %uint
    %other = OpUndef %uint
    %block = OpTypeStruct %uint
    %pointer = OpTypePointer StorageBuffer %block
    %word = OpTypePointer StorageBuffer %uint
    %private = OpTypePointer Private %uint
    %local = OpTypePointer Function %uint
    %b = OpVariable %pointer StorageBuffer
    %never = OpVariable %private Private
    %main = OpFunction %void None %function
    %entry = OpLabel
    %v = OpVariable %local Function
    %at = OpAccessChain %word %b %zero
    {}
    OpStore %at %x
    OpReturn
    OpFunctionEnd
  )",
                                       body)),
                 flavour);
}

std::size_t count(const std::string& body, ir::Code op, ir::Flavour flavour = ir::Flavour::kQuick) {
  return instructionsOf(*storing(body, flavour), op).size();
}
std::size_t count(const std::string& body, Op op, ir::Flavour flavour = ir::Flavour::kQuick) {
  return count(body, ir::core(op), flavour);
}

TEST(Undefined, AStoredOneIsARegisterThatSaysWhereItComesFrom) {
  const auto p = storing("%x = OpCopyObject %uint %undef");
  ASSERT_EQ(p->undefined.size(), 1u);
  const ir::Origin& origin = p->origins[p->undefined[0].origin];
  EXPECT_EQ(p->module.instructions[origin.instruction].op, Op::OpUndef);
  const auto arguments = p->argumentsOf(instructionsOf(*p, ir::kStore).at(0));
  EXPECT_EQ(arguments[2].slot.offset, p->undefined[0].slot.offset) << "the store reads that register";
  EXPECT_EQ(storing("%x = OpCopyObject %uint %zero")->undefined.size(), 0u) << "a zero is not undefined";
}

TEST(Undefined, AVariableThatNobodyWroteIsNamed) {
  const auto p = storing("%x = OpLoad %uint %never");
  ASSERT_EQ(p->undefined.size(), 1u);
  const ir::Origin& origin = p->origins[p->undefined[0].origin];
  EXPECT_EQ(p->module.nameOf(origin.unwritten), "never");
  EXPECT_EQ(p->module.instructions[origin.instruction].op, Op::OpVariable);
  EXPECT_EQ(storing("OpStore %never %one\n%x = OpLoad %uint %never")->undefined.size(), 0u);
  EXPECT_EQ(storing("OpStore %v %one\n%x = OpLoad %uint %v")->undefined.size(), 0u);
  EXPECT_EQ(storing("%x = OpLoad %uint %v\nOpStore %v %one")->undefined.size(), 1u) << "written too late";
}

TEST(Undefined, OnOnePathOfTwo) {
  const std::string branch = R"(
    %word0 = OpLoad %uint %at
    %yes = OpINotEqual %bool %word0 %zero
    {}
    OpSelectionMerge %merge None
    OpBranchConditional %yes %then %merge
    %then = OpLabel
    OpStore %v %eight
    OpBranch %merge
    %merge = OpLabel
    %x = OpLoad %uint %v
  )";
  EXPECT_EQ(storing(fmt::format(fmt::runtime(branch), ""))->undefined.size(), 1u);
  EXPECT_EQ(storing(fmt::format(fmt::runtime(branch), "OpStore %v %one"))->undefined.size(), 0u);
}

TEST(Undefined, WhatItGoesIntoIsNotFolded) {
  EXPECT_EQ(count("%x = OpIAdd %uint %undef %one", Op::OpIAdd), 1u);
  EXPECT_EQ(count("%x = OpIAdd %uint %eight %one", Op::OpIAdd), 0u);
  EXPECT_EQ(count("%x = OpIAdd %uint %undef %zero", Op::OpIAdd), 1u);
  EXPECT_EQ(count("%x = OpIMul %uint %undef %zero", Op::OpIMul), 1u);
  EXPECT_EQ(count("%x = OpBitwiseXor %uint %undef %undef", Op::OpBitwiseXor), 1u);
  EXPECT_EQ(count("%x = OpISub %uint %undef %undef", Op::OpISub), 1u);
  EXPECT_EQ(count("%x = OpBitwiseAnd %uint %undef %zero", Op::OpBitwiseAnd), 1u);
  EXPECT_EQ(count("%x = OpBitwiseXor %uint %eight %eight", Op::OpBitwiseXor), 0u);
}

// %w comes from something undefined on a way of its own; what is computed from it has to come to an observer.
TEST(Undefined, WhatItGoesIntoIndirectlyIsNotFolded) {
  const char* const ways[] = {"%w = OpIAdd %uint %undef %one", "%w = OpShiftLeftLogical %uint %one %n32", "%w = OpUDiv %uint %eight %zero",
                              "%read = OpLoad %uint %v\n%w = OpNot %uint %read"};
  const std::pair<Op, const char*> identities[] = {{Op::OpIMul, "%w %zero"},       {Op::OpIMul, "%zero %w"},
                                                   {Op::OpBitwiseAnd, "%w %zero"}, {Op::OpBitwiseOr, "%w %ones"},
                                                   {Op::OpBitwiseXor, "%w %w"},    {Op::OpISub, "%w %w"}};
  for (const char* way : ways)
    for (const auto& [op, arguments] : identities) {
      const std::string body = fmt::format("{}\n%x = {} %uint {}", way, spirv::opName(op), arguments);
      EXPECT_EQ(count(body, op), 1u) << body;
      EXPECT_EQ(count(body, op, ir::Flavour::kUnwatched), 0u) << body << ": nobody looks";
    }
  EXPECT_EQ(count("%w = OpIAdd %uint %undef %one\n%x = OpIMul %uint %w %one", Op::OpIMul), 0u) << "the same value";
  EXPECT_EQ(count("%w = OpIAdd %uint %eight %one\n%x = OpIMul %uint %w %zero", Op::OpIMul), 0u) << "of constants";
}

TEST(Undefined, ASelectionTakesOneOrTheOther) {
  EXPECT_EQ(storing("%x = OpSelect %uint %true %undef %one")->undefined.size(), 1u);
  EXPECT_EQ(storing("%x = OpSelect %uint %true %one %undef")->undefined.size(), 0u) << "the undefined side is not chosen";
}

TEST(Undefined, SeveralOriginsHaveSeveralRegisters) {
  const auto two = storing("%x = OpIAdd %uint %undef %other");
  ASSERT_EQ(two->undefined.size(), 2u);
  EXPECT_NE(two->undefined[0].slot.offset, two->undefined[1].slot.offset);
  EXPECT_EQ(storing("%x = OpIAdd %uint %undef %undef")->undefined.size(), 1u);
}

TEST(Undefined, ResultsThatTheSpecificationDoesNotGiveStayOperations) {
  EXPECT_EQ(count("%x = OpShiftLeftLogical %uint %one %n32", Op::OpShiftLeftLogical), 1u);
  EXPECT_EQ(count("%x = OpShiftLeftLogical %uint %one %n31", Op::OpShiftLeftLogical), 0u);
  EXPECT_EQ(count("%x = OpUDiv %uint %eight %zero", Op::OpUDiv), 1u);
  EXPECT_EQ(count("%x = OpUDiv %uint %zero %eight", Op::OpUDiv), 0u);
  EXPECT_EQ(count("%x = OpConvertFToU %uint %fminus", Op::OpConvertFToU), 1u);
  EXPECT_EQ(count("%x = OpConvertFToU %uint %fbig", Op::OpConvertFToU), 1u);
  EXPECT_EQ(count("%x = OpConvertFToU %uint %fbelow", Op::OpConvertFToU), 0u);
  EXPECT_EQ(count("%x = OpBitFieldUExtract %uint %one %eight %n25", Op::OpBitFieldUExtract), 1u);
  EXPECT_EQ(count("%x = OpBitFieldUExtract %uint %one %eight %n24", Op::OpBitFieldUExtract), 0u);
  const std::string clamp = "%f = OpExtInst %float %glsl FClamp %f1 {}\n%x = OpBitcast %uint %f";
  const ir::Code fclamp = ir::kGlsl + 43;
  EXPECT_EQ(count(fmt::format(fmt::runtime(clamp), "%f2 %f1"), fclamp), 1u);
  EXPECT_EQ(count(fmt::format(fmt::runtime(clamp), "%f1 %f1"), fclamp), 0u);
}

TEST(Undefined, EachOriginOfAProgram) {
  const auto p = decodedProgram("undefined_values.spvasm");
  std::vector<std::string> from;
  for (const UndefinedSlot& u : p->undefined) {
    const ir::Origin& origin = p->origins[u.origin];
    from.push_back(origin.unwritten ? p->module.nameOf(origin.unwritten) : spirv::opName(p->module.instructions[origin.instruction].op));
  }
  EXPECT_THAT(from, testing::UnorderedElementsAre("unwritten", "OpUndef", "OpVectorShuffle"));
}

}  // namespace
}  // namespace lanewise::text
