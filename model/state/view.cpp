// See view.h.
#include "model/state/view.h"

#include "model/spirv/bound_view.h"

namespace lanewise {
Expected<ImageView> viewOfImage(const ImageData& image, const std::vector<ImageLevel>& levels, const Type& declared, const Binding& binding,
                                std::vector<ImageLevel>& chain) {
  const Expected<spirv::BoundView> bound = spirv::boundView(image, declared, binding);
  if (!bound) return bound.error();
  ImageView view;
  view.format = bound->format;
  view.levels = bound->levels;
  view.layers = bound->layers;
  view.samples = image.samples;
  view.dimensions = image.dimensions;
  chain.assign(levels.begin() + binding.baseLevel, levels.begin() + binding.baseLevel + view.levels);
  for (ImageLevel& level : chain) {
    if (image.dimensions == 3) continue;
    const std::uint64_t before = std::uint64_t{binding.baseLayer} * image.samples;
    level.data += before * level.sliceBytes;
    level.offset += before * level.extent.x * level.extent.y * bound->format->texelBytes;
    level.extent.z = bound->layers * image.samples;
  }
  static_cast<ImageLevel&>(view) = chain[0];
  view.chain = chain.data();
  return view;
}

Expected<ImageView> viewOfTexelBuffer(BufferData& buffer, const Type& declared, const Binding& binding) {
  const Expected<spirv::BoundTexels> bound = spirv::boundTexels(buffer.bytes.size(), declared, binding);
  if (!bound) return bound.error();
  const auto& [offset, size] = bound->bytes;
  ImageView view;
  view.format = bound->format;
  view.dimensions = 1;
  view.extent = {static_cast<std::uint32_t>(std::min<std::uint64_t>(size / bound->format->texelBytes, 0xffffffffu)), 1, 1};
  view.data = buffer.bytes.data() + offset;
  view.rowBytes = view.sliceBytes = size;
  view.offset = offset;
  return view;
}

Expected<BufferView> viewOfBuffer(BufferData& buffer, const Binding& binding) {
  const Expected<BoundBytes> bound = boundBytes(binding, buffer.bytes.size());
  if (!bound) return bound.error();
  return BufferView{buffer.bytes.data() + bound->offset, bound->size, 0, bound->offset};
}

}  // namespace lanewise
