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
  Expected<std::unique_ptr<VulkanInstance>> instance = VulkanInstance::create(options_.loader, options_.validation);
  if (!instance) return instance.error();
  instance_ = std::move(*instance);
  Expected<std::vector<vk::raii::PhysicalDevice>> devices = instance_->devices();
  if (!devices) return devices.error();
  if (options_.index >= devices->size() || options_.deviceName != (*devices)[options_.index].getProperties().deviceName.data()) {
    return Error{Outcome::kDeviceTrouble, fmt::format("device {} of the loader is no longer {}", options_.index, options_.deviceName), "",
                 "list the devices again"};
  }
  physical_ = std::move((*devices)[options_.index]);
  Expected<PhysicalFacts> facts = readFacts(physical_);
  if (!facts) return facts.error();
  facts_ = std::move(*facts);
  if (!options_.name.empty()) facts_.name = options_.name;
  profile_ = readProfile(physical_);
  if (Status wrong = chooseQueue()) return wrong;

  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, queueFamily_, 1, &priority);
  vk::DeviceCreateInfo info({}, queue, {}, facts_.enabled.extensions);
  const vk::PhysicalDeviceFeatures2 features(facts_.enabled.core, facts_.enabled.chain());
  info.pNext = &features;
  device_ = vk::raii::Device(physical_, info);
  queue_ = vk::raii::Queue(device_, queueFamily_, 0);
  commandPool_ = vk::raii::CommandPool(device_, vk::CommandPoolCreateInfo(vk::CommandPoolCreateFlagBits::eTransient, queueFamily_));
  if (timestampBits_) queries_ = vk::raii::QueryPool(device_, vk::QueryPoolCreateInfo({}, vk::QueryType::eTimestamp, 2));
  fence_ = vk::raii::Fence(device_, vk::FenceCreateInfo());
  memory_ = std::make_unique<MemoryPool>(physical_, device_, facts_.enabled.vulkan12.bufferDeviceAddress != 0);
  pipelines_ = std::make_unique<PipelineCache>(device_, facts_, options_.onPhase);
  samplers_ = std::make_unique<SamplerCache>(device_, facts_);
  return validationError();
}

Status VulkanDevice::chooseQueue() {
  const std::vector<vk::QueueFamilyProperties> families = physical_.getQueueFamilyProperties();
  const std::optional<std::uint32_t> family = queueFamilyOf(families);
  if (!family) return Error{Outcome::kDeviceTrouble, "the device has no compute queue", facts_.name, ""};
  queueFamily_ = *family;
  timestampBits_ = families[*family].timestampValidBits;
  return {};
}

Status VulkanDevice::validationError() {
  const std::vector<std::string> messages = instance_->takeMessages();
  if (messages.empty()) return {};
  return Error{Outcome::kDeviceTrouble, fmt::format("the validation layer says: {}", fmt::join(messages, "\n")), facts_.name, ""};
}

RunResult VulkanDevice::run(const Job& job) {
  const std::lock_guard lock(mutex_);
  RunResult result;
  try {
    if (!usable_) {
      result.error = Error{Outcome::kDeviceTrouble, "the device was lost or hung before", "", ""};
    } else {
      result = runChecked(job);
    }
  } catch (const std::exception& e) {
    if (dynamic_cast<const vk::DeviceLostError*>(&e)) usable_ = false;
    result.error = vulkanError(e, "running a job");
  }
  // The layer's word comes first: what it complains of may be why the rest went wrong.
  if (Status said = validationError()) result.error = said;
  if (result.error) {
    result.outputs.clear();
    if (result.error->where.empty()) result.error->where = facts_.name;
  }
  return result;
}

RunResult VulkanDevice::runChecked(const Job& job) {
  if (Status wrong = checkResources(job)) return {*wrong, {}, 0};
  if (!bindsSamples(job)) return runAsItIs(job);
  if (!facts_.enabled.core.shaderStorageImageMultisample)
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
  std::vector<const ModuleInterface*> interfaces;
  for (const Dispatch& d : job.dispatches) {
    Expected<std::shared_ptr<const PipelineEntry>> entry = pipelines_->get(d, job.subgroupSize);
    if (!entry) return {entry.error(), {}, 0};
    interfaces.push_back(&(*entry)->interface);
    pipelines.push_back(std::move(*entry));
  }
  const Expected<JobPlan> plan = planJob(job, interfaces);
  if (!plan) return {plan.error(), {}, 0};
  // On the heap: a run that times out is never destroyed, since the device still uses what it holds.
  auto run = std::make_unique<VulkanRun>(*this, job, *plan, pipelines);
  RunResult result = run->execute();
  if (!usable_) (void)run.release();
  return result;
}

}  // namespace lanewise
