// See plan.h.
#include "gpu/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lanewise {
namespace {

Error badInput(std::string what, std::string where) {
  return {Outcome::kBadInput, std::move(what), std::move(where), ""};
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
  const auto most = std::uint32_t(std::bit_width(std::max({e.x, e.y, e.z})));
  if (image.levels == 0 || image.levels > most) {
    return badInput(fmt::format("an image of {}x{}x{} has 1 to {} levels, not {}", e.x, e.y, e.z, most, image.levels), name);
  }
  // Each side at most 2^32: compare in floating point first, so that the exact product below cannot wrap.
  if (double(e.x) * e.y * e.z * image.layers * info->texelBytes > 1e15) return badInput("an image too large to hold", name);
  if (image.bytes.size() != image.levelOffset(image.levels)) {
    return badInput(fmt::format("an image of {}x{}x{} {} with {} levels and {} layers takes {} bytes, not {}", e.x, e.y, e.z, info->name,
                                image.levels, image.layers, image.levelOffset(image.levels), image.bytes.size()),
                    name);
  }
  return {};
}

bool isBufferKind(DescriptorKind kind) {
  return kind == DescriptorKind::kStorageBuffer || kind == DescriptorKind::kUniformBuffer;
}

// The checks of one dispatch, with the place for messages.
class DispatchPlanner {
 public:
  DispatchPlanner(const Job& job, std::size_t index, const ModuleInterface& interface, JobPlan& plan)
      : job_(job),
        dispatch_(job.dispatches[index]),
        interface_(interface),
        plan_(plan),
        where_(fmt::format("dispatch {}, {}", index, dispatch_.module->name)) {}

  Status run() {
    if (dispatch_.push.size() < interface_.pushBytes) {
      return badInput(
          fmt::format("the kernel declares {} bytes of push constants, {} are given", interface_.pushBytes, dispatch_.push.size()), where_);
    }
    for (const BindingSlot& slot : interface_.bindings) {
      if (Status wrong = planSlot(slot)) return wrong;
    }
    return {};
  }

 private:
  std::string at(const BindingSlot& slot, std::uint32_t element) const {
    std::string place = fmt::format("{}, set {} binding {}", where_, slot.set, slot.binding);
    if (slot.count != 1) place += fmt::format("[{}]", element);
    return slot.name.empty() ? place : place + " (" + slot.name + ")";
  }

  Status planSlot(const BindingSlot& slot) {
    if (slot.kind == DescriptorKind::kSampler || slot.kind == DescriptorKind::kCombinedImageSampler ||
        slot.kind == DescriptorKind::kUniformTexelBuffer || slot.kind == DescriptorKind::kStorageTexelBuffer) {
      return Error{Outcome::kUnsupported, std::string("the Vulkan backend has no ") + descriptorKindName(slot.kind) + " yet", at(slot, 0),
                   ""};
    }
    if (slot.count == 0 || slot.multisampled || slot.dim == ImageDim::kOther) {
      const char* what = slot.count == 0 ? "runtime arrays of descriptors" : "images of this kind";
      return Error{Outcome::kUnsupported, std::string("the Vulkan backend has no ") + what + " yet", at(slot, 0), ""};
    }
    for (std::uint32_t element = 0; element < slot.count; ++element) {
      if (Status wrong = planElement(slot, element)) return wrong;
    }
    return {};
  }

