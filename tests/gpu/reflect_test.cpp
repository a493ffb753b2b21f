// What modules ask of a device, read from compiled kernels, and from garbage.
#include "gpu/features.h"
#include "gpu/reflect.h"

#include <gmock/gmock.h>

#include <spirv/unified1/spirv.hpp11>

#include "tests/kernels/kernels.h"

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

TEST(Reflect, BuffersConstantsAndLocalSize) {
  const SpecConstant size[] = {{2, 48}};
  const auto r = reflectModule(kernel("gpu_add"), "main", size);
  ASSERT_TRUE(r) << r.error().text();
  ASSERT_EQ(r->bindings.size(), 2u);
  EXPECT_EQ(r->bindings[0].set, 0u);
  EXPECT_EQ(r->bindings[0].kind, DescriptorKind::kStorageBuffer);
  EXPECT_EQ(r->bindings[1].set, 1u);
  EXPECT_EQ(r->bindings[1].binding, 3u);
  EXPECT_EQ(r->bindings[1].count, 1u);
  EXPECT_EQ(r->pushBytes, 8u);
  EXPECT_EQ(r->localSize, (Extent3{48, 1, 1}));
  ASSERT_EQ(r->spec.size(), 3u);
  EXPECT_EQ(r->spec[1].id, 1u);
  EXPECT_EQ(r->spec[1].bytes, 4u);  // a boolean
  EXPECT_EQ(r->version, 0x00010600u);
}

TEST(Reflect, Images) {
  const auto r = reflectModule(kernel("gpu_image"), "main", {});
  ASSERT_TRUE(r) << r.error().text();
  ASSERT_EQ(r->bindings.size(), 2u);
  EXPECT_EQ(r->bindings[0].kind, DescriptorKind::kStorageImage);
  EXPECT_EQ(r->bindings[0].dim, ImageDim::k2D);
  EXPECT_EQ(formatBySpirv(r->bindings[0].spirvFormat), Format::R8G8B8A8_UINT);
  EXPECT_EQ(r->bindings[0].name, "source");
  EXPECT_EQ(r->localSize, (Extent3{8, 4, 1}));
  EXPECT_EQ(r->pushBytes, 0u);
}

TEST(Reflect, CapabilitiesAndWorkgroupMemory) {
  const auto r = reflectModule(kernel("gpu_subgroup"), "main", {});
  ASSERT_TRUE(r);
  EXPECT_THAT(r->capabilities, testing::Contains(std::uint32_t(spv::Capability::GroupNonUniformArithmetic)));
  EXPECT_EQ(r->sharedBytes, 0u);
  const auto shared = reflectModule(kernel("gpu_shared"), "main", {});
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->sharedBytes, 40u * 12 + 4);
  EXPECT_EQ(shared->bindings[0].kind, DescriptorKind::kUniformBuffer);
  EXPECT_EQ(shared->bindings[1].kind, DescriptorKind::kSampledImage);
  EXPECT_EQ(shared->bindings[1].count, 3u);
  EXPECT_EQ(shared->bindings[2].kind, DescriptorKind::kSampler);
  EXPECT_EQ(shared->bindings[3].kind, DescriptorKind::kCombinedImageSampler);
  EXPECT_EQ(shared->bindings[3].dim, ImageDim::k3D);
}

// Each limit goes where it belongs: no two of these are alike, and none is a profile's own.
TEST(ProfileOf, HasTheDevicesLimits) {
  vk::PhysicalDeviceProperties basic;
  basic.apiVersion = VK_MAKE_API_VERSION(0, 1, 3, 5);
  vk::PhysicalDeviceLimits& limits = basic.limits;
  limits.maxComputeWorkGroupInvocations = 3;
  limits.maxComputeWorkGroupSize = std::array<std::uint32_t, 3>{4, 5, 6};
  limits.maxComputeWorkGroupCount = std::array<std::uint32_t, 3>{7, 9, 10};
  limits.maxComputeSharedMemorySize = 11;
  limits.maxPushConstantsSize = 12;
  limits.subTexelPrecisionBits = 13;
  limits.mipmapPrecisionBits = 14;
  const Profile p = profileOf(basic);
  EXPECT_EQ(p.apiVersion, "1.3.5");
  EXPECT_EQ(p.maxWorkgroupInvocations, 3u);
  EXPECT_THAT(p.maxWorkgroupSize, testing::ElementsAre(4, 5, 6));
  EXPECT_THAT(p.maxWorkgroupCount, testing::ElementsAre(7, 9, 10));
  EXPECT_EQ(p.maxSharedMemory, 11u);
  EXPECT_EQ(p.maxPushConstants, 12u);
  EXPECT_EQ(p.subTexelBits, 13u);
}

