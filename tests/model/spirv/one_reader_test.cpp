// Modules that are easily read in different ways. The Vulkan backend, `inspect`, `run` and the model share one reader; each case says what
// a wrong reader answers.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "model/ir/operation_info.h"
#include "model/operations/evaluate.h"
#include "model/spirv/interface.h"
#include "model/spirv/parse.h"
#include "model/spirv/spec_operation.h"
#include "tests/text/program_modules.h"

namespace lanewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A module whose entry point "main" has the instructions `body`. `decorations` stand before the types.
struct Parts {
  std::string decorations = {}, globals = {}, body = {};
  std::string head = "OpCapability Shader\n";
  std::string interface = {};
  std::string size = "OpExecutionMode %main LocalSize 1 1 1\n";
};

std::shared_ptr<const ShaderModule> moduleOf(const Parts& p) {
  return text::assembled(p.head + "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" " + p.interface + "\n" + p.size +
                         p.decorations + R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u = OpTypeInt 32 0
%f = OpTypeFloat 32
%uvec2 = OpTypeVector %u 2
%uvec3 = OpTypeVector %u 3
%c0 = OpConstant %u 0
%c1 = OpConstant %u 1
%c2 = OpConstant %u 2
%c3 = OpConstant %u 3
)" + p.globals + "%main = OpFunction %void None %fn\n%label = OpLabel\n" +
                         p.body + "OpReturn\nOpFunctionEnd\n");
}

class OneReader : public testing::Test {
 protected:
  // The entry point; its types live as long as the test.
  InterfaceEntry read(const Parts& parts, std::vector<SpecConstant> spec = {}) {
    const auto module = moduleOf(parts);
    Expected<Interface> interface = readInterface(*module, spec);
    if (!interface || interface->entries.size() != 1) {
      ADD_FAILURE() << module->name << (interface ? "" : interface.error().text());
      return {};
    }
    kept_.push_back(std::move(*interface));
    return kept_.back().entries[0];
  }

  // The length of an array of descriptors that is given by the constant %n.
  std::uint32_t length(const std::string& decorations, const std::string& constants, std::vector<SpecConstant> spec = {},
                       const std::string& capabilities = "") {
    const InterfaceEntry e = read({.decorations = "OpDecorate %t DescriptorSet 0\nOpDecorate %t Binding 0\n" + decorations,
                                   .globals = constants + R"(
%image = OpTypeImage %f 2D 0 0 0 1 Unknown
%images = OpTypeArray %image %n
%p_images = OpTypePointer UniformConstant %images
%p_image = OpTypePointer UniformConstant %image
%t = OpVariable %p_images UniformConstant
)",
                                   .body = "%at = OpAccessChain %p_image %t %c0\n",
                                   .head = "OpCapability Shader\n" + capabilities},
                                  std::move(spec));
    if (e.bindings.size() == 1) return e.bindings[0].count;
    ADD_FAILURE() << "no binding";
    return 0;
  }

 private:
  std::vector<Interface> kept_;
};

// Wrong: every OpSpecConstantOp is 0; those on vectors are 1.
TEST_F(OneReader, OperationsOnSpecializationConstants) {
  const std::string size = "OpDecorate %s SpecId 3\n", s = "%s = OpSpecConstant %u 2\n";
  EXPECT_EQ(length(size, s + "%n = OpSpecConstantOp %u IAdd %s %c3\n"), 5u);
  EXPECT_EQ(length(size, s + "%n = OpSpecConstantOp %u IAdd %s %c3\n", {{3, 7}}), 10u);
  EXPECT_EQ(length(size, s + "%n = OpSpecConstantOp %u IAdd %s %c3\n", {{4, 7}}), 5u) << "another constant's value";
  const std::string v = s + "%v = OpSpecConstantComposite %uvec2 %s %c3\n%w = OpConstantComposite %uvec2 %c1 %c2\n";
  EXPECT_EQ(length(size, v + "%x = OpSpecConstantOp %uvec2 IMul %v %w\n%n = OpSpecConstantOp %u CompositeExtract %x 1\n"), 6u);
  EXPECT_EQ(length(size, v + "%x = OpSpecConstantOp %uvec3 VectorShuffle %v %w 3 0 1\n"
                             "%n = OpSpecConstantOp %u CompositeExtract %x 0\n"),
            2u);
  EXPECT_EQ(
      length(size, v + "%x = OpSpecConstantOp %uvec2 CompositeInsert %s %w 0\n%n = OpSpecConstantOp %u CompositeExtract %x 0\n", {{3, 9}}),
      9u);
  EXPECT_EQ(length(size, v + "%b = OpSpecConstantOp %bool ULessThan %c2 %s\n%x = OpSpecConstantOp %uvec2 Select %b %v %w\n"
                             "%n = OpSpecConstantOp %u CompositeExtract %x 1\n"),
            2u);
}

