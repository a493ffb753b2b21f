// See checked_job.h.
#include "gpu/checked_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/spirv/bound_view.h"

namespace lanewise {
namespace {

Error badInput(std::string what, std::string where) {
  return {Outcome::kBadInput, std::move(what), std::move(where), ""};
}

Error placed(Error error, std::string where) {
  error.where = std::move(where);
  return error;
}

Status checkImage(const ImageData& image, const std::string& name) {
  const FormatInfo* info = formatInfo(image.format);
  if (!info) return badInput(fmt::format("an image of an unknown format ({})", std::uint32_t(image.format)), name);
  const Extent3 e = image.extent;
  if (e.x == 0 || e.y == 0 || e.z == 0 || image.layers == 0) return badInput("an image without texels", name);
  if (image.dimensions < 1 || image.dimensions > 3 || (image.dimensions < 3 && e.z > 1) || (image.dimensions < 2 && e.y > 1) ||
      (image.dimensions == 3 && image.layers > 1)) {
    return badInput(fmt::format("a {}x{}x{} image of {} layers cannot have {} dimensions", e.x, e.y, e.z, image.layers, image.dimensions),
                    name);
  }
  if (!std::has_single_bit(image.samples) || image.samples > 64 || (image.samples > 1 && (image.dimensions != 2 || image.levels > 1)))
    return badInput(fmt::format("an image of {} dimensions and {} levels with {} samples", image.dimensions, image.levels, image.samples),
                    name);
  const auto most = std::uint32_t(std::bit_width(std::max({e.x, e.y, e.z})));
  if (image.levels == 0 || image.levels > most) {
    return badInput(fmt::format("an image of {}x{}x{} has 1 to {} levels, not {}", e.x, e.y, e.z, most, image.levels), name);
  }
  // Each side is at most 2^32. The first comparison is in floating point, so that the exact product below cannot wrap.
  if (double(e.x) * e.y * e.z * image.layers * image.samples * info->texelBytes > 1e15) return badInput("an image too large to hold", name);
  if (image.bytes.size() != image.levelOffset(image.levels)) {
    return badInput(fmt::format("an image of {}x{}x{} {} with {} levels and {} layers takes {} bytes, not {}", e.x, e.y, e.z, info->name,
                                image.levels, image.layers, image.levelOffset(image.levels), image.bytes.size()),
                    name);
  }
  return {};
}

// The OpTypeImage of a binding that has one.
const Type* imageOf(const InterfaceBinding& slot) {
  return slot.isImage() || slot.isTexelBuffer() ? slot.type : nullptr;
}

bool knownDim(spv::Dim dim) {
  return dim == spv::Dim::Dim1D || dim == spv::Dim::Dim2D || dim == spv::Dim::Dim3D || dim == spv::Dim::Cube || dim == spv::Dim::Buffer;
}

// Checks one dispatch; knows the place for messages.
class DispatchChecker {
 public:
  DispatchChecker(const Job& job, std::size_t index, const InterfaceEntry& interface, CheckedJob& checked)
      : job_(job),
        dispatch_(job.dispatches[index]),
        interface_(interface),
        checked_(checked),
        where_(fmt::format("dispatch {}, {}", index, dispatch_.module->name)) {}

  Status run() {
    if (dispatch_.push.size() < interface_.pushBytes) {
      return badInput(
          fmt::format("the kernel declares {} bytes of push constants, {} are given", interface_.pushBytes, dispatch_.push.size()), where_);
    }
    for (const InterfaceBinding& slot : interface_.bindings) {
      if (Status wrong = checkSlot(slot)) return wrong;
    }
    return {};
  }

 private:
  std::string at(const InterfaceBinding& slot, std::uint32_t element) const {
    std::string place = fmt::format("{}, set {} binding {}", where_, slot.set, slot.binding);
    if (slot.count != 1) place += fmt::format("[{}]", element);
    return slot.name.empty() ? place : place + " (" + slot.name + ")";
  }

  Status checkSlot(const InterfaceBinding& slot) {
    if (imageOf(slot) && !knownDim(imageOf(slot)->dim))
      return Error{Outcome::kUnsupported, "the Vulkan backend has no images of this kind", at(slot, 0), ""};
    for (std::uint32_t element = 0; element < slot.count; ++element) {
      if (Status wrong = checkElement(slot, element)) return wrong;
    }
    return {};
  }

