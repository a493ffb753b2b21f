#include "model/exec/ranges.h"

#include <algorithm>
#include <bit>

namespace lanewise {

std::vector<PlaceRange> rangesOf(const BoundDispatch& bound, std::size_t declared, bool levels) {
  std::vector<PlaceRange> out;
  const DescriptorRange range = bound.descriptors[declared];
  for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
    if (const BufferView& buffer = bound.buffers[i]; buffer.data)
      out.push_back({buffer.resource, buffer.offset, buffer.offset + buffer.size});
    const ImageView& image = bound.images[i];
    if (!image.data) continue;
    const std::uint32_t texel = image.format->texelBytes;
    for (std::uint32_t l = 0; l < (levels ? image.levels : 1); ++l) {
      const ImageLevel& level = image.chain ? image.chain[l] : image;
      const std::uint64_t bytes = std::uint64_t{level.extent.x} * level.extent.y * level.extent.z * texel;
      out.push_back({image.resource, level.offset, level.offset + bytes, std::bit_floor(texel), image.dimensions, texel});
    }
  }
  return out;
}

bool meet(const std::vector<PlaceRange>& a, const std::vector<PlaceRange>& b) {
  return std::ranges::any_of(a,
                             [&](const PlaceRange& x) { return std::ranges::any_of(b, [&](const PlaceRange& y) { return x.meets(y); }); });
}

}  // namespace lanewise
