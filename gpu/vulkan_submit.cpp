// How a run is submitted: once in one command buffer, or for measuring, the dispatches repeatedly.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gpu/patience.h"
#include "gpu/process.h"
#include "gpu/vulkan_run.h"

namespace lanewise {
namespace {

// A measured device is kept busy for this long first: an idle GPU's clock may be a fifth of its full one.
constexpr std::chrono::milliseconds kWarmUp{150};

}  // namespace

void VulkanRun::record(std::initializer_list<void (VulkanRun::*)()> parts) {
  context_.commandPool.reset();
  commands_ = std::move(
      vk::raii::CommandBuffers(context_.device, vk::CommandBufferAllocateInfo(*context_.commandPool, vk::CommandBufferLevel::ePrimary, 1))
          .front());
  commands_.begin(vk::CommandBufferBeginInfo());
  for (const auto part : parts) (this->*part)();
  commands_.end();
}

Expected<double> VulkanRun::runOnce() {
  record({&VulkanRun::recordUpload, &VulkanRun::recordSteps, &VulkanRun::recordDownload});
  return submit();
}

Expected<double> VulkanRun::measure() {
  record({&VulkanRun::recordUpload});
  if (const Expected<double> moved = submit(false); !moved) return moved;
  record({&VulkanRun::recordSteps});
  const auto begin = std::chrono::steady_clock::now();
  do {
    if (const Expected<double> warm = submit(); !warm) return warm;
  } while (std::chrono::steady_clock::now() - begin < kWarmUp);
  const Expected<double> seconds = submit();
  if (!seconds) return seconds;
  record({&VulkanRun::recordDownload});
  if (const Expected<double> moved = submit(false); !moved) return moved;
  return *seconds / context_.options.repeat;
}

Expected<double> VulkanRun::submit(bool timed) {
  context_.options.onPhase("running the dispatches", {});
  const auto before = std::chrono::steady_clock::now();
  context_.device.resetFences(*context_.fence);
  const vk::SubmitInfo info({}, {}, *commands_);
  context_.queue.submit(info, *context_.fence);
  const double limit = std::clamp(job_.limits.timeoutSeconds, 0.0, 1e9);
  const bool onCpu = context_.physical.getProperties().deviceType == vk::PhysicalDeviceType::eCpu;
  Patience patience(limit, onCpu, processorSeconds(0));
  vk::Result waited{};
  do {
    waited = context_.device.waitForFences(*context_.fence, true, std::uint64_t(limit * 1e9));
  } while (waited == vk::Result::eTimeout && patience.waitsOn(processorSeconds(0)));
  if (waited == vk::Result::eTimeout) {
    context_.usable = false;
    return Error{Outcome::kDeviceTrouble, fmt::format("the device timed out after {:g} s while running the dispatches", limit), "", ""};
  }
  const double host = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  context_.options.onPhase("reading the results back", {});
  return timed ? timestampSeconds(host) : host;
}

double VulkanRun::timestampSeconds(double hostSeconds) const {
  if (!context_.timestampBits) return hostSeconds;
  const auto [status, ticks] = context_.queries.getResults<std::uint64_t>(0, 2, 2 * sizeof(std::uint64_t), sizeof(std::uint64_t),
                                                                          vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait);
  if (status != vk::Result::eSuccess) return hostSeconds;
  const std::uint64_t mask = context_.timestampBits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << context_.timestampBits) - 1;
  return double((ticks[1] - ticks[0]) & mask) * double(context_.facts.limits.timestampPeriod) * 1e-9;
}

}  // namespace lanewise
