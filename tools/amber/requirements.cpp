#include "tools/amber/requirements.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise::amber {
namespace {

// Promoted to Vulkan 1.1 to 1.3, which every device here has; it need not list them.
constexpr std::string_view kPromoted[] = {
    "VK_KHR_16bit_storage",
    "VK_KHR_8bit_storage",
    "VK_KHR_bind_memory2",
    "VK_KHR_buffer_device_address",
    "VK_KHR_copy_commands2",
    "VK_KHR_create_renderpass2",
    "VK_KHR_dedicated_allocation",
    "VK_KHR_depth_stencil_resolve",
    "VK_KHR_descriptor_update_template",
    "VK_KHR_device_group",
    "VK_KHR_device_group_creation",  // of the instance, as the next ones with "capabilities" or "properties2" in their names
    "VK_KHR_driver_properties",
    "VK_KHR_external_fence_capabilities",
    "VK_KHR_external_memory_capabilities",
    "VK_KHR_external_semaphore_capabilities",
    "VK_KHR_get_memory_requirements2",
    "VK_KHR_get_physical_device_properties2",
    "VK_KHR_image_format_list",
    "VK_KHR_imageless_framebuffer",
    "VK_KHR_maintenance1",
    "VK_KHR_maintenance2",
    "VK_KHR_maintenance3",
    "VK_KHR_maintenance4",
    "VK_KHR_relaxed_block_layout",
    "VK_KHR_shader_float16_int8",
    "VK_KHR_shader_float_controls",
    "VK_KHR_shader_integer_dot_product",
    "VK_KHR_shader_non_semantic_info",
    "VK_KHR_shader_subgroup_extended_types",
    "VK_KHR_shader_terminate_invocation",
    "VK_KHR_spirv_1_4",
    "VK_KHR_storage_buffer_storage_class",
    "VK_KHR_synchronization2",
    "VK_KHR_timeline_semaphore",
    "VK_KHR_uniform_buffer_standard_layout",
    "VK_KHR_variable_pointers",
    "VK_KHR_vulkan_memory_model",
    "VK_KHR_zero_initialize_workgroup_memory",
    "VK_EXT_extended_dynamic_state",
    "VK_EXT_host_query_reset",
    "VK_EXT_inline_uniform_block",
    "VK_EXT_private_data",
    "VK_EXT_scalar_block_layout",
    "VK_EXT_separate_stencil_usage",
    "VK_EXT_shader_demote_to_helper_invocation",
    "VK_EXT_subgroup_size_control",
    "VK_EXT_texel_buffer_alignment",
    "VK_EXT_tooling_info",
};

bool takes(const Profile& profile, std::string_view name) {
  return std::ranges::find(profile.capabilities, name) != profile.capabilities.end();
}

// "SubgroupSupportedOperations.shuffleRelative" is what the capability GroupNonUniformShuffleRelative needs.
std::string subgroupCapability(std::string_view operation) {
  std::string name = "GroupNonUniform";
  if (operation == "basic") return name;
  name += operation;
  name[15] = static_cast<char>(name[15] - 'a' + 'A');
  return name;
}

// The structures of features that say nothing of compute: no device here is made with one.
constexpr std::string_view kUnusedGroups[] = {"DepthClampZeroOneFeatures", "IndexTypeUint8Features", "RayTracingPipelineFeaturesKHR",
                                              "AccelerationStructureFeaturesKHR"};

// Whether Lanewise makes no device with it, though the device may have it.
bool isUnused(const Profile& profile, const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos && std::ranges::find(kUnusedGroups, std::string_view(name).substr(0, dot)) != std::end(kUnusedGroups))
    return true;
  return takes(profile, "unused " + name.substr(dot + 1));
}

bool hasFeature(const Profile& profile, const std::string& name) {
  if (profile.capabilities.empty()) return true;  // the model
  const std::size_t dot = name.find('.');
  const std::string_view group = std::string_view(name).substr(0, dot), own = std::string_view(name).substr(dot + 1);
  if (dot == std::string::npos) return takes(profile, name);
  if (group == "SubgroupSupportedOperations") return takes(profile, subgroupCapability(own));
  if (group == "SubgroupSupportedStages") return own != "compute" || takes(profile, "GroupNonUniform");
  return takes(profile, own);
}

// "FloatControlsProperties.shaderDenormPreserveFloat32".
bool hasProperty(const Profile& profile, std::string_view name) {
  name = name.substr(name.find('.') + 1);
  const FloatControls& of = name.ends_with("16") ? profile.float16 : name.ends_with("32") ? profile.float32 : profile.float64;
  if (name.starts_with("shaderSignedZero")) return of.signedZeroInfNanPreserve;
  if (name.starts_with("shaderDenormPreserve")) return of.denormPreserve;
  if (name.starts_with("shaderDenormFlush")) return of.denormFlushToZero;
  return name.starts_with("shaderRoundingModeRTE") ? of.roundingModeRTE : of.roundingModeRTZ;
}

bool hasExtension(const Profile& profile, const std::string& name) {
  // The model has what is an extension's name.
  if (profile.capabilities.empty()) return name.starts_with("VK_");
  return std::ranges::find(kPromoted, name) != std::end(kPromoted) || takes(profile, name);
}

// By their numbers.
constexpr std::string_view kRequirementKinds[] = {"feature", "property", "extension"};

const std::string_view& requirementKindName(Requirement::Kind kind) {
  return kRequirementKinds[static_cast<std::size_t>(kind)];
}

}  // namespace

Status checkRequirements(const Script& script, const Profile& profile) {
  for (const Requirement& r : script.requirements) {
    using Kind = Requirement::Kind;
    const bool has = r.kind == Kind::kFeature    ? hasFeature(profile, r.name)
                     : r.kind == Kind::kProperty ? hasProperty(profile, r.name)
                                                 : hasExtension(profile, r.name);
    if (has) continue;
    if (r.kind == Kind::kFeature && isUnused(profile, r.name))
      return Error{Outcome::kUnsupported, fmt::format("Lanewise does not use the feature {}, which the script asks for", r.name),
                   script.where(r.at), ""};
    return Error{Outcome::kUnsupported,
                 fmt::format("{} has no {} {}, which the script asks for", profile.name, requirementKindName(r.kind), r.name),
                 script.where(r.at), ""};
  }
  return {};
}

std::vector<std::string> requirementTexts(const Script& script) {
  std::vector<std::string> out;
  for (const Requirement& r : script.requirements) out.push_back(fmt::format("{} {}", requirementKindName(r.kind), r.name));
  return out;
}

std::vector<Requirement> requirementsOf(std::span<const std::string> texts) {
  std::vector<Requirement> out;
  for (const std::string& text : texts)
    for (std::size_t kind = 0; kind < std::size(kRequirementKinds); ++kind)
      if (text.starts_with(std::string(kRequirementKinds[kind]) + " "))
        out.push_back({static_cast<Requirement::Kind>(kind), text.substr(kRequirementKinds[kind].size() + 1), {.line = 0, .column = 0}});
  return out;
}

}  // namespace lanewise::amber
