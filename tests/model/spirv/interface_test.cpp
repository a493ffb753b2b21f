// What modules need to run, read from compiled kernels, and from garbage.
#include "model/spirv/interface.h"

#include <gmock/gmock.h>

#include <spirv/unified1/spirv.hpp11>

#include "tests/kernels/kernels.h"
#include "tests/text/program_modules.h"

namespace lanewise {
namespace {

ShaderModule kernel(std::string_view name) {
  for (const auto& set : {testKernels(), embeddedModules()}) {
    for (const EmbeddedModule& m : set) {
      if (m.name == name) return {std::string(name), {m.words.begin(), m.words.end()}};
    }
  }
  ADD_FAILURE() << name;
  return {};
}

// The entry point "main" of a kernel; `whole` owns its types.
InterfaceEntry mainOf(std::string_view name, Interface& whole, std::span<const SpecConstant> spec = {}) {
  Expected<Interface> read = readInterface(kernel(name), spec);
  EXPECT_TRUE(read) << read.error().text();
  whole = read ? std::move(*read) : Interface{};
  const InterfaceEntry* entry = whole.entry("main");
  EXPECT_NE(entry, nullptr) << name;
  return entry ? *entry : InterfaceEntry{};
}

TEST(Interface, BuffersConstantsAndLocalSize) {
  const SpecConstant size[] = {{2, 48}};
  Interface whole;
  const InterfaceEntry r = mainOf("gpu_add", whole, size);
  ASSERT_EQ(r.bindings.size(), 2u);
  EXPECT_EQ(r.bindings[0].set, 0u);
  EXPECT_EQ(r.bindings[0].kind, DescriptorKind::kStorageBuffer);
  EXPECT_EQ(r.bindings[1].set, 1u);
  EXPECT_EQ(r.bindings[1].binding, 3u);
  EXPECT_EQ(r.bindings[1].count, 1u);
  EXPECT_EQ(r.pushBytes, 8u);
  EXPECT_THAT(r.localSize, testing::ElementsAre(48, 1, 1));
  ASSERT_EQ(whole.spec.size(), 3u);
  EXPECT_EQ(whole.spec[1].id, 1u);
  EXPECT_EQ(whole.spec[1].scalar, Scalar::kBool);
  EXPECT_EQ(whole.version, 0x00010600u);
  EXPECT_EQ(whole.entry("other"), nullptr);
}

TEST(Interface, BuffersOfTintHaveTheNamesOfTheirSource) {
  const auto module = text::programModule("tint_shape.spvasm");
  ASSERT_TRUE(module.ok()) << module.error().text();
  const Expected<Interface> read = readInterface(**module);
  ASSERT_TRUE(read.ok()) << read.error().text();
  const InterfaceEntry* entry = read->entry("main");
  ASSERT_NE(entry, nullptr);
  ASSERT_EQ(entry->bindings.size(), 2u);
  EXPECT_EQ(entry->bindings[0].name, "In");
  EXPECT_EQ(entry->bindings[1].name, "Out");
}

TEST(Interface, Images) {
  Interface whole;
  const InterfaceEntry r = mainOf("gpu_image", whole);
  ASSERT_EQ(r.bindings.size(), 2u);
  EXPECT_EQ(r.bindings[0].kind, DescriptorKind::kStorageImage);
  EXPECT_EQ(r.bindings[0].type->dim, spv::Dim::Dim2D);
  EXPECT_EQ(formatBySpirv(r.bindings[0].type->imageFormat), Format::R8G8B8A8_UINT);
  EXPECT_EQ(r.bindings[0].name, "source");
  EXPECT_THAT(r.localSize, testing::ElementsAre(8, 4, 1));
  EXPECT_EQ(r.pushBytes, 0u);
}

TEST(Interface, CapabilitiesAndWorkgroupMemory) {
  Interface whole;
  EXPECT_EQ(mainOf("gpu_subgroup", whole).workgroupBytes, 0u);
  EXPECT_THAT(whole.capabilities, testing::Contains(spv::Capability::GroupNonUniformArithmetic));
  const InterfaceEntry shared = mainOf("gpu_shared", whole);
  EXPECT_EQ(shared.workgroupBytes, 40u * 12 + 4);
  EXPECT_EQ(shared.bindings[0].kind, DescriptorKind::kUniformBuffer);
  EXPECT_EQ(shared.bindings[1].kind, DescriptorKind::kSampledImage);
  EXPECT_EQ(shared.bindings[1].count, 3u);
  EXPECT_EQ(shared.bindings[2].kind, DescriptorKind::kSampler);
  EXPECT_EQ(shared.bindings[3].kind, DescriptorKind::kCombinedImageSampler);
  EXPECT_EQ(shared.bindings[3].type->dim, spv::Dim::Dim3D);
}

TEST(Interface, TruncatedModulesNameTheWord) {
  ShaderModule module = kernel("gpu_add");
  module.words.resize(module.words.size() - 3);  // in the middle of the last OpStore
  const auto r = readInterface(module);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().outcome, Outcome::kBadInput);
  EXPECT_THAT(r.error().text(), testing::HasSubstr("gpu_add, word "));
  EXPECT_FALSE(readInterface(ShaderModule{"empty", {}}));
}

TEST(Interface, GarbledModulesDoNoHarm) {
  // Every word of a module changed in a few ways: a value or an error, never a crash.
  const ShaderModule good = kernel("gpu_shared");
  int refused = 0;
  for (std::size_t i = 0; i < good.words.size(); ++i) {
    for (const std::uint32_t value : {0u, 1u, 0xffffffffu, good.words[i] ^ 0x00010000u, good.words[i] + 1}) {
      ShaderModule bad = good;
      bad.words[i] = value;
      refused += !readInterface(bad).ok();
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(Interface, TypesThatDoubleDoNotTakeForEver) {
  // struct n has two members of struct n-1, a hundred times over: 2^100 floats of workgroup memory.
  std::vector<std::uint32_t> w{0x07230203, 0x00010300, 0, 1000, 0};
  const auto add = [&](spv::Op op, std::vector<std::uint32_t> operands) {
    w.push_back(std::uint32_t(op) | std::uint32_t(operands.size() + 1) << 16);
    w.insert(w.end(), operands.begin(), operands.end());
  };
  add(spv::Op::OpEntryPoint, {5, 500, 0x6e69616d, 0});
  add(spv::Op::OpTypeFloat, {1, 32});
  for (std::uint32_t n = 2; n < 102; ++n) add(spv::Op::OpTypeStruct, {n, n - 1, n - 1});
  add(spv::Op::OpTypePointer, {200, 4, 40});
  add(spv::Op::OpVariable, {200, 201, 4});
  add(spv::Op::OpFunction, {300, 500, 0, 301});
  add(spv::Op::OpStore, {201, 202});
  add(spv::Op::OpFunctionEnd, {});
  const auto r = readInterface(ShaderModule{"doubling", w});
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->entry("main")->workgroupBytes, kMaxNatural);
}

TEST(Interface, TypesAreNestedSoDeepAndNoDeeper) {
  const auto nested = [](std::uint32_t depth, spv::Op op) {
    std::vector<std::uint32_t> w{0x07230203, 0x00010300, 0, depth + 10, 0, std::uint32_t(spv::Op::OpTypeFloat) | 3u << 16, 1, 32};
    for (std::uint32_t n = 2; n < depth + 2; ++n) w.insert(w.end(), {std::uint32_t(op) | 3u << 16, n, n - 1});
    return readInterface(ShaderModule{"deep", w});
  };
  EXPECT_TRUE(nested(kMaxNesting, spv::Op::OpTypeStruct));
  EXPECT_THAT(nested(kMaxNesting + 1, spv::Op::OpTypeStruct).error().text(), testing::HasSubstr("nested deeper than 256 (deep, word "));
  EXPECT_FALSE(nested(1000000, spv::Op::OpTypeRuntimeArray));
}

TEST(Interface, OnlyWhatTheEntryPointMayCallIsUsed) {
  // "main" calls function 501, which names variable 201; "more" names 202; nobody names 203.
  std::vector<std::uint32_t> w{0x07230203, 0x00010300, 0, 1000, 0};
  const auto add = [&](spv::Op op, std::vector<std::uint32_t> operands) {
    w.push_back(std::uint32_t(op) | std::uint32_t(operands.size() + 1) << 16);
    w.insert(w.end(), operands.begin(), operands.end());
  };
  add(spv::Op::OpEntryPoint, {5, 500, 0x6e69616d, 0});
  add(spv::Op::OpEntryPoint, {5, 502, 0x65726f6d, 0});
  for (std::uint32_t v : {201u, 202u, 203u}) add(spv::Op::OpDecorate, {v, 33, v});
  add(spv::Op::OpTypeInt, {1, 32, 0});
  add(spv::Op::OpTypeStruct, {2, 1});
  add(spv::Op::OpTypePointer, {200, 12, 2});
  for (std::uint32_t v : {201u, 202u, 203u}) add(spv::Op::OpVariable, {200, v, 12});
  add(spv::Op::OpFunction, {300, 500, 0, 301});
  add(spv::Op::OpFunctionCall, {300, 600, 501});
  add(spv::Op::OpFunctionEnd, {});
  add(spv::Op::OpFunction, {300, 501, 0, 301});
  add(spv::Op::OpStore, {201, 700});
  add(spv::Op::OpFunctionEnd, {});
  add(spv::Op::OpFunction, {300, 502, 0, 301});
  add(spv::Op::OpStore, {202, 700});
  add(spv::Op::OpFunctionEnd, {});
  const auto bindings = [&](const char* entry) {
    std::vector<std::uint32_t> numbers;
    const auto r = readInterface(ShaderModule{"two", w});
    EXPECT_TRUE(r);
    for (const InterfaceBinding& b : r->entry(entry)->bindings) numbers.push_back(b.binding);
    return numbers;
  };
  EXPECT_EQ(bindings("main"), std::vector{201u});
  EXPECT_EQ(bindings("more"), std::vector{202u});
}

}  // namespace
}  // namespace lanewise
