#include "model/memory/blit.h"

#include "model/memory/sample.h"

namespace lanewise {
namespace {

// The middle of texel i of `size`, on an axis of `source` texels.
float middleOf(std::uint32_t i, std::uint32_t size, std::uint32_t source) {
  return static_cast<float>((2.0 * i + 1) * source / (2.0 * size));
}

}  // namespace

void blitLevel(const Blit& blit, const ImageData& image, const std::vector<ImageLevel>& levels, const Profile& profile,
               Observers* observers) {
  const ImageLevel &from = levels[blit.from], &to = levels[blit.to];
  const bool volume = image.dimensions == 3;
  Type type;
  type.kind = Type::Kind::kImage;
  type.dim = image.dimensions == 1 ? spv::Dim::Dim1D : volume ? spv::Dim::Dim3D : spv::Dim::Dim2D;
  type.arrayed = 1;
  ir::ImageAccess access;
  access.type = &type;
  SamplerState sampler;
  sampler.mag = sampler.min = Filter::kLinear;
  sampler.unnormalized = true;
  ImageView source;
  static_cast<ImageLevel&>(source) = from;
  source.format = formatInfo(image.format);
  source.layers = image.layers;
  const bool watched = observers && observers->want(watch::kBlit);
  const std::size_t texelBytes = source.format->texelBytes;
  SamplePoint point;
  std::uint64_t texel[4];
  for (std::uint32_t z = 0; z < to.extent.z; ++z) {
    point.layer = volume ? 0.0f : static_cast<float>(z);
    point.at[2] = volume ? middleOf(z, to.extent.z, from.extent.z) : 0.0f;
    for (std::uint32_t y = 0; y < to.extent.y; ++y) {
      point.at[1] = middleOf(y, to.extent.y, from.extent.y);
      std::byte* row = to.data + z * to.sliceBytes + y * to.rowBytes;
      for (std::uint32_t x = 0; x < to.extent.x; ++x) {
        point.at[0] = middleOf(x, to.extent.x, from.extent.x);
        SampledTexels touched;
        sampleImage(source, sampler, access, profile, point, texel, watched ? &touched : nullptr);
        encodeTexel(*source.format, profile.texel, texel, row + x * texelBytes);
        if (!watched) continue;
        std::vector<std::uint64_t> read;
        for (std::uint32_t i = 0; i < touched.count; ++i) read.push_back(touched.place[i].tightOffset(source));
        std::ranges::sort(read);
        observers->moment(BlitTexel{blit, TexelPlace{row, &to, x, y, z}.tightOffset(source), read});
      }
    }
  }
}

}  // namespace lanewise