// Wrong: only one index is followed; OpConstantNull has no parts.
TEST_F(OneReader, PartsOfConstants) {
  const std::string pair = "%pair = OpTypeArray %uvec2 %c2\n%a = OpConstantComposite %uvec2 %c1 %c2\n";
  EXPECT_EQ(length("", pair + "%b = OpConstantComposite %uvec2 %c3 %c2\n%ab = OpConstantComposite %pair %a %b\n"
                              "%n = OpSpecConstantOp %u CompositeExtract %ab 1 0\n"),
            3u);
  EXPECT_EQ(length("", pair + "%null = OpConstantNull %pair\n%zero = OpSpecConstantOp %u CompositeExtract %null 1 0\n"
                              "%n = OpSpecConstantOp %u IAdd %zero %c3\n"),
            3u);
}

// Wrong: the bits above a constant's width are kept; a boolean is 2.
TEST_F(OneReader, ValuesAreCutToTheirType) {
  const std::string narrow = "%h = OpTypeInt 16 0\n%s = OpSpecConstant %h 1\n%n = OpSpecConstantOp %u UConvert %s\n";
  EXPECT_EQ(length("OpDecorate %s SpecId 0\n", narrow, {{0, 0x10004}}, "OpCapability Int16\n"), 4u);
  const std::string choice =
      "%s = OpSpecConstantFalse %bool\n%yes = OpConstantTrue %bool\n"
      "%both = OpSpecConstantOp %bool LogicalAnd %s %yes\n%n = OpSpecConstantOp %u Select %both %c3 %c2\n";
  EXPECT_EQ(length("OpDecorate %s SpecId 0\n", choice, {{0, 2}}), 3u);
  EXPECT_EQ(length("OpDecorate %s SpecId 0\n", choice, {{0, 0}}), 2u);
}

// Wrong: a narrow constant's sign is not extended from its own width.
TEST_F(OneReader, NarrowSigns) {
  const std::string shorts =
      "%h = OpTypeInt 16 1\n%s = OpSpecConstant %h -3\n%w = OpSpecConstantOp %u SConvert %s\n"
      "%n = OpSpecConstantOp %u SNegate %w\n";
  EXPECT_EQ(length("OpDecorate %s SpecId 0\n", shorts, {}, "OpCapability Int16\n"), 3u);
  EXPECT_EQ(length("OpDecorate %s SpecId 0\n", shorts, {{0, 0xfffe}}, "OpCapability Int16\n"), 2u);
}

// Wrong: the last of two values.
TEST_F(OneReader, TheFirstOfTwoValuesCounts) {
  EXPECT_EQ(length("OpDecorate %n SpecId 0\n", "%n = OpSpecConstant %u 1\n", {{0, 5}, {0, 6}}), 5u);
}

// Undefined. Wrong: 0, 1, or the profile's choice.
TEST_F(OneReader, AnUndefinedLengthIsAnError) {
  const auto of = [](const char* divisor) {
    return readInterface(*moduleOf({.decorations = "OpDecorate %s SpecId 0\n",
                                    .globals = std::string("%s = OpSpecConstant %u 6\n%n = OpSpecConstantOp %u UDiv %s ") + divisor +
                                               "\n%array = OpTypeArray %f %n\n"}));
  };
  EXPECT_TRUE(of("%c2"));
  const auto undefined = of("%c0");
  ASSERT_FALSE(undefined);
  EXPECT_EQ(undefined.error().outcome, Outcome::kBadInput);
  EXPECT_THAT(undefined.error().text(), HasSubstr("the length of an array is undefined (assembled, word "));
}

// A length that cannot be computed. Wrong: 0 or 1.
TEST_F(OneReader, WhatCannotBeComputedIsAnError) {
  const auto module =
      moduleOf({.globals = R"(
%scope = OpConstant %u 3
%coop = OpTypeCooperativeMatrixNV %f %scope %c2 %c2
%n = OpSpecConstantOp %u CooperativeMatrixLengthNV %coop
%array = OpTypeArray %f %n
)",
                .head = "OpCapability Shader\nOpCapability CooperativeMatrixNV\nOpExtension \"SPV_NV_cooperative_matrix\"\n"});
  const auto interface = readInterface(*module);
  ASSERT_FALSE(interface) << module->name;
  EXPECT_EQ(interface.error().outcome, Outcome::kUnsupported);
  EXPECT_THAT(interface.error().text(), HasSubstr("the length of an array cannot be computed (assembled, word "));
}

