// See vulkan_run.h.
#include "gpu/vulkan_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gpu/canary.h"

namespace lanewise {
namespace {

constexpr std::size_t kStagingAlignment = 256;  // more than any texel's

vk::ImageViewType viewType(const CheckedDescriptor& d) {
  switch (d.dim) {
    case spv::Dim::Dim1D:
      return d.arrayed ? vk::ImageViewType::e1DArray : vk::ImageViewType::e1D;
    case spv::Dim::Dim3D:
      return vk::ImageViewType::e3D;
    case spv::Dim::Cube:
      return d.arrayed ? vk::ImageViewType::eCubeArray : vk::ImageViewType::eCube;
    default:
      return d.arrayed ? vk::ImageViewType::e2DArray : vk::ImageViewType::e2D;
  }
}

ImageKey imageKey(const ImageData& image, const CheckedImage& use) {
  using Usage = vk::ImageUsageFlagBits;
  ImageKey key;
  key.type = image.dimensions == 1 ? vk::ImageType::e1D : image.dimensions == 2 ? vk::ImageType::e2D : vk::ImageType::e3D;
  key.format = vk::Format(image.format);
  key.width = image.extent.x;
  key.height = image.extent.y;
  key.depth = image.extent.z;
  key.levels = image.levels;
  key.layers = image.layers;
  key.samples = image.samples;
  if (image.samples == 1) key.usage = Usage::eTransferSrc | Usage::eTransferDst;
  if (use.storage) key.usage |= Usage::eStorage;
  if (use.sampled) key.usage |= Usage::eSampled;
  if (!use.otherViewFormats.empty()) {
    // Extended usage: the image's own format need not support every use of its views.
    key.flags = vk::ImageCreateFlagBits::eMutableFormat | vk::ImageCreateFlagBits::eExtendedUsage;
    key.viewFormats.push_back(key.format);
    for (const Format f : use.otherViewFormats) key.viewFormats.push_back(vk::Format(f));
  }
  if (image.layers >= 6 && image.dimensions == 2 && image.samples == 1 && image.extent.x == image.extent.y) {
    key.flags |= vk::ImageCreateFlagBits::eCubeCompatible;
  }
  return key;
}

// What goes through the staging buffer. An image of several samples does not (image_samples.h).
std::span<const std::byte> staged(const Resource& r) {
  const auto* image = std::get_if<ImageData>(&r.data);
  return image && image->samples > 1 ? std::span<const std::byte>() : std::span(r.bytes());
}

}  // namespace

RunResult VulkanRun::execute() {
  if (Status wrong = checkLimits()) return {*wrong, {}, 0};
  if (Status wrong = checkDescriptors()) return {*wrong, {}, 0};
  if (Status wrong = checkBlits()) return {*wrong, {}, 0};
  if (Status wrong = place()) return {*wrong, {}, 0};
  if (Status wrong = fillStaging()) return {*wrong, {}, 0};
  const Expected<double> seconds = context_.options.repeat == 0 ? runOnce() : measure();
  if (!seconds) return {seconds.error(), {}, 0};
  RunResult result = collect(*seconds);
  giveBack();
  return result;
}

Status VulkanRun::checkLimits() const {
  const vk::PhysicalDeviceLimits& l = context_.facts.limits;
  for (std::size_t i = 0; i < job_.dispatches.size(); ++i) {
    const Dispatch& d = job_.dispatches[i];
    const std::uint32_t groups[3] = {d.groups.x, d.groups.y, d.groups.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (groups[axis] <= l.maxComputeWorkGroupCount[axis]) continue;
      return Error{Outcome::kUnsupported,
                   fmt::format("{} workgroups along {}; the device takes {} (maxComputeWorkGroupCount)", groups[axis], "xyz"[axis],
                               l.maxComputeWorkGroupCount[axis]),
                   fmt::format("dispatch {}, {} on {}", i, d.module->name, context_.facts.name), ""};
    }
    for (const CheckedDescriptor& p : checked_.dispatches[i]) {
      const bool uniform = p.kind == DescriptorKind::kUniformBuffer;
      if (!uniform && p.kind != DescriptorKind::kStorageBuffer) continue;
      const Resource& r = job_.resources[p.resource];
      const std::uint32_t most = uniform ? l.maxUniformBufferRange : l.maxStorageBufferRange;
      if (r.bytes().size() <= most) continue;
      return Error{Outcome::kUnsupported,
                   fmt::format("a {} of {} bytes; the device takes {}", descriptorKindName(p.kind), r.bytes().size(), most),
                   r.name + " on " + context_.facts.name, ""};
    }
  }
  return {};
}

// What the descriptors need of the device beyond what their modules need: samplers, filters, alignments.
Status VulkanRun::checkDescriptors() const {
  const vk::PhysicalDeviceLimits& l = context_.facts.limits;
  const auto lacking = [&](const CheckedDescriptor& d, std::string what) {
    return Error{Outcome::kUnsupported, std::move(what), fmt::format("set {} binding {} on {}", d.set, d.binding, context_.facts.name), ""};
  };
  for (const std::vector<CheckedDescriptor>& dispatch : checked_.dispatches)
    for (const CheckedDescriptor& d : dispatch) {
      const bool combined = d.kind == DescriptorKind::kCombinedImageSampler;
      if (d.kind == DescriptorKind::kSampler || combined) {
        const Expected<vk::Sampler> sampler = context_.samplers->get(d.sampler);
        if (!sampler) return sampler.error();
      }
      if (d.viewFormat == Format::UNDEFINED && d.offset == 0) continue;
      const bool linear = d.sampler.mag == Filter::kLinear || d.sampler.min == Filter::kLinear || d.sampler.mip == Filter::kLinear;
      const vk::FormatProperties has =
          d.viewFormat == Format::UNDEFINED ? vk::FormatProperties() : context_.physical.getFormatProperties(vk::Format(d.viewFormat));
      if (combined && linear && !(has.optimalTilingFeatures & vk::FormatFeatureFlagBits::eSampledImageFilterLinear))
        return lacking(d, fmt::format("the device does not filter {} linearly", formatInfo(d.viewFormat)->name));
      const bool storageTexels = d.kind == DescriptorKind::kStorageTexelBuffer;
      if (storageTexels && !(has.bufferFeatures & vk::FormatFeatureFlagBits::eStorageTexelBuffer))
        return lacking(d, fmt::format("the device has no storage texel buffers of {}", formatInfo(d.viewFormat)->name));
      if (d.kind == DescriptorKind::kUniformTexelBuffer && !(has.bufferFeatures & vk::FormatFeatureFlagBits::eUniformTexelBuffer))
        return lacking(d, fmt::format("the device has no uniform texel buffers of {}", formatInfo(d.viewFormat)->name));
      const vk::DeviceSize unit = d.kind == DescriptorKind::kUniformBuffer   ? l.minUniformBufferOffsetAlignment
                                  : d.kind == DescriptorKind::kStorageBuffer ? l.minStorageBufferOffsetAlignment
                                  : d.viewFormat != Format::UNDEFINED        ? l.minTexelBufferOffsetAlignment
                                                                             : 1;
      if (d.offset % unit != 0) return lacking(d, fmt::format("a range from byte {} on; the device takes multiples of {}", d.offset, unit));
    }
  return {};
}

Status VulkanRun::takeImage(std::size_t resource, DeviceResource& place) {
  const auto use = checked_.images.find(resource);
  if (use == checked_.images.end()) return {};
  const ImageKey key = imageKey(std::get<ImageData>(job_.resources[resource].data), use->second);
  const auto refuse = [&](const std::string& why) {
    return Error{Outcome::kUnsupported,
                 fmt::format("the device has no such image: {}x{}x{}, {}, {} levels, {} layers, {} ({})", key.width, key.height, key.depth,
                             formatInfo(Format(key.format))->name, key.levels, key.layers, vk::to_string(key.usage), why),
                 job_.resources[resource].name + " on " + context_.facts.name, ""};
  };
  vk::ImageFormatProperties most;
  try {
    most = context_.physical.getImageFormatProperties(key.format, key.type, vk::ImageTiling::eOptimal, key.usage, key.flags);
  } catch (const vk::FormatNotSupportedError&) {
    return refuse("the format is not supported for this use");
  }
  if (!(most.sampleCounts & vk::SampleCountFlagBits(key.samples)))
    return refuse(fmt::format("not with {} samples: {} is not supported for this use", key.samples, vk::to_string(most.sampleCounts)));
  const vk::Extent3D& e = most.maxExtent;
  if (key.width > e.width || key.height > e.height || key.depth > e.depth || key.levels > most.maxMipLevels ||
      key.layers > most.maxArrayLayers) {
    return refuse(
        fmt::format("at most {}x{}x{}, {} levels, {} layers", e.width, e.height, e.depth, most.maxMipLevels, most.maxArrayLayers));
  }
  place.image = context_.memory->takeImage(key);
  return {};
}

Status VulkanRun::place() {
  std::size_t offset = 0;
  places_.resize(job_.resources.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    DeviceResource& p = places_[i];
    const std::size_t bytes = staged(job_.resources[i]).size();
    const bool isBuffer = std::holds_alternative<BufferData>(job_.resources[i].data);
    p.staging = offset;
    p.stagedBytes = isBuffer ? guardedSize(bytes) : bytes;
    offset = (offset + p.stagedBytes + kStagingAlignment - 1) / kStagingAlignment * kStagingAlignment;
    if (isBuffer) {
      p.buffer = context_.memory->takeBuffer(p.stagedBytes + context_.options.descriptorSlack);
    } else if (Status wrong = takeImage(i, p)) {
      return wrong;
    }
  }
  staging_ = context_.memory->takeStaging(std::max<std::size_t>(offset, 1));
  return {};
}

// Writes device addresses into buffers.
Status VulkanRun::placeAddresses(std::vector<std::byte>& bytes, const std::vector<Address>& addresses) const {
  for (const Address& a : addresses) {
    const auto named = [&](const Resource& r) { return r.name == a.resource && std::holds_alternative<BufferData>(r.data); };
    const auto found = std::ranges::find_if(job_.resources, named);
    if (found == job_.resources.end())
      return Error{Outcome::kBadInput, "there is no buffer named '" + a.resource + "' to take the address of", "", ""};
    if (!context_.facts.enabled.vulkan12.bufferDeviceAddress)
      return Error{Outcome::kUnsupported, "the device lacks buffer addresses (bufferDeviceAddress)", context_.facts.name, ""};
    const vk::Buffer buffer = *places_[std::size_t(found - job_.resources.begin())].buffer->buffer;
    if (Status wrong = writeAddress(bytes, a, context_.device.getBufferAddress({buffer}) + kCanaryBytes + a.offset)) return wrong;
  }
  return {};
}

Status VulkanRun::fillStaging() {
  for (const Dispatch& d : job_.dispatches)
    if (Status wrong = placeAddresses(push_.emplace_back(d.push), d.pushAddresses)) return wrong;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::span<const std::byte> given = staged(job_.resources[i]);
    std::vector<std::byte> bytes(given.begin(), given.end());
    if (const auto* buffer = std::get_if<BufferData>(&job_.resources[i].data))
      if (Status wrong = placeAddresses(bytes, buffer->addresses)) return wrong;
    const std::span<std::byte> staged(staging_->mapped + places_[i].staging, places_[i].stagedBytes);
    if (places_[i].buffer) writeCanaries(staged, bytes.size());
    std::ranges::copy(bytes, staged.subspan(places_[i].buffer ? kCanaryBytes : 0).begin());
  }
  return {};
}

