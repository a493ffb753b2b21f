#include "tools/run/typed_image.h"

#include <algorithm>

#include "tools/run/type_text.h"

namespace lanewise {

Texels texelsOf(const FormatInfo& f) {
  using C = golden::Component;
  const bool isFloat = f.numeric == NumericFormat::kSfloat;
  switch (f.componentBits) {
    case 8:
      return {f.components, C::kU8};
    case 16:
      return {f.components, isFloat ? C::kF16 : C::kU16};
    case 32:
      return {f.components, isFloat ? C::kF32 : C::kU32};
    case 64:
      return {f.components, C::kU64};
    default:  // packed
      return {1, f.texelBytes == 2 ? C::kU16 : f.texelBytes == 4 ? C::kU32 : C::kU8};
  }
}

Texels texelsOf(ValueType type) {
  using C = golden::Component;
  const bool isFloat = type.kind == ValueType::Kind::kFloat;
  switch (type.bytes) {
    case 1:
      return {1, C::kU8};
    case 2:
      return {1, isFloat ? C::kF16 : C::kU16};
    case 4:
      return {1, isFloat ? C::kF32 : C::kU32};
    default:
      return {1, C::kU64};
  }
}

std::optional<ValueType> uniformType(const Type& block, std::size_t bytes) {
  std::optional<ValueType> type;
  for (std::uint64_t at = 0; at < std::min<std::size_t>(bytes, 4096);) {
    const std::optional<LeafAt> leaf = leafAt(block, at);
    if (!leaf || leaf->offset != at || (type && typeOf(*leaf) != *type)) return {};
    type = typeOf(*leaf);
    at += type->bytes;
  }
  return type;
}

bool isComparedByBits(const FormatInfo& f) {
  return f.numeric == NumericFormat::kSint || f.numeric == NumericFormat::kSnorm || f.componentBits == 0;
}

bool isComparedByBits(ValueType type) {
  return type.kind == ValueType::Kind::kSigned || (type.kind == ValueType::Kind::kFloat && type.bytes == 8);
}

bool isComparedByBits(const RunOutput& output, const Resource& resource) {
  if (const auto* image = std::get_if<ImageData>(&resource.data)) return isComparedByBits(*formatInfo(image->format));
  if (output.texels != Format::UNDEFINED) return isComparedByBits(*formatInfo(output.texels));
  const std::optional<ValueType> type = uniformType(*output.binding->type, resource.bytes().size());
  return type && isComparedByBits(*type);
}

golden::Image typedImage(const RunOutput& output, const Resource& resource) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  golden::Image out;
  Texels texels;
  if (image) {
    texels = texelsOf(*formatInfo(image->format));
    out.blueFirst = image->format == Format::B8G8R8A8_UNORM;
  } else if (output.texels != Format::UNDEFINED) {
    texels = texelsOf(*formatInfo(output.texels));
  } else if (const std::optional<ValueType> type = uniformType(*output.binding->type, resource.bytes().size())) {
    texels = texelsOf(*type);
  }
  const std::size_t texel = texels.channels * golden::componentBytes(texels.component);
  if (resource.bytes().size() % texel != 0) texels = {};
  out.channels = texels.channels;
  out.component = texels.component;
  out.bytes = resource.bytes();
  if (image && image->layers == 1 && image->extent.z == 1 && image->samples == 1) {
    out.extent = {image->extent.x, image->extent.y};
    out.levels = image->levels;
  } else {
    out.extent = {static_cast<std::uint32_t>(out.bytes.size() / out.texelBytes()), 1};
  }
  return out;
}

}  // namespace lanewise