// An operation for WorkgroupSize. Wrong: LocalSize; the opcode and the operands' ids as its parts.
TEST_F(OneReader, TheWorkgroupsSize) {
  const Parts computed{.decorations = "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %s SpecId 0\n",
                       .globals =
                           "%s = OpSpecConstant %u 4\n%a = OpSpecConstantComposite %uvec3 %s %c2 %c1\n"
                           "%b = OpConstantComposite %uvec3 %c2 %c3 %c1\n%size = OpSpecConstantOp %uvec3 IMul %a %b\n"};
  EXPECT_THAT(read(computed).localSize, ElementsAre(8, 6, 1));
  EXPECT_THAT(read(computed, {{0, 5}}).localSize, ElementsAre(10, 6, 1));
  Parts ids{.globals = "%n = OpSpecConstantOp %u IAdd %c3 %c2\n"};
  ids.size = "OpExecutionModeId %main LocalSizeId %n %c2 %c1\n";
  EXPECT_THAT(read(ids).localSize, ElementsAre(5, 2, 1));
}

// Wrong: a matrix's last column counts with its padding, so that push constants are too short.
TEST_F(OneReader, PushConstantsEndWithTheirLastScalar) {
  const Parts parts{.decorations =
                        "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 0 ColMajor\n"
                        "OpMemberDecorate %block 0 MatrixStride 16\n",
                    .globals =
                        "%vec3 = OpTypeVector %f 3\n%mat = OpTypeMatrix %vec3 3\n%block = OpTypeStruct %mat\n"
                        "%p_block = OpTypePointer PushConstant %block\n%p = OpVariable %p_block PushConstant\n",
                    .body = "%all = OpLoad %block %p\n"};
  EXPECT_EQ(read(parts).pushBytes, 44u);
}

// Wrong: workgroup memory is packed; blocks that share their bytes are one behind the other.
TEST_F(OneReader, WorkgroupMemory) {
  const Parts aligned{.globals =
                          "%byte = OpTypeInt 8 0\n%wide = OpTypeFloat 64\n%p_byte = OpTypePointer Workgroup %byte\n"
                          "%p_wide = OpTypePointer Workgroup %wide\n%a = OpVariable %p_byte Workgroup\n"
                          "%b = OpVariable %p_wide Workgroup\n",
                      .body = "%x = OpLoad %byte %a\n%y = OpLoad %wide %b\n",
                      .head = "OpCapability Shader\nOpCapability Int8\nOpCapability Float64\n"};
  const InterfaceEntry e = read(aligned);
  EXPECT_EQ(e.workgroupBytes, 16u);
  ASSERT_EQ(e.workgroup.size(), 2u);
  EXPECT_EQ(e.workgroup[1].offset, 8u);
  Parts blocks{.decorations = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 16\n",
               .globals =
                   "%block = OpTypeStruct %f\n%p_block = OpTypePointer Workgroup %block\n%a = OpVariable %p_block Workgroup\n"
                   "%b = OpVariable %p_block Workgroup\n",
               .body = "%x = OpLoad %block %a\n%y = OpLoad %block %b\n",
               .head =
                   "OpCapability Shader\nOpCapability WorkgroupMemoryExplicitLayoutKHR\n"
                   "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n"};
  EXPECT_EQ(read(blocks).workgroupBytes, 24u);
  blocks.head = "OpCapability Shader\n";
  EXPECT_EQ(read(blocks).workgroupBytes, 8u) << "without the extension decorations say nothing";
}

constexpr const char* kBlock =
    "%block = OpTypeStruct %u\n%p_block = OpTypePointer StorageBuffer %block\n%p_u = OpTypePointer StorageBuffer %u\n"
    "%data = OpVariable %p_block StorageBuffer\n";
constexpr const char* kBlockDecorations = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n";

