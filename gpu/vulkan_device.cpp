// See vulkan_device.h.
#include "gpu/vulkan_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/checked_job.h"
#include "gpu/image_samples.h"
#include "gpu/vulkan_run.h"

namespace lanewise {

Expected<std::unique_ptr<VulkanDevice>> VulkanDevice::open(VulkanDeviceOptions options) {
  std::unique_ptr<VulkanDevice> device(new VulkanDevice(std::move(options)));
  try {
    if (Status wrong = device->create()) return *wrong;
  } catch (const std::exception& e) {
    return vulkanError(e, "opening the device");
  }
  return device;
}

Status VulkanDevice::create() {
  Expected<std::unique_ptr<VulkanInstance>> instance = VulkanInstance::create(context_.options.loader, context_.options.validation);
  if (!instance) return instance.error();
  context_.instance = std::move(*instance);
  Expected<std::vector<vk::raii::PhysicalDevice>> devices = context_.instance->devices();
  if (!devices) return devices.error();
  if (context_.options.index >= devices->size() ||
      context_.options.deviceName != (*devices)[context_.options.index].getProperties().deviceName.data()) {
    return Error{Outcome::kDeviceTrouble,
                 fmt::format("device {} of the loader is no longer {}", context_.options.index, context_.options.deviceName), "",
                 "list the devices again"};
  }
  context_.physical = std::move((*devices)[context_.options.index]);
  Expected<PhysicalFacts> facts = readFacts(context_.physical);
  if (!facts) return facts.error();
  context_.facts = std::move(*facts);
  if (!context_.options.name.empty()) context_.facts.name = context_.options.name;
  context_.profile = readProfile(context_.physical, context_.instance->extensions());
  if (Status wrong = chooseQueue()) return wrong;

  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, context_.queueFamily, 1, &priority);
  vk::DeviceCreateInfo info({}, queue, {}, context_.facts.enabled.extensions);
  const vk::PhysicalDeviceFeatures2 features(context_.facts.enabled.core, context_.facts.enabled.chain());
  info.pNext = &features;
  context_.device = vk::raii::Device(context_.physical, info);
  context_.queue = vk::raii::Queue(context_.device, context_.queueFamily, 0);
  context_.commandPool =
      vk::raii::CommandPool(context_.device, vk::CommandPoolCreateInfo(vk::CommandPoolCreateFlagBits::eTransient, context_.queueFamily));
  if (context_.timestampBits)
    context_.queries = vk::raii::QueryPool(context_.device, vk::QueryPoolCreateInfo({}, vk::QueryType::eTimestamp, 2));
  context_.fence = vk::raii::Fence(context_.device, vk::FenceCreateInfo());
  context_.memory =
      std::make_unique<MemoryPool>(context_.physical, context_.device, context_.facts.enabled.vulkan12.bufferDeviceAddress != 0);
  context_.pipelines = std::make_unique<PipelineCache>(context_.device, context_.facts, context_.options.onPhase);
  context_.samplers = std::make_unique<SamplerCache>(context_.device, context_.facts);
  return validationError();
}

Status VulkanDevice::chooseQueue() {
  const std::vector<vk::QueueFamilyProperties> families = context_.physical.getQueueFamilyProperties();
  const std::optional<std::uint32_t> family = queueFamilyOf(families);
  if (!family) return Error{Outcome::kDeviceTrouble, "the device has no compute queue", context_.facts.name, ""};
  context_.queueFamily = *family;
  context_.timestampBits = families[*family].timestampValidBits;
  return {};
}

Status VulkanDevice::validationError() {
  const std::vector<std::string> messages = context_.instance->takeMessages();
  if (messages.empty()) return {};
  return Error{Outcome::kDeviceTrouble, fmt::format("the validation layer says: {}", fmt::join(messages, "\n")), context_.facts.name, ""};
}

RunResult VulkanDevice::run(const Job& job) {
  const std::lock_guard lock(mutex_);
  RunResult result;
  try {
    if (!context_.usable) {
      result.error = Error{Outcome::kDeviceTrouble, "the device was lost or hung earlier", "", ""};
    } else {
      result = runChecked(job);
    }
  } catch (const std::exception& e) {
    if (dynamic_cast<const vk::DeviceLostError*>(&e)) context_.usable = false;
    result.error = vulkanError(e, "running a job");
  }
  // The layer's messages come first: what they report may be why the rest went wrong.
  if (Status said = validationError()) result.error = said;
  if (result.error) {
    result.outputs.clear();
    if (result.error->where.empty()) result.error->where = context_.facts.name;
  }
  return result;
}

RunResult VulkanDevice::runChecked(const Job& job) {
  if (Status wrong = checkResources(job)) return {*wrong, {}, 0};
  if (!bindsSamples(job)) return runAsItIs(job);
  if (!context_.facts.enabled.core.shaderStorageImageMultisample)
    return {Error{Outcome::kDeviceTrouble, "the device lacks shaderStorageImageMultisample: no kernel can fill an image of several samples",
                  "", "run it on the model"},
            {},
            0};
  const Expected<Job> copying = withSampleCopies(job);
  if (!copying) return {copying.error(), {}, 0};
  return withoutSampleCopies(job, runAsItIs(*copying));
}

RunResult VulkanDevice::runAsItIs(const Job& job) {
  std::vector<std::shared_ptr<const PipelineEntry>> pipelines;
  std::vector<const InterfaceEntry*> interfaces;
  for (const Dispatch& d : job.dispatches) {
    Expected<std::shared_ptr<const PipelineEntry>> entry = context_.pipelines->get(d, job.subgroupSize);
    if (!entry) return {entry.error(), {}, 0};
    interfaces.push_back(&(*entry)->interface);
    pipelines.push_back(std::move(*entry));
  }
  const Expected<CheckedJob> checked = checkJob(job, interfaces);
  if (!checked) return {checked.error(), {}, 0};
  // On the heap: a run that times out is never destroyed, because the device still uses its objects.
  auto run = std::make_unique<VulkanRun>(context_, job, *checked, pipelines);
  RunResult result = run->execute();
  if (!context_.usable) (void)run.release();
  return result;
}

}  // namespace lanewise
