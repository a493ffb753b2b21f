#include "model/exec/ranges.h"

#include <algorithm>
#include <bit>

namespace lanewise {

std::vector<PlaceRange> rangesOf(const BoundDispatch& bound, std::size_t declared, bool levels) {
  std::vector<PlaceRange> out;
  const DescriptorRange range = bound.descriptors[declared];
  for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
    const std::uint32_t element = i - range.first;
    if (const BufferView& buffer = bound.buffers[i]; buffer.data)
      out.push_back({.resource = buffer.resource, .begin = buffer.offset, .end = buffer.offset + buffer.size, .element = element});
    const ImageView& image = bound.images[i];
    if (!image.data) continue;
    const std::uint32_t texel = image.format->texelBytes;
    for (std::uint32_t l = 0; l < (levels ? image.levels : 1); ++l) {
      const ImageLevel& level = image.chain ? image.chain[l] : image;
      const std::uint64_t bytes = std::uint64_t{level.extent.x} * level.extent.y * level.extent.z * texel;
      out.push_back({image.resource, level.offset, level.offset + bytes, std::bit_floor(texel), image.dimensions, texel, element});
    }
  }
  return out;
}

bool mayAccess(const Program& program, std::uint32_t pc, const PlaceRange& range) {
  const std::uint32_t element = program.ownPlaces.elements[pc];
  return element == 0 || element - 1 == range.element;
}

std::optional<AccessedRanges> accessedRanges(const BoundDispatch& bound, bool (*stores)(ir::Code)) {
  const Program& program = *bound.program;
  AccessedRanges out;
  std::size_t count = 0;
  for (std::size_t r = 0; r < program.uses.all.size(); ++r)
    count += out.all.emplace_back(rangesOf(bound, r, program.uses.all[r].levels)).size();
  if (count > kMostAccessed) return {};
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc)
    if (const auto r = program.resourceOf(pc))
      for (PlaceRange& range : out.all[*r]) {
        if (!mayAccess(program, pc, range)) continue;
        range.accessed = true;
        if (!stores(program.info[pc].op) || range.claimed) continue;
        range.claimed = true;
        out.stored.push_back(range);
      }
  if (out.stored.size() > kMostRanges) return {};
  for (std::vector<PlaceRange>& ranges : out.all)
    for (PlaceRange& range : ranges)
      range.claimed =
          range.claimed || (range.accessed && std::ranges::any_of(out.stored, [&](const PlaceRange& s) { return s.meets(range); }));
  return out;
}

bool meet(const std::vector<PlaceRange>& a, const std::vector<PlaceRange>& b) {
  return std::ranges::any_of(a,
                             [&](const PlaceRange& x) { return std::ranges::any_of(b, [&](const PlaceRange& y) { return x.meets(y); }); });
}

}  // namespace lanewise