// Wrong: groups of decorations are ignored, which gives set 0, binding 0.
TEST_F(OneReader, GroupsOfDecorations) {
  const InterfaceEntry e = read({.decorations = std::string("OpDecorate %group DescriptorSet 2\nOpDecorate %group Binding 5\n"
                                                            "%group = OpDecorationGroup\nOpGroupDecorate %group %data\n") +
                                                kBlockDecorations,
                                 .globals = kBlock,
                                 .body = "%at = OpAccessChain %p_u %data %c0\n"});
  ASSERT_EQ(e.bindings.size(), 1u);
  EXPECT_EQ(e.bindings[0].text(), "2:5");
}

// Wrong: a variable has no name where its block has it.
TEST_F(OneReader, ABlocksNameStandsForItsVariables) {
  const InterfaceEntry e = read({.decorations = std::string("OpName %block \"Sums\"\nOpName %data \"\"\n") + kBlockDecorations,
                                 .globals = kBlock,
                                 .body = "%at = OpAccessChain %p_u %data %c0\n"});
  ASSERT_EQ(e.bindings.size(), 1u);
  EXPECT_EQ(e.bindings[0].name, "Sums");
}

// A literal may be the number of a variable's id. Wrong: it counts as a use.
TEST_F(OneReader, LiteralsAreNoUses) {
  const Parts parts{.decorations = kBlockDecorations,
                    .globals = std::string("%p_fu = OpTypePointer Function %u\n") + kBlock,
                    .body = "%local = OpVariable %p_fu Function\n%bits = OpLoad %u %local Aligned 4\n"};
  const auto module = moduleOf(parts);
  Expected<spirv::Module> parsed = spirv::parse("m", module->words);
  ASSERT_TRUE(parsed) << module->name;
  std::uint32_t data = 0;
  for (const spirv::Instruction& inst : parsed->instructions)
    if (inst.op == spv::Op::OpVariable && data == 0) data = inst.result;
  ShaderModule changed = *module;
  for (const spirv::Instruction& inst : parsed->instructions)
    if (inst.op == spv::Op::OpLoad) changed.words[inst.offset + 5] = data;  // "Aligned data"
  const auto interface = readInterface(changed);
  ASSERT_TRUE(interface) << interface.error().text();
  EXPECT_TRUE(interface->entries[0].bindings.empty());
}

// A pointer that an extended instruction writes through. Wrong: it is not used.
TEST_F(OneReader, ExtendedInstructionsUseWhatTheyName) {
  const InterfaceEntry e =
      read({.globals = "%p_f = OpTypePointer Workgroup %f\n%whole = OpVariable %p_f Workgroup\n%half = OpConstant %f 0.5\n",
            .body = "%x = OpExtInst %f %glsl Modf %half %whole\n",
            .head = "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\n"});
  EXPECT_EQ(e.workgroupBytes, 4u);
}

// What debug information names. Wrong: it counts as a use and needs a resource.
TEST_F(OneReader, DebugInformationUsesNothing) {
  const InterfaceEntry e = read({.decorations = kBlockDecorations,
                                 .globals = kBlock,
                                 .body = "%x = OpExtInst %void %debug 1 %data\n",
                                 .head = "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
                                         "%debug = OpExtInstImport \"NonSemantic.Example\"\n"});
  EXPECT_TRUE(e.bindings.empty());
}

// A variable that is another one's initializer. Wrong: it is not used.
TEST_F(OneReader, InitializersAreUses) {
  const InterfaceEntry e = read({.globals = "%p_f = OpTypePointer Workgroup %f\n%p_p = OpTypePointer Private %p_f\n"
                                            "%shared = OpVariable %p_f Workgroup\n%pointer = OpVariable %p_p Private %shared\n",
                                 .body = "%x = OpLoad %p_f %pointer\n",
                                 .head = "OpCapability Shader\nOpCapability VariablePointers\n"});
  EXPECT_EQ(e.workgroupBytes, 4u);
}

constexpr const char* kImages = R"(
%image = OpTypeImage %f 2D 0 0 0 1 Unknown
%cube = OpTypeImage %f Cube 0 0 0 1 Unknown
%sampler = OpTypeSampler
%p_image = OpTypePointer UniformConstant %image
%p_cube = OpTypePointer UniformConstant %cube
%p_sampler = OpTypePointer UniformConstant %sampler
)";

std::string atBinding(const char* variable, int binding) {
  return std::string("OpDecorate ") + variable + " DescriptorSet 0\nOpDecorate " + variable + " Binding " + std::to_string(binding) + "\n";
}

