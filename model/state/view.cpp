// See view.h.
#include "model/state/view.h"

#include <fmt/format.h>

#include "model/contract/bound_bytes.h"

namespace lanewise {
namespace {

Error badInput(std::string what) {
  return {Outcome::kBadInput, std::move(what), "", ""};
}

// The format that the binding asks for, else `own`.
Expected<const FormatInfo*> viewFormat(Format own, const Type& declared, const Binding& binding) {
  const FormatInfo* format = formatInfo(binding.viewFormat == Format::UNDEFINED ? own : binding.viewFormat);
  if (!format) return Error{Outcome::kUnsupported, "the image's format is not supported", "", ""};
  const Format wanted = formatBySpirv(declared.imageFormat);
  if (wanted != Format::UNDEFINED && wanted != format->format)
    return badInput(fmt::format("the image has format {}, the module declares {}", format->name, formatInfo(wanted)->name));
  return format;
}

// Checks the image's shape against the declared one.
Status checkShape(const ImageData& image, const Type& declared) {
  const std::uint32_t dimensions = declared.dim == spv::Dim::Dim1D ? 1 : declared.dim == spv::Dim::Dim3D ? 3 : 2;
  if (image.dimensions != dimensions)
    return badInput(fmt::format("the image has {} dimensions, the module declares {}", image.dimensions, dimensions));
  if ((image.samples > 1) != (declared.multisampled != 0))
    return badInput(
        fmt::format("the image has {} samples a texel, the module declares {}", image.samples, declared.multisampled ? "several" : "one"));
  if (declared.dim == spv::Dim::Cube && image.extent.x != image.extent.y)
    return badInput(fmt::format("a cube of {}x{} texels, which are not square", image.extent.x, image.extent.y));
  return {};
}

}  // namespace

Expected<ImageView> viewOfImage(const ImageData& image, const std::vector<ImageLevel>& levels, const Type& declared, const Binding& binding,
                                std::vector<ImageLevel>& chain) {
  const auto format = viewFormat(image.format, declared, binding);
  if (!format) return format.error();
  const FormatInfo* own = formatInfo(image.format);
  if (!own || own->texelBytes != (*format)->texelBytes)
    return badInput(fmt::format("a view of format {} does not fit the image", (*format)->name));
  if (Status wrong = checkShape(image, declared)) return *wrong;
  if (binding.baseLevel >= image.levels) return badInput(fmt::format("the image has no level {}", binding.baseLevel));
  if (binding.levelCount > image.levels - binding.baseLevel)
    return badInput(fmt::format("{} levels from level {} on of an image of {}", binding.levelCount, binding.baseLevel, image.levels));
  const std::uint32_t rest = image.layers - std::min(binding.baseLayer, image.layers);
  const std::uint32_t unit = declared.dim == spv::Dim::Cube ? 6 : 1;
  const std::uint32_t layers = binding.layerCount ? binding.layerCount : declared.arrayed ? rest / unit * unit : unit;
  if (layers == 0 || layers > rest || layers % unit != 0 || (!declared.arrayed && layers != unit))
    return badInput(fmt::format("{} layers from layer {} on of an image of {}, where the module declares {}", layers, binding.baseLayer,
                                image.layers,
                                declared.arrayed ? (unit == 6 ? "whole cubes" : "an array") : (unit == 6 ? "one cube" : "one layer")));
  ImageView view;
  view.format = *format;
  view.levels = binding.levelCount ? binding.levelCount : image.levels - binding.baseLevel;
  view.layers = layers;
  view.samples = image.samples;
  view.dimensions = image.dimensions;
  chain.assign(levels.begin() + binding.baseLevel, levels.begin() + binding.baseLevel + view.levels);
  for (ImageLevel& level : chain) {
    if (image.dimensions == 3) continue;
    const std::uint64_t before = std::uint64_t{binding.baseLayer} * image.samples;
    level.data += before * level.sliceBytes;
    level.offset += before * level.extent.x * level.extent.y * (*format)->texelBytes;
    level.extent.z = layers * image.samples;
  }
  static_cast<ImageLevel&>(view) = chain[0];
  view.chain = chain.data();
  return view;
}

Expected<ImageView> viewOfTexelBuffer(BufferData& buffer, const Type& declared, const Binding& binding) {
  // A declaration with a format needs no other check.
  const Format own = formatBySpirv(declared.imageFormat);
  if (own == Format::UNDEFINED && binding.viewFormat == Format::UNDEFINED)
    return Error{Outcome::kBadInput, "a texel buffer without a view format", "", "name the format of its texels"};
  const auto format = viewFormat(own, declared, binding);
  if (!format) return format.error();
  const auto bytes = viewOfBuffer(buffer, binding);
  if (!bytes) return bytes.error();
  const std::uint32_t texel = (*format)->texelBytes;
  if (bytes->offset % texel != 0)
    return badInput(fmt::format("a texel buffer from byte {} on, in texels of {} bytes", bytes->offset, texel));
  ImageView view;
  view.format = *format;
  view.dimensions = 1;
  view.extent = {static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes->size / texel, 0xffffffffu)), 1, 1};
  view.data = bytes->data;
  view.rowBytes = view.sliceBytes = bytes->size;
  view.offset = bytes->offset;
  return view;
}

Expected<BufferView> viewOfBuffer(BufferData& buffer, const Binding& binding) {
  const Expected<BoundBytes> bound = boundBytes(binding, buffer.bytes.size());
  if (!bound) return bound.error();
  return BufferView{buffer.bytes.data() + bound->offset, bound->size, 0, bound->offset};
}

}  // namespace lanewise