  Status checkElement(const InterfaceBinding& slot, std::uint32_t element) {
    const auto matches = [&](const Binding& b) { return b.set == slot.set && b.binding == slot.binding && b.element == element; };
    const auto binding = std::ranges::find_if(dispatch_.bindings, matches);
    if (binding == dispatch_.bindings.end() && slot.runtime && element + 1 < slot.count) return {};  // partially bound
    if (binding == dispatch_.bindings.end()) {
      return badInput(fmt::format("no resource is bound to a {}", descriptorKindName(slot.kind)), at(slot, element));
    }
    CheckedDescriptor out;
    out.set = slot.set;
    out.binding = slot.binding;
    out.element = element;
    out.kind = slot.kind;
    if (const Type* image = imageOf(slot)) {
      out.dim = image->dim;
      out.arrayed = image->arrayed != 0;
    }
    out.sampler = binding->sampler;
    out.resource = kNoResource;
    if (slot.kind != DescriptorKind::kSampler) {
      if (Status wrong = checkResource(slot, *binding, out)) return wrong;
    }
    checked_.dispatches.back().push_back(out);
    return {};
  }

  Status checkResource(const InterfaceBinding& slot, const Binding& binding, CheckedDescriptor& out) {
    const std::string place = at(slot, binding.element);
    out.resource = resourceNamed(job_.resources, binding.resource);
    if (out.resource == job_.resources.size()) return badInput("there is no resource '" + binding.resource + "'", place);
    const Resource& resource = job_.resources[out.resource];
    const ImageData* image = std::get_if<ImageData>(&resource.data);
    if (slot.isBuffer() != (image == nullptr)) {
      return badInput(fmt::format("'{}' is {}, the kernel declares a {}", binding.resource, image ? "an image" : "a buffer",
                                  descriptorKindName(slot.kind)),
                      place);
    }
    return image ? checkView(slot, binding, *image, out) : checkRange(slot, binding, resource.bytes().size(), out);
  }

  Status checkRange(const InterfaceBinding& slot, const Binding& binding, std::uint64_t all, CheckedDescriptor& out) {
    const std::string place = at(slot, binding.element);
    if (slot.isTexelBuffer()) {
      const Expected<spirv::BoundTexels> texels = spirv::boundTexels(all, *slot.type, binding);
      if (!texels) return placed(texels.error(), place);
      out.viewFormat = texels->format->format;
      out.offset = texels->bytes.offset;
      out.size = texels->bytes.size;
      return {};
    }
    const Expected<BoundBytes> bound = boundBytes(binding, all);
    if (!bound) return badInput(bound.error().what, place);
    out.offset = bound->offset;
    out.size = bound->size;
    return {};
  }

  Status checkView(const InterfaceBinding& slot, const Binding& binding, const ImageData& image, CheckedDescriptor& out) {
    const Expected<spirv::BoundView> view = spirv::boundView(image, *slot.type, binding);
    if (!view) return placed(view.error(), at(slot, binding.element));
    out.viewFormat = view->format->format;
    out.baseLevel = binding.baseLevel;
    // A storage image is one level: a kernel reads and writes the first level of the view.
    out.levelCount = slot.kind == DescriptorKind::kStorageImage ? 1 : view->levels;
    out.baseLayer = binding.baseLayer;
    out.layerCount = view->layers;
    CheckedImage& use = checked_.images[out.resource];
    (slot.kind == DescriptorKind::kStorageImage ? use.storage : use.sampled) = true;
    if (out.viewFormat != image.format && std::ranges::find(use.otherViewFormats, out.viewFormat) == use.otherViewFormats.end()) {
      use.otherViewFormats.push_back(out.viewFormat);
    }
    return {};
  }

  const Job& job_;
  const Dispatch& dispatch_;
  const InterfaceEntry& interface_;
  CheckedJob& checked_;
  std::string where_;
};

}  // namespace

Status checkResources(const Job& job) {
  std::set<std::string> names;
  std::uint64_t bytes = 0;
  for (const Resource& r : job.resources) {
    if (!names.insert(r.name).second) return badInput("two resources of one name", r.name);
    if (const ImageData* image = std::get_if<ImageData>(&r.data)) {
      if (Status wrong = checkImage(*image, r.name)) return wrong;
    } else if (r.bytes().empty()) {
      return badInput("an empty buffer", r.name);
    }
    bytes += r.bytes().size();
  }
  if (bytes > job.limits.maxMemory) {
    return badInput(fmt::format("the resources take {} bytes, the limit is {}", bytes, job.limits.maxMemory), "");
  }
  return checkBlits(job);
}

Expected<CheckedJob> checkJob(const Job& job, std::span<const InterfaceEntry* const> interfaces) {
  CheckedJob checked;
  for (std::size_t i = 0; i < job.dispatches.size(); ++i) {
    checked.dispatches.emplace_back();
    if (Status wrong = DispatchChecker(job, i, *interfaces[i], checked).run()) return *wrong;
  }
  for (const Blit& blit : job.blits) checked.images[resourceNamed(job.resources, blit.resource)];  // makes an entry: blits copy it
  return checked;
}

}  // namespace lanewise