// Two variables of one binding. Wrong: the first one's descriptor; a sampler only where it comes first.
TEST_F(OneReader, ASampledImageAndItsSamplerAreOneDescriptor) {
  const std::string i = "%i = OpVariable %p_image UniformConstant\n", s = "%s = OpVariable %p_sampler UniformConstant\n";
  for (const std::string& order : {i + s, s + i}) {
    const InterfaceEntry e = read({.decorations = atBinding("%i", 4) + atBinding("%s", 4),
                                   .globals = kImages + order,
                                   .body = "%x = OpLoad %image %i\n%y = OpLoad %sampler %s\n"});
    ASSERT_EQ(e.bindings.size(), 1u);
    EXPECT_EQ(e.bindings[0].kind, DescriptorKind::kCombinedImageSampler);
    EXPECT_EQ(e.bindings[0].type->kind, Type::Kind::kImage);
    EXPECT_TRUE(e.conflicts.empty());
  }
}

// ... and no view has two shapes. Wrong: that is not reported.
TEST_F(OneReader, NoDescriptorHasTwoShapes) {
  const InterfaceEntry e =
      read({.decorations = atBinding("%i", 4) + atBinding("%c", 4),
            .globals = std::string(kImages) + "%i = OpVariable %p_image UniformConstant\n%c = OpVariable %p_cube UniformConstant\n",
            .body = "%x = OpLoad %image %i\n%y = OpLoad %cube %c\n"});
  EXPECT_THAT(e.conflicts, ElementsAre("binding 0:4 is a sampled image in 2D and a sampled image in Cube"));
}

// Arrays of arrays of descriptors. Wrong: an acceleration structure.
TEST_F(OneReader, WhatNoDescriptorIs) {
  const InterfaceEntry e =
      read({.decorations = atBinding("%t", 0),
            .globals = std::string(kImages) + "%row = OpTypeArray %image %c2\n%rows = OpTypeArray %row %c3\n"
                                              "%p_rows = OpTypePointer UniformConstant %rows\n%t = OpVariable %p_rows UniformConstant\n",
            .body = "%at = OpAccessChain %p_image %t %c0 %c1\n"});
  ASSERT_EQ(e.bindings.size(), 1u);
  EXPECT_EQ(e.bindings[0].kind, DescriptorKind::kOther);
}

// Every member NonReadable is the block NonReadable. Wrong: only the variable's decoration counts.
TEST_F(OneReader, DecorationsOfEveryMember) {
  const InterfaceEntry e = read({.decorations = std::string("OpMemberDecorate %block 0 NonReadable\n") + kBlockDecorations,
                                 .globals = kBlock,
                                 .body = "%at = OpAccessChain %p_u %data %c0\n"});
  ASSERT_EQ(e.bindings.size(), 1u);
  EXPECT_TRUE(e.bindings[0].nonReadable);
  EXPECT_FALSE(e.bindings[0].nonWritable);
}

// The arithmetic of constants and that of the program are the same functions: every opcode that OpSpecConstantOp takes, on every type,
// against the model's table.
class SameArithmetic : public testing::Test {
 protected:
  void expectSame(spv::Op op, Scalar result, std::vector<Scalar> types, std::vector<std::uint64_t> bits) {
    tried_.insert(op);
    const std::optional<std::uint64_t> here = spirv::specOperation(op, result, types[0], bits);
    for (std::size_t i = 0; i < types.size(); ++i)
      if (types[i] == Scalar::kBool) bits[i] = bits[i] ? 0xffffffffu : 0;
    const std::string what = fmt::format("{} of {} {} {}", spirv::opName(op), scalarName(types[0]), bits[0], bits.size() > 1 ? bits[1] : 0);
    ASSERT_EQ(here.has_value(), ir::definedFor(ir::core(op), result, types, bits)) << what;
    if (!here) return;
    const std::optional<std::uint64_t> table = evaluate(rows_, ir::core(op), result, types, bits);
    ASSERT_TRUE(table) << what;
    EXPECT_EQ(*here, spirv::narrowed(result, *table)) << what;
    ++compared_;
  }

  static std::vector<std::uint64_t> valuesOf(Scalar type) {
    std::vector<std::uint64_t> out;
    for (const std::uint64_t v :
         {0ull, 1ull, 2ull, 3ull, 7ull, 0x3c01ull, 0x7full, 0x80ull, 0xffull, 0x8000ull, 0x387fc001ull, 0x477fe001ull, 0x7fffffffull,
          0x80000000ull, 0x3ff0000020000001ull, 0x7fffffffffffffffull, 0x8000000000000000ull, ~0ull, ~6ull})
      out.push_back(spirv::narrowed(type, v));
    return out;
  }