void VulkanRun::barrier(vk::PipelineStageFlags from, vk::PipelineStageFlags to) const {
  using Access = vk::AccessFlagBits;
  // The barrier between two dispatches or blits has only the accesses that they may make. On a GPU a barrier for all kinds of access takes
  // longer than a small dispatch.
  if (from == to) {
    const bool blits = to == vk::PipelineStageFlagBits::eTransfer;
    const vk::MemoryBarrier memory(
        blits ? Access::eTransferWrite : Access::eShaderWrite,
        blits ? Access::eTransferRead | Access::eTransferWrite : Access::eShaderRead | Access::eShaderWrite | Access::eUniformRead);
    commands_.pipelineBarrier(from, to, {}, memory, {}, {});
    return;
  }
  const bool toHost = bool(to & vk::PipelineStageFlagBits::eHost);
  const vk::MemoryBarrier memory(Access::eMemoryWrite | Access::eMemoryRead,
                                 toHost ? vk::AccessFlags(Access::eHostRead) : Access::eMemoryWrite | Access::eMemoryRead);
  commands_.pipelineBarrier(from, to, {}, memory, {}, {});
}

// One region per level: all its layers without padding, in the layout of the contract.
std::vector<vk::BufferImageCopy> VulkanRun::levelCopies(std::size_t resource) const {
  const ImageData& image = std::get<ImageData>(job_.resources[resource].data);
  std::vector<vk::BufferImageCopy> copies;
  for (std::uint32_t level = 0; level < image.levels; ++level) {
    const Extent3 e = image.levelExtent(level);
    copies.emplace_back(places_[resource].staging + image.levelOffset(level), 0, 0,
                        vk::ImageSubresourceLayers(aspectOf(vk::Format(image.format)), level, 0, image.layers), vk::Offset3D{},
                        vk::Extent3D{e.x, e.y, e.z});
  }
  return copies;
}