// What a device asks of float modes of several widths, by its denormBehaviorIndependence and roundingModeIndependence.
TEST(CheckModule, WidthsThatMustChooseAlike) {
  using enum vk::ShaderFloatControlsIndependence;
  constexpr std::uint32_t kPreserve = 4459, kFlush = 4460, kRte = 4462;  // DenormPreserve, DenormFlushToZero, RoundingModeRTE
  PhysicalFacts facts;
  facts.limits.maxComputeWorkGroupSize = std::array<std::uint32_t, 3>{64, 64, 64};
  facts.limits.maxComputeWorkGroupInvocations = 64;
  auto& p = facts.vulkan12;
  p.shaderDenormPreserveFloat16 = p.shaderDenormFlushToZeroFloat32 = p.shaderDenormFlushToZeroFloat64 = p.shaderRoundingModeRTEFloat32 =
      true;
  const auto refused = [&](vk::ShaderFloatControlsIndependence denorm, std::vector<FloatMode> modes) {
    p.denormBehaviorIndependence = denorm;
    p.roundingModeIndependence = eNone;
    ModuleInterface module;
    module.localSize = {1, 1, 1};
    module.floatModes = std::move(modes);
    const Status bad = checkModule(module, "m", facts);
    return bad ? bad->text() : std::string();
  };
  EXPECT_THAT(refused(eNone, {{kPreserve, 16}, {kFlush, 32}}), testing::HasSubstr("its denormBehaviorIndependence asks for one choice"));
  EXPECT_THAT(refused(e32BitOnly, {{kPreserve, 16}, {kFlush, 64}}),
              testing::HasSubstr("DenormPreserve for 16-bit floats beside DenormFlush"));
  EXPECT_EQ(refused(e32BitOnly, {{kPreserve, 16}, {kFlush, 32}}), "");
  EXPECT_EQ(refused(eAll, {{kPreserve, 16}, {kFlush, 64}}), "");
  EXPECT_EQ(refused(eNone, {{kFlush, 32}, {kFlush, 64}, {kRte, 32}}), "");
}

TEST(Reflect, NoSuchEntryPoint) {
  const auto r = reflectModule(kernel("gpu_add"), "other", {});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().text(), "no compute entry point 'other' (gpu_add)");
}

TEST(Reflect, TruncatedModulesNameTheWord) {
  ShaderModule module = kernel("gpu_add");
  module.words.resize(module.words.size() - 3);  // in the middle of the last OpStore
  const auto r = reflectModule(module, "main", {});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().outcome, Outcome::kBadInput);
  EXPECT_THAT(r.error().text(), testing::HasSubstr("gpu_add, word "));
  EXPECT_FALSE(reflectModule({"empty", {}}, "main", {}));
}

TEST(Reflect, GarbledModulesDoNoHarm) {
  // Every word of a module changed in a few ways: a value or an error, never a crash.
  const ShaderModule good = kernel("gpu_shared");
  int refused = 0;
  for (std::size_t i = 0; i < good.words.size(); ++i) {
    for (const std::uint32_t value : {0u, 1u, 0xffffffffu, good.words[i] ^ 0x00010000u, good.words[i] + 1}) {
      ShaderModule bad = good;
      bad.words[i] = value;
      refused += !reflectModule(bad, "main", {}).ok();
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(Reflect, TypesThatDoubleDoNotTakeForEver) {
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
  const auto r = reflectModule({"doubling", w}, "main", {});
  ASSERT_TRUE(r) << r.error().text();
  EXPECT_EQ(r->sharedBytes, 0xffffffffu);
}

TEST(Reflect, OnlyWhatTheEntryPointMayCallIsUsed) {
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
    const auto r = reflectModule({"two", w}, entry, {});
    EXPECT_TRUE(r);
    for (const BindingSlot& slot : r->bindings) numbers.push_back(slot.binding);
    return numbers;
  };
  EXPECT_EQ(bindings("main"), std::vector{201u});
  EXPECT_EQ(bindings("more"), std::vector{202u});
}

}  // namespace
}  // namespace lanewise