  OpRows rows_;
  int compared_ = 0;
  std::set<spv::Op> tried_;
};

TEST_F(SameArithmetic, OfIntegersBooleansAndFloats) {
  using enum spv::Op;
  const auto integers = {Scalar::kI8, Scalar::kI16, Scalar::kI32, Scalar::kI64};
  for (const Scalar type : integers) {
    for (const std::uint64_t a : valuesOf(type)) {
      for (const spv::Op op : {OpSNegate, OpNot}) expectSame(op, type, {type}, {a});
      for (const Scalar to : integers)
        for (const spv::Op op : {OpUConvert, OpSConvert}) expectSame(op, to, {type}, {a});
      for (const std::uint64_t amount : {0, 1, 7, 8, 31, 33, 64})
        for (const spv::Op op : {OpShiftLeftLogical, OpShiftRightLogical, OpShiftRightArithmetic})
          expectSame(op, type, {type, Scalar::kI32}, {a, amount});
      for (const std::uint64_t b : valuesOf(type)) {
        for (const spv::Op op : {OpIAdd, OpISub, OpIMul, OpUDiv, OpSDiv, OpUMod, OpSRem, OpSMod, OpBitwiseAnd, OpBitwiseOr, OpBitwiseXor})
          expectSame(op, type, {type, type}, {a, b});
        for (const spv::Op op : {OpIEqual, OpINotEqual, OpULessThan, OpULessThanEqual, OpUGreaterThan, OpUGreaterThanEqual, OpSLessThan,
                                 OpSLessThanEqual, OpSGreaterThan, OpSGreaterThanEqual})
          expectSame(op, Scalar::kBool, {type, type}, {a, b});
      }
    }
  }
  for (const std::uint64_t a : {0, 1}) {
    expectSame(OpLogicalNot, Scalar::kBool, {Scalar::kBool}, {a});
    for (const std::uint64_t b : {0, 1})
      for (const spv::Op op : {OpLogicalAnd, OpLogicalOr, OpLogicalEqual, OpLogicalNotEqual})
        expectSame(op, Scalar::kBool, {Scalar::kBool, Scalar::kBool}, {a, b});
  }
  const auto floats = {Scalar::kF16, Scalar::kF32, Scalar::kF64};
  for (const Scalar type : floats)
    for (const std::uint64_t a : valuesOf(type)) {
      for (const Scalar to : floats)
        if (to != type) expectSame(OpFConvert, to, {type}, {a});
      if (type == Scalar::kF32) expectSame(OpQuantizeToF16, type, {type}, {a});
    }
  for (const Scalar type : {Scalar::kI8, Scalar::kI16, Scalar::kI32, Scalar::kI64, Scalar::kF16, Scalar::kF32, Scalar::kF64})
    for (const std::uint64_t a : valuesOf(type))
      for (const std::uint64_t condition : {0, 1})
        expectSame(OpSelect, type, {Scalar::kBool, type, type}, {condition, a, spirv::narrowed(type, a + 1)});
  EXPECT_GT(compared_, 25000);
  // These are all: no other opcode has a value, of whatever types.
  const std::uint64_t ones[] = {1, 1, 1};
  for (std::uint32_t number = 0; number < 8192; ++number)
    for (int result = 0; result <= static_cast<int>(Scalar::kF64); ++result)
      for (int operand = 0; operand <= static_cast<int>(Scalar::kF64); ++operand)
        for (std::size_t count = 1; count <= 3; ++count) {
          const auto op = static_cast<spv::Op>(number);
          const auto value =
              spirv::specOperation(op, static_cast<Scalar>(result), static_cast<Scalar>(operand), std::span(ones).first(count));
          ASSERT_TRUE(!value || tried_.contains(op)) << spirv::opName(op);
        }
}

// What is not an operation on constants.
TEST_F(SameArithmetic, AndNothingElse) {
  const std::uint64_t two[] = {1, 2};
  EXPECT_FALSE(spirv::specOperation(spv::Op::OpFAdd, Scalar::kF32, Scalar::kF32, two));
  EXPECT_FALSE(spirv::specOperation(spv::Op::OpIAdd, Scalar::kF32, Scalar::kF32, two));
  EXPECT_FALSE(spirv::specOperation(spv::Op::OpIAdd, Scalar::kI32, Scalar::kI32, std::span(two, 1)));
}

}  // namespace
}  // namespace lanewise