void VulkanRun::recordUpload() {
  std::vector<vk::ImageMemoryBarrier> toGeneral;
  for (const DeviceResource& p : places_) {
    if (!p.image) continue;
    toGeneral.emplace_back(
        vk::AccessFlags{}, vk::AccessFlagBits::eTransferWrite, vk::ImageLayout::eUndefined, vk::ImageLayout::eGeneral,
        VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED, *p.image->image,
        vk::ImageSubresourceRange(aspectOf(p.image->key.format), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS));
  }
  using Stage = vk::PipelineStageFlagBits;
  commands_.pipelineBarrier(Stage::eTopOfPipe, Stage::eTransfer, {}, {}, {}, toGeneral);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const DeviceResource& p = places_[i];
    if (p.buffer) commands_.copyBuffer(*staging_->buffer, *p.buffer->buffer, vk::BufferCopy(p.staging, 0, p.stagedBytes));
    if (p.image && p.stagedBytes != 0)
      commands_.copyBufferToImage(*staging_->buffer, *p.image->image, vk::ImageLayout::eGeneral, levelCopies(i));
  }
  barrier(Stage::eTransfer, Stage::eComputeShader | Stage::eTransfer);
}

void VulkanRun::reserveDescriptors() {
  std::uint32_t sets = 1, descriptors = 1;
  for (std::size_t i = 0; i < pipelines_.size(); ++i) {
    sets += std::uint32_t(pipelines_[i]->setLayouts.size());
    for (const InterfaceBinding& slot : pipelines_[i]->interface.bindings) descriptors += slot.count;
  }
  const std::uint32_t room = std::bit_ceil(std::max({sets, descriptors, 64u}));
  if (room <= context_.descriptorRoom) {
    context_.descriptorPool.reset();
    return;
  }
  std::vector<vk::DescriptorPoolSize> sizes;
  for (int kind = 0; kind <= int(DescriptorKind::kStorageTexelBuffer); ++kind)
    sizes.emplace_back(descriptorType(DescriptorKind(kind)), room);
  context_.descriptorPool = vk::raii::DescriptorPool(context_.device, vk::DescriptorPoolCreateInfo({}, room, sizes));
  context_.descriptorRoom = room;
}

