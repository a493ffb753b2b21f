// What of a physical device's properties becomes its profile, and what it asks of a module's float modes.
#include "gpu/features.h"

#include <gmock/gmock.h>

#include "gpu/instance.h"

namespace lanewise {
namespace {

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
  constexpr auto kPreserve = spv::ExecutionMode::DenormPreserve, kFlush = spv::ExecutionMode::DenormFlushToZero,
                 kRte = spv::ExecutionMode::RoundingModeRTE;
  PhysicalFacts facts;
  facts.limits.maxComputeWorkGroupSize = std::array<std::uint32_t, 3>{64, 64, 64};
  facts.limits.maxComputeWorkGroupInvocations = 64;
  auto& p = facts.vulkan12;
  p.shaderDenormPreserveFloat16 = p.shaderDenormFlushToZeroFloat32 = p.shaderDenormFlushToZeroFloat64 = p.shaderRoundingModeRTEFloat32 =
      true;
  const auto refused = [&](vk::ShaderFloatControlsIndependence denorm, std::vector<FloatMode> modes) {
    p.denormBehaviorIndependence = denorm;
    p.roundingModeIndependence = eNone;
    InterfaceEntry entry;
    entry.floatModes = std::move(modes);
    const Status bad = checkModule({}, entry, "m", facts);
    return bad ? bad->text() : std::string();
  };
  EXPECT_THAT(refused(eNone, {{kPreserve, 16}, {kFlush, 32}}), testing::HasSubstr("its denormBehaviorIndependence asks for one choice"));
  EXPECT_THAT(refused(e32BitOnly, {{kPreserve, 16}, {kFlush, 64}}),
              testing::HasSubstr("DenormPreserve for 16-bit floats beside DenormFlush"));
  EXPECT_EQ(refused(e32BitOnly, {{kPreserve, 16}, {kFlush, 32}}), "");
  EXPECT_EQ(refused(eAll, {{kPreserve, 16}, {kFlush, 64}}), "");
  EXPECT_EQ(refused(eNone, {{kFlush, 32}, {kFlush, 64}, {kRte, 32}}), "");
}

// A refusal names what it refuses.
TEST(CheckModule, CapabilitiesHaveNames) {
  const auto refused = [](std::uint32_t capability) {
    Interface module;
    module.capabilities = {spv::Capability(capability)};
    const Status bad = checkModule(module, {}, "m", {});
    return bad ? bad->what : std::string();
  };
  EXPECT_EQ(refused(41), "the Vulkan backend does not know SPIR-V capability SparseResidency");
  EXPECT_EQ(refused(6029), "the Vulkan backend does not know SPIR-V capability FloatControls2") << "newer than SPIRV-Tools";
  EXPECT_EQ(refused(4212), "the Vulkan backend does not know SPIR-V capability Float8EXT");
  EXPECT_EQ(refused(65000), "the Vulkan backend does not know SPIR-V capability 65000");
  EXPECT_EQ(refused(11), "the device lacks the SPIR-V capability Int64");
  EXPECT_EQ(refused(5016), "the device lacks the SPIR-V capability Int64ImageEXT");
  EXPECT_EQ(refused(5010), "the device lacks the SPIR-V capability FragmentMaskAMD") << "of an extension without a feature";
}

TEST(CheckModule, AnExtensionWithoutACapabilityIsAskedForToo) {
  for (const auto& [spirv, vulkan] : {std::pair{"SPV_AMD_shader_trinary_minmax", VK_AMD_SHADER_TRINARY_MINMAX_EXTENSION_NAME},
                                      std::pair{"SPV_KHR_maximal_reconvergence", "VK_KHR_shader_maximal_reconvergence"}}) {
    Interface module;
    module.extensions = {"SPV_KHR_storage_buffer_storage_class", spirv};
    PhysicalFacts facts;
    InterfaceEntry entry;
    const Status bad = checkModule(module, entry, "m", facts);
    ASSERT_TRUE(bad) << spirv;
    EXPECT_EQ(bad->outcome, Outcome::kUnsupported);
    EXPECT_THAT(bad->what, testing::HasSubstr(std::string("the device lacks ") + vulkan));
    facts.enabled.extensions = {vulkan};
    const Status other = checkModule(module, entry, "m", facts);
    EXPECT_FALSE(other && other->what.find(spirv) != std::string::npos) << other->what;
  }
}

// As 1.3.275 says it of Mesa 25.
TEST(ValidationLayer, OneOlderThanTheDriverIsNoError) {
  EXPECT_TRUE(isOfNewerDriver(
      "Validation Error: [ VUID-VkDeviceCreateInfo-pNext-pNext ] | MessageID = 0x901f59ec | vkCreateDevice(): pCreateInfo->pNext chain "
      "includes a structure with unknown VkStructureType (1000434000). This error is based on the Valid Usage documentation for version "
      "275"));
  EXPECT_TRUE(
      isOfNewerDriver("Validation Warning: [ VUID_Undefined ] | vkCreateDevice(): pCreateInfo->ppEnabledExtensionNames[7] "
                      "VK_KHR_shader_maximal_reconvergence is not supported by this layer."));
  EXPECT_FALSE(
      isOfNewerDriver("Validation Error: [ VUID-VkDeviceCreateInfo-pNext-pNext ] | vkCreateDevice(): pCreateInfo->pNext chain "
                      "includes a structure with unexpected VkStructureType VK_STRUCTURE_TYPE_SUBMIT_INFO"));
}

}  // namespace
}  // namespace lanewise