  Status planElement(const BindingSlot& slot, std::uint32_t element) {
    const auto matches = [&](const Binding& b) { return b.set == slot.set && b.binding == slot.binding && b.element == element; };
    const auto binding = std::ranges::find_if(dispatch_.bindings, matches);
    if (binding == dispatch_.bindings.end()) {
      return badInput(fmt::format("no resource is bound to a {}", descriptorKindName(slot.kind)), at(slot, element));
    }
    const auto named = [&](const Resource& r) { return r.name == binding->resource; };
    const auto resource = std::ranges::find_if(job_.resources, named);
    if (resource == job_.resources.end()) return badInput("there is no resource '" + binding->resource + "'", at(slot, element));
    PlannedDescriptor out{slot.set,          slot.binding, element,      slot.kind, std::size_t(resource - job_.resources.begin()),
                          Format::UNDEFINED, slot.dim,     slot.arrayed, 0,         1};
    const ImageData* image = std::get_if<ImageData>(&resource->data);
    if (isBufferKind(slot.kind) != (image == nullptr)) {
      return badInput(fmt::format("'{}' is {}, the kernel declares a {}", binding->resource, image ? "an image" : "a buffer",
                                  descriptorKindName(slot.kind)),
                      at(slot, element));
    }
    if (image) {
      if (Status wrong = planView(slot, *binding, *image, out)) return wrong;
    }
    plan_.dispatches.back().push_back(out);
    return {};
  }

  Status planView(const BindingSlot& slot, const Binding& binding, const ImageData& image, PlannedDescriptor& out) {
    const std::string place = at(slot, binding.element);
    out.viewFormat = binding.viewFormat == Format::UNDEFINED ? image.format : binding.viewFormat;
    const FormatInfo* view = formatInfo(out.viewFormat);
    if (!view) return badInput("a view of an unknown format", place);
    if (view->texelBytes != formatInfo(image.format)->texelBytes) {
      return badInput(fmt::format("an image of {} cannot be seen as {}", formatInfo(image.format)->name, view->name), place);
    }
    if (slot.spirvFormat != 0 && slot.kind == DescriptorKind::kStorageImage && formatBySpirv(slot.spirvFormat) != out.viewFormat) {
      const FormatInfo* declared = formatInfo(formatBySpirv(slot.spirvFormat));
      return badInput(fmt::format("the view is {}, the kernel declares {}", view->name,
                                  declared ? std::string(declared->name) : fmt::format("SPIR-V image format {}", slot.spirvFormat)),
                      place);
    }
    if (binding.baseLevel >= image.levels || binding.levelCount > image.levels - binding.baseLevel) {
      return badInput(fmt::format("levels {} to {} of an image of {}", binding.baseLevel,
                                  std::uint64_t{binding.baseLevel} + binding.levelCount, image.levels),
                      place);
    }
    out.baseLevel = binding.baseLevel;
    // A storage image is one level: what a kernel reads and writes is the view's first.
    out.levelCount = binding.levelCount ? binding.levelCount : image.levels - binding.baseLevel;
    if (slot.kind == DescriptorKind::kStorageImage) out.levelCount = 1;
    const std::uint32_t dimensions = slot.dim == ImageDim::k1D ? 1 : slot.dim == ImageDim::k3D ? 3 : 2;
    if (dimensions != image.dimensions || (slot.dim == ImageDim::kCube && image.layers % 6 != 0)) {
      return badInput(
          fmt::format("an image of {} dimensions and {} layers, the kernel declares another kind", image.dimensions, image.layers), place);
    }
    PlannedImageUse& use = plan_.images[out.resource];
    (slot.kind == DescriptorKind::kStorageImage ? use.storage : use.sampled) = true;
    if (out.viewFormat != image.format && std::ranges::find(use.otherViewFormats, out.viewFormat) == use.otherViewFormats.end()) {
      use.otherViewFormats.push_back(out.viewFormat);
    }
    return {};
  }

  const Job& job_;
  const Dispatch& dispatch_;
  const ModuleInterface& interface_;
  JobPlan& plan_;
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
  return {};
}

Expected<JobPlan> planJob(const Job& job, std::span<const ModuleInterface* const> interfaces) {
  JobPlan plan;
  for (std::size_t i = 0; i < job.dispatches.size(); ++i) {
    plan.dispatches.emplace_back();
    if (Status wrong = DispatchPlanner(job, i, *interfaces[i], plan).run()) return *wrong;
  }
  return plan;
}

}  // namespace lanewise
