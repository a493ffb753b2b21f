// One job on a Vulkan device: upload, dispatches and blits, download, in one command buffer and one wait.
//
// Every resource goes through one staging buffer: a buffer with its canaries, an image level after level. All images stay in the general
// layout. Vulkan's errors are vk:: exceptions.
#pragma once

#include "gpu/checked_job.h"
#include "gpu/vulkan_context.h"

namespace lanewise {

class VulkanRun {
 public:
  VulkanRun(VulkanContext& context, const Job& job, const CheckedJob& checked, std::vector<std::shared_ptr<const PipelineEntry>> pipelines)
      : context_(context), job_(job), checked_(checked), pipelines_(std::move(pipelines)) {}
  RunResult execute();

 private:
  // Where a resource is during the run.
  struct DeviceResource {
    std::unique_ptr<PooledBuffer> buffer;
    std::unique_ptr<PooledImage> image;  // only for an image that some dispatch binds
    std::size_t staging = 0;             // offset in the staging buffer
    std::size_t stagedBytes = 0;
  };

  Status checkLimits() const;
  Status checkDescriptors() const;
  Status checkBlits() const;
  Status takeImage(std::size_t resource, DeviceResource& place);
  Status place();
  Status fillStaging();
  Status placeAddresses(std::vector<std::byte>& bytes, const std::vector<Address>& addresses) const;
  void reserveDescriptors();
  std::vector<vk::DescriptorSet> writeDescriptors(std::size_t dispatch);
  void recordUpload();
  void recordDispatch(std::size_t dispatch, const std::vector<vk::DescriptorSet>& sets);
  void recordBlit(const Blit& blit);
  void recordSteps();
  void recordDownload();
  void barrier(vk::PipelineStageFlags from, vk::PipelineStageFlags to) const;
  std::vector<vk::BufferImageCopy> levelCopies(std::size_t resource) const;
  void record(std::initializer_list<void (VulkanRun::*)()> parts);
  Expected<double> runOnce();
  // Repeats only the dispatches until the device has been busy for a while. Returns the seconds of one repetition of the last time.
  Expected<double> measure();
  // Submits and waits. Returns the time of the dispatches, if they were recorded.
  Expected<double> submit(bool timed = true);
  double timestampSeconds(double hostSeconds) const;
  RunResult collect(double seconds) const;
  void giveBack();

  VulkanContext& context_;
  const Job& job_;
  const CheckedJob& checked_;
  std::vector<std::shared_ptr<const PipelineEntry>> pipelines_;
  std::vector<DeviceResource> places_;        // one a resource
  std::vector<std::vector<std::byte>> push_;  // one a dispatch
  std::vector<vk::raii::BufferView> texelViews_;
  std::unique_ptr<PooledBuffer> staging_;
  vk::raii::CommandBuffer commands_{nullptr};
};

}  // namespace lanewise
