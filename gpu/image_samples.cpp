// See image_samples.h.
#include "gpu/image_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gpu/sample_kernels.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kSide = 8;  // of a workgroup

struct CopyKernel {
  std::uint32_t texelBytes;
  Format view;  // an integer format with texels of that size
  std::uint32_t components;
  const char* module;
};
constexpr CopyKernel kCopies[] = {{1, Format::R8_UINT, 1, "image_samples_r8ui"},
                                  {2, Format::R16_UINT, 1, "image_samples_r16ui"},
                                  {4, Format::R32_UINT, 1, "image_samples_r32ui"},
                                  {8, Format::R32G32_UINT, 2, "image_samples_rg32ui"},
                                  {16, Format::R32G32B32A32_UINT, 4, "image_samples_rgba32ui"}};

bool isBound(const Job& job, const std::string& name) {
  for (const Dispatch& d : job.dispatches)
    for (const Binding& b : d.bindings)
      if (b.resource == name) return true;
  return false;
}

// The image of several samples that this is, if a dispatch binds it.
const ImageData* copiedImage(const Job& job, const Resource& r) {
  const auto* image = std::get_if<ImageData>(&r.data);
  return image != nullptr && image->samples > 1 && isBound(job, r.name) ? image : nullptr;
}

const CopyKernel* kernelFor(const ImageData& image) {
  if (image.format == Format::D16_UNORM || image.format == Format::D32_SFLOAT) return nullptr;
  for (const CopyKernel& k : kCopies)
    if (k.texelBytes == formatInfo(image.format)->texelBytes) return &k;
  return nullptr;
}

std::shared_ptr<const ShaderModule> moduleOf(const CopyKernel& kernel) {
  for (const EmbeddedModule& m : sampleKernels())
    if (m.name == kernel.module) return std::make_shared<const ShaderModule>(ShaderModule{kernel.module, {m.words.begin(), m.words.end()}});
  return nullptr;
}

std::string bufferName(const Resource& image) {
  return image.name + ", sample by sample";
}

// Components of 1 and 2 bytes as words, and back.
std::vector<std::byte> widened(const std::vector<std::byte>& bytes, std::uint32_t size) {
  std::vector<std::byte> words(bytes.size() / size * 4);
  for (std::size_t i = 0; i < bytes.size() / size; ++i) std::memcpy(words.data() + 4 * i, bytes.data() + size * i, size);
  return words;
}

std::vector<std::byte> narrowed(const std::vector<std::byte>& words, std::uint32_t size) {
  std::vector<std::byte> bytes(words.size() / 4 * size);
  for (std::size_t i = 0; i < words.size() / 4; ++i) std::memcpy(bytes.data() + size * i, words.data() + 4 * i, size);
  return bytes;
}

Dispatch copyOf(const Resource& r, const ImageData& image, const CopyKernel& kernel, bool toBuffer) {
  Dispatch d;
  d.module = moduleOf(kernel);
  d.groups = {(image.extent.x + kSide - 1) / kSide, (image.extent.y + kSide - 1) / kSide, image.layers * image.samples};
  const std::uint32_t push[] = {toBuffer ? 1u : 0u, image.samples};
  d.push.resize(sizeof push);
  std::memcpy(d.push.data(), push, sizeof push);
  d.bindings.resize(2);
  d.bindings[0].resource = r.name;
  d.bindings[0].viewFormat = kernel.view;
  d.bindings[1].binding = 1;
  d.bindings[1].resource = bufferName(r);
  return d;
}

}  // namespace

bool bindsSamples(const Job& job) {
  return std::any_of(job.resources.begin(), job.resources.end(), [&](const Resource& r) { return copiedImage(job, r) != nullptr; });
}

Expected<Job> withSampleCopies(const Job& job) {
  Job out = job;
  std::vector<Dispatch> before, after;
  for (std::size_t i = 0; i < job.resources.size(); ++i) {
    const Resource& r = job.resources[i];
    const ImageData* image = copiedImage(job, r);
    if (!image) continue;
    const CopyKernel* kernel = kernelFor(*image);
    if (!kernel)
      return Error{
          Outcome::kUnsupported,
          fmt::format("an image of {} with {} samples on a Vulkan device: no kernel stores such texels, and copies between buffers "
                      "and images take one sample only",
                      formatInfo(image->format)->name, image->samples),
          r.name, "run it on the model"};
    const std::uint32_t size = kernel->texelBytes / kernel->components;
    out.resources.push_back({bufferName(r), BufferData{widened(image->bytes, size)}, false, r.output});
    out.resources[i].output = false;
    before.push_back(copyOf(r, *image, *kernel, false));
    if (r.output) after.push_back(copyOf(r, *image, *kernel, true));
  }
  for (Blit& blit : out.blits) blit.before += static_cast<std::uint32_t>(before.size());
  out.dispatches.insert(out.dispatches.begin(), before.begin(), before.end());
  out.dispatches.insert(out.dispatches.end(), after.begin(), after.end());
  return out;
}

RunResult withoutSampleCopies(const Job& job, RunResult result) {
  if (result.error) return result;
  std::vector<Resource> outputs;
  for (const Resource& r : job.resources) {
    if (!r.output) continue;
    const ImageData* image = copiedImage(job, r);
    const std::size_t at = resourceNamed(result.outputs, image ? bufferName(r) : r.name);
    Resource got = std::move(result.outputs[at]);
    if (image) {
      ImageData whole = *image;
      const CopyKernel& kernel = *kernelFor(*image);
      whole.bytes = narrowed(got.bytes(), kernel.texelBytes / kernel.components);
      got = {r.name, std::move(whole), r.undefined, true};
    }
    outputs.push_back(std::move(got));
  }
  result.outputs = std::move(outputs);
  return result;
}

}  // namespace lanewise
