#include "model/spirv/bound_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise::spirv {
namespace {

Error badView(std::string what) {
  return {Outcome::kBadInput, std::move(what), "", ""};
}

// The format that the binding asks for, else `own`.
Expected<const FormatInfo*> viewFormat(Format own, const Type& declared, const Binding& binding) {
  const FormatInfo* format = formatInfo(binding.viewFormat == Format::UNDEFINED ? own : binding.viewFormat);
  if (!format) return Error{Outcome::kUnsupported, "the image's format is not supported", "", ""};
  const Format wanted = formatBySpirv(declared.imageFormat);
  if (wanted != Format::UNDEFINED && wanted != format->format)
    return badView(fmt::format("the {} is {}, the module declares {}", binding.viewFormat == Format::UNDEFINED ? "image" : "view",
                               format->name, formatInfo(wanted)->name));
  return format;
}

Status checkShape(const ImageData& image, const Type& declared) {
  const std::uint32_t dimensions = declared.dim == spv::Dim::Dim1D ? 1 : declared.dim == spv::Dim::Dim3D ? 3 : 2;
  if (image.dimensions != dimensions)
    return badView(fmt::format("the image has {} dimensions, the module declares {}", image.dimensions, dimensions));
  if ((image.samples > 1) != (declared.multisampled != 0))
    return badView(
        fmt::format("the image has {} samples a texel, the module declares {}", image.samples, declared.multisampled ? "several" : "one"));
  if (declared.dim == spv::Dim::Cube && image.extent.x != image.extent.y)
    return badView(fmt::format("a cube of {}x{} texels, which are not square", image.extent.x, image.extent.y));
  return {};
}

}  // namespace

Expected<BoundView> boundView(const ImageData& image, const Type& declared, const Binding& binding) {
  const auto format = viewFormat(image.format, declared, binding);
  if (!format) return format.error();
  const FormatInfo* own = formatInfo(image.format);
  if (!own || own->texelBytes != (*format)->texelBytes)
    return badView(fmt::format("an image of {} cannot have a view of {}", own ? own->name : "an unknown format", (*format)->name));
  if (Status wrong = checkShape(image, declared)) return *wrong;
  if (binding.baseLevel >= image.levels || binding.levelCount > image.levels - binding.baseLevel)
    return badView(fmt::format("levels {} to {} of an image of {}", binding.baseLevel,
                               std::uint64_t{binding.baseLevel} + binding.levelCount, image.levels));
  const std::uint32_t rest = image.layers - std::min(binding.baseLayer, image.layers);
  const std::uint32_t unit = declared.dim == spv::Dim::Cube ? 6 : 1;
  const std::uint32_t layers = binding.layerCount ? binding.layerCount : declared.arrayed ? rest / unit * unit : unit;
  if (layers == 0 || layers > rest || layers % unit != 0 || (!declared.arrayed && layers != unit))
    return badView(fmt::format("{} layers from layer {} on of an image of {}, where the module declares {}", layers, binding.baseLayer,
                               image.layers,
                               declared.arrayed ? (unit == 6 ? "whole cubes" : "an array") : (unit == 6 ? "one cube" : "one layer")));
  return BoundView{*format, binding.levelCount ? binding.levelCount : image.levels - binding.baseLevel, layers};
}

Expected<BoundTexels> boundTexels(std::uint64_t bufferBytes, const Type& declared, const Binding& binding) {
  // A declaration with a format needs no other check.
  const Format own = formatBySpirv(declared.imageFormat);
  if (own == Format::UNDEFINED && binding.viewFormat == Format::UNDEFINED)
    return Error{Outcome::kBadInput, "a texel buffer without a view format", "", "name the format of its texels"};
  const auto format = viewFormat(own, declared, binding);
  if (!format) return format.error();
  const Expected<BoundBytes> bytes = boundBytes(binding, bufferBytes);
  if (!bytes) return bytes.error();
  const std::uint32_t texel = (*format)->texelBytes;
  if (bytes->offset % texel != 0)
    return badView(fmt::format("a texel buffer from byte {} on, in texels of {} bytes", bytes->offset, texel));
  return BoundTexels{*format, {bytes->offset, bytes->size - bytes->size % texel}};
}

}  // namespace lanewise::spirv