std::vector<vk::DescriptorSet> VulkanRun::writeDescriptors(std::size_t dispatch) {
  std::vector<vk::DescriptorSetLayout> layouts;
  for (const vk::raii::DescriptorSetLayout& layout : pipelines_[dispatch]->setLayouts) layouts.push_back(*layout);
  if (layouts.empty()) return {};
  // Plain handles: the whole pool is reset before the next run.
  const std::vector<vk::DescriptorSet> sets =
      (*context_.device)
          .allocateDescriptorSets(vk::DescriptorSetAllocateInfo(*context_.descriptorPool, layouts), *context_.device.getDispatcher());
  const std::vector<CheckedDescriptor>& all = checked_.dispatches[dispatch];
  std::vector<vk::DescriptorBufferInfo> buffers(all.size());
  std::vector<vk::DescriptorImageInfo> images(all.size());
  std::vector<vk::BufferView> texels(all.size());
  std::vector<vk::WriteDescriptorSet> writes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CheckedDescriptor& p = all[i];
    vk::WriteDescriptorSet write(sets[p.set], p.binding, p.element, 1, descriptorType(p.kind));
    if (p.resource != kNoResource && places_[p.resource].buffer) {
      const vk::Buffer buffer = *places_[p.resource].buffer->buffer;
      if (p.viewFormat != Format::UNDEFINED) {
        texelViews_.emplace_back(context_.device,
                                 vk::BufferViewCreateInfo({}, buffer, vk::Format(p.viewFormat), kCanaryBytes + p.offset, p.size));
        texels[i] = *texelViews_.back();
        write.pTexelBufferView = &texels[i];
      } else {
        buffers[i] = vk::DescriptorBufferInfo(buffer, kCanaryBytes + p.offset, p.size + context_.options.descriptorSlack);
        write.pBufferInfo = &buffers[i];
      }
    } else {
      const bool samples = p.kind == DescriptorKind::kSampler || p.kind == DescriptorKind::kCombinedImageSampler;
      if (samples) images[i].sampler = *context_.samplers->get(p.sampler);  // it was made before
      if (p.resource != kNoResource) {
        const ViewKey key{viewType(p),
                          vk::Format(p.viewFormat),
                          p.baseLevel,
                          p.levelCount,
                          p.baseLayer,
                          p.layerCount,
                          p.kind == DescriptorKind::kStorageImage};
        images[i].imageView = context_.memory->view(*places_[p.resource].image, key);
        images[i].imageLayout = vk::ImageLayout::eGeneral;
      }
      write.pImageInfo = &images[i];
    }
    writes.push_back(write);
  }
  context_.device.updateDescriptorSets(writes, {});
  return sets;
}

