// `lanewise devices`: the model, and the Vulkan devices of this host.
#include <fmt/format.h>

#include "model/model.h"
#include "tools/cli/commands.h"
#ifdef LANEWISE_GPU
#include "gpu/devices.h"
#endif

namespace lanewise {
namespace {

void print(const std::string& name, const Profile& p) {
  fmt::print("{}\n", name);
  if (!p.description.empty()) fmt::print("  {}\n", p.description);
  if (!p.apiVersion.empty()) fmt::print("  Vulkan {}\n", p.apiVersion);
  fmt::print("  subgroup size {} ({} to {}), workgroups of up to {} invocations ({} x {} x {})\n", p.subgroupSize, p.minSubgroupSize,
             p.maxSubgroupSize, p.maxWorkgroupInvocations, p.maxWorkgroupSize[0], p.maxWorkgroupSize[1], p.maxWorkgroupSize[2]);
  fmt::print("  workgroup memory {} bytes, push constants {} bytes\n", p.maxSharedMemory, p.maxPushConstants);
}

}  // namespace

Expected<Outcome> runDevices() {
  print("model", Model().profile());
#ifdef LANEWISE_GPU
  const Expected<std::vector<DeviceEntry>> found = discoverDevices();
  if (!found) return found.error();
  for (const DeviceEntry& entry : *found) print(entry.name, entry.profile);
#endif
  return Outcome::kOk;
}

}  // namespace lanewise
