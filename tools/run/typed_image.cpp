#include "tools/run/typed_image.h"

#include <algorithm>
#include <bit>

#include "tools/run/type_text.h"

namespace lanewise {

Texels texelsOf(const FormatInfo& f) {
  using C = golden::Component;
  if (isPacked(f)) return {1, f.texelBytes == 2 ? C::kU16 : f.texelBytes == 4 ? C::kU32 : C::kU8};
  using Kind = ValueType::Kind;
  const bool isSigned = f.numeric == NumericFormat::kSint || f.numeric == NumericFormat::kSnorm;
  const Kind kind = f.numeric == NumericFormat::kSfloat ? Kind::kFloat : isSigned ? Kind::kSigned : Kind::kUnsigned;
  return {f.components, texelsOf(ValueType{kind, static_cast<std::uint8_t>(f.componentBits / 8)}).component};
}

Texels texelsOf(ValueType type) {
  using C = golden::Component;
  constexpr C kUnsigned[] = {C::kU8, C::kU16, C::kU32, C::kU64}, kSigned[] = {C::kI8, C::kI16, C::kI32, C::kI64},
              kFloat[] = {C::kU8, C::kF16, C::kF32, C::kF64};
  const C* row = type.kind == ValueType::Kind::kFloat ? kFloat : type.kind == ValueType::Kind::kSigned ? kSigned : kUnsigned;
  return {1, row[std::countr_zero(type.bytes)]};
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

bool isPacked(const FormatInfo& f) {
  return f.componentBits == 0;
}

std::string_view whyExact(const RunOutput& output, const Resource& resource) {
  const auto* image = std::get_if<ImageData>(&resource.data);
  if (image != nullptr || output.texels != Format::UNDEFINED)
    return isPacked(*formatInfo(image != nullptr ? image->format : output.texels)) ? "its texels are packed" : "";
  return uniformType(*output.binding->type, resource.bytes().size()) ? "" : "its values are not all of one type without gaps";
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