void VulkanRun::recordDispatch(std::size_t i, const std::vector<vk::DescriptorSet>& sets) {
  const Dispatch& d = job_.dispatches[i];
  const PipelineEntry& pipeline = *pipelines_[i];
  if (d.groups.x == 0 || d.groups.y == 0 || d.groups.z == 0) return;
  commands_.bindPipeline(vk::PipelineBindPoint::eCompute, *pipeline.pipeline);
  if (!sets.empty()) commands_.bindDescriptorSets(vk::PipelineBindPoint::eCompute, *pipeline.layout, 0, sets, {});
  if (const std::uint32_t bytes = pipeline.interface.pushBytes) {
    // The range is a multiple of 4. Bytes that the kernel does not declare are 0.
    std::vector<std::byte> push = push_[i];
    push.resize((bytes + 3) / 4 * 4);
    commands_.pushConstants<std::byte>(*pipeline.layout, vk::ShaderStageFlagBits::eCompute, 0, push);
  }
  commands_.dispatch(d.groups.x, d.groups.y, d.groups.z);
}

void VulkanRun::recordSteps() {
  using Stage = vk::PipelineStageFlagBits;
  reserveDescriptors();
  std::vector<std::vector<vk::DescriptorSet>> sets;
  for (std::size_t i = 0; i < job_.dispatches.size(); ++i) sets.push_back(writeDescriptors(i));
  if (context_.timestampBits) {
    commands_.resetQueryPool(*context_.queries, 0, 2);
    commands_.writeTimestamp(Stage::eBottomOfPipe, *context_.queries, 0);
  }
  vk::PipelineStageFlags last;  // of the last step; none before the first
  const auto step = [&](Stage stage, bool waits) {
    if (last && (waits || last != stage)) barrier(last, stage);
    last = stage;
  };
  for (std::uint32_t round = 0; round < std::max(context_.options.repeat, 1u); ++round) {
    auto blit = job_.blits.begin();
    for (std::size_t i = 0; i <= job_.dispatches.size(); ++i) {
      for (; blit != job_.blits.end() && blit->before == i; ++blit) {
        step(Stage::eTransfer, true);
        recordBlit(*blit);
      }
      if (i == job_.dispatches.size()) break;
      step(Stage::eComputeShader, i == 0 || job_.dispatches[i].barrierBefore);
      recordDispatch(i, sets[i]);
    }
  }
  if (context_.timestampBits) commands_.writeTimestamp(Stage::eBottomOfPipe, *context_.queries, 1);
}

