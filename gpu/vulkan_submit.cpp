// How a run is submitted: once in one command buffer, or, where a device measures, the dispatches over and over.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gpu/vulkan_run.h"

namespace lanewise {
namespace {

// A device that is measured is kept busy for this long first: an idle GPU's clock may be a fifth of its full one.
constexpr std::chrono::milliseconds kWarmUp{150};

}  // namespace

void VulkanRun::record(std::initializer_list<void (VulkanRun::*)()> parts) {
  device_.commandPool_.reset();
  commands_ = std::move(
      vk::raii::CommandBuffers(device_.device_, vk::CommandBufferAllocateInfo(*device_.commandPool_, vk::CommandBufferLevel::ePrimary, 1))
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
  return *seconds / device_.options_.repeat;
}

Expected<double> VulkanRun::submit(bool timed) {
  device_.options_.onPhase("running the dispatches");
  const auto before = std::chrono::steady_clock::now();
  device_.device_.resetFences(*device_.fence_);
  const vk::SubmitInfo info({}, {}, *commands_);
  device_.queue_.submit(info, *device_.fence_);
  const double limit = std::clamp(job_.limits.timeoutSeconds, 0.0, 1e9);
  const vk::Result waited = device_.device_.waitForFences(*device_.fence_, true, std::uint64_t(limit * 1e9));
  if (waited == vk::Result::eTimeout) {
    device_.usable_ = false;
    return Error{Outcome::kDeviceTrouble, fmt::format("the device timed out after {:g} s while running the dispatches", limit), "", ""};
  }
  const double host = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  device_.options_.onPhase("reading the results back");
  return timed ? timestampSeconds(host) : host;
}

double VulkanRun::timestampSeconds(double hostSeconds) const {
  if (!device_.timestampBits_) return hostSeconds;
  const auto [status, ticks] = device_.queries_.getResults<std::uint64_t>(0, 2, 2 * sizeof(std::uint64_t), sizeof(std::uint64_t),
                                                                          vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait);
  if (status != vk::Result::eSuccess) return hostSeconds;
  const std::uint64_t mask = device_.timestampBits_ >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << device_.timestampBits_) - 1;
  return double((ticks[1] - ticks[0]) & mask) * double(device_.facts_.limits.timestampPeriod) * 1e-9;
}

}  // namespace lanewise