void VulkanRun::recordDownload() {
  using Stage = vk::PipelineStageFlagBits;
  barrier(Stage::eComputeShader | Stage::eTransfer, Stage::eTransfer);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const DeviceResource& p = places_[i];
    const bool wanted = job_.resources[i].output;
    if (p.image && wanted) commands_.copyImageToBuffer(*p.image->image, vk::ImageLayout::eGeneral, *staging_->buffer, levelCopies(i));
    if (!p.buffer) continue;
    // The canaries of every buffer are read back, its bytes only if they are wanted.
    std::vector<vk::BufferCopy> copies{{0, p.staging, p.stagedBytes}};
    if (!wanted) {
      const std::size_t tail = p.stagedBytes - kCanaryBytes;
      copies = {{0, p.staging, kCanaryBytes}, {tail, p.staging + tail, kCanaryBytes}};
    }
    commands_.copyBuffer(*p.buffer->buffer, *staging_->buffer, copies);
  }
  barrier(Stage::eTransfer, Stage::eHost);
}

RunResult VulkanRun::collect(double seconds) const {
  RunResult result;
  result.seconds = seconds;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const DeviceResource& p = places_[i];
    const Resource& given = job_.resources[i];
    const std::byte* staged = staging_->mapped + p.staging;
    if (p.buffer) {
      if (const auto wrong = checkCanaries({staged, p.stagedBytes}, given.bytes().size())) {
        result.error = Error{Outcome::kDeviceTrouble, "a write left the buffer '" + given.name + "': " + *wrong, context_.facts.name, ""};
        return result;
      }
    }
    if (!given.output) continue;
    const std::byte* data = staged + (p.buffer ? kCanaryBytes : 0);
    std::vector<std::byte> bytes(data, data + given.bytes().size());
    Resource& out = result.outputs.emplace_back(Resource{given.name, BufferData{}, given.undefined, true});
    if (const ImageData* image = std::get_if<ImageData>(&given.data)) {
      out.data = ImageData{image->format, image->extent, image->levels, image->layers, image->dimensions, std::move(bytes), image->samples};
    } else {
      out.data = BufferData{std::move(bytes)};
    }
  }
  return result;
}

void VulkanRun::giveBack() {
  texelViews_.clear();
  for (DeviceResource& p : places_) {
    if (p.buffer) context_.memory->give(std::move(p.buffer));
    if (p.image) context_.memory->give(std::move(p.image));
  }
  context_.memory->give(std::move(staging_));
}

}  // namespace lanewise
